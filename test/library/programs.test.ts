// The library as a program uses it: cases and agents handed over, answers judged, nothing green that was not shown.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  evaluate,
  runCase,
  type OneCase,
  runLoop,
  runTests,
  tools,
  UserError,
  type AgentFunction,
  type WrittenCase,
} from '../../src/index.js'
import { makeFolder } from '../support/run-cli.js'

const cwd = mkdtempSync(join(tmpdir(), 'viva-test-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
const io = { cwd, env: {} }
const echo: AgentFunction = (messages) => `you said ${messages.at(-1)?.content as string}`
const booking: AgentFunction = () => ({ content: 'done', tool_calls: [{ name: 'book', args: { city: 'Rome' } }] })

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  return (error as UserError).message
}

test('cases and the agent are handed over as they are', async () => {
  const cases: WrittenCase[] = [
    { id: 'a', input: 'hello', assert: { type: 'contains', value: 'hello' } },
    { id: 'b', input: 'hello', assert: { type: 'contains', value: 'bye' } },
  ]
  const outcome = await runTests({ cases, agent: echo }, io)
  expect(outcome).toMatchObject({ exit_code: 1, summary: { total: 2, passed: 1, failed: 1 } })
})

test('what is given twice, or is not what it must be, is refused', async () => {
  const cases = [{ id: 'a', input: 'x' }]
  expect(await refusal(runTests({ cases, input: 'x', agent: echo }, io))).toMatch('cases and input both say')
  expect(await refusal(runTests({ cases, agent: echo, name: 'builtin:echo' }, io))).toMatch('agent and name both')
  expect(await refusal(runTests({ cases: 'x' as never, agent: echo }, io))).toMatch('cases must be a list')
  expect(await refusal(runTests({ cases, agent: 'x' as never }, io))).toMatch('agent must be a function')
  expect(await refusal(runTests({ cases: [], agent: echo }, io))).toMatch('no test cases')
  expect(await refusal(runTests({ cases, agent: echo, dry_run: true }, io))).toMatch('dry_run is for the command line')
  expect(await refusal(runCase({ input: 'x' }, echo, { io, runs: 5 } as never))).toMatch(
    'runs does not apply to a single case',
  )
  expect(await refusal(runTests({ cases, agnet: echo } as never, io))).toMatch('agnet')
  const withFunction = [{ id: 'a', input: 'x', assert: { type: 'equals' as const, value: (() => 1) as never } }]
  expect(await refusal(runTests({ cases: withFunction, agent: echo }, io))).toMatch(
    'cases[0].assert.value is the function value',
  )
})

test('variants of the configuration are not those of a function', async () => {
  const dir = makeFolder({
    'viva.config.json': {
      variants: [
        { name: 'a', target: 'builtin:echo' },
        { name: 'b', target: 'exec:cat' },
      ],
      defaults: { runs: 3, tag: ['slow'] },
    },
  })
  const result = await runCase({ input: 'x', assert: { type: 'equals', value: 'you said x' } }, echo, {
    io: { cwd: dir, env: {} },
  })
  expect(result).toMatchObject({ status: 'passed', run: 1 })
  expect(result).not.toHaveProperty('variant')
})

test('what was asked stays what it was, whatever the function does to its copy', async () => {
  const changing: AgentFunction = (messages) => {
    for (const message of messages) message.content = 'forged'
    return 'good'
  }
  const asked: OneCase = { turns: [{ input: 'one' }, { input: 'two', assert: { type: 'equals', value: 'good' } }] }
  const result = await runCase(asked, changing, { io })
  expect(result).toMatchObject({ status: 'passed', turns: [{ input: 'one' }, { input: 'two' }] })
  expect(JSON.stringify(result)).not.toContain('forged')
})

test('a function that never answers ends with its case', async () => {
  const result = await runCase(
    { input: 'x', timeout: '50ms', assert: { type: 'type', value: 'string' } },
    () => new Promise(() => {}),
    { io },
  )
  expect(result).toMatchObject({ status: 'failed', error_kind: 'timeout' })
})

test('what a function throws, and no answer at all, fail the case', async () => {
  const assertion = { type: 'not_contains', value: 'x' } as const
  const thrown = await runCase({ input: 'x', assert: assertion }, () => Promise.reject(new Error('broke')), { io })
  expect(thrown).toMatchObject({ status: 'failed', error_kind: 'agent', error: expect.stringContaining('broke') })
  for (const nothing of [undefined, null, '', { error: 'no' }, new Error('no')])
    expect(await runCase({ input: 'x', assert: assertion }, () => nothing, { io })).toMatchObject({ status: 'failed' })
})

test('one case says in one line what is wrong with it', async () => {
  const message = await refusal(
    runCase({ input: 'x', assert: { type: 'contain' as 'contains', value: 'x' } }, echo, { io }),
  )
  expect(message).toMatch(/assert.*contain/)
  expect(await refusal(runCase({ input: 'x', assret: [] } as never, echo, { io }))).toMatch('assret')
})

test('what is passed in under a wrong name, or is not what it should be, is refused: it would be ignored', async () => {
  const stop = new AbortController()
  const asked = { input: 'x' }
  const all = { cases: [{ id: 'a', ...asked }], agent: echo }
  expect(await refusal(runTests(undefined as never))).toMatch('the options must be an object, found undefined')
  expect(await refusal(runTests(all, { signal: stop.signal } as never))).toMatch('io: no option called "signal"')
  expect(await refusal(runTests(all, { sink: [] } as never))).toMatch('did you mean "sinks"?')
  expect(await refusal(runTests(all, null as never))).toMatch('io: expected an object, found null')
  expect(await refusal(runTests(all, io, stop as never))).toMatch('signal: expected an AbortSignal')
  expect(await refusal(runCase(asked, echo, { io, signal: stop as never }))).toMatch('signal: expected an AbortSignal')
  expect(await refusal(runLoop({ task: 'x', maxCost: 1 } as never))).toMatch('did you mean "max_cost"?')
  expect(await refusal(runLoop({} as never))).toMatch('no task given')
  expect(await refusal(tools.open({ allowLive: false } as never))).toMatch('did you mean "allow_live"?')
})

test('a stopped case has no result', async () => {
  const stop = new AbortController()
  const stopping: AgentFunction = () => {
    stop.abort()
    return new Promise(() => {})
  }
  expect(await refusal(runCase({ input: 'x' }, stopping, { io, signal: stop.signal }))).toMatch(
    'no result: the run was stopped',
  )
})

test('evidence is judged by the assertions of a run', async () => {
  const answer = { output: { city: 'Rome', nights: 2 }, tool_calls: [], duration_ms: 20 }
  const found = await evaluate(
    answer,
    [
      { type: 'json_path', path: 'nights', value: { $gt: 1 } },
      { type: 'tool_not_called', name: 'pay' },
      { type: 'latency', max_ms: 10 },
    ],
    { io },
  )
  expect(found).toMatchObject({ passed: false, error_kind: 'assertion' })
  expect(found.results.map(({ passed }) => passed)).toEqual([true, true, false])
})

test('what is not given is not known', async () => {
  const output = 'x'
  for (const [assertion, reads] of [
    [{ type: 'tool_not_called', name: 'pay' }, 'tool_calls'],
    [{ type: 'none', assertions: [{ type: 'tool_called', name: 'pay' }] }, 'tool_calls'],
    [{ type: 'latency', max_ms: 10 }, 'duration_ms'],
    [{ type: 'awaiting_input', value: false }, 'awaiting_input'],
  ] as const)
    expect(await refusal(evaluate({ output }, assertion as never, { io }))).toMatch(`reads ${reads}`)
  const tokens = await evaluate({ output }, { type: 'tokens', max: 10 }, { io })
  expect(tokens).toMatchObject({ passed: false, error_kind: 'input' })
  const code = await evaluate({ output }, { type: 'exit_code', expected: 0, negate: true }, { io })
  expect(code).toMatchObject({ passed: false, error_kind: 'input' })
})

test('evidence that is misspelt, empty or not data is refused', async () => {
  const assertion = { type: 'not_contains', value: 'y' } as const
  expect(await refusal(evaluate({ output: 'x', tool_call: [] } as never, assertion, { io }))).toMatch('tool_call')
  for (const [field, value] of Object.entries({
    tool_calls: [{ tool: 'pay' }],
    duration_ms: '5',
    usage: {},
    cost_dollars: 'free',
    awaiting_input: 'no',
    stderr: 5,
  }))
    expect(await refusal(evaluate({ output: 'x', [field]: value }, assertion, { io }))).toMatch(`${field} must be`)
  expect(await refusal(evaluate({} as never, assertion, { io }))).toMatch('no output')
  expect(await refusal(evaluate({ output: new Map() }, assertion, { io }))).toMatch('instance of Map')
  expect(await refusal(evaluate({ output: { stdout: Buffer.from('x') } }, assertion, { io }))).toMatch('bytes (Buffer)')
  expect(await refusal(evaluate({ output: 'x' }, [], { io }))).toMatch('nothing would be checked')
  expect(await evaluate({ output: '' }, assertion, { io })).toMatchObject({ passed: false })
})

test('a judge that is not there is an error', async () => {
  const found = evaluate({ output: 'x' }, { type: 'agent', use: 'agents:nobody' }, { io })
  expect(await refusal(found)).toMatch('nobody')
})

test('tool calls of a function are seen', async () => {
  const called = { type: 'tool_called', name: 'book', arguments: { city: 'Rome' } } as const
  expect(await runCase({ input: 'x', assert: called }, booking, { io })).toMatchObject({ status: 'passed' })
})
