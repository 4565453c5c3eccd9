// The loop at the desk: what runs again, in which order, and when it stops.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, startViva, viva, writeFiles, type CliRun } from '../support/run-cli.js'

const passes = (id: string, more: object = {}): object => ({
  id,
  input: 'hi',
  assert: { type: 'contains', value: 'hi' },
  ...more,
})
const fails = (id: string, more: object = {}): object => ({
  id,
  input: 'hi',
  assert: { type: 'contains', value: 'no' },
  ...more,
})

const eventsOf = (run: CliRun, type: string): Array<Record<string, unknown>> =>
  parseEvents(run.stdout).filter((event) => event.type === type)
const idsOf = (run: CliRun): string[] => eventsOf(run, 'result').map(({ id }) => String(id))
const start = (run: CliRun): Record<string, unknown> => eventsOf(run, 'start')[0] ?? {}
const run = (dir: string, ...args: string[]): Promise<CliRun> =>
  viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json', ...args], { cwd: dir })

test('--tag !x leaves out, together with the tags that choose', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      passes('a', { tags: ['smoke'] }),
      passes('b', { tags: ['smoke', 'slow'] }),
      passes('c', { tags: ['slow'] }),
      passes('d'),
    ],
  })
  expect(idsOf(await run(dir, '--tag', '!slow'))).toEqual(['a', 'd'])
  expect(idsOf(await run(dir, '--tag', 'smoke', '--tag', '!slow'))).toEqual(['a'])
  const typo = await run(dir, '--tag', 'smoke', '--tag', 'slwo', '--tag', '!smok', '--tag', '!nightly')
  expect([idsOf(typo), typo.stderr.match(/--tag .*/g)]).toEqual([
    ['a', 'b'],
    [
      '--tag slwo: no case has this tag – did you mean "slow"?',
      '--tag !smok: no case has this tag – did you mean "smoke"?',
    ],
  ])
  const none = await run(dir, '--tag', '!')
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/--tag: expected a tag, or ! and a tag/)])
})

test('--last-failed: nothing known and nothing failed are errors; what failed runs until it has passed', async () => {
  const dir = makeFolder({ 'cases.jsonl': [passes('a'), fails('b'), fails('c'), passes('d')] })
  const unknown = await run(dir, '--last-failed')
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no earlier run of cases.jsonl')])
  await run(dir)
  // A run of some cases says nothing about the others.
  expect(idsOf(await run(dir, '--run', '^a$'))).toEqual(['a'])
  writeFiles(dir, { 'cases.jsonl': [passes('a'), passes('b'), fails('c'), passes('d'), passes('new')] })
  const again = await run(dir, '--last-failed')
  expect([again.code, idsOf(again)]).toEqual([1, ['b', 'c']])
  expect(again.stderr).toContain('--last-failed: 2 of 5 cases, from output-')
  expect(again.stderr).toContain('1 case without a verdict so far is left out')
  expect(idsOf(await run(dir, '--last-failed'))).toEqual(['c'])
  // Another agent has failed nothing.
  const other = await viva(['test', '-i', 'cases.jsonl', '-n', 'exec:cat', '--last-failed'], { cwd: dir })
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no earlier run')])
  // Renamed: what failed is gone, and nothing runs.
  writeFiles(dir, { 'cases.jsonl': [passes('a'), passes('b'), fails('see'), passes('d')] })
  const gone = await run(dir, '--last-failed')
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringMatching(/1 case that failed is no longer there; 1 case without a verdict.*nothing was run/),
  ])
  writeFiles(dir, { 'cases.jsonl': [passes('a')] })
  await run(dir)
  const none = await run(dir, '--last-failed', '--pass-with-no-tests')
  expect([none.code, none.stdout, none.stderr]).toEqual([
    2,
    '',
    expect.stringContaining('no case of cases.jsonl failed when it was last run'),
  ])
  const message = await viva(['test', '-i', 'hello there', '-n', 'builtin:echo', '--last-failed'], { cwd: dir })
  expect([message.code, message.stderr]).toEqual([2, expect.stringContaining('it needs cases that can be found again')])
})

test('--last-failed: with --fail-on-flaky a case that passed in only some of its runs counts', async () => {
  const dir = makeFolder({
    'agent.mjs':
      'let asked = 0\nexport default (messages) => (messages.at(-1).content === "hi" || asked++ > 0 ? "hi" : "?")',
    'cases.jsonl': [passes('a'), passes('b', { input: 'flaky' })],
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json', '--runs', '2', '--min-pass-rate', '50']
  const first = await viva([...args, '--fail-on-flaky'], { cwd: dir })
  expect([first.code, eventsOf(first, 'summary')]).toMatchObject([1, [{ passed: 2, flaky_ids: ['b'] }]])
  expect(idsOf(await viva([...args, '--last-failed'], { cwd: dir }))).toEqual(['b', 'b'])
})

test('--last-failed of a file knows runs of its folder, of a folder runs of its files, each by its file', async () => {
  const dir = makeFolder({
    'tests/a.jsonl': [passes('a1'), fails('a2')],
    'tests/b.jsonl': [passes('b1'), fails('b2')],
    'other/c.jsonl': [fails('a1')],
    '.viva/keep': '',
  })
  const test = (input: string, ...args: string[]): Promise<CliRun> =>
    viva(['test', '-i', input, '-n', 'builtin:echo', '--json', ...args], { cwd: dir })
  await test('tests')
  await test('other/c.jsonl')
  expect(idsOf(await test('tests/a.jsonl', '--last-failed'))).toEqual(['a2'])
  expect(idsOf(await test('tests/b.jsonl', '--last-failed', '--runs', '2'))).toEqual(['b2', 'b2'])
  // What a file of the folder says since then counts, for the folder as well.
  writeFiles(dir, { 'tests/a.jsonl': [fails('a1'), passes('a2')] })
  await test('tests/a.jsonl', '--runs', '2')
  expect(idsOf(await test('tests', '--last-failed'))).toEqual(['a1', 'b2'])
  const several = await viva(
    ['test', '-i', 'tests/b.jsonl', '-i', 'tests/a.jsonl', '-n', 'builtin:echo', '--json', '--last-failed'],
    { cwd: dir },
  )
  expect(idsOf(several)).toEqual(['b2', 'a1'])
  const none = await test('other', '--last-failed')
  expect(idsOf(none)).toEqual(['a1'])
})

test('--last-failed after a kill, with repetitions, with variants, and from the history', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      fails('a'),
      passes('b'),
      { id: 'c', input: 'wait', assert: { type: 'contains', value: 'wait' } },
      passes('d'),
    ],
    'slow.sh': 'read line; case "$line" in *wait*) sleep 600;; esac; echo hi',
  })
  const slow = startViva(['test', '-i', 'cases.jsonl', '-n', 'exec:sh slow.sh', '--json'], { cwd: dir })
  await slow.saw('"case_start","id":"c"')
  slow.process.kill('SIGKILL')
  await slow.done
  const failedOf = async (...args: string[]): Promise<string[]> => {
    const dry = await viva(['test', '-i', 'cases.jsonl', '--last-failed', '--dry-run', ...args], { cwd: dir })
    expect(dry.code, dry.stderr).toBe(0)
    return [...dry.stdout.matchAll(/\[(\w+)\]/g)].map(([, id = '']) => id)
  }
  expect(await failedOf('-n', 'exec:sh slow.sh')).toEqual(['a'])
  // A torn event file of repetitions: a single failure counts, single passes prove nothing.
  await run(dir, '--runs', '2', '-o', 'runs.jsonl')
  const lines = readFileSync(join(dir, 'runs.jsonl'), 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes('"result"') && line.includes('"id":"a"'))
  writeFileSync(join(dir, 'runs.jsonl'), `${lines.slice(0, at + 1).join('\n')}\n{"type":"resu`)
  expect(await failedOf('-n', 'builtin:echo')).toEqual(['a'])
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-n', 'exec:echo no', '-o', 'both.jsonl'], {
    cwd: dir,
  })
  expect(await failedOf('-n', 'builtin:echo', '-n', 'exec:echo no')).toEqual(['a', 'b', 'c', 'd'])
  for (const name of readdirSync(dir)) if (/^(?:output|runs|both).*jsonl$/.test(name)) rmSync(join(dir, name))
  await run(dir, '--history', '-o', 'report.md')
  expect(await failedOf('-n', 'builtin:echo')).toEqual(['a'])
})

test('--order: from what is known, or by a seed that is recorded; shards and --resume keep to it', async () => {
  const cases = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => passes(id))
  const dir = makeFolder({
    'cases.jsonl': [...cases, fails('i')],
    'order.sh': 'read l; case "$l" in *zzz*) sleep 1;; esac; echo hi',
  })
  const first = await run(dir, '--order', 'failed-first')
  expect(first.stderr).toContain('no earlier run of cases.jsonl is known')
  expect(idsOf(first).at(-1)).toBe('i')
  expect(idsOf(await run(dir, '--order', 'failed-first')).slice(0, 2)).toEqual(['i', 'a'])
  const file = idsOf(await run(dir, '--order', 'file'))
  const random = await run(dir, '--order', 'random')
  const order = String((start(random)['options'] as Record<string, unknown>)['order'])
  expect(order).toMatch(/^random:\d+$/)
  expect(idsOf(random).toSorted()).toEqual(file)
  expect(idsOf(await run(dir, '--order', order))).toEqual(idsOf(random))
  const shards = [
    await run(dir, '--order', order, '--shard', '1/2'),
    await run(dir, '--order', order, '--shard', '2/2'),
  ]
  for (const shard of shards) expect(idsOf(shard)).toEqual(idsOf(random).filter((id) => idsOf(shard).includes(id)))
  expect(shards.flatMap(idsOf).toSorted()).toEqual(file)
  // What is left of an interrupted run comes in the order of its first part.
  const whole = await run(dir, '--order', 'random:x', '-o', 'cut.jsonl')
  const lines = readFileSync(join(dir, 'cut.jsonl'), 'utf8').split('\n')
  const third = lines.findIndex(
    (line) => line.includes('"type":"result"') && line.includes(`"id":"${idsOf(whole)[2]}"`),
  )
  writeFileSync(join(dir, 'cut.jsonl'), `${lines.slice(0, third + 1).join('\n')}\n`)
  const rest = await viva(['test', '--resume', 'cut.jsonl', '--json'], { cwd: dir })
  expect(idsOf(rest).slice(-6)).toEqual(idsOf(whole).slice(3))
  const other = await viva(['test', '--resume', 'cut.jsonl', '--order', 'random:y'], { cwd: dir })
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('cannot continue with')])
  const bad = await run(dir, '--order', 'slowest')
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--order: expected failed-first, slow-first')])
})

test('--resume refuses what the first part was run without: fewer cases would look like all of them', async () => {
  const dir = makeFolder({ 'cases.jsonl': ['a', 'b', 'c'].map((id) => ({ id, input: id })) })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'cut.jsonl'], { cwd: dir })
  const lines = readFileSync(join(dir, 'cut.jsonl'), 'utf8').split('\n')
  const first = lines.findIndex((line) => line.includes('"type":"result"'))
  writeFileSync(join(dir, 'cut.jsonl'), `${lines.slice(0, first + 1).join('\n')}\n`)
  for (const [flag, value] of [
    ['--run', '^a$'],
    ['--shard', '1/2'],
    ['--replay', 'tape.yml'],
    ['-c', 'other'],
  ] as const) {
    const { code, stderr } = await viva(['test', '--resume', 'cut.jsonl', flag, value], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/began without it and cannot continue with /)])
  }
  const rest = await viva(['test', '--resume', 'cut.jsonl', '--app', dir, '--parallel', '2', '--json'], { cwd: dir })
  expect([rest.code, idsOf(rest)]).toEqual([0, ['b', 'c']])
})

test('--order slow-first: by the durations of the last run', async () => {
  const dir = makeFolder({
    'cases.jsonl': ['quick', 'slow', 'new'].map((id) => ({ id, input: id })),
    'out.jsonl': [
      {
        type: 'start',
        format: 1,
        timestamp: '2026-01-01T00:00:00Z',
        run_id: 'r',
        mode: 'agent',
        agent_id: 'builtin:echo',
        input: 'cases.jsonl',
        runs_per_case: 1,
        environment: { user_id: 'u', team_id: 't', locale: 'en' },
        options: {},
        version: '1',
      },
      { type: 'result', run_id: 'r', id: 'quick', run: 1, status: 'passed', duration_ms: 10 },
      { type: 'result', run_id: 'r', id: 'slow', run: 1, status: 'passed', duration_ms: 9000 },
    ],
  })
  const path = join(dir, 'out.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"options":{}', `"options":{"cwd":${JSON.stringify(dir)}}`))
  expect(idsOf(await run(dir, '--order', 'slow-first'))).toEqual(['new', 'slow', 'quick'])
})

test('--stop-after: exit 1, what did not run is named, and --resume continues', async () => {
  const dir = makeFolder({ 'cases.jsonl': ['a', 'b', 'c', 'd', 'e'].map((id) => fails(id)).concat(passes('f')) })
  const stopped = await run(dir, '--stop-after', '2', '-o', 'out.jsonl')
  expect([stopped.code, idsOf(stopped)]).toEqual([1, ['a', 'b']])
  const [summary] = eventsOf(stopped, 'summary')
  expect(summary).toMatchObject({ failed: 2, not_run: 4, not_run_ids: ['c', 'd', 'e', 'f'], exit_code: 1 })
  expect(summary?.['reasons']).toContain('4 cases not run: --stop-after 2 reached')
  const text = await viva(['report', 'out.jsonl', '-o', 'out.txt'], { cwd: dir })
  expect(text.code, text.stderr).toBe(0)
  expect(readFileSync(join(dir, 'out.txt'), 'utf8')).toContain('Not run: 4 (c, d, e, f)')
  const more = await viva(['test', '--resume', 'out.jsonl', '--json'], { cwd: dir })
  expect(eventsOf(more, 'summary')[0]).toMatchObject({ failed: 4, not_run_ids: ['e', 'f'] })
  const rest = await viva(['test', '--resume', 'out.jsonl', '--stop-after', '9', '--json'], { cwd: dir })
  expect(eventsOf(rest, 'summary')[0]).toMatchObject({ failed: 5, passed: 1, not_run: 0 })
  // Failures that do not count for the exit code still end the run, and that is not green.
  const both = await run(dir, '-n', 'exec:cat', '--gate', 'none', '--stop-after', '1')
  expect([both.code, eventsOf(both, 'result').length]).toEqual([1, 2])
  // The last case may be the last failure: nothing was left out.
  const all = await run(dir, '--run', '[abf]', '--stop-after', '2', '--order', 'failed-first')
  expect(eventsOf(all, 'summary')[0]).toMatchObject({ failed: 2, not_run: 1 })
  const exact = await run(dir, '--run', '[ab]', '--stop-after', '2')
  expect(eventsOf(exact, 'summary')[0]).toMatchObject({ failed: 2, not_run: 0, reasons: ['2 cases failed'] })
})

test('script tests: --stop-after, --last-failed and --order', async () => {
  const file = (...bad: string[]): string =>
    ['A', 'B', 'C', 'D']
      .map((name) => `export function Test${name}(t) { t.assert.True(${!bad.includes(name)}) }`)
      .join('\n')
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/x/package.yao': '{"name":"x"}',
    'assistants/x/src/one.ts': 'export const x = 1\n',
    'assistants/x/src/one_test.ts': file('B', 'C'),
    '.viva/runs/.keep': '',
  })
  const scripts = (...args: string[]): Promise<CliRun> =>
    viva(['test', '-i', 'scripts.x.one', '--json', ...args], { cwd: dir })
  const names = (cli: CliRun): unknown[] => eventsOf(cli, 'result').map(({ name }) => name)
  const stopped = await scripts('--stop-after', '1', '-o', 'out.jsonl')
  expect([stopped.code, names(stopped)], stopped.stderr).toEqual([1, ['TestA', 'TestB']])
  expect(eventsOf(stopped, 'summary')[0]).toMatchObject({ not_run: 2 })
  expect(String(eventsOf(stopped, 'summary')[0]?.['not_run_ids'])).toMatch(/TestC.*TestD/)
  expect(names(await scripts('--last-failed', '-o', 'again.jsonl'))).toEqual(['TestB'])
  await scripts('-o', 'all.jsonl')
  expect(names(await scripts('--order', 'failed-first', '-o', 'order.jsonl'))).toEqual([
    'TestB',
    'TestC',
    'TestA',
    'TestD',
  ])
  writeFiles(dir, { 'assistants/x/src/one_test.ts': file('C') })
  expect(names(await scripts('--last-failed', '-o', 'last.jsonl'))).toEqual(['TestB', 'TestC'])
})
