// Every example, command, console sample and error table about conversations, through the command line.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type CliRun, makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'
import { blockOf, commandsOf, readOwnCopy, readSeed } from '../support/seed-document.js'

const FIRST = readSeed('001')
const SECOND = readSeed('003')
const FIXTURES = fileURLToPath(new URL('../fixtures/seeds', import.meta.url))
const AGENT = 'assistants/expense'

type Result = Record<string, unknown> & { id: string; status: string }

/** The application of the documents; commands run in the folder of the expense assistant, where its tests are. */
function app(files: Record<string, string | object> = {}): string {
  const root = makeFolder()
  cpSync(join(FIXTURES, 'conversations-app'), root, { recursive: true })
  const dir = join(root, AGENT)
  for (const name of ['rows.mjs', 'replay.mjs']) cpSync(join(FIXTURES, name), join(dir, name))
  writeFiles(dir, files)
  return dir
}

function resultsOf(run: CliRun): Result[] {
  return parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as Result[]
}

async function resultsIn(cases: string, args: string[] = [], files: Record<string, string | object> = {}) {
  const cwd = app({ 'tests/cases.jsonl': cases, ...files })
  return resultsOf(await viva(['agent', 'test', '-i', 'tests/cases.jsonl', '--json', ...args], { cwd }))
}

test('the copy of the examples says what the documents say', () => {
  for (const number of ['001', '003']) {
    const own = readOwnCopy(number)
    const document = readSeed(number)
    for (const block of own.blocks) expect(document.blocks).toContainEqual(block)
    for (const [heading, rows] of Object.entries(own.tables)) expect(document.tables[heading]).toEqual(rows)
  }
})

describe('cases, as they are written', () => {
  test.each([
    ['Test Case Options Field', FIRST, ['T001'], []],
    ['Single-Turn (Existing)', FIRST, ['T001'], []],
    ['Multi-Turn (New)', FIRST, ['T001'], []],
    ['Attachments in Multi-Turn', FIRST, ['T001'], []],
    ['Simple Input', SECOND, ['T001'], []],
    // An agent that creates the expense and confirms it in one answer.
    ['With Message History', SECOND, ['T002'], ['-c', 'openai-gpt4']],
    ['Testing Different Points', SECOND, ['expense-turn1', 'expense-turn2', 'expense-turn3'], []],
    ['With Attachments', SECOND, ['T003'], []],
    ['Dynamic Mode (Simulator', SECOND, ['T004'], []],
  ])('%s', async (heading, document, ids, args) => {
    const results = await resultsIn(blockOf(document, heading), args)
    expect(results.map(({ id, status, error }) => ({ id, status, error }))).toEqual(
      ids.map((id) => ({ id, status: 'passed' })),
    )
  })

  test('the assertions by others, alone and combined', async () => {
    const agents = [blockOf(FIRST, 'Agent-Driven Assertions'), blockOf(SECOND, 'Agent-Driven Assertions')]
    const scripts = [blockOf(FIRST, 'Script Assertions'), blockOf(SECOND, 'Script Assertions')]
    const combined = blockOf(FIRST, 'Combined Assertions').replace(/^\s*\{/, '')
    const results = await resultsIn(`
{"id": "agent", "input": "Hello", "assertions": [${agents.join(',')}]}
{"id": "script", "input": "Yes", "assertions": [${scripts.join(',')}]}
{"id": "combined", "input": "Business travel", ${combined}`)
    expect(results).toMatchObject([
      { id: 'agent', status: 'passed', assertions: [{ score: 0.95 }, { score: 0.95 }] },
      { id: 'script', status: 'passed', assertions: [{ message: 'amount 3500' }, { message: 'amount 3500' }] },
      { id: 'combined', status: 'passed', assertions: [{ name: 'create_expense' }, { type: 'agent' }] },
    ])
  })

  test('static turns first, then the simulator', async () => {
    const [hybrid] = await resultsIn(blockOf(FIRST, 'Mode Priority').replace('{', '{"id": "hybrid",'))
    expect(hybrid).toMatchObject({
      status: 'passed',
      turns: [
        { input: 'Start expense report', input_source: 'static' },
        { input: 'Travel expense, $500', input_source: 'static' },
        { input: 'Yes, confirm', input_source: 'simulator' },
      ],
    })
  })

  test('the old single-turn form and the turns it stands for are the same', async () => {
    const assertions = '[{"type": "contains", "value": "Hi"}]'
    const [input, turns, messages] = await resultsIn(`
{"id": "input", "input": "Hello", "assertions": ${assertions}}
{"id": "turns", "type": "single_turn", "turns": [{"input": "Hello", "assertions": ${assertions}}]}
{"id": "messages", "messages": [{"role": "user", "content": "Hello"}], "assertions": ${assertions}}`)
    for (const result of [input, turns, messages]) {
      expect(result).toMatchObject({ status: 'passed', output: input?.['output'], messages_count: 1 })
    }
  })
})

describe('what agents answer, as it is written', () => {
  test('an agent declares that it awaits input; a simulator and a validator answer', async () => {
    const modules = {
      'declares.mjs': `export default () => (${blockOf(FIRST, 'Strategy 1')})`,
      'user.mjs': `export default () => (${blockOf(FIRST, 'Simulator Mode', 'json')})`,
      'judge.mjs': `export default () => (${blockOf(FIRST, 'Validator Mode', 'json')})`,
    }
    const results = await resultsIn(
      `
{"id": "skipped", "turns": [{"input": "Hello"}]}
{"id": "led", "turns": [{"input": "Hello"}], "max_turns": 2, "simulator": {"use": "./user.mjs"}}
{"id": "judged", "input": "Hello", "assert": {"type": "agent", "use": "./judge.mjs", "value": "helpful"}}`,
      ['-n', './declares.mjs'],
      modules,
    )
    const hint = 'Enter amount, e.g., $3500'
    expect(results).toMatchObject([
      {
        status: 'skipped',
        turns: [
          { awaiting_input: true, awaiting_reason: 'agent_declared', input_hint: hint },
          { question: 'What is the expense amount?', input_hint: hint },
        ],
      },
      {
        status: 'failed',
        error: 'max turns (2) exceeded',
        turns: [
          { output: 'What is the expense amount?' },
          { input: 'The amount is $500', reasoning: 'Providing requested amount info' },
        ],
      },
      {
        status: 'passed',
        assertions: [{ passed: true, score: 0.95, message: 'Response is helpful and addresses the question' }],
      },
    ])
  })

  test('a script test with an agent assertion', async () => {
    const cwd = app({ 'src/response_test.ts': blockOf(SECOND, 'Script Testing with Agent Assertions') })
    const run = await viva(['agent', 'test', '-i', 'scripts.expense.response', '-v'], { cwd })
    expect(run.stdout).toContain('✓ PASSED')
    expect(run.code).toBe(0)
  })
})

const FLOW = `
{"id": "T001", "name": "Expense Reimbursement Flow", "turns": [
  {"input": "I want to submit an expense", "assertions": [{"type": "contains", "value": "type of expense"}]},
  {"input": "Business travel, $3500", "assertions": [{"type": "tool_called", "name": "create_expense"}]},
  {"input": "Yes, confirm", "assertions": [{"type": "contains", "value": "submitted"}]}],
 "final_assertions": [{"type": "json_path", "path": "$.expense.status", "value": "submitted"}]}
{"id": "T002", "name": "Large Expense Approval", "turns": [{"input": "Submit $100,000 equipment purchase"}]}
{"id": "T003", "name": "Dynamic Expense Flow", "input": "Help me file an expense", "simulator": {"use": "workers.test.user-sim"}, "final_assertions": [{"type": "contains", "value": "submitted"}]}
`

/** The three cases with the names they have in the console sample. */
const POINTS = blockOf(SECOND, 'Testing Different Points')
  .replace('"id": "expense-turn1",', '"id": "expense-turn1", "name": "First turn - ask type",')
  .replace('"id": "expense-turn2",', '"id": "expense-turn2", "name": "Second turn - create expense",')
  .replace('"id": "expense-turn3",', '"id": "expense-turn3", "name": "Final turn - confirm",')

const DYNAMIC = blockOf(SECOND, 'Dynamic Mode (Simulator').replace('"use": "workers.test.user-simulator",', '')

describe('commands, as they are written', () => {
  const files = { 'tests/multi-turn.jsonl': FLOW, 'tests/expense.jsonl': POINTS, 'tests/dynamic.jsonl': DYNAMIC }
  const commands = new Map([...commandsOf(FIRST), ...commandsOf(SECOND)].map((words) => [words.join(' '), words]))

  /** What each must show; the rest is said by its exit code. */
  const SHOWS: Record<string, RegExp> = {
    '-i Hello, how are you? -n assistants.chat': /^I am fine, thank you\.\n$/,
    '-i Help me file an expense -n assistants.expense': /^What type of expense would you like to submit\?\n$/,
    '-i ./tests/multi-turn.jsonl': /\[T002\].*Result: SKIPPED.*Passed: {2}2\n.*Skipped: 1/s,
    '-i ./tests/multi-turn.jsonl --interactive': /\[T002\].*Result: SKIPPED.*Skipped: 1/s,
    '-i ./tests/multi-turn.jsonl --skip-interactive': /\[T002\].*Result: SKIPPED.*Skipped: 1/s,
    '-i ./tests/multi-turn.jsonl --on-missing-input=fail':
      /\[T002\].*Turn 2: FAILED.*no next turn defined.*Failed: T002/s,
    '-i ./tests/multi-turn.jsonl -v': /Connector: mock.*Turn 4: \[Simulated\] "Confirm".*Agent: "Expense submitted/s,
    '-i ./tests/expense.jsonl': /Passed: {2}3/,
    '-i ./tests/expense.jsonl --parallel 5': /Passed: {2}3/,
    '-i ./tests/expense.jsonl -v': /User: "Yes"\n {2}Agent: "Expense submitted.*✓ contains "submitted"/s,
    '-i ./tests/dynamic.jsonl --simulator workers.test.user-simulator':
      /simulator: workers\.test\.user-simulator.*✓ ask_type \(turn 1\).*✓ call_create.*✓ confirm.*Result: PASSED/s,
    '-i agents:workers.test.generator -n assistants.expense': /\(5 test cases\).*\[G005\].*Passed: {2}5/s,
    '-i scripts:tests.generate -n assistants.expense': /\[S001\].*Passed: {2}1/s,
    '-i agents:workers.test.generator?count=10&focus=edge-cases -n assistants.expense': /\[G010\].*Passed: {2}10/s,
    '-i agents:workers.test.generator?count=20&focus=edge-cases -n assistants.expense': /\[G020\].*Passed: {2}20/s,
    '-i scripts:tests.expense.generate?scenario=approval-flow -n assistants.expense':
      /\[approval-flow-1\].*✓ contains "approval".*Passed: {2}1/s,
    '-i agents:workers.test.generator?count=10 -n assistants.expense --simulator agents:workers.test.user-simulator':
      /\[G010\].*Passed: {2}10/s,
    '-i agents:workers.test.generator?count=50 -n assistants.expense -o ./tests/generated.jsonl --dry-run':
      /○ \[G050\] Generated 50 \(1 assertion\)\n\n50 cases for expense; nothing was run, written to/,
    '-i agents:workers.test.generator?count=10 -n assistants.expense': /Passed: {2}10/,
  }

  test('none is left out', () => {
    expect([...commands.values()].map((words) => words.slice(2).join(' ')).toSorted()).toEqual(
      Object.keys(SHOWS).toSorted(),
    )
  })

  test.each([...commands])('%s', async (_text, words) => {
    const cwd = app(files)
    const run = await viva(words, { cwd })
    expect(run.stdout, run.stderr).toMatch(SHOWS[words.slice(2).join(' ')] ?? /^never$/)
    expect(run.code).toBe(words.includes('--on-missing-input=fail') ? 1 : 0)
    if (!words.includes('--dry-run')) return
    const again = await viva(['agent', 'test', '-i', 'tests/generated.jsonl', '--json'], { cwd })
    expect(resultsOf(again).map((result) => result.status)).toEqual(Array<string>(50).fill('passed'))
  })
})

describe('console samples', () => {
  /** Each sample with what it must say differently; `docs/compatibility.md` has the reasons. */
  const shape = (text: string): string =>
    text
      .replaceAll(/\((?:\d+(?:\.\d+)?m?s)+\)/g, '(0s)')
      .replaceAll(/(Time: +|Total time: )\S+/g, '$10s')
      .trim()

  async function shown(file: string, cases: string): Promise<string> {
    const run = await viva(['agent', 'test', '-i', file, '-o', 'out.jsonl'], { cwd: app({ [file]: cases }) })
    return shape(run.stdout)
  }

  test('turns, a missing answer, a simulated user', async () => {
    const sample = blockOf(FIRST, 'Console Output')
      .replace('Agent: assistants.expense', 'Agent: expense')
      .replace('(5 test cases)', '(3 test cases)')
      .replace(
        'Agent: "Expense submitted. Reference: EXP-2025-001"',
        'Agent: "Expense submitted. Reference: EXP-2025-001\\n{"expense": {…"',
      )
      .replace('Total turns: 10', 'Total turns: 8')
      .replace('Avg turns/test: 3.3', 'Avg turns/test: 2.7')
    expect(await shown('./tests/expense-flow.jsonl', FLOW)).toBe(shape(sample))
  })

  test('one call per case', async () => {
    const sample = blockOf(SECOND, 'Console Output').replace('Agent: assistants.expense', 'Agent: expense')
    expect(await shown('./tests/expense.jsonl', POINTS)).toBe(shape(sample))
  })
})

describe('result samples', () => {
  type Sample = Record<string, unknown> & { turns?: Array<Record<string, unknown>> | undefined }

  /** Durations are ours; everything else must be as in the sample. */
  function withoutTimes({ duration_ms: _duration, ...sample }: Sample): Sample {
    const turns = sample.turns?.map(({ duration_ms: _each, ...turn }) => turn)
    return turns ? { ...sample, turns } : sample
  }

  async function replayed(sample: Sample, testCase: object): Promise<Result | undefined> {
    const written = JSON.stringify({ id: sample['id'], name: sample['name'], ...testCase })
    const [result] = await resultsIn(written, ['-n', './replay.mjs#agent'], { 'sample.json': sample })
    return result
  }

  test('turns', async () => {
    const sample = JSON.parse(blockOf(FIRST, 'JSONL Output')) as Sample
    const turns = (sample.turns ?? []).map(({ input, assertions }) => ({ input, assertions: unjudged(assertions) }))
    const result = await replayed(sample, { turns })
    const { final_assertions, ...expected } = withoutTimes(sample)
    // Where an answer has no words, its output is a summary of what it did.
    const second = expected.turns?.[1]
    if (second) second['output'] = '[create_expense]'
    expect(result).toMatchObject(expected)
    expect(final_assertions).toHaveLength(1)
  })

  test('the final assertions of turns', async () => {
    const [result] = await resultsIn(FLOW, ['--run', 'T001'])
    const sample = JSON.parse(blockOf(FIRST, 'JSONL Output')) as Sample
    expect(result).toMatchObject({ final_assertions: sample['final_assertions'], total_turns: sample['total_turns'] })
  })

  test('one call', async () => {
    const results = await resultsIn(POINTS)
    const sample = withoutTimes(JSON.parse(blockOf(SECOND, 'JSONL Output')) as Sample)
    const { response, ...rest } = sample
    expect(results[2]).toMatchObject(rest)
    expect(results[2]?.['response']).toContain(response)
  })

  test('a simulated user and checkpoints', async () => {
    const sample = JSON.parse(blockOf(SECOND, 'Dynamic Mode Output')) as Sample
    // The sample's agent creates the expense at its second answer.
    const calls = [{}, { tool_calls: [{ name: 'create_expense', args: {} }] }, {}]
    const played = { ...sample, turns: sample.turns?.map((turn, index) => ({ ...turn, ...calls[index] })) }
    const result = await replayed(played, {
      simulator: { use: './replay.mjs#user' },
      checkpoints: [
        { id: 'ask_type', assertion: { type: 'contains', value: 'type' } },
        { id: 'call_create', after: ['ask_type'], assertion: { type: 'tool_called', name: 'create_expense' } },
        { id: 'confirm', after: ['call_create'], assertion: { type: 'contains', value: 'Submitted' } },
      ],
    })
    expect(result).toMatchObject(withoutTimes(sample))
  })
})

function unjudged(assertions: unknown): unknown {
  return (assertions as Array<Record<string, unknown>>).map(({ passed: _passed, ...spec }) => spec)
}

describe('error tables', () => {
  /** Row → the case that brings it about, how it ends, and the words of the row that only stand for others. */
  interface Row {
    given: object
    turn?: object
    result: object
    words?: Record<string, string>
  }

  const failsAt = (error: string, kind: string): Row['result'] => ({ status: 'failed', error, error_kind: kind })
  const say = (behaviour: string): object => ({ metadata: { behaviour } })
  const contains = (value: string): object => ({ type: 'contains', value })
  const FIRST_ROWS: Record<string, Row> = {
    'Agent timeout': {
      given: { turns: [{ input: 'x' }], timeout: '200ms', ...say('silent') },
      turn: failsAt('timeout after 200ms', 'timeout'),
      result: failsAt('timeout after 200ms', 'timeout'),
      words: { '30s': '200ms' },
    },
    'Agent error': {
      given: { turns: [{ input: 'x' }], ...say('broken') },
      turn: failsAt('agent error: the model is gone (at rows.mjs:5:37)', 'agent'),
      result: failsAt('agent error: the model is gone (at rows.mjs:5:37)', 'agent'),
    },
    'Assertion failed': {
      given: { turns: [{ input: 'x', assertions: [contains('bye')] }] },
      turn: { status: 'failed', assertion_errors: ['output does not contain "bye"'] },
      result: failsAt('turn 1: assertion failed: output does not contain "bye"', 'assertion'),
    },
    'Simulator error': {
      given: { turns: [{ input: 'x' }], simulator: { use: './rows.mjs#lost' }, ...say('asks') },
      turn: { status: 'skipped', skip_reason: 'simulator error', error_kind: 'simulator' },
      result: {
        status: 'skipped',
        skip_reason: 'simulator error',
        error: 'simulator error: the simulator is gone (at rows.mjs:15:9)',
      },
    },
    'No initial input': {
      given: { turns: [{}], interactive: { enabled: true } },
      result: failsAt('no initial input', 'input'),
    },
    'Max turns exceeded': {
      given: { turns: [{ input: 'x' }], simulator: { use: './rows.mjs#talks' }, ...say('asks') },
      result: { ...failsAt('max turns (20) exceeded', 'assertion'), total_turns: 20 },
    },
    'All turns passed': {
      given: { turns: [{ input: 'x', assertions: [contains('fine')] }, { input: 'y' }] },
      result: { status: 'passed', total_turns: 2 },
    },
    'Any turn failed': {
      given: { turns: [{ input: 'x', assertions: [contains('bye')] }, { input: 'y' }] },
      turn: { status: 'not_run' },
      result: { status: 'failed', total_turns: 1 },
    },
    'Skipped due to missing input': {
      given: { turns: [{ input: 'x' }], ...say('asks') },
      turn: { status: 'skipped' },
      result: { status: 'skipped', skip_reason: 'Agent awaiting input, no next turn defined' },
    },
  }

  const simulator = (name: string): object => ({ simulator: { use: `./rows.mjs#${name}` } })
  const checkpoint = (id: string, assertion: object): object => ({ id, assertion })
  const SECOND_ROWS: Record<string, Row> = {
    'Agent timeout': {
      given: { input: 'x', timeout: '200ms', ...say('silent') },
      result: failsAt('timeout after 200ms', 'timeout'),
      words: { '30s': '200ms' },
    },
    'Agent error': {
      given: { input: 'x', ...say('broken') },
      result: failsAt('agent error: the model is gone (at rows.mjs:5:37)', 'agent'),
    },
    'Assertion failed': {
      given: { input: 'x', assertions: [contains('bye')] },
      result: { status: 'failed', assertion_errors: ['output does not contain "bye"'] },
    },
    'All checkpoints reached': {
      given: { ...simulator('talks'), checkpoints: [checkpoint('ends', contains('fine'))] },
      result: { status: 'passed', checkpoints: [{ id: 'ends', reached_at_turn: 1, passed: true }] },
    },
    'Checkpoints missing': {
      given: {
        ...simulator('satisfied'),
        checkpoints: [
          checkpoint('a', contains('bye')),
          checkpoint('b', contains('fine')),
          checkpoint('c', contains('bye')),
        ],
      },
      result: failsAt('missing checkpoints: a, c', 'assertion'),
    },
    'Max turns exceeded': {
      given: { ...simulator('talks'), checkpoints: [checkpoint('ends', contains('bye'))], ...say('asks') },
      result: { ...failsAt('max turns (20) exceeded, missing checkpoints: ends', 'assertion'), total_turns: 20 },
    },
    'Timeout exceeded': {
      given: {
        ...simulator('talks'),
        checkpoints: [checkpoint('ends', contains('bye'))],
        timeout: '200ms',
        ...say('silent'),
      },
      result: failsAt('timeout after 200ms', 'timeout'),
      words: { '5m': '200ms' },
    },
    'Simulator error': {
      given: { ...simulator('lost'), checkpoints: [checkpoint('ends', contains('bye'))] },
      result: failsAt('simulator error: the simulator is gone (at rows.mjs:15:9)', 'simulator'),
    },
    'Checkpoint assertion failed': {
      given: {
        ...simulator('talks'),
        checkpoints: [checkpoint('X', { type: 'agent', use: './rows.mjs#nonsense', value: 'polite' })],
      },
      result: {
        status: 'failed',
        error_kind: 'validator',
        error:
          'checkpoint X failed: agent could not be checked: validator agent returned invalid response format: no verdict at all',
      },
    },
  }

  test.each([
    ['turns', FIRST, ['Turn-Level Errors', 'Test-Level Errors'], FIRST_ROWS],
    ['one call and simulated users', SECOND, ['Standard Mode Errors', 'Dynamic Mode Errors'], SECOND_ROWS],
  ])('%s', async (_what, document, headings, rows) => {
    const written = headings.flatMap((heading) => document.tables[heading] ?? [])
    expect(written.map(([name]) => name)).toEqual(Object.keys(rows))
    const cases = Object.entries(rows).map(([id, row]) => JSON.stringify({ id, ...row.given }))
    const results = await resultsIn(cases.join('\n'), ['-n', './rows.mjs#agent'])
    for (const [name = '', behaviour = '', output = ''] of written) {
      const result = results.find((each) => each.id === name)
      const row = rows[name]
      expect(result, name).toMatchObject(row?.result ?? {})
      const turns = (result?.['turns'] ?? []) as Array<Record<string, unknown>>
      if (row?.turn) expect(turns.at(-1), name).toMatchObject(row.turn)
      // The row's own words: the status it names, and its output with our values for its examples.
      const about = /turn/i.test(behaviour) ? turns.at(-1) : result
      expect(String(about?.['status']).toUpperCase(), name).toBe(/[A-Z]{5,}/.exec(behaviour)?.[0])
      expect(JSON.stringify(result), name).toMatch(patternOf(output, row?.words ?? {}))
    }
  })

  /** `error: "timeout after 30s"` → the same as JSON, `...` and `[...]` for anything. */
  function patternOf(output: string, words: Record<string, string>): RegExp {
    let [, key = '', value = ''] = /^`(\w+): (.*)`$/.exec(output) ?? []
    for (const [example, ours] of Object.entries(words)) value = value.replace(example, ours)
    if (value === '[...]') return new RegExp(`"${key}":\\[".+"\\]`)
    const text = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\.\\.\\.', '.+')
    return new RegExp(`"${key}":${text.replace(/"$/, '')}`)
  }
})

test('a dry run writes the cases in a form that runs unchanged', async () => {
  const cwd = app({ 'tests/cases.jsonl': `${FLOW}${DYNAMIC}` })
  const simulator = ['--simulator', 'workers.test.user-simulator']
  const write = ['--dry-run', '-o', 'tests/again.jsonl']
  const dry = await viva(['test', '-i', 'tests/cases.jsonl', ...simulator, ...write], { cwd })
  expect(dry.code).toBe(0)
  const run = async (file: string): Promise<object[]> =>
    resultsOf(await viva(['test', '-i', file, ...simulator, '--json'], { cwd })).map(
      ({ id, status, total_turns, output }) => ({ id, status, total_turns, output }),
    )
  expect(await run('tests/again.jsonl')).toEqual(await run('tests/cases.jsonl'))
  expect(readFileSync(join(cwd, 'tests/again.jsonl'), 'utf8').split('\n')).toHaveLength(5)
})
