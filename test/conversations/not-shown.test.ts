// A case that the agent kept from being shown is skipped, and the run is red, unless somebody chose to skip such cases.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchers, runCase, runTests, type WrittenCase } from '../../src/index.js'
import { connect } from '../mcp/support.js'
import { makeRepository } from '../support/git-repository.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const AGENT = `
const said = (messages) => messages.at(-1).content
export const declares = (messages) => (said(messages) === 'pay' ? { content: 'x', awaiting_input: true } : 'hello')
export const calls = (messages) =>
  said(messages) === 'pay' ? { content: 'x', tool_calls: [{ name: 'ask_user', args: {} }] } : 'hello'
export const guesses = (messages) => (said(messages) === 'pay' ? 'What?' : 'hello')
export const pays = (messages) => (said(messages) === 'pay' ? 'PAID' : 'hello')
export const fails = (messages) => (said(messages) === 'pay' ? 'no' : 'hello')
export const breaks = () => { throw new Error('no user today') }
let turn = 0
export const sometimes = (messages) => (said(messages) === 'pay' && ++turn % 2 === 0 ? { content: 'x', awaiting_input: true } : 'PAID hello')`

const PAID: WrittenCase['assert'] = [{ type: 'contains', value: 'PAID' }]
const PAY: WrittenCase = { id: 'pay', turns: [{ input: 'pay' }], final_assertions: PAID }
const GREET: WrittenCase = { id: 'greet', input: 'hi', assert: { type: 'contains', value: 'hello' } }
const RED = '1 case not shown: assertions were not reached'
const WHY = 'Agent awaiting input, no next turn defined; not reached: contains "PAID"'

interface Given {
  cases?: object[]
  agent?: string
  flags?: string[]
  files?: Files
}

async function run({ cases = [PAY, GREET], agent = 'declares', flags = [], files = {} }: Given) {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...files })
  const { code, stdout, stderr } = await viva(
    ['agent', 'test', '-i', 'cases.jsonl', '-n', `./agent.mjs#${agent}`, '-o', 'o.jsonl', ...flags],
    { cwd },
  )
  const events = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8'))
  const summary = events.find((event) => event.type === 'summary')
  return { cwd, code, stdout, stderr, summary, results: events.filter((event) => event.type === 'result') }
}

describe('the run is red', () => {
  test.each(['declares', 'calls'])('when the agent %s, and says why', async (agent) => {
    const { code, stdout, summary, results } = await run({ agent })
    expect(code).toBe(1)
    expect(results).toMatchObject([{ status: 'skipped', skipped_by: 'not_shown' }, { status: 'passed' }])
    expect(summary).toMatchObject({ passed: 1, failed: 0, skipped: 1, not_shown: 1, not_shown_ids: ['pay'] })
    expect(summary).toMatchObject({ exit_code: 1, reasons: [RED] })
    expect(stdout).toContain('  Skipped: 1\n  Not shown: 1 (pay)\n')
    expect(stdout).toContain(`  Exit code 1: ${RED}\n\n  Some conversations had no next input. Add turns`)
    expect(stdout).toContain(`  1 case not shown:\n    ○ [pay] cases.jsonl:1 ${WHY}\n\n  To run just it again:`)
  })

  test.each([
    ['a turn without input', { turns: [{ input: 'hi' }, { assert: PAID }] }, 'pays'],
    ['a person who is not there', { ...PAY, interactive: { enabled: true } }, 'declares'],
    ['a simulator that fails', { ...PAY, simulator: { use: './agent.mjs#breaks' } }, 'declares'],
    [
      'one whose failure on_missing_input is not about',
      { ...PAY, simulator: { use: './agent.mjs#breaks' }, on_missing_input: 'end' },
      'declares',
    ],
  ])('after %s', async (_what, testCase, agent) => {
    const { code, results } = await run({ cases: [{ ...testCase, id: 'T' }, GREET], agent })
    expect(results[0]).toMatchObject({ id: 'T', status: 'skipped', skipped_by: 'not_shown' })
    expect(code).toBe(1)
  })

  test('and lists what was not reached: of later turns and of the end', async () => {
    const turns = [{ input: 'pay' }, { assert: { type: 'contains', value: 'two' } }, { input: 'x', assert: PAID }]
    const { stdout, results } = await run({
      cases: [{ id: 'T', turns, final_assertions: { type: 'regex', value: 'end' } }],
    })
    expect(results[0]).toMatchObject({
      skipped_by: 'not_shown',
      turns: [
        { status: 'passed' },
        { status: 'skipped', assertions: [{ type: 'contains', value: 'two', not_evaluated: true }] },
        { status: 'not_run', assertions: [{ type: 'contains', value: 'PAID', not_evaluated: true }] },
      ],
      final_assertions: [{ type: 'regex', value: 'end', not_evaluated: true }],
    })
    expect(stdout).toContain('not reached: contains "two", contains "PAID", regex "end"\n')
  })

  test('--fail-fast ends with it', async () => {
    const { results, summary } = await run({ flags: ['--fail-fast'] })
    expect([results.length, summary?.['not_run'], summary?.['exit_code']]).toEqual([1, 1, 1])
  })

  test('--pass-with-no-tests is about something else', async () => {
    expect((await run({ cases: [PAY], flags: ['--pass-with-no-tests'] })).code).toBe(1)
  })
})

describe('the run is green', () => {
  test.each<[string, Given]>([
    ['--skip-interactive', { flags: ['--skip-interactive'] }],
    ['--on-missing-input skip', { flags: ['--on-missing-input', 'skip'] }],
    ['the case', { cases: [{ ...PAY, on_missing_input: 'skip' }, GREET] }],
    ['the configuration', { files: { 'viva.config.json': { defaults: { on_missing_input: 'skip' } } } }],
  ])('when %s chose to skip', async (_who, given) => {
    const { code, results, summary } = await run(given)
    expect(code).toBe(0)
    expect(results[0]).toMatchObject({ status: 'skipped' })
    expect(results[0]).not.toHaveProperty('skipped_by')
    expect(summary).not.toHaveProperty('not_shown')
  })

  test.each(['declares', 'calls', 'guesses'])(
    'for skips of the author, and if no assertion was left: %s',
    async (agent) => {
      const asks = { type: 'regex', value: '^(x|What)' }
      const cases = [
        { ...PAY, id: 'author', skip: true },
        { id: 'nothing', turns: [{ input: 'pay' }] },
        { id: 'all', turns: [{ input: 'pay', assert: asks }] },
        { id: 'one turn', type: 'multi_turn', input: 'pay', assert: asks },
        { id: 'simulator', turns: [{ input: 'pay' }], simulator: { use: './agent.mjs#breaks' } },
        GREET,
      ]
      const { code, results, summary } = await run({ cases, agent })
      expect(results.filter(({ status }) => status === 'skipped').length).toBeGreaterThanOrEqual(3)
      const skippedBy = results.flatMap(({ skipped_by }) => skipped_by ?? [])
      expect(skippedBy).toEqual(['author'])
      expect([code, summary?.['failed']]).toEqual([0, 0])
    },
  )
})

describe('with several runs', () => {
  test.each(['3', 'auto'])('--runs %s: never shown is skipped, and red', async (runs) => {
    const { code, summary, stdout } = await run({ flags: ['--runs', runs] })
    expect(code).toBe(1)
    expect(summary).toMatchObject({ passed: 1, skipped: 1, not_shown: 1, reasons: [RED] })
    expect(stdout).toContain(RED)
  })

  test.each([['--runs', '2'], []])('an agent that asks back does not raise a rate: %j', async (...flags) => {
    const rates = async (agent: string): Promise<unknown[]> => {
      const { summary } = await run({ agent, flags })
      return [summary?.['pass_rate'], summary?.['overall_pass_rate']]
    }
    const repeated = flags.length > 0
    expect(await rates('fails')).toEqual([50, repeated ? 50 : undefined])
    expect(await rates('declares')).toEqual([50, repeated ? 50 : undefined])
  })

  test('--runs: a run without its verdict says why it counts as not passed', async () => {
    const { cwd } = await run({ agent: 'sometimes', flags: ['--runs', '2', '-o', 'r.xml'] })
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain(
      'message="1 of 2 runs passed (50%), 100% needed: not shown: Agent awaiting input, no next turn defined"',
    )
  })

  test('--runs auto: shown in half of its runs, it does not pass on those', async () => {
    const { code, summary } = await run({ agent: 'sometimes', flags: ['--runs', 'auto', '--max-runs', '60'] })
    expect(summary).toMatchObject({ passed: 1, failed: 1, failed_ids: ['pay'] })
    expect(code).toBe(1)
  })

  test('compare counts such runs as not passed', async () => {
    const cases = Array.from({ length: 6 }, (_, at) => ({ ...PAY, id: `T${at}` }))
    const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
    const base = ['agent', 'test', '-i', 'cases.jsonl', '--runs', '6']
    await viva([...base, '-n', './agent.mjs#pays', '-o', 'a.jsonl'], { cwd })
    await viva([...base, '-n', './agent.mjs#sometimes', '-o', 'b.jsonl'], { cwd })
    const compared = await viva(['compare', 'a.jsonl', 'b.jsonl', '--fail-on', 'regression'], { cwd })
    expect(compared.code, compared.stdout).toBe(1)
    expect(compared.stderr).toMatch(/the pass rate fell by 50\.0 points/)
  })
})

test.each(['any', 'baseline'])('variants, --gate %s', async (gate) => {
  const variants = ['--variant', 'asks=./agent.mjs#declares', '--variant', 'pays=./agent.mjs#pays', '--gate', gate]
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
  const first = await viva(['agent', 'test', '-i', 'cases.jsonl', ...variants, '-o', 'a.jsonl'], { cwd })
  expect([first.code, first.stdout]).toEqual([1, expect.stringContaining(RED)])
  const swapped = [...variants.slice(2, 4), ...variants.slice(0, 2), '--gate', gate]
  const second = await viva(['agent', 'test', '-i', 'cases.jsonl', ...swapped, '-o', 'b.jsonl'], { cwd })
  expect(second.code).toBe(gate === 'any' ? 1 : 0)
})

describe('compare: passed, and not shown now', () => {
  const compareRuns = async (agent: string, flags: string[]) => {
    const simulator = { simulator: { use: './agent.mjs#breaks' } }
    const cases = [agent === 'breaks' ? { ...PAY, ...simulator } : PAY, ...greetings(5)]
    const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
    const test = ['agent', 'test', '-i', 'cases.jsonl']
    await viva([...test, '-n', './agent.mjs#pays', '-o', 'a.jsonl'], { cwd })
    await viva([...test, '-n', `./agent.mjs#${agent === 'breaks' ? 'declares' : agent}`, '-o', 'b.jsonl'], { cwd })
    return viva(['compare', 'a.jsonl', 'b.jsonl', ...flags], { cwd })
  }
  const CHANGE = '1 case passed before and is not shown now: pay'

  test.each(['declares', 'breaks'])('is a regression that --allow-missing does not allow: %s', async (agent) => {
    const gated = await compareRuns(agent, ['--fail-on', 'regression', '--allow-missing'])
    expect(gated.code, gated.stdout).toBe(1)
    expect(gated.stderr).toContain(CHANGE)
    const { regression, reasons, newly_failing, cases } = JSON.parse(
      (await compareRuns(agent, ['--format', 'json'])).stdout,
    ) as Record<string, unknown>
    expect({ regression, reasons }).toEqual({ regression: true, reasons: [CHANGE] })
    expect(newly_failing).toMatchObject({ count: 1, cases: [{ id: 'pay', after: 'skipped' }] })
    expect(cases).toMatchObject({ missing: { count: 0 } })
  })

  test('one that was chosen is only missing', async () => {
    const chosen = await compareRuns('pays', ['--fail-on', 'regression'])
    expect(chosen.code).toBe(0)
  })
})

test('diff: passed, and not shown now, is worse whatever the rates are', async () => {
  const cases = [PAY, ...greetings(5)]
  const repository = makeRepository({ 'agent.mjs': `${AGENT}\nexport const now = pays`, 'cases.jsonl': cases })
  repository.commit({ 'agent.mjs': `${AGENT}\nexport const now = declares` })
  const args = ['diff', 'main~1..main', '-i', 'cases.jsonl', '-n', './agent.mjs#now', '--runs', '1']
  const { code, stdout } = await viva(args, { cwd: repository.dir, env: { TMPDIR: makeFolder() } })
  expect(code, stdout).toBe(1)
  expect(stdout).toContain('1 case passed before and is not shown now: pay')
})

test('variants: a rate is not raised by asking back', async () => {
  const variants = ['--variant', 'fails=./agent.mjs#fails', '--variant', 'asks=./agent.mjs#declares']
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
  await viva(['agent', 'test', '-i', 'cases.jsonl', ...variants, '-o', 'o.jsonl'], { cwd })
  const summary = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).find((event) => event.type === 'summary')
  expect(summary).toMatchObject({ variants: [{ pass_rate: 50 }, { pass_rate: 50, not_shown: 1 }] })
})

describe('a skip that an import wrote for something it lost', () => {
  const lost = (metadata?: object) => ({
    id: 'lost',
    input: 'hi',
    assert: { type: 'contains', value: 'hello' },
    skip: true,
    skip_reason: 'not carried over: a javascript assertion (promptfooconfig.yaml:7)',
    ...(metadata && { metadata }),
  })
  const note = { from: 'promptfooconfig.yaml:7', reason: 'a javascript assertion' }

  test('is not shown, and counted as such', async () => {
    const { code, stdout, results, summary } = await run({
      cases: [lost({ import: [{ ...note, lost: true }] }), GREET],
      flags: ['-o', 'r.xml'],
    })
    expect(code).toBe(1)
    expect(results[0]).toMatchObject({
      skip: true,
      skipped_by: 'not_shown',
      assertions: [{ type: 'contains', value: 'hello', not_evaluated: true }],
    })
    expect(summary).toMatchObject({ skipped: 1, not_shown: 1, not_shown_ids: ['lost'], pass_rate: 50 })
    expect(stdout).toContain('○ [lost] cases.jsonl:1 not carried over: a javascript assertion')
    expect(stdout).toContain('IMPORT.md says what is missing')
  })

  test.each([undefined, { import: [note] }, { import: [{ ...note, stricter: true }] }])(
    'unlike any other: %j',
    async (metadata) => {
      expect((await run({ cases: [lost(metadata), GREET] })).code).toBe(0)
    },
  )

  test('from the import to the exit code', async () => {
    const cwd = makeFolder({
      'promptfooconfig.yaml': [
        "prompts: ['{{q}}']",
        'providers: [echo]',
        'tests:',
        '  - vars: {q: hello}',
        '    assert: [{type: contains, value: hello}]',
        '  - vars: {q: hi}',
        "    assert: [{type: no-such-assertion, value: 'x'}, {type: contains, value: hi}]",
      ].join('\n'),
    })
    const imported = await viva(['import', 'promptfooconfig.yaml', '-o', 'suite'], { cwd })
    expect(imported.code, imported.stderr).toBe(0)
    const ran = await viva(['agent', 'test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl'], {
      cwd: join(cwd, 'suite'),
    })
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining(RED)])
  })
})

describe('reports', () => {
  test('JUnit, TAP and CTRF have it as an error, also when made later', async () => {
    const { cwd } = await run({ flags: ['-o', 'r.xml', '-o', 'r.tap', '-o', 'r.ctrf.json'] })
    const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
    expect(text('r.xml')).toContain('tests="2" failures="0" errors="1"')
    expect(text('r.xml')).toContain('skipped="0"')
    expect(text('r.xml')).toContain(`<error message="not shown: ${WHY.replaceAll('"', '&quot;')}" type="not_shown">`)
    expect(text('r.tap')).toMatch(/^1\.\.2$/m)
    expect(text('r.tap')).toMatch(/^not ok 1 - pay\n {2}---\n {2}message: "not shown: .*\n {2}severity: "error"$/m)
    const { summary, tests } = (JSON.parse(text('r.ctrf.json')) as Ctrf).results
    expect(summary).toMatchObject({ tests: 2, failed: 1, skipped: 0 })
    expect(tests[0]).toMatchObject({
      name: 'pay',
      status: 'failed',
      rawStatus: 'not_shown',
      message: `not shown: ${WHY}`,
    })
    const later = await viva(['report', 'o.jsonl', '--format', 'junit'], { cwd })
    expect(later.stdout).toContain('type="not_shown"')
    // As if the run had been killed before its summary.
    const lines = text('o.jsonl').trimEnd().split('\n')
    const killed = makeFolder({ 'o.jsonl': `${lines.slice(0, -1).join('\n')}\n` })
    expect((await viva(['report', 'o.jsonl', '--format', 'tap'], { cwd: killed })).stdout).toContain('not ok 1 - pay')
  })

  test('Markdown lists it before what passed, JSON keeps it skipped', async () => {
    const { cwd } = await run({ cases: [GREET, PAY], flags: ['-o', 'r.md', '-o', 'r.json'] })
    const markdown = readFileSync(join(cwd, 'r.md'), 'utf8')
    expect(markdown).toMatch(/^\| Not shown \| 1 +\|$/m)
    expect(markdown.indexOf('pay - Not shown')).toBeGreaterThan(0)
    expect(markdown.indexOf('pay - Not shown')).toBeLessThan(markdown.indexOf('greet - Passed'))
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({
      summary: { skipped: 1, not_shown: 1, not_shown_ids: ['pay'] },
      results: [{ id: 'greet' }, { id: 'pay', status: 'skipped', skipped_by: 'not_shown' }],
    })
  })

  test('annotations of GitHub Actions', async () => {
    const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
    const { stdout, stderr } = await viva(['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#declares'], {
      cwd,
      env: { GITHUB_ACTIONS: 'true' },
    })
    expect(`${stdout}${stderr}`).toContain(`::error file=cases.jsonl,line=1,title=pay::not shown: ${WHY}\n`)
  })

  test('MCP', async () => {
    const { call } = await connect('stdio', {
      args: ['--allow-live'],
      files: { 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] },
    })
    const ran = await call('run_cases', { input: 'cases.jsonl', agent: './agent.mjs#declares' })
    expect(ran.value).toMatchObject({
      exit_code: 1,
      skipped: 1,
      not_shown: 1,
      failures: [{ id: 'pay', error: `not shown: ${WHY}` }],
    })
    expect((await call('explain_failure')).value).toMatchObject({
      not_passed: 1,
      failures: [{ id: 'pay', status: 'not_shown', error: `not shown: ${WHY}`, where: 'cases.jsonl:1' }],
    })
    expect((await call('list_runs')).value).toMatchObject({ runs: [{ not_shown: 1 }] })
  })

  test('the matcher of vitest names what was not reached, both ways', async () => {
    const { id: _id, ...one } = PAY
    const awaits = () => ({ content: 'x', awaiting_input: true })
    for (const isNot of [false, true])
      await expect(matchers.toPassCase.call({ isNot }, one, awaits)).rejects.toThrow(
        `the case could not be judged: it was not shown: ${WHY}`,
      )
  })
})

interface Ctrf {
  results: { summary: object; tests: object[] }
}

function greetings(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ ...GREET, id: `greet ${at}`, input: `hi ${at}` }))
}

test('shards, merged, and a run that is resumed', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
  const base = ['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#declares']
  for (const shard of [1, 2])
    await viva([...base, '--run-group', 'g', '--shard', `${shard}/2`, '-o', `${shard}.jsonl`], { cwd })
  const merged = await viva(['merge', '1.jsonl', '2.jsonl', '-o', 'm.jsonl'], { cwd })
  expect([merged.code, merged.stdout]).toEqual([1, expect.stringContaining(RED)])

  await viva([...base, '-o', 'o.jsonl'], { cwd })
  const lines = readFileSync(join(cwd, 'o.jsonl'), 'utf8').trimEnd().split('\n')
  const shown = lines.findIndex((line) => line.includes('"skipped_by"'))
  const cut = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': [PAY, GREET],
    'o.jsonl': `${lines.slice(0, shown + 1).join('\n')}\n`,
  })
  const resumed = await viva(['agent', 'test', '--resume', 'o.jsonl', '-i', 'cases.jsonl'], { cwd: cut })
  expect([resumed.code, resumed.stdout]).toEqual([1, expect.stringContaining(RED)])
})

test.each<[string[]]>([[[]], [['--runs', '2']], [['--history']]])('--last-failed runs it again (%s)', async (flags) => {
  const { cwd } = await run({ flags })
  if (flags.includes('--history')) rmSync(join(cwd, 'o.jsonl'))
  const again = await viva(
    ['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#declares', '--last-failed', '-o', 'p.jsonl'],
    { cwd },
  )
  expect(again.stderr).toContain('--last-failed: 1 of 2 cases')
  expect(again.code).toBe(1)
})

test('the library', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT })
  const outcome = await runTests({ cases: [PAY, GREET], name: './agent.mjs#declares' }, { cwd, env: {} })
  expect(outcome).toMatchObject({ exit_code: 1, summary: { not_shown: 1, reasons: [RED] } })
  const { id: _id, ...one } = PAY
  expect(await runCase(one, './agent.mjs#declares', { io: { cwd, env: {} } })).toMatchObject({
    status: 'skipped',
    skipped_by: 'not_shown',
  })
})
