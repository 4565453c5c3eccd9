// Several variants side by side: the plan, the figures, the reports, and everything that must hold with one.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../src/model/event.js'
import { makeFolder, viva, type CliRun, type Files } from '../support/run-cli.js'

// Upper case is right. `weak` is wrong where the number is divisible by 3, `env` as often as its variable says.
const AGENTS = `
const upper = (messages) => messages.at(-1).content.toUpperCase()
const number = (text) => Number(/\\d+/.exec(text)?.[0])
export const good = async (messages) => ({ content: upper(messages), cost_dollars: 0.01, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } })
export const weak = async (messages) => ({ content: number(upper(messages)) % 3 === 0 ? 'no' : upper(messages), cost_dollars: 0.02 })
export const env = async (messages) => ({ content: number(upper(messages)) % Number(process.env.EVERY) === 0 ? 'no' : upper(messages), cost_dollars: 0.03 })
export const told = async (messages, context, options) => ({ content: JSON.stringify({ chat: context.chat_id, locale: context.locale, connector: options.connector, depth: options.depth }) })
`

const cases = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `T${index + 1}`,
    input: `say ${index + 1}`,
    assertions: [{ type: 'contains', value: `SAY ${index + 1}` }],
  }))

const files = (count = 12, more: Files = {}): Files => ({ 'agents.mjs': AGENTS, 'cases.jsonl': cases(count), ...more })

const THREE = [
  ['--variant', 'good=./agents.mjs#good'],
  ['--variant', 'weak=./agents.mjs#weak'],
  ['--variant', 'env=./agents.mjs#env,env.EVERY=2'],
].flat()

const ONE: Record<string, string[]> = {
  good: ['--variant', 'good=./agents.mjs#good'],
  weak: ['--variant', 'weak=./agents.mjs#weak'],
  env: ['--variant', 'env=./agents.mjs#env,env.EVERY=2'],
}

function run(cwd: string, ...args: string[]): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', ...args], { cwd })
}

function events(dir: string, file: string): RunEvent[] {
  const lines = readFileSync(join(dir, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as RunEvent)
}

const resultsOf = (all: RunEvent[]): ResultEvent[] => all.filter((event) => event.type === 'result')
const summaryOf = (all: RunEvent[]): SummaryEvent => all.findLast((event) => event.type === 'summary') as SummaryEvent
const startOf = (all: RunEvent[]): StartEvent => all[0] as StartEvent

test('figures per variant are those of runs of their own, whatever the number of runs', async () => {
  const dir = makeFolder(files())
  await run(dir, ...THREE, '--runs', '3', '--min-pass-rate', '50', '-o', 'all.jsonl')
  const rows = summaryOf(events(dir, 'all.jsonl')).variants ?? []
  expect(rows.map(({ name }) => name)).toEqual(['good', 'weak', 'env'])
  for (const row of rows) {
    await run(dir, ...(ONE[row.name] ?? []), '--runs', '3', '--min-pass-rate', '50', '-o', `${row.name}.jsonl`)
    const alone = events(dir, `${row.name}.jsonl`)
    const { total, passed, failed, failed_ids, cost_dollars, usage } = summaryOf(alone)
    expect(row).toMatchObject({ total, passed, failed, failed_ids, cost_dollars })
    expect(row.usage).toEqual(usage)
    // One variant: nothing changes for those who have one.
    expect(startOf(alone).format).toBe(1)
    expect(JSON.stringify(alone.slice(1))).not.toContain('"variant')
  }
  expect(rows.map(({ pass_rate }) => pass_rate)).toEqual([100, expect.closeTo(66.67, 1), 50])
  expect(rows[2]?.difference).toMatchObject({ points: -50, cases: 12 })
  expect(rows.map(({ best }) => best)).toEqual([true, expect.any(Boolean), false])
})

test('variants are interleaved case by case, and every event says whose it is', async () => {
  const dir = makeFolder(files(3))
  await run(dir, ...THREE, '--runs', '2', '-o', 'run.jsonl')
  const all = events(dir, 'run.jsonl')
  expect(startOf(all)).toMatchObject({
    format: 2,
    total_cases: 3,
    variants: [{ name: 'good' }, { name: 'weak' }, { name: 'env', env: ['EVERY'] }],
  })
  expect(resultsOf(all).map(({ id, run: number, variant }) => `${id} ${number} ${variant}`)).toEqual(
    ['T1', 'T2', 'T3'].flatMap((id) =>
      [1, 2].flatMap((number) => ['good', 'weak', 'env'].map((name) => `${id} ${number} ${name}`)),
    ),
  )
  for (const event of all)
    if (['case_start', 'result', 'stability'].includes(event.type)) expect(event).toHaveProperty('variant')
  expect(all.filter(({ type }) => type === 'stability')).toHaveLength(9)
})

test('-n and -c several times: the product, with a chat id for each', async () => {
  const dir = makeFolder(files(1, { 'other.mjs': AGENTS }))
  const { code } = await run(
    dir,
    '-n',
    './agents.mjs#told',
    '-n',
    './other.mjs#told',
    '-c',
    'mini',
    '-c',
    'maxi',
    '-o',
    'run.jsonl',
  )
  expect(code).toBe(1)
  const results = resultsOf(events(dir, 'run.jsonl'))
  expect(results.map(({ variant }) => variant)).toEqual([
    './agents.mjs#told+mini',
    './agents.mjs#told+maxi',
    './other.mjs#told+mini',
    './other.mjs#told+maxi',
  ])
  const told = results.map(({ output }) => JSON.parse(String(output)) as { chat: string; connector: string })
  expect(told.map(({ connector }) => connector)).toEqual(['mini', 'maxi', 'mini', 'maxi'])
  expect(new Set(told.map(({ chat }) => chat)).size).toBe(4)
})

test('variants of the configuration run by themselves; --variant picks', async () => {
  const config = {
    variants: [
      { name: 'french', target: './agents.mjs#told', locale: 'fr-fr' },
      { name: 'deep', target: './agents.mjs#told', options: { depth: 3 } },
      { name: 'weak', target: './agents.mjs#weak' },
    ],
  }
  const dir = makeFolder(files(1, { 'viva.config.json': config }))
  await run(dir, '-o', 'all.jsonl')
  const [french, deep, weak] = resultsOf(events(dir, 'all.jsonl'))
  expect([french?.variant, deep?.variant, weak?.variant]).toEqual(['french', 'deep', 'weak'])
  expect(french?.output).toContain('"locale":"fr-fr"')
  expect(deep?.output).toContain('"depth":3')
  const picked = await run(dir, '--variant', 'weak', '-o', 'one.jsonl')
  expect(picked.code).toBe(0)
  expect(startOf(events(dir, 'one.jsonl'))).not.toHaveProperty('variants')
  // -n says what is tested: the list is not asked.
  const named = await run(dir, '-n', './agents.mjs#good', '-o', 'named.jsonl')
  expect(named.code).toBe(0)
  expect(resultsOf(events(dir, 'named.jsonl'))).toHaveLength(1)
})

test('a killed run continues where each variant was', async () => {
  const dir = makeFolder(files(6))
  await run(dir, ...THREE, '--runs', '2', '-o', 'run.jsonl')
  const whole = events(dir, 'run.jsonl')
  const lines = readFileSync(join(dir, 'run.jsonl'), 'utf8').split('\n')
  const at = lines.findIndex(
    (line) => line.includes('"id":"T3"') && line.includes('"type":"result"') && line.includes('"weak"'),
  )
  writeFileSync(join(dir, 'cut.jsonl'), `${lines.slice(0, at + 1).join('\n')}\n{"type":"res`)
  // What the variable of a variant held is not in the file.
  const blind = await viva(['test', '--resume', 'cut.jsonl'], { cwd: dir })
  expect(blind).toMatchObject({ code: 2, stderr: expect.stringContaining('the values of the variables of env') })
  // Another list, or another order, is another run.
  for (const other of [
    THREE.slice(0, 4),
    [...THREE.slice(2), ...THREE.slice(0, 2)],
    [...THREE, '--variant', 'e=builtin:echo'],
  ]) {
    const changed = await viva(['test', '--resume', 'cut.jsonl', ...other], { cwd: dir })
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('OPTION_CHANGED') })
  }
  const { code, stderr } = await viva(['test', '--resume', 'cut.jsonl', ...THREE], { cwd: dir })
  expect(stderr).not.toContain('error')
  expect(code).toBe(1)
  const resumed = events(dir, 'cut.jsonl')
  const names = (all: RunEvent[]): string[] =>
    resultsOf(all)
      .map(({ id, run: number, variant }) => `${id} ${number} ${variant}`)
      .toSorted()
  expect(names(resumed)).toEqual(names(whole))
  const figures = (all: RunEvent[]) =>
    summaryOf(all).variants?.map(({ name, passed, failed, pass_rate }) => ({ name, passed, failed, pass_rate }))
  expect(figures(resumed)).toEqual(figures(whole))
})

test('a run with several connectors cannot continue with another agent', async () => {
  const dir = makeFolder(files(3))
  await run(dir, '-n', './agents.mjs#told', '-c', 'mini', '-c', 'maxi', '-o', 'run.jsonl')
  const lines = readFileSync(join(dir, 'run.jsonl'), 'utf8').split('\n')
  const cut = `${lines.slice(0, 4).join('\n')}\n`
  writeFileSync(join(dir, 'cut.jsonl'), cut)
  const other = await viva(['test', '--resume', 'cut.jsonl', '-n', './agents.mjs#good'], { cwd: dir })
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is ./agents.mjs#told, and cannot continue with'),
  })
  expect(readFileSync(join(dir, 'cut.jsonl'), 'utf8')).toBe(cut)
})

test('a shard has all variants of its cases, and four shards have every case once', async () => {
  const dir = makeFolder(files(20))
  const seen: string[] = []
  for (const shard of [1, 2, 3, 4]) {
    await run(dir, ...THREE, '--shard', `${shard}/4`, '-o', `${shard}.jsonl`)
    const results = resultsOf(events(dir, `${shard}.jsonl`))
    const ids = [...new Set(results.map(({ id }) => id))]
    const expected = ids.flatMap((id) => ['good', 'weak', 'env'].map((name) => `${id} ${name}`))
    expect(results.map(({ id, variant }) => `${id} ${variant}`)).toEqual(expected)
    seen.push(...ids)
  }
  expect(seen.toSorted()).toEqual(
    cases(20)
      .map((each) => (each as { id: string }).id)
      .toSorted(),
  )
})

test('--fail-fast ends the variant that failed alone, with --runs auto too', async () => {
  const dir = makeFolder(files(9))
  for (const runs of ['1', 'auto']) {
    const file = `fast-${runs}.jsonl`
    const { code } = await run(dir, ...THREE, '--fail-fast', '--runs', runs, '--threshold', '60', '-o', file)
    expect(code).toBe(1)
    const all = events(dir, file)
    const last = (name: string) => resultsOf(all).findLast(({ variant }) => variant === name)?.id
    expect([last('good'), last('weak'), last('env')]).toEqual(['T9', 'T3', 'T2'])
    expect(summaryOf(all).variants?.map(({ not_run }) => not_run)).toEqual([0, 6, 7])
  }
})

test('--max-cost ends all variants after the same case', async () => {
  const dir = makeFolder(files(9))
  const { code } = await run(dir, ...THREE, '--max-cost', '0.13', '-o', 'run.jsonl')
  expect(code).toBe(1)
  const results = resultsOf(events(dir, 'run.jsonl'))
  // Six cents a case: the third has begun when the budget is not yet spent.
  expect(results.map(({ id, variant }) => `${id} ${variant}`)).toEqual(
    ['T1', 'T2', 'T3'].flatMap((id) => ['good', 'weak', 'env'].map((name) => `${id} ${name}`)),
  )
})

test('--runs auto decides each variant for itself', async () => {
  const dir = makeFolder(files(3))
  await run(dir, ...THREE, '--runs', 'auto', '-o', 'run.jsonl')
  const decided = events(dir, 'run.jsonl').flatMap((event) =>
    event.type === 'stability' ? [`${event.id} ${event.variant} ${event.decision}`] : [],
  )
  expect(decided.toSorted()).toEqual([
    'T1 env above',
    'T1 good above',
    'T1 weak above',
    'T2 env below',
    'T2 good above',
    'T2 weak above',
    'T3 env above',
    'T3 good above',
    'T3 weak below',
  ])
})

test('--gate says whose failures count', async () => {
  const dir = makeFolder(files(3))
  const code = async (...args: string[]): Promise<number | null> => (await run(dir, ...args)).code
  expect(await code(...THREE)).toBe(1)
  expect(await code(...THREE, '--gate', 'baseline')).toBe(0)
  expect(await code(...THREE, '--gate', 'none')).toBe(0)
  const weakFirst = [...(ONE['weak'] ?? []), ...(ONE['good'] ?? [])]
  expect(await code(...weakFirst, '--gate', 'baseline')).toBe(1)
  expect(await code(...weakFirst, '--gate', 'none')).toBe(0)
})

test('a variant of which every case was skipped has shown nothing', async () => {
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'T1', turns: [{ input: 'hi' }], final_assertions: [{ type: 'contains', value: 'hi' }] }],
    'agents.mjs': `export const asks = () => ({ content: 'what?', awaiting_input: true })
export const good = () => 'hi'`,
  })
  const both = ['--variant', 'asks=./agents.mjs#asks', '--variant', 'good=./agents.mjs#good', '--skip-interactive']
  const silent = await viva(['test', '-i', 'cases.jsonl', ...both, '-o', 'a.jsonl'], { cwd: dir })
  expect([silent.code, silent.stdout]).toEqual([1, expect.stringContaining('no case of asks reached a verdict')])
  const meant = await viva(['test', '-i', 'cases.jsonl', ...both, '-o', 'b.jsonl', '--pass-with-no-tests'], {
    cwd: dir,
  })
  expect(meant.code).toBe(0)
})

test('a variant that breaks down on most cases is not called better for passing the rest', async () => {
  const dir = makeFolder({
    'cases.jsonl': cases(100),
    'agents.mjs': `const say = (messages) => messages.at(-1).content.toUpperCase()
const number = (messages) => Number(messages.at(-1).content.slice(4))
export const base = (messages) => (number(messages) > 20 ? say(messages) : 'no')
export const breaks = (messages) => { if (number(messages) > 40) throw new Error('down'); return say(messages) }
export const weak = (messages) => (number(messages) > 30 ? say(messages) : 'no')`,
  })
  const variants = ['base', 'breaks', 'weak'].flatMap((name) => ['--variant', `${name}=./agents.mjs#${name}`])
  const { stdout } = await run(dir, ...variants, '-o', 'run.jsonl', '-o', 'r.md')
  expect(stdout).toMatch(/^ {2}Variant +Pass rate +95% interval +No verdict/m)
  expect(stdout).toMatch(/^ {2}breaks +100% +91\.2% to 100% +60 /m)
  expect(stdout).toContain('breaks cannot be distinguished from base: +50.0 points')
  expect(stdout).toContain('p counts 60 runs without a verdict as failed, too')
  expect(stdout).toContain('weak is worse than base')
  expect(stdout).toContain('Best: base, breaks, which cannot be told apart')
  expect(readFileSync(join(dir, 'r.md'), 'utf8')).toContain('No verdict')
  expect(summaryOf(events(dir, 'run.jsonl')).variants?.map(({ lost }) => lost)).toEqual([undefined, 60, undefined])
})

const STEADY = `const say = (messages) => messages.at(-1).content.toUpperCase()
export const base = say
export const broken = (messages) => (/ 7$/.test(messages.at(-1).content) ? 'no' : say(messages))
export const alike = say`

test.each([
  [['base', 'broken'], 20, 'is on the whole worse than'],
  [['base', 'broken', 'alike'], 40, 'cannot on the whole be distinguished from'],
])(
  '%s: a single case that breaks is named in every report, and nothing there denies it',
  async (names, count, words) => {
    const dir = makeFolder({ 'cases.jsonl': cases(count), 'agents.mjs': STEADY })
    const variants = names.flatMap((name) => ['--variant', `${name}=./agents.mjs#${name}`])
    const outputs = ['run.jsonl', 'r.json', 'r.md', 'r.html'].flatMap((name) => ['-o', name])
    const { stdout } = await run(dir, ...variants, '--runs', '5', ...outputs)
    const text = (name: string): string => readFileSync(join(dir, name), 'utf8')
    const report = JSON.parse(text('r.json')) as { summary: SummaryEvent }
    const rows = report.summary.variants ?? []
    const fell = [{ id: 'T7', before: 100, after: 0, p_value: expect.closeTo(0.0159, 3) as number }]
    expect(rows.map(({ difference }) => difference?.fell)).toEqual(
      names.map((name) => (name === 'broken' ? fell : undefined)),
    )
    for (const said of [stdout, text('r.md')]) {
      expect(said).toContain(`broken ${words} base`)
      expect(said).toContain('broken against base: T7 fell from 100% to 0% (Fisher, adjusted p = 0.0159)')
      expect(said).not.toContain('broken cannot be distinguished')
      if (names.length > 2) expect(said).toContain('Best: none of the 3 stands out on the whole')
      if (names.length > 2) expect(said).toContain('alike cannot be distinguished from base')
    }
    const html = text('r.html')
    expect(html).toContain(`${words} base`)
    expect(html).toContain('T7 fell from 100% to 0% (Fisher, adjusted p = 0.0159)')
  },
)

test('with --runs auto a single case is tested by as many runs as every case has, or that is said', async () => {
  const dir = makeFolder({ 'cases.jsonl': cases(8), 'agents.mjs': STEADY })
  const variants = ['base', 'broken'].flatMap((name) => ['--variant', `${name}=./agents.mjs#${name}`])
  const auto = await run(dir, ...variants, '--runs', 'auto', '--threshold', '50', '-o', 'half.jsonl')
  expect(auto.stdout).toContain('broken against base: T7 fell from 100% to 0%')
  expect(summaryOf(events(dir, 'half.jsonl')).variants?.[1]?.difference).toMatchObject({
    first_runs: 7,
    fell: [{ id: 'T7' }],
  })
  const strict = await run(dir, ...variants, '--runs', 'auto', '-o', 'auto.jsonl')
  expect(strict.stdout).toContain(
    'Single cases cannot be compared: with --runs auto each is sure to have 3 runs, and 5 would be needed (--runs 5)',
  )
})

test('the console has a mark for each variant and a table, reports a row for each', async () => {
  const dir = makeFolder(files(3))
  const outputs = ['run.jsonl', 'r.json', 'r.md', 'r.xml', 'r.ctrf.json', 'r.tap'].flatMap((name) => ['-o', name])
  const { stdout } = await run(dir, ...THREE, ...outputs)
  expect(stdout).toMatch(/^✓ ✗ ✓ \[T3\]/m)
  expect(stdout).toMatch(/^ {2}weak +66\.7% +[\d.]+% to/m)
  expect(stdout).toContain('weak cannot be distinguished from good: -33.3 points')
  const text = (name: string): string => readFileSync(join(dir, name), 'utf8')
  const report = JSON.parse(text('r.json')) as {
    results: Array<{ id: string; variant: string }>
    summary: SummaryEvent
  }
  expect(report.results.map(({ id, variant }) => `${id} ${variant}`)).toContain('T3 weak')
  expect(report.summary.variants).toHaveLength(3)
  expect(text('r.md')).toContain('| weak ')
  expect(text('r.md')).toContain('T3 · weak')
  expect(text('r.xml')).toContain('classname="./agents.mjs#weak.weak"')
  const ctrf = JSON.parse(text('r.ctrf.json')) as { results: { tests: Array<{ suite: string[] }> } }
  expect(ctrf.results.tests.map(({ suite }) => suite.at(-1))).toContain('env')
  expect(text('r.tap')).toContain('T3 · weak')
  // From the event file again, the same; and a file for each result.
  await viva(['report', 'run.jsonl', '-o', 'again.md'], { cwd: dir })
  expect(text('again.md')).toBe(text('r.md'))
  for (const source of ['run.jsonl', 'r.json']) {
    const extracted = await viva(['extract', source, '-o', `from-${source}`], { cwd: dir })
    expect(extracted.stdout + extracted.stderr).toContain('9')
  }
})

test('compare pairs each variant with itself', async () => {
  const dir = makeFolder(files(12))
  await run(dir, ...THREE, '--runs', '3', '-o', 'old.jsonl')
  const swapped = ['--variant', 'good=./agents.mjs#weak', '--variant', 'weak=./agents.mjs#good', ...(ONE['env'] ?? [])]
  await run(dir, ...swapped, '--runs', '3', '-o', 'new.jsonl')
  const { stdout } = await viva(['compare', 'old.jsonl', 'new.jsonl', '--format', 'json'], { cwd: dir })
  expect(stdout).toContain('"T3 · good"')
  expect(stdout).toContain('"T3 · weak"')
  expect(stdout).not.toContain('"T2 · env"')
  // Taken together nothing changed: one fell as far as the other rose.
  const gate = await viva(['compare', 'old.jsonl', 'new.jsonl', '--fail-on', 'regression'], { cwd: dir })
  expect(gate.code).toBe(1)
  expect(gate.stdout).toMatch(/Regression: good: the pass rate fell by 33\.3 points/)
  expect(gate.stdout).toMatch(/^Pass rate · weak: 66\.7% → 100%, \+33\.3 points .*: better$/m)
  expect(gate.stdout).toMatch(/^Pass rate · env: 50% → 50%.*: no significant change$/m)
  expect(gate.stdout).toContain('the variant good changed: ./agents.mjs#good and ./agents.mjs#weak')
  // Another list of variants is said; what is missing is not passed over.
  await run(dir, ...(ONE['weak'] ?? []), ...(ONE['env'] ?? []), '--runs', '3', '-o', 'fewer.jsonl')
  const fewer = await viva(['compare', 'old.jsonl', 'fewer.jsonl', '--fail-on', 'regression'], { cwd: dir })
  expect(fewer.code).toBe(1)
  expect(fewer.stdout).toContain('different variants: good, weak, env and weak, env')
  expect(fewer.stdout).toContain('12 cases that passed before are missing')
})

test('--history keeps variants apart', async () => {
  const dir = makeFolder(files(3))
  for (let time = 0; time < 2; time += 1) await run(dir, ...THREE, '--history')
  const { stdout } = await viva(['history', 'expensive'], { cwd: dir })
  expect(stdout).toContain('T1 · env')
  const flaky = await viva(['history', 'flaky'], { cwd: dir })
  expect(flaky.stdout).not.toContain('T3')
})

test.each([
  [['--variant', 'a=builtin:echo', '--variant', 'b=builtin:echo'], 'IDENTICAL_VARIANTS'],
  [['-n', 'builtin:echo', '-c', 'one', '-c', 'two'], 'has no effect on builtin:echo'],
  [['--variant', 'a=./agents.mjs#good,conector=x'], 'unknown setting "conector"'],
  [['--variant', 'a=./agents.mjs#good,preset=x', '--variant', 'b=./agents.mjs#good'], 'preset=x has no effect'],
  [['--variant', 'nobody'], 'no variant called "nobody"'],
  [
    ['--variant', 'a=./agents.mjs#good', '--variant', 'a=./agents.mjs#weak'],
    'error: --variant: two variants are called "a"',
  ],
  [['-n', 'builtin:echo', '-n', 'builtin:echo'], 'error: -n: "builtin:echo" is given twice'],
  [['-n', 'builtin:echo', '-c', 'm', '-c', 'm'], 'error: -c: "m" is given twice'],
  [['-n', 'exec:echo a,b', '-n', 'exec:echo a_b'], 'error: -n: two variants are called "exec:echo a_b"'],
  [['--variant', 'a=./agents.mjs#good', '-n', 'x', '-n', 'y'], 'cannot be used together'],
  [
    ['--variant', 'Fast=./agents.mjs#good', '--variant', 'fast=./agents.mjs#weak'],
    'cannot be told apart by their names',
  ],
  [
    ['--variant', 'caf\u00e9=./agents.mjs#good', '--variant', 'cafe\u0301\u200b=./agents.mjs#weak'],
    'cannot be told apart by their names',
  ],
  [
    ['--variant', 'v-sk-proj-planted0123456789abcdefABCDEF01=./agents.mjs#good', '--variant', 'b=./agents.mjs#weak'],
    'the name of a variant contains a secret',
  ],
  [['-n', './agents.mjs#good', '--gate', 'some'], 'expected one of any, baseline, others, none'],
])('what cannot be compared is refused before anything runs: %j', async (args, message) => {
  const dir = makeFolder(files(1))
  const { code, stderr } = await run(dir, ...args, '-o', 'run.jsonl')
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(existsSync(join(dir, 'run.jsonl'))).toBe(false)
})

test('a judge is never the connector of a variant', async () => {
  const judged = [{ id: 'J1', input: 'say 1', assertions: [{ type: 'agent', value: 'polite' }] }]
  const dir = makeFolder({ 'agents.mjs': AGENTS, 'cases.jsonl': judged })
  const { code, stderr } = await run(dir, '-n', './agents.mjs#told', '-c', 'one', '-c', 'two')
  expect(code).toBe(2)
  expect(stderr).toContain('the judge of J1 has no model')
  expect(stderr).toContain('helpers.connector')
})

test('a simulated user begins alike with every variant, and knows nothing of them', async () => {
  const user = `let asked = 0
export const say = async (messages, context) => {
  const { turn_number, session_id } = JSON.parse(messages.at(-1).content)
  asked += 1
  return { content: { input: 'say ' + turn_number + ' ' + asked + ' ' + session_id, goal_achieved: turn_number > 1 } }
}
`
  const talk = [{ id: 'S1', simulator: { use: './user.mjs#say', options: { metadata: { goal: 'x' } } }, max_turns: 2 }]
  const dir = makeFolder({ 'agents.mjs': AGENTS, 'user.mjs': user, 'cases.jsonl': talk })
  await run(dir, '--variant', 'a=./agents.mjs#good', '--variant', 'b=./agents.mjs#weak', '-o', 'run.jsonl')
  const [a, b] = resultsOf(events(dir, 'run.jsonl')).map(({ turns }) => turns?.map(({ input }) => String(input)))
  expect(a?.[0]).toMatch(/^say 1 1 run-\S+-S1-1-1$/)
  expect(b?.[0]).toBe(a?.[0])
})

test('a format that is not known, and a variant that is not, are refused', async () => {
  const dir = makeFolder(files(2))
  await run(dir, ...THREE, '-o', 'run.jsonl')
  const text = readFileSync(join(dir, 'run.jsonl'), 'utf8')
  writeFileSync(join(dir, 'newer.jsonl'), text.replace('"format":2', '"format":3'))
  writeFileSync(join(dir, 'strange.jsonl'), text.replace(/("type":"result".*"variant":)"weak"/, '$1"week"'))
  const newer = await viva(['report', 'newer.jsonl', '--format', 'markdown'], { cwd: dir })
  expect(newer).toMatchObject({ code: 2, stderr: expect.stringContaining('format 3') })
  const strange = await viva(['report', 'strange.jsonl', '--format', 'markdown'], { cwd: dir })
  expect(strange).toMatchObject({ code: 2, stderr: expect.stringContaining('no variant is called "week"') })
  const recorded = await viva(['test', '-i', 'cases.jsonl', '-n', 'recorded:run.jsonl'], { cwd: dir })
  expect(recorded).toMatchObject({ code: 2, stderr: expect.stringContaining('the answers of 3 variants') })
})

test('a dry run says how many units there are, and what the history knows of them', async () => {
  const dir = makeFolder(files(4))
  const dry = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(dir, ...args, '--dry-run')
    return stdout + stderr
  }
  const blank = await dry(...THREE, '--runs', '5')
  expect(blank).toContain('4 cases for good, weak, env; nothing was run')
  expect(blank).toContain('4 cases × 3 variants × 5 runs: 60 units')
  expect(blank).toContain('The cost is not known')
  await run(dir, ...THREE, '--history')
  expect(await dry(...THREE, '--runs', '5')).toMatch(
    /Likely to cost about \$1\.20, .* take about \S+ \(from 1 earlier run, which had 12 of these 12\)/,
  )
  expect(await dry(...THREE, '--runs', 'auto')).toContain('4 cases × 3 variants × 1 to 30 runs: 12 to 360 units')
})

test('viva estimate tries a few cases from all over the file, and leaves nothing behind', async () => {
  const dir = makeFolder(files(10))
  const { code, stdout } = await viva(['estimate', '-i', 'cases.jsonl', ...THREE, '--runs', '2', '--cases', '5'], {
    cwd: dir,
  })
  expect(code).toBe(0)
  expect(stdout).toContain('5 of 10 cases tried: $0.30, ')
  expect(stdout).toContain('10 cases × 3 variants × 2 runs: 60 units')
  expect(stdout).toMatch(/about \$1\.20 \(\$0\.\d+ to \$1\.\d+\)/)
  expect(readdirSync(dir).toSorted()).toEqual(['agents.mjs', 'cases.jsonl'])
  const message = await viva(['estimate', '-i', 'hello', '-n', 'builtin:echo'], { cwd: dir })
  expect(message).toMatchObject({ code: 2, stderr: expect.stringContaining('an estimate is made from a case file') })
  const free = await viva(['estimate', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  expect(free.stdout).toContain('what it will cost is not known')
})
