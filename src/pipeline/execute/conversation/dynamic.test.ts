// Dynamic mode: seed 003's table row by row, and the order of checkpoints.
import { servicesOf } from '../../../../test/support/assertions.js'
import { expect, test } from 'vitest'
import { noServices, run, ScriptedAgent, scriptedHelper } from '../../../../test/support/scripted-conversation.js'
import { AgentError } from '../../../errors.js'
import { DeadlineError } from '../../../time/deadline.js'

const SIMULATOR = {
  use: 'workers.test.user-simulator',
  options: { metadata: { persona: 'New employee', goal: 'Submit' } },
}
const COVERAGE = {
  name: 'Expense Submission Coverage',
  simulator: SIMULATOR,
  checkpoints: [
    { id: 'ask_type', description: 'Agent asks for expense type', assertion: { type: 'contains', value: 'type' } },
    { id: 'call_create', after: ['ask_type'], assertion: { type: 'tool_called', name: 'create_expense' } },
    { id: 'confirm', after: ['call_create'], assertion: { type: 'contains', value: 'submitted' } },
  ],
}
const CREATE = { name: 'create_expense', args: { amount: 250 }, result: { id: 7 } }
const REPLIES = ['What type?', { content: 'Confirm?', tool_calls: [CREATE] }, 'It is submitted!']
const USER = ['Help me file an expense', 'Client dinner, $250', 'Yes']

test('all checkpoints reached: passed, each with its turn', async () => {
  const ask = scriptedHelper(USER)
  const result = await run(COVERAGE, { replies: REPLIES, over: { ask } })
  expect(result).toMatchObject({ status: 'passed', total_turns: 3, simulator: 'workers.test.user-simulator' })
  expect(result.checkpoints).toMatchObject([
    { id: 'ask_type', reached: true, reached_at_turn: 1, passed: true, required: true },
    { id: 'call_create', reached: true, reached_at_turn: 2, passed: true },
    { id: 'confirm', reached: true, reached_at_turn: 3, passed: true },
  ])
  expect(result.turns?.map((turn) => [turn.input, turn.input_source])).toEqual(USER.map((text) => [text, 'simulator']))
  expect(
    ask.calls.map((call) => [
      call.data['turn_number'],
      call.data['checkpoints_reached'],
      call.data['checkpoints_pending'],
    ]),
  ).toEqual([
    [1, [], ['ask_type', 'call_create', 'confirm']],
    [2, ['ask_type'], ['call_create', 'confirm']],
    [3, ['ask_type', 'call_create'], ['confirm']],
  ])
  expect(ask.calls[2]?.data['tool_results']).toEqual({ create_expense: { id: 7 } })
})

test('the whole history goes to the agent, tool calls and results included', async () => {
  const agent = new ScriptedAgent(REPLIES)
  await run(COVERAGE, { agent, simulator: USER })
  expect(agent.requests[2]?.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})

test('checkpoints missing when the simulator says the goal is achieved: failed', async () => {
  const result = await run(COVERAGE, { replies: ['What type?'], simulator: ['hi', { goal_achieved: true, input: '' }] })
  expect(result).toMatchObject({
    status: 'failed',
    error: 'missing checkpoints: call_create, confirm',
    error_kind: 'assertion',
    total_turns: 1,
  })
  expect(result.checkpoints?.[2]).toMatchObject({
    reached: false,
    passed: false,
    message: 'not reached: waits for call_create',
  })
})

test('max turns exceeded: failed, with what is missing', async () => {
  const simulator = Array.from({ length: 30 }, () => 'again')
  const result = await run(COVERAGE, { replies: ['type'], simulator })
  expect(result.error).toBe('max turns (20) exceeded, missing checkpoints: call_create, confirm')
  expect(result).toMatchObject({ status: 'failed', total_turns: 20 })
})

test('timeout exceeded: failed, and what was gathered is kept', async () => {
  const controller = new AbortController()
  const ask = scriptedHelper(['hi'])
  const result = await run(COVERAGE, {
    replies: ['What type?'],
    over: {
      signal: controller.signal,
      ask: async (call) => {
        if (ask.calls.length === 1) {
          controller.abort(new DeadlineError('5m'))
          throw new Error('aborted')
        }
        return ask(call)
      },
    },
  })
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 5m', error_kind: 'timeout', total_turns: 1 })
  expect(result.checkpoints?.[0]).toMatchObject({ reached: true })
})

test('simulator error: failed, and it is not the agent’s', async () => {
  const result = await run(COVERAGE, { simulator: [new AgentError({ code: 'server', message: '503' })] })
  expect(result).toMatchObject({
    status: 'failed',
    error: 'simulator error: 503',
    error_kind: 'simulator',
    total_turns: 0,
  })
})

test('an unusable simulator answer is shown with its first 200 characters', async () => {
  const result = await run(COVERAGE, { simulator: [{ reasoning: 'x'.repeat(500) }] })
  expect(result.error).toMatch(/^simulator error: .*x{150,200}…$/)
  expect(result.error_kind).toBe('simulator')
})

test('agent error: failed', async () => {
  const result = await run(COVERAGE, { replies: [new Error('boom')], simulator: USER })
  expect(result).toMatchObject({ status: 'failed', error: 'agent error: boom', error_kind: 'agent' })
})

test('a checkpoint that could not be evaluated: failed', async () => {
  const checkpoints = [{ id: 'polite', assertion: { type: 'agent', value: 'is polite' } }]
  const result = await run({ simulator: SIMULATOR, checkpoints }, { replies: ['x'], simulator: USER })
  expect(result.error).toMatch(/^checkpoint polite failed: .*no judge in this test/)
  expect(result).toMatchObject({ status: 'failed', error_kind: 'validator', checkpoints: [{ reached: false }] })
})

test('a checkpoint judged by an agent is reached when it says so', async () => {
  const controller = new AbortController()
  const verdicts = [{ passed: false, reason: 'no' }, { passed: true }]
  const services = servicesOf({ signal: controller.signal, judge: async () => verdicts.shift() })
  const checkpoints = [{ id: 'polite', assertion: { type: 'agent', value: 'is polite' } }]
  const result = await run(
    { input: 'a', simulator: SIMULATOR, checkpoints },
    { replies: ['x', 'y'], simulator: ['b'], over: { services } },
  )
  expect(result).toMatchObject({ status: 'passed', total_turns: 2, checkpoints: [{ reached_at_turn: 2 }] })
})

test('what the simulator says with the goal is still said, and then it is over', async () => {
  const checkpoints = [{ id: 'done', assertion: { type: 'contains', value: 'submitted' } }]
  const simulator = ['hi', { input: 'Yes, confirm', goal_achieved: true, reasoning: 'all said' }]
  const spec = { simulator: SIMULATOR, checkpoints }
  const passed = await run(spec, { replies: ['Sure?', 'It is submitted.'], simulator })
  expect(passed).toMatchObject({
    status: 'passed',
    total_turns: 2,
    turns: [{ input: 'hi' }, { input: 'Yes, confirm', goal_achieved: true, reasoning: 'all said' }],
  })
  const failed = await run(spec, { replies: ['Sure?', 'No.'], simulator })
  expect(failed).toMatchObject({ status: 'failed', error: 'missing checkpoints: done', total_turns: 2 })
})

test('a checkpoint matched only out of order is reported as such', async () => {
  const result = await run(COVERAGE, { replies: ['submitted already'], simulator: ['a', { goal_achieved: true }] })
  expect(result.checkpoints?.[2]).toMatchObject({
    reached: false,
    passed: false,
    out_of_order: true,
    message: 'matched out of order at turn 1, before call_create',
  })
  const late = await run(COVERAGE, { replies: ['submitted already', ...REPLIES], simulator: ['a', ...USER] })
  expect(late.status).toBe('passed')
  expect(late.checkpoints?.[2]).not.toHaveProperty('out_of_order')
})

test('a checkpoint that cannot be checked yet is not a failure before its turn has come', async () => {
  const checkpoints = [
    { id: 'first', assertion: { type: 'contains', value: 'one' } },
    { id: 'cheap', after: ['first'], assertion: { type: 'cost', max_dollars: 1 } },
  ]
  const spec = { input: 'a', simulator: SIMULATOR, checkpoints, max_turns: 3 }
  const priced = { content: 'one', cost_dollars: 0.1 }
  const early = await run(spec, { replies: ['no price', priced], simulator: ['b'] })
  expect(early).toMatchObject({ status: 'passed', total_turns: 2 })
  expect(early.checkpoints).toMatchObject([{ reached_at_turn: 2 }, { reached_at_turn: 2 }])
  const due = await run(spec, { replies: ['one, without a price'], simulator: ['b'] })
  expect(due).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('checkpoint cheap failed: '),
    total_turns: 1,
  })
  expect(due.checkpoints?.[1]).not.toHaveProperty('out_of_order')
})

test('a judge is not asked about a checkpoint whose turn has not come', async () => {
  let asked = 0
  const services = {
    ...noServices(new AbortController().signal),
    judge: async () => {
      asked++
      return { passed: true }
    },
  }
  const checkpoints = [
    { id: 'a', assertion: { type: 'contains', value: 'never' } },
    { id: 'b', after: ['a'], assertion: { type: 'agent', value: 'nice' } },
  ]
  await run(
    { input: 'x', simulator: SIMULATOR, checkpoints, max_turns: 2 },
    { replies: ['n'], simulator: ['y'], over: { services } },
  )
  expect(asked).toBe(0)
})

test('text checkpoints see the messages of tool results, tool checkpoints this turn’s calls', async () => {
  const tool = { name: 'save', args: {}, result: { message: 'stored as EXP-1' } }
  const checkpoints = [{ id: 'stored', assertion: { type: 'contains', value: 'EXP-1' } }]
  const result = await run(
    { input: 'a', simulator: SIMULATOR, checkpoints },
    { replies: [{ content: 'Done', tool_calls: [tool] }] },
  )
  expect(result.status).toBe('passed')
  const once = [
    { id: 'first', assertion: { type: 'contains', value: 'two' } },
    { id: 'then', after: ['first'], assertion: { type: 'tool_called', name: 'save' } },
  ]
  const later = await run(
    { input: 'a', simulator: SIMULATOR, checkpoints: once, max_turns: 2 },
    { replies: [{ content: 'one', tool_calls: [tool] }, 'two'], simulator: ['b'] },
  )
  expect(later.status).toBe('failed')
  expect(later.checkpoints?.[1]).toMatchObject({ reached: false, out_of_order: true })
})

test('final assertions still decide after the last checkpoint', async () => {
  const result = await run(
    { ...COVERAGE, final_assertions: [{ type: 'contains', value: 'EXP-' }] },
    { replies: REPLIES, simulator: USER },
  )
  expect(result).toMatchObject({ status: 'failed', error_kind: 'assertion', final_assertions: [{ passed: false }] })
})

test('checkpoints beside static turns: the turns are sent first, then the simulator', async () => {
  const checkpoints = [{ id: 'x', assertion: { type: 'contains', value: 'x' } }]
  const turns = [{ input: 'one' }, { input: 'two' }]
  const led = await run({ turns, simulator: SIMULATOR, checkpoints }, { replies: ['x', 'n'] })
  expect(led).toMatchObject({ status: 'passed', total_turns: 2 })
  const alone = await run({ turns, checkpoints }, { replies: ['n'] })
  expect(alone).toMatchObject({ status: 'failed', error: 'missing checkpoints: x', total_turns: 2 })
})

test('checkpoints without a simulator ask the built-in user', async () => {
  const ask = scriptedHelper(['go on'])
  await run(
    { input: 'a', checkpoints: [{ id: 'x', assertion: { type: 'contains', value: 'x' } }] },
    { replies: ['n', 'x'], over: { ask } },
  )
  expect(ask.calls[0]).not.toHaveProperty('use')
})
