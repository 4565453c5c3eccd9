// `--shard`, `--shard-plan` and `viva merge`: the run as if it had never been split, and nothing less.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'

const AGENT = `export default (messages) => {
  const asked = messages.at(-1).content
  return asked.includes('3') ? 'no' : asked
}`
const CASES = Array.from({ length: 24 }, (_, index) => ({
  id: `c${index}`,
  input: `say ${index}`,
  ...(index === 5 ? { skip: true } : {}),
  assert: { type: 'contains', value: 'say' },
}))
const SHARDS = [1, 2, 3, 4, 5, 6, 7]

function project(): string {
  return makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
}

async function run(cwd: string, output: string, ...args: string[]): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', output, ...args], { cwd })
}

async function runShards(cwd: string, shards: readonly number[], ...args: string[]): Promise<void> {
  // One after another would take long, all at once would be too many for a small machine.
  for (let from = 0; from < shards.length; from += 3)
    await Promise.all(
      shards.slice(from, from + 3).map((index) => run(cwd, `s${index}.jsonl`, '--shard', `${index}/7`, ...args)),
    )
}

const merge = (cwd: string, ...args: string[]): Promise<CliRun> => viva(['merge', ...args], { cwd })
const all = SHARDS.map((index) => `s${index}.jsonl`)

/** Without what differs from one run to the next. */
function comparable(cwd: string, file: string): unknown[] {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(
      ([key]) => !/^(run_id|timestamp|merged_from|output|.*_ms|cwd|duration_change)$/.test(key),
    )
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]))
  }
  return parseEvents(readFileSync(join(cwd, file), 'utf8')).map(strip)
}

test.each([[['--runs', '2']], [['--runs', 'auto', '--variant', 'a=./agent.mjs', '--variant', 'b=builtin:echo']]])(
  'seven shards with %s are the run they were cut from',
  async (args) => {
    const cwd = project()
    const own = args.includes('--variant')
      ? ['test', '-i', 'cases.jsonl']
      : ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']
    const whole = await viva([...own, '-o', 'whole.jsonl', ...args], { cwd })
    for (let from = 0; from < SHARDS.length; from += 3)
      await Promise.all(
        SHARDS.slice(from, from + 3).map((index) =>
          viva([...own, '-o', `s${index}.jsonl`, '--shard', `${index}/7`, '--run-group', 'g', ...args], { cwd }),
        ),
      )
    const merged = await merge(cwd, ...all, '-o', 'merged.jsonl', '-o', 'merged.json', '-o', 'merged.xml')
    expect([merged.code, merged.stderr]).toEqual([whole.code, expect.stringContaining('Written: merged.jsonl')])
    expect(comparable(cwd, 'merged.jsonl')).toEqual(comparable(cwd, 'whole.jsonl'))
    const report = JSON.parse(readFileSync(join(cwd, 'merged.json'), 'utf8')) as { summary: { total: number } }
    expect(report.summary.total).toBe(args.includes('--variant') ? 48 : 24)
    // The pattern that named the shards names the merge, too, when it is made again.
    const again = await merge(cwd, ...all, 'merged.jsonl', '-o', 'merged.jsonl')
    expect(again.code).toBe(whole.code)
  },
)

test('what is not a whole run, or not of one run, is refused', async () => {
  const cwd = project()
  await runShards(cwd, SHARDS, '--run-group', 'g')
  const refused = async (message: RegExp, ...args: string[]): Promise<void> => {
    const { code, stderr } = await merge(cwd, ...args, '-o', 'merged.jsonl')
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  }
  await refused(/shard 7\/7 is missing/, ...all.slice(0, 6))
  await refused(/shard 1\/7 was given twice: s1\.jsonl and copy\.jsonl/, ...all, copy(cwd, 's1.jsonl', 'copy.jsonl'))
  await run(cwd, 'whole.jsonl')
  await refused(/whole\.jsonl is not a shard/, ...all, 'whole.jsonl')

  const others: Array<[RegExp, string[]]> = [
    [/run group is "g" .* and "h" in/, ['--run-group', 'h']],
    [/--min-pass-rate is 100 .* and 50 in/, ['--run-group', 'g', '--min-pass-rate', '50']],
    [/agent is "\.\/agent\.mjs" .* and "builtin:echo" in/, ['--run-group', 'g', '-n', 'builtin:echo']],
  ]
  for (const [message, args] of others) {
    await viva(
      [
        'test',
        '-i',
        'cases.jsonl',
        ...(args.includes('-n') ? [] : ['-n', './agent.mjs']),
        '-o',
        'other.jsonl',
        '--force',
        '--shard',
        '7/7',
        ...args,
      ],
      { cwd },
    )
    await refused(message, ...all.slice(0, 6), 'other.jsonl')
  }
  writeFileSync(
    join(cwd, 'cases.jsonl'),
    CASES.map((each) => `${JSON.stringify({ ...each, input: 'other' })}\n`).join(''),
  )
  await run(cwd, 'other.jsonl', '--force', '--shard', '7/7', '--run-group', 'g')
  await refused(/cases is .* and .* in other\.jsonl/, ...all.slice(0, 6), 'other.jsonl')

  const foreign = readFileSync(join(cwd, 's2.jsonl'), 'utf8')
  const strange = readFileSync(join(cwd, 's1.jsonl'), 'utf8')
    .split('\n')
    .find((line) => line.includes('"type":"result"'))
  writeFileSync(join(cwd, 's2.jsonl'), foreign.replace(/\n(?=\{"type":"summary")/, `\n${strange ?? ''}\n`))
  await refused(/is in another shard as well/, ...all)

  // A failure that was made a pass: the shard's own summary knows better.
  writeFileSync(join(cwd, 's2.jsonl'), foreign)
  const failing = all.find((name) => readFileSync(join(cwd, name), 'utf8').includes('"status":"failed"')) ?? ''
  const text = readFileSync(join(cwd, failing), 'utf8')
  writeFileSync(join(cwd, failing), text.replaceAll('"status":"failed"', '"status":"passed"'))
  await refused(/has been changed: its summary counts \d+ passed, its lines \d+/, ...all)
})

test('an option that only one shard has is refused, in whatever order the files are given', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES.slice(0, 12), 'agent.mjs': AGENT })
  const shard = (index: number, ...args: string[]): Promise<CliRun> =>
    run(cwd, `s${index}.jsonl`, '--shard', `${index}/3`, '--run-group', 'g', '--force', ...args)
  const files = ['s1.jsonl', 's2.jsonl', 's3.jsonl']
  const merged = async (order: readonly number[]): Promise<[number | null, string]> => {
    const { code, stderr } = await merge(cwd, ...order.map((at) => files[at] ?? ''), '-o', 'merged.jsonl')
    return [code, stderr]
  }
  for (const index of [1, 2, 3]) await shard(index)
  expect((await merged([0, 1, 2]))[0]).toBe(1)
  // The case that fails is left out.
  const failing = files.findIndex((name) => readFileSync(join(cwd, name), 'utf8').includes('"status":"failed"'))
  const plain = readFileSync(join(cwd, files[failing] ?? ''), 'utf8')
  await shard(failing + 1, '--run', '^c([0-24-9]|1.)$')
  const others = [0, 1, 2].filter((at) => at !== failing)
  const orders = [
    [...others, failing],
    [failing, ...others],
  ]
  for (const order of orders)
    expect(await merged(order)).toEqual([2, expect.stringMatching(/not shards of one run: --run is .*not set in/)])
  for (const [key, value] of [
    ['replay', 'tape.yml'],
    ['chaos', true],
    ['cache', '1d'],
    ['simulator', './x.mjs'],
  ] as const) {
    writeFileSync(
      join(cwd, files[failing] ?? ''),
      plain.replace('"options":{', `"options":{"${key}":${JSON.stringify(value)},`),
    )
    for (const order of orders)
      expect(await merged(order)).toEqual([2, expect.stringContaining(`not shards of one run: --${key} is `)])
  }
  // Where spans and reports go says nothing about verdicts, and every shard draws its own random order.
  writeFileSync(
    join(cwd, files[failing] ?? ''),
    plain.replace('"options":{', '"options":{"otel":"spans.jsonl","reporter":"x","order":"random:7",'),
  )
  for (const order of orders) expect((await merged(order))[0]).toBe(1)
})

test('a killed shard and a missing one are said, and the run is not green', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES.filter(({ input }) => !input.includes('3')), 'agent.mjs': AGENT })
  await runShards(cwd, [1, 2, 3, 4, 5, 6], '--run-group', 'g')
  const text = readFileSync(join(cwd, 's2.jsonl'), 'utf8')
  writeFileSync(join(cwd, 's2.jsonl'), text.split('\n').slice(0, 3).join('\n'))
  const there = all.slice(0, 6)
  const refused = await merge(cwd, ...there, '-o', 'merged.jsonl')
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/shard 7\/7 is missing; shard 2\/7 was cut off/),
  ])
  const allowed = await merge(cwd, ...there, '-o', 'merged.jsonl', '--allow-missing')
  expect(allowed.code).toBe(1)
  expect(allowed.stderr).toMatch('warning: shard 7/7 is missing')
  expect(allowed.stdout).toMatch(/Exit code 1: .*not run.*shard 7\/7 is missing/s)
})

test('what made a shard red although every case passed makes the whole red', async () => {
  const cwd = makeFolder({
    'agent.mjs':
      'export default (messages) => ({ content: messages.at(-1).content, usage: { input_tokens: 5, output_tokens: 1 } })',
    'cases.jsonl': CASES.slice(0, 1),
  })
  const shard = await run(cwd, 's1.jsonl', '--shard', '1/1', '--run-group', 'g', '--max-cost', '1')
  expect([shard.code, shard.stdout]).toEqual([1, expect.stringMatching('--max-cost cannot be enforced')])
  const merged = await merge(cwd, 's1.jsonl', '-o', 'merged.jsonl')
  expect([merged.code, merged.stdout]).toEqual([1, expect.stringMatching(/shard 1\/1: --max-cost cannot be enforced/)])
})

test('shards without a group need the word of the user; an empty shard is fine', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES.slice(0, 2), 'agent.mjs': AGENT })
  await runShards(cwd, SHARDS)
  const refused = await merge(cwd, ...all, '-o', 'merged.jsonl')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/does not say which run it is a shard of/)])
  const nameless = await merge(cwd, ...all, '-o', 'merged.jsonl', '--run-group', '')
  expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringMatching(/does not say which run/)])
  const unset = await run(cwd, 'x.jsonl', '--shard', '1/7', '--run-group', ' ')
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringMatching(/--run-group: the name is empty/)])
  const merged = await merge(cwd, ...all, '-o', 'merged.jsonl', '--run-group', 'mine')
  expect([merged.code, merged.stdout]).toEqual([0, expect.stringMatching('Passed: +2')])
  const results = await merge(cwd, ...all, '-o', 's1.jsonl', '--run-group', 'mine')
  expect([results.code, results.stderr]).toEqual([2, expect.stringMatching('s1.jsonl holds the results of a run')])
})

test('in CI the group is that of the CI run: failed jobs that run again merge with the others', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES.slice(0, 4), 'agent.mjs': AGENT })
  const shard = async (n: number, attempt: string, run_id = '77') => {
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--force', '-o', `s${n}.jsonl`, '--shard', `${n}/2`]
    await viva(args, { cwd, env: { GITHUB_RUN_ID: run_id, GITHUB_RUN_ATTEMPT: attempt } })
  }
  await shard(1, '1')
  await shard(2, '2')
  const [first, second] = [1, 2].map((n) => parseEvents(readFileSync(join(cwd, `s${n}.jsonl`), 'utf8'))[0])
  expect([first, second]).toMatchObject([{ run_group: '77' }, { run_group: '77' }])
  const merged = await merge(cwd, 's1.jsonl', 's2.jsonl', '-o', 'merged.jsonl')
  expect([merged.stderr, merged.stdout]).toEqual(['Written: merged.jsonl\n', expect.stringMatching(/Total:\s+4/)])

  await shard(2, '1', '78')
  const other = await merge(cwd, 's1.jsonl', 's2.jsonl', '-o', 'other.jsonl')
  expect([other.code, other.stderr]).toEqual([2, expect.stringMatching('run group')])
})

test.each([[['--runs', '1']], [['--runs', '2']]])(
  'a shard that is run again replaces its predecessor, and what passes only now is flaky: %s',
  async (runs) => {
    const cwd = makeFolder({ 'cases.jsonl': CASES.slice(0, 4) })
    const shard = async (n: number, attempt: string, answer: string) => {
      writeFileSync(join(cwd, 'agent.mjs'), `export default () => '${answer}'`)
      const output = `s${n}-${attempt}.jsonl`
      const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--force', '-o', output, '--shard', `${n}/2`]
      await viva([...args, ...runs], { cwd, env: { GITHUB_RUN_ID: '77', GITHUB_RUN_ATTEMPT: attempt } })
    }
    await shard(1, '1', 'say')
    await shard(2, '1', 'no')
    await shard(2, '2', 'say')
    for (const files of [
      ['s1-1.jsonl', 's2-1.jsonl', 's2-2.jsonl'],
      ['s2-2.jsonl', 's2-1.jsonl', 's1-1.jsonl'],
    ]) {
      const merged = await merge(cwd, ...files, '-o', 'merged.jsonl')
      expect(merged.code, merged.stderr).toBe(0)
      const events = parseEvents(readFileSync(join(cwd, 'merged.jsonl'), 'utf8'))
      const again = parseEvents(readFileSync(join(cwd, 's2-2.jsonl'), 'utf8'))
      const ids = [...new Set(again.flatMap(({ type, id }) => (type === 'result' ? [id] : [])))]
      expect(ids.length).toBeGreaterThan(0)
      expect(events.at(-1)).toMatchObject({ total: 4, passed: 4, flaky: ids.length, flaky_ids: ids })
      const [replaced] = parseEvents(readFileSync(join(cwd, 's2-1.jsonl'), 'utf8'))
      expect(events[0]).toMatchObject({
        merged_from: [{ attempt: 1 }, { attempt: 2, replaces: [replaced?.['run_id']] }],
      })
    }
    // The same try twice: nobody knows which counts.
    copyFileSync(join(cwd, 's2-2.jsonl'), join(cwd, 'copy.jsonl'))
    const twice = await merge(cwd, 's1-1.jsonl', 's2-2.jsonl', 'copy.jsonl', '-o', 'merged.jsonl')
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('was given twice')])
  },
)

test('a plan makes shares of equal length, and every shard must have the same', async () => {
  const cwd = project()
  const slow = [1000, 400, 300, 300].map((duration_ms, index) => ({
    type: 'result',
    run_id: 'r',
    id: `c${index}`,
    run: 1,
    status: 'passed',
    duration_ms,
  }))
  await run(cwd, 'first.jsonl')
  const [start = ''] = readFileSync(join(cwd, 'first.jsonl'), 'utf8').split('\n')
  writeFileSync(join(cwd, 'before.jsonl'), [start, ...slow.map((each) => JSON.stringify(each)), ''].join('\n'))
  const made = await viva(['shard-plan', 'before.jsonl', '--shards', '2', '-o', 'plan.json'], { cwd })
  expect(made.code, made.stderr).toBe(0)
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).toEqual({
    format: 1,
    shards: 2,
    cases: { c0: 1, c1: 2, c2: 2, c3: 2 },
  })
  await run(cwd, 'p1.jsonl', '--shard', '1/2', '--shard-plan', 'plan.json', '--run-group', 'g')
  await run(cwd, 'p2.jsonl', '--shard', '2/2', '--shard-plan', 'plan.json', '--run-group', 'g')
  const ids = (file: string) =>
    parseEvents(readFileSync(join(cwd, file), 'utf8')).flatMap((event) =>
      event.type === 'result' ? [event['id']] : [],
    )
  expect(ids('p1.jsonl')).toContain('c0')
  expect(ids('p2.jsonl')).toEqual(expect.arrayContaining(['c1', 'c2', 'c3']))
  expect([...ids('p1.jsonl'), ...ids('p2.jsonl')].map(String).toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
  expect((await merge(cwd, 'p1.jsonl', 'p2.jsonl', '-o', 'merged.jsonl')).code).toBe(1)

  await run(cwd, 'h2.jsonl', '--shard', '2/2', '--run-group', 'g')
  const mixed = await merge(cwd, 'p1.jsonl', 'h2.jsonl', '-o', 'mixed.jsonl')
  expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringMatching('shard plan is')])
  for (const [args, message] of [
    [['--shard', '1/3', '--shard-plan', 'plan.json'], 'it is for 2 shards, but --shard says 3'],
    [['--shard-plan', 'plan.json'], '--shard-plan needs --shard'],
    [['--shard', '1/2', '--shard-plan', 'none.json'], 'none.json'],
    [['--shard', '1/2', '--shard-plan', 'cases.jsonl'], 'cases.jsonl'],
  ] as const) {
    const refused = await run(cwd, 'x.jsonl', ...args)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)])
  }
})

function copy(cwd: string, from: string, to: string): string {
  copyFileSync(join(cwd, from), join(cwd, to))
  return to
}
