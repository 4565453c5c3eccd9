// `viva diff`: an agent at two revisions, on repositories made here.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeRepository, type Repository } from '../support/git-repository.js'
import { makeFolder, parseEvents, startViva, viva, type CliRun } from '../support/run-cli.js'

// Many starts of git and Viva each, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 })

const CASES = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    id: `T${at + 1}`,
    input: String(at + 1),
    assert: { type: 'contains', value: 'good' },
    ...more,
  }))

/** Reads its prompt from where it is run, as agents do. */
const AGENT = `import { readFileSync } from 'node:fs'
export function run(messages) {
  const [word, every] = readFileSync('prompt.txt', 'utf8').trim().split(' ')
  const number = Number(messages.at(-1).content)
  return { content: (every !== undefined && number % Number(every) === 0 ? 'bad ' : 'good ') + word }
}
`
const START = { 'agent.mjs': AGENT, 'prompt.txt': 'old', 'tests/inputs.jsonl': CASES(30) }
const RUN = ['-i', 'tests/inputs.jsonl', '-n', './agent.mjs#run']

/** Both sides are below the test's own temporary folder. */
async function diff(
  repository: Pick<Repository, 'dir'>,
  args: string[],
  cwd = repository.dir,
): Promise<CliRun & { left: string[] }> {
  const tmp = makeFolder()
  const run = await viva(['diff', ...args], { cwd, env: { TMPDIR: tmp } })
  return { ...run, left: leftIn(tmp) }
}

/** What is left of the sides. */
function leftIn(tmp: string): string[] {
  return readdirSync(tmp)
    .filter((name) => name.startsWith('viva-diffs'))
    .flatMap((name) => ['folders', 'registry', 'state'].flatMap((each) => readdirSync(join(tmp, name, each))))
}

function expectGone({ left }: { left: string[] }, { git }: Repository): void {
  expect(left).toEqual([])
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(git('status', '--porcelain')).toBe('')
}

test('worse, not worse and undecided: exit code, console, comment, JSON and an ordinary event file', async () => {
  const repository = makeRepository(START)
  repository.commit({ 'prompt.txt': 'new' })
  repository.git('branch', 'same')
  repository.commit({ 'prompt.txt': 'new 3' })

  const worse = await diff(repository, [
    'main~2..main',
    ...RUN,
    '--runs',
    '3',
    '--comment',
    'events.md',
    '-o',
    'events.jsonl',
    '-o',
    'events.html',
  ])
  expect(worse.stderr).not.toContain('error')
  expect(worse.code).toBe(1)
  expect(worse.stdout).toContain('✗ worse')
  expect(worse.stdout).toMatch(/worse: 100% → 66\.7%, -33\.3 points \(-\d+\.\d to -\d+\.\d\), 30 cases × 3 runs/)
  expect(worse.stdout).toContain('[T3] 3/3 → 0/3: assertion failed')
  expectGone(worse, repository)
  const comment = readFileSync(join(repository.dir, 'events.md'), 'utf8')
  expect(comment).toContain('## ❌ Worse: `main~2 (')
  expect(comment).toContain('### Passed less often (10)')

  const events = parseEvents(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8'))
  expect(events[0]).toMatchObject({ type: 'start', format: 2, runs_per_case: 3, diff: { left: { ref: 'main~2' } } })
  expect(events.at(-1)).toMatchObject({ type: 'summary', exit_code: 1, decision: { verdict: 'worse' } })
  const results = events.filter(({ type }) => type === 'result')
  // Each side is its own revision, run in its own folder; the sides take turns.
  expect(results.slice(0, 4).map(({ id, run, variant, output }) => [id, run, variant, output])).toEqual([
    ['T1', 1, 'main~2', 'good old'],
    ['T1', 1, 'main', 'good new'],
    ['T1', 2, 'main~2', 'good old'],
    ['T1', 2, 'main', 'good new'],
  ])
  const report = await viva(['report', 'events.jsonl', '--format', 'markdown'], { cwd: repository.dir })
  expect(report.stdout).toContain('worse: 100%')
  const resumed = await viva(['test', '--resume', 'events.jsonl'], { cwd: repository.dir })
  expect(resumed.code).toBe(2)
  expect(resumed.stderr).toContain('is from a diff')

  const json = await diff(repository, ['main~2..same', ...RUN, '--runs', '5', '--json'])
  expect(json.code).toBe(0)
  expect(JSON.parse(json.stdout)).toMatchObject({
    format: 1,
    verdict: 'not_worse',
    left: { name: 'main~2' },
    right: { name: 'same' },
    decision: { difference: 0, runs: 5 },
    cases: { fell: [], rose: [] },
    exit_code: 0,
  })

  const open = await diff(repository, ['main~2..same', ...RUN])
  expect(open.code).toBe(0)
  expect(open.stdout).toMatch(/\? cannot tell yet; about \d more runs of each case would tell/)
  const strict = await diff(repository, ['main~2..same', ...RUN, '--fail-on', 'undecided', '--run', 'T1$', '--json'])
  expect(strict.code).toBe(1)
  expect(JSON.parse(strict.stdout)).toMatchObject({ verdict: 'undecided', decision: { needed: { what: 'cases' } } })

  // 10 of 30 cases, which is within so wide a margin.
  const slight = await diff(repository, ['same..main', ...RUN, '--runs', '5', '--margin', '60'])
  expect(slight.code).toBe(0)
  expect(slight.stdout).toContain('! slightly worse, within the margin of 60 points')
})

test('a case that breaks among many that always pass is named as viva compare names it, and can fail the gate', async () => {
  const repository = makeRepository({ ...START, 'tests/inputs.jsonl': CASES(110) })
  repository.commit({ 'prompt.txt': 'new 107' })
  const named = /T107 fell from 100% to 0% \(Fisher, one-sided, adjusted p = 0\.0079\)/
  const told = await diff(repository, ['main~1..main', ...RUN, '--runs', '5', '--comment', 'events.md'])
  expect(told.stdout).toMatch(new RegExp(`^! not worse by more than 5 points; ${named.source}$`, 'm'))
  expect(told.code).toBe(0)
  expect(readFileSync(join(repository.dir, 'events.md'), 'utf8')).toMatch(/## ⚠️ Not worse on the whole: /)
  const gate = await diff(repository, ['main~1..main', ...RUN, '--runs', '5', '--fail-on', 'regression', '--json'])
  expect(gate.code).toBe(1)
  expect(JSON.parse(gate.stdout)).toMatchObject({
    verdict: 'not_worse',
    decision: { fell: [{ id: 'T107', before: 100, after: 0 }] },
    reasons: [expect.stringMatching(new RegExp(`^${named.source} \\(--fail-on regression\\)$`))],
  })
})

test('--runs auto checks after planned runs, and ends when it can decide', async () => {
  const repository = makeRepository({
    ...START,
    'tests/inputs.jsonl': [...CASES(20), ...CASES(1, { id: 'S', skip: true })],
  })
  repository.commit({ 'prompt.txt': 'new 2' })
  repository.git('branch', 'worse')
  repository.commit({ 'prompt.txt': 'new' })
  const events = (run: CliRun) => parseEvents(readFileSync(join(run.dir, 'events.jsonl'), 'utf8'))
  const found = await diff(repository, ['main~2..worse', ...RUN, '--runs', 'auto', '-o', 'events.jsonl'])
  expect(found.code).toBe(1)
  const worse = events(found)
  expect(worse.at(-1)).toMatchObject({
    decision: { verdict: 'worse', runs: 2, rule: { looks: [1, 2, 3, 5, 8, 13, 21, 30] } },
  })
  // All cases have as many runs as any, and each its line; the second round begins when the first has ended.
  const runs = worse.filter(({ type, id }) => type === 'result' && id !== 'S').map(({ run }) => run)
  expect(runs).toEqual([...Array<number>(40).fill(1), ...Array<number>(40).fill(2)])
  expect(worse.filter(({ type }) => type === 'stability')).toHaveLength(42)
  const report = await viva(['report', 'events.jsonl', '--format', 'json'], { cwd: repository.dir })
  expect(JSON.parse(report.stdout)).toMatchObject({ summary: { failed: 10, passed: 30, skipped: 2 } })

  const same = await diff(repository, [
    'main~2..main',
    ...RUN,
    '--runs',
    'auto',
    '--parallel',
    '4',
    '-o',
    'events.jsonl',
    '--force',
  ])
  expect(same.code).toBe(0)
  expect(events(same).at(-1)).toMatchObject({ decision: { verdict: 'not_worse', runs: 13 } })
})

/** Fails now and then, as its revision and a count say: two revisions fail in different runs, and as often. */
const FLAKY = `import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
let calls = 0
export function run(messages) {
  const byte = createHash('sha256').update(readFileSync('prompt.txt', 'utf8') + ++calls).digest()[0]
  return { content: byte < 51 ? 'bad' : 'good' }
}
`

test('a flaky agent that did not change is not called worse', async () => {
  const repository = makeRepository({ ...START, 'agent.mjs': FLAKY, 'tests/inputs.jsonl': CASES(60) })
  for (const word of ['a', 'b']) repository.commit({ 'prompt.txt': word })
  for (const range of ['main~2..main~1', 'main~1..main']) {
    const run = await diff(repository, [range, ...RUN, '--runs', 'auto', '--max-runs', '21', '--json'])
    expect(run.code).toBe(0)
    expect(['not_worse', 'undecided']).toContain(JSON.parse(run.stdout).verdict)
  }
})

test('three dots take the merge base, two do not; --worktree sees what is not committed', async () => {
  const repository = makeRepository(START)
  repository.git('checkout', '-q', '-b', 'topic')
  repository.commit({ 'prompt.txt': 'topic' })
  repository.git('checkout', '-q', 'main')
  repository.commit({ 'prompt.txt': 'later' })
  const outputs = async (args: string[], cwd?: string): Promise<unknown> => {
    const run = await diff(
      repository,
      [...args, ...RUN, '--run', 'T1$', '-o', join(repository.dir, 'events.jsonl'), '--force'],
      cwd,
    )
    expect(run.stderr).not.toContain('error')
    expect(run.left).toEqual([])
    return parseEvents(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8'))
      .filter(({ type }) => type === 'result')
      .map(({ variant, output }) => `${String(variant)}: ${String(output)}`)
  }
  expect(await outputs(['main...topic'])).toEqual(['main: good old', 'topic: good topic'])
  expect(await outputs(['main..topic'])).toEqual(['main: good later', 'topic: good topic'])
  expect(await outputs(['topic..'])).toEqual(['topic: good topic', 'HEAD: good later'])

  // Changed, new, removed and ignored files.
  writeFileSync(
    join(repository.dir, 'agent.mjs'),
    `import { readFileSync, existsSync } from 'node:fs'
const has = (name) => existsSync(name) ? readFileSync(name, 'utf8').trim() : 'none'
export const run = () => ({ content: ['good', has('new.txt'), has('.env'), existsSync('prompt.txt')].join(' ') })
`,
  )
  writeFileSync(join(repository.dir, 'new.txt'), 'untracked')
  writeFileSync(join(repository.dir, '.env'), 'ENV')
  repository.git('rm', '-q', '--cached', 'prompt.txt')
  repository.git('config', 'core.fsmonitor', 'false')
  rmSync(join(repository.dir, 'prompt.txt'))
  expect(await outputs(['main', '--worktree'])).toEqual(['main: good later', 'working tree: good untracked none false'])
  expect(await outputs(['main', '--worktree', '--link', '.env'])).toEqual([
    'main: good later',
    'working tree: good untracked ENV false',
  ])
})

test('what cannot be compared is refused, with what to do', async () => {
  const repository = makeRepository({ ...START, 'viva.config.json': { agents: { far: 'https://example.com/agent' } } })
  repository.commit({ 'late.mjs': AGENT, 'prompt.txt': 'new' })
  const clone = makeFolder()
  repository.git('clone', '-q', '--depth', '1', `file://${repository.dir}`, join(clone, 'shallow'))
  const input = ['-i', 'tests/inputs.jsonl']
  const agent = ['-n', './agent.mjs#run']
  const refused: Array<[args: string[], text: string, hint: string, cwd?: string]> = [
    [['main~1..main', ...RUN], 'is a shallow clone', 'fetch-depth: 0', join(clone, 'shallow')],
    [['main~1..main', ...input, '-n', 'http://127.0.0.1:1/x'], 'is reached by a URL', 'let Viva start the agent'],
    [['main~1..main', ...input, '-n', 'far'], 'agents.far at main~1 is reached by a URL', 'let Viva start the agent'],
    [['main~1..main', ...input, '-n', './late.mjs#run'], 'at main~1 (', 'must exist in both revisions'],
    [['main~1..main', ...RUN, '--fail-fast'], '--fail-fast cannot be used with diff', 'leave it out'],
    [['main~1..main', ...RUN, '--practical-points', '6'], 'more than the margin of 5', 'raise --margin'],
    [['main~1..main', ...RUN, '-n', './late.mjs#run'], 'several are given', 'give -n once'],
    [['main', ...RUN], 'names one revision', 'main --worktree'],
    [['main', '--worktree', ...RUN], 'without a change', 'nothing to compare'],
    [[...RUN, '--', '--upload-pack=touch pwned..main'], 'does not begin with "-"', 'main..HEAD'],
    [['main~1..main', ...agent, '-i', 'hello'], 'needs the cases of a file', '-i tests/inputs.jsonl'],
    [['main~1..main', ...agent, '-i', 'tests/none.jsonl'], 'file not found', 'compare with --worktree'],
    [['main~1..main', ...RUN, '--link', 'prompt.txt'], 'git tracks it', 'leave --link out'],
    [['main~1..main', ...RUN], 'is not in the working tree of a git repository', 'inside the repository', clone],
  ]
  for (const [args, text, hint, cwd] of refused) {
    const run = await diff(repository, args, cwd)
    expect({ args, code: run.code, left: run.left }).toEqual({ args, code: 2, left: [] })
    expect(run.stderr, args.join(' ')).toContain(text)
    expect(run.stderr, args.join(' ')).toContain(hint)
    expect(run.stderr).not.toContain('viva-diffs')
  }
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(existsSync(join(repository.dir, 'pwned'))).toBe(false)
})

test('a right side that breaks is never called not worse', async () => {
  const repository = makeRepository({ ...START, 'tests/inputs.jsonl': CASES(20) })
  const broken: Array<[files: object, code: number, text: string]> = [
    [{ 'agent.mjs': 'throw new Error("no key")' }, 2, 'cannot compare: at main ('],
    [{ 'agent.mjs': 'export const run = (' }, 2, 'cannot compare: at main ('],
    [{ 'agent.mjs': 'export function run() { throw new Error("down") }' }, 3, 'cannot compare'],
    [
      {
        'agent.mjs': AGENT.replace(
          'const number',
          'if (messages.at(-1).content > 3) throw new Error("down")\n const number',
        ),
      },
      3,
      'cannot compare',
    ],
    // A question that no turn answers keeps its case from being shown, on this side only.
    [
      {
        'tests/inputs.jsonl': Array.from({ length: 60 }, (_, at) => ({
          id: `T${at}`,
          turns: [{ input: String(at) }],
          final_assertions: [{ type: 'contains', value: 'good' }],
        })),
        'agent.mjs': AGENT.replace('return {', 'return { awaiting_input: number > 29,'),
      },
      1,
      'worse',
    ],
    [{ 'tests/inputs.jsonl': CASES(20, { skip: true }) }, 3, 'cannot compare: no case has a verdict on both sides'],
  ]
  for (const [files, code, text] of broken) {
    repository.commit({ ...START, 'tests/inputs.jsonl': CASES(20), 'prompt.txt': 'mid' })
    repository.commit(files as Record<string, string>)
    for (const runs of text === 'cannot compare' ? ['3', 'auto'] : ['auto']) {
      const run = await diff(repository, ['main~1..main', ...RUN, '--runs', runs])
      expect({ text, runs, code: run.code }).toEqual({ text, runs, code })
      expect(run.stdout + run.stderr).toContain(text)
      expect(run.stdout).not.toContain('✓ not worse')
      expectGone(run, repository)
    }
  }
})

test('no cases, a cut budget and a script test give no answer', async () => {
  const repository = makeRepository({ ...START, 'tests/empty.jsonl': '' })
  repository.commit({
    'agent.mjs': AGENT.replace("'good ') + word", "'good ') + word, cost_dollars: 0.1"),
    'prompt.txt': 'new',
  })
  const empty = await diff(repository, ['main~1..main', '-i', 'tests/empty.jsonl', '-n', './agent.mjs#run'])
  expect(empty.code).toBe(2)
  const cut = await diff(repository, ['main~1..main', ...RUN, '--max-cost', '0.2'])
  expect(cut.code).toBe(1)
  expect(cut.stdout).toMatch(/cannot compare: .*--max-cost|cannot compare: .*budget|cannot compare: .*not run/)
  const scripts = await diff(repository, ['main~1..main', '-i', 'scripts.a.b', '-n', './agent.mjs#run'])
  expect(scripts.code).toBe(2)
})

test('nothing of the repository is executed on the way, and blanks cause no trouble', async () => {
  const folder = join(makeFolder(), 'my repo')
  mkdirSync(folder)
  const repository = makeRepository({}, folder)
  repository.commit({ 'pack age/agent.mjs': AGENT, 'pack age/prompt.txt': 'old', 'pack age/my cases.jsonl': CASES(2) })
  repository.commit({ 'pack age/prompt.txt': 'new' })
  for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change'])
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch "${folder}/hook.log"\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'monitor.log.sh'), `#!/bin/sh\ntouch "${folder}/monitor.log"\n`, { mode: 0o755 })
  repository.git('config', 'core.fsmonitor', join(folder, 'monitor.log.sh'))
  writeFileSync(join(folder, 'pack age', 'prompt.txt'), 'now')
  const args = ['main~1', '--worktree', '-i', 'my cases.jsonl', '-n', join(folder, 'pack age', 'agent.mjs#run')]
  const run = await diff(repository, [...args, '--json'], join(folder, 'pack age'))
  expect(run.stderr).not.toContain('error')
  expect(run.code).toBe(0)
  expect(run.left).toEqual([])
  expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'undecided', decision: { cases: 2 } })
  expect(readdirSync(folder).filter((name) => name.endsWith('.log'))).toEqual([])
  expect(existsSync(JSON.parse(run.stdout).events_file)).toBe(true)
})

test('submodules are checked out, each at its own commit', async () => {
  const inner = makeRepository({ 'word.txt': 'one' })
  const repository = makeRepository({
    'agent.mjs': `import { readFileSync } from 'node:fs'
export const run = () => ({ content: 'good ' + readFileSync('lib/word.txt', 'utf8') })`,
    'tests/inputs.jsonl': CASES(1),
  })
  repository.git('submodule', '--quiet', 'add', inner.dir, 'lib')
  repository.commit({})
  inner.commit({ 'word.txt': 'two' })
  repository.git('-C', 'lib', 'pull', '-q', 'origin', 'main')
  repository.commit({})
  const run = await diff(repository, ['main~1..main', ...RUN, '-o', 'events.jsonl'])
  const outputs = parseEvents(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8')).filter(
    ({ type }) => type === 'result',
  )
  expect(outputs.map(({ output }) => output)).toEqual(['good one', 'good two'])
  expectGone(run, repository)
  expect(repository.git('-C', 'lib', 'worktree', 'list').split('\n')).toHaveLength(1)
  writeFileSync(join(repository.dir, 'lib/word.txt'), 'three')
  await diff(repository, ['main', '--worktree', ...RUN, '-o', 'events.jsonl', '--force'])
  expect(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8')).toContain('good three')
})

test('secrets stay out of the comment, and Markdown in answers stays text', async () => {
  const repository = makeRepository({ ...START, 'tests/inputs.jsonl': CASES(8) })
  writeFileSync(join(repository.dir, '.env'), 'MY_API_KEY="open sesame 1234"\nNAME=x\n')
  repository.commit({
    'agent.mjs': `import { readFileSync } from 'node:fs'
export const run = () => { throw new Error(readFileSync('.env', 'utf8') + '![x](http://evil.example/p.png) <img src=x> @everyone | **bold** ') }`,
  })
  const run = await diff(repository, ['main~1..main', ...RUN, '--link', '.env', '--comment', 'events.md', '--json'])
  expect(run.code).toBe(3)
  const comment = readFileSync(join(repository.dir, 'events.md'), 'utf8')
  expect(comment + run.stdout + run.stderr).not.toContain('open sesame')
  expect(comment).toContain('evil.example')
  const { marked } = await import('marked')
  const html = await marked.parse(comment)
  expect(html).not.toMatch(/<img|<a |<strong>bold/)
  expect(html).toContain('&lt;img src=x&gt;')
})

test('packages of the working tree are shared with equal lock files only, and never links into the repository', async () => {
  const repository = makeRepository({
    ...START,
    'package.json': { name: 'app', type: 'module' },
    'package-lock.json': '{}',
    'tests/inputs.jsonl': CASES(1),
    'agent.mjs': `import { word } from 'dep'\nimport { readFileSync } from 'node:fs'
export const run = () => ({ content: 'good ' + word + readFileSync('prompt.txt', 'utf8') })`,
  })
  repository.commit({ 'prompt.txt': 'new' })
  const dep = join(repository.dir, 'node_modules/dep')
  mkdirSync(dep, { recursive: true })
  writeFileSync(join(dep, 'package.json'), '{"name":"dep","type":"module","exports":"./index.js"}')
  writeFileSync(join(dep, 'index.js'), 'export const word = "dep "')
  const shared = await diff(repository, ['main~1..main', ...RUN, '-o', 'events.jsonl'])
  expect(shared.code).toBe(0)
  expect(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8')).toContain('good dep new')

  mkdirSync(join(repository.dir, 'packages/lib'), { recursive: true })
  symlinkSync('../packages/lib', join(repository.dir, 'node_modules/lib'))
  const linked = await diff(repository, ['main~1..main', ...RUN])
  expect(linked.code).toBe(2)
  expect(linked.stderr).toContain('node_modules/lib is a link to packages/lib, which both sides would share')
  expect(linked.stderr).toContain('--setup "npm ci"')

  rmSync(join(repository.dir, 'node_modules/lib'))
  repository.commit({ 'package-lock.json': '{"other": 1}' })
  const other = await diff(repository, ['main~2..main', ...RUN])
  expect(other.code).toBe(2)
  expect(other.stderr).toContain(
    'package-lock.json at main~2 differs from the one that node_modules was installed from',
  )
  repository.commit({ 'package.json': { name: 'app', type: 'module', dependencies: { lib: 'file:packages/lib' } } })
  const local = await diff(repository, ['main~1..main', ...RUN])
  expect(local.stderr).toContain('takes lib from the repository (file:packages/lib)')
})

test('a monorepo in which only a linked package changed: each side has its own, installed once by lock file', async () => {
  const repository = makeRepository({
    'package.json': { name: 'mono', private: true, workspaces: ['packages/*'] },
    'packages/app/package.json': { name: 'app', version: '1.0.0', type: 'module', dependencies: { lib: '1.0.0' } },
    'packages/app/agent.mjs': `import { word } from 'lib'\nexport const run = () => ({ content: 'good ' + word })`,
    'packages/app/tests/inputs.jsonl': CASES(1),
    'packages/lib/package.json': { name: 'lib', version: '1.0.0', type: 'module', exports: './dist.js' },
    'packages/lib/source.js': `export const word = 'one'`,
    '.gitignore': 'node_modules\noutput-*\nevents*\n.viva\n.npm\ndist.js\n',
  })
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent'], { cwd: repository.dir })
  repository.commit({})
  repository.commit({ 'packages/lib/source.js': `export const word = 'two'` })
  const app = join(repository.dir, 'packages/app')
  const refused = await diff(repository, ['main~1..main', ...RUN], app)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('node_modules/app is a link to packages/app')

  const setup = 'npm ci --offline --no-audit --no-fund && cp packages/lib/source.js packages/lib/dist.js'
  const args = ['main~1..main', '-i', 'packages/app/tests/inputs.jsonl', '-n', './packages/app/agent.mjs#run']
  for (const times of [1, 2]) {
    const run = await diff(repository, [...args, '--setup', setup, '-o', 'events.jsonl', '--force'])
    expect(run.stderr).not.toContain('error')
    const results = parseEvents(readFileSync(join(repository.dir, 'events.jsonl'), 'utf8')).filter(
      ({ type }) => type === 'result',
    )
    expect(results.map(({ output }) => output)).toEqual(['good one', 'good two'])
    // The build is run every time; packages are installed for the first side of the first diff alone.
    expect(run.stderr.match(/: npm ci/g) ?? []).toHaveLength(times === 1 ? 1 : 0)
    expect(run.stderr.match(/as installed before, by lock file/g)).toHaveLength(times)
    expect(run.stderr.match(/: cp packages/g)).toHaveLength(2)
    expectGone(run, repository)
  }
  const failed = await diff(repository, [...args, '--setup', 'echo half; echo broken >&2; exit 3'])
  expect(failed.code).toBe(2)
  expect(failed.stderr).toContain('failed at main~1 (exit code 3): half; broken')
})

const SLOW = `export async function run() { await new Promise((resolve) => setTimeout(resolve, 60_000)); return 'good' }`

test('Ctrl-C takes both sides away, at any time; after kill -9 the next diff does', async () => {
  const repository = makeRepository({ ...START, 'agent.mjs': SLOW, 'tests/inputs.jsonl': CASES(2) })
  repository.commit({ 'prompt.txt': 'new' })
  const tmp = makeFolder()
  const start = (args: string[]) =>
    startViva(['diff', 'main~1..main', ...RUN, ...args], { cwd: repository.dir, env: { TMPDIR: tmp } })
  const count = (): number => repository.git('worktree', 'list').split('\n').length

  const running = start(['-o', 'events.jsonl'])
  await running.saw('viva · ')
  expect(count()).toBe(3)
  running.process.kill('SIGINT')
  expect((await running.done).code).toBe(130)
  expect([count(), leftIn(tmp)]).toEqual([1, []])

  // Before the first case: while a side is set up.
  const settingUp = start(['--setup', 'echo ready; sleep 60'])
  await settingUp.saw('echo ready')
  settingUp.process.kill('SIGINT')
  expect((await settingUp.done).code).toBe(130)
  expect([count(), leftIn(tmp)]).toEqual([1, []])

  // Another worktree, whose folder is gone, is not ours to forget.
  const own = join(makeFolder(), 'own')
  repository.git('worktree', 'add', '-q', '--detach', own)
  rmSync(own, { recursive: true })
  const killed = start([])
  await killed.saw('viva · ')
  expect(count()).toBe(4)
  killed.process.kill('SIGKILL')
  await killed.done
  expect(count()).toBe(4)
  const next = start(['--run', 'T1$', '--timeout', '1s'])
  expect((await next.done).code).toBe(3)
  expect([count(), leftIn(tmp)]).toEqual([2, []])
})

test('behaviour that changed is said in words, and counts when asked for', async () => {
  const repository = makeRepository({ ...START, 'tests/inputs.jsonl': CASES(40) })
  repository.commit({
    'agent.mjs': `export const run = (messages) => ({
      content: 'good', tool_calls: Number(messages.at(-1).content) % 3 ? [] : [{ name: 'search', arguments: { q: 'x' } }],
      cost_dollars: 0.02 })`,
  })
  repository.commit({ 'agent.mjs': `export const run = () => ({ content: 'good', cost_dollars: 0.01 })` })
  const run = await diff(repository, ['main~1..main', ...RUN, '--runs', '3', '--fail-on', 'drift', '--json'])
  expect(run.code).toBe(1)
  const found = JSON.parse(run.stdout)
  expect(found.verdict).toBe('not_worse')
  // How long they take is the machine's business.
  expect(found.changes.filter((line: string) => !/ is (slower|faster) than /.test(line))).toEqual([
    expect.stringMatching(/^main is cheaper than main~1: \$0\.020 → \$0\.010 for the typical case/),
    expect.stringMatching(
      /^main behaves differently from main~1 .*calls a tool in 0% of conversations instead of 32\.5%/,
    ),
  ])
  expect(found.reasons).toEqual([expect.stringMatching(/^the behaviour changed: .*\(--fail-on drift\)$/)])
  const calm = await diff(repository, ['main~1..main', ...RUN, '--runs', '3', '--json', '--practical', '60'])
  expect(calm.code).toBe(0)
  expect(JSON.parse(calm.stdout).changes.filter((line: string) => line.includes('behaves'))).toEqual([])
})
