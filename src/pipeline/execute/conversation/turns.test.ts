// Turns mode: seed 001's tables row by row, where input comes from, and what is kept of each turn.
import { expect, test, vi } from 'vitest'
import { run, ScriptedAgent, scriptedHelper, setupOf } from '../../../../test/support/scripted-conversation.js'
import { AgentError } from '../../../errors.js'
import { DeadlineError } from '../../../time/deadline.js'
import type { AgentReply } from '../../../model/agent.js'
import type { Human } from './contract.js'
import { Conversation } from './conversation.js'
import { abandoned, converse } from './converse.js'

const FLOW = {
  name: 'Expense Reimbursement Flow',
  type: 'multi_turn',
  turns: [
    { input: 'I want to submit an expense', assertions: [{ type: 'contains', value: 'type of expense' }] },
    { input: 'Business travel, $3500', assertions: [{ type: 'tool_called', name: 'create_expense' }] },
    { input: 'Yes, confirm', assert: { type: 'contains', value: 'submitted' } },
  ],
  final_assertions: [
    { type: 'tool_called', name: 'create_expense' },
    { type: 'contains', value: 'EXP-2025-001' },
  ],
}
const FLOW_REPLIES = [
  'What type of expense would you like to submit?',
  { content: '', tool_calls: [{ name: 'create_expense', args: { amount: 3500 }, id: 'c1', result: { ok: true } }] },
  'Expense submitted. Reference: EXP-2025-001',
]

test('static turns are sent one after another with the whole history', async () => {
  const agent = new ScriptedAgent(FLOW_REPLIES)
  const result = await run(FLOW, { agent })
  expect(result).toMatchObject({ status: 'passed', total_turns: 3, input: 'I want to submit an expense' })
  expect(result.turns?.map((turn) => [turn.turn, turn.input_source, turn.status, turn.awaiting_input])).toEqual([
    [1, 'static', 'passed', true],
    [2, 'static', 'passed', false],
    [3, 'static', 'passed', false],
  ])
  expect(agent.requests.map((request) => request.messages.length)).toEqual([1, 3, 6])
  expect(agent.requests[2]?.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'user',
  ])
  expect(agent.requests[2]?.messages[4]).toMatchObject({ tool_call_id: 'c1', content: '{"ok":true}' })
  expect(new Set(agent.requests.map((request) => request.context.chat_id)).size).toBe(1)
})

test('final assertions see the last answer and the tools of the whole conversation', async () => {
  const result = await run(FLOW, { replies: FLOW_REPLIES })
  expect(result.final_assertions?.map((assertion) => assertion.passed)).toEqual([true, true])
  const failed = await run(
    { ...FLOW, final_assertions: [{ type: 'contains', value: 'type of expense' }] },
    { replies: FLOW_REPLIES },
  )
  expect(failed).toMatchObject({ status: 'failed', error_kind: 'assertion', turns: [{}, {}, {}] })
  expect(failed.assertion_errors?.[0]).toMatch(/^final: /)
})

test('static turns that remain are sent although the agent does not await input', async () => {
  const result = await run({ turns: [{ input: 'a' }, { input: 'b' }] }, { replies: ['Done.', 'Done again.'] })
  expect(result).toMatchObject({ status: 'passed', total_turns: 2 })
})

test('turn-level error: agent timeout ends the case, later turns are not run', async () => {
  const controller = new AbortController()
  const hang = (): Promise<string> =>
    new Promise((_resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(new Error('aborted')))
      controller.abort(new DeadlineError('30s'))
    })
  const result = await run(FLOW, { replies: ['the type of expense?', hang], over: { signal: controller.signal } })
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 30s', error_kind: 'timeout', total_turns: 1 })
  expect(result.turns?.map((turn) => turn.status)).toEqual(['passed', 'failed', 'not_run'])
  expect(result.turns?.[1]).toMatchObject({ error: 'timeout after 30s', error_kind: 'timeout' })
  expect(result).not.toHaveProperty('final_assertions')
})

test('turn_timeout bounds one turn', async () => {
  const hang = new ScriptedAgent([
    ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ])
  const result = await run({ turns: [{ input: 'a' }], turn_timeout: '5ms' }, { agent: hang })
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 5ms', turns: [{ status: 'failed' }] })
})

test('an answer after turn_timeout is not an answer, and the next turn is not taken', async () => {
  const late = new ScriptedAgent([
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('ok'))),
  ])
  const assertions = [{ type: 'contains', value: 'ok' }]
  const result = await run(
    { turns: [{ input: 'a', assertions }, { input: 'b' }], turn_timeout: '5ms' },
    { agent: late },
  )
  expect(result).toMatchObject({
    status: 'failed',
    error: 'timeout after 5ms',
    error_kind: 'timeout',
    total_turns: 0,
    turns: [{ status: 'failed', error: 'timeout after 5ms', error_kind: 'timeout' }, { status: 'not_run' }],
  })
  expect(result).not.toHaveProperty('output')
  expect(result.turns?.[0]).not.toHaveProperty('assertions')
  expect(late.requests).toHaveLength(1)
})

test('turn-level error: agent error', async () => {
  const error = new AgentError({ code: 'connection', message: 'connection refused' })
  const result = await run({ turns: [{ input: 'a' }, { input: 'b' }] }, { replies: [error] })
  expect(result).toMatchObject({
    status: 'failed',
    error: 'agent error: connection refused',
    error_kind: 'agent',
    cause: error,
    turns: [
      { status: 'failed', error: 'agent error: connection refused' },
      { status: 'not_run', input: 'b' },
    ],
  })
})

test('turn-level error: assertion failed', async () => {
  const result = await run(FLOW, { replies: ['no'] })
  expect(result).toMatchObject({ status: 'failed', error_kind: 'assertion', total_turns: 1 })
  expect(result.turns?.[0]?.assertion_errors).toHaveLength(1)
  expect(result.assertion_errors?.[0]).toBe(`turn 1: ${result.turns?.[0]?.assertion_errors?.[0]}`)
  expect(result.turns?.map((turn) => turn.status)).toEqual(['failed', 'not_run', 'not_run'])
})

test('turn-level error: simulator error skips in turns mode', async () => {
  const result = await run(
    { turns: [{ input: 'a' }], simulator: { use: 'sim' } },
    { replies: ['Which one?'], simulator: [new Error('no such model')] },
  )
  expect(result).toMatchObject({
    status: 'skipped',
    skip_reason: 'simulator error',
    error: 'simulator error: no such model',
    error_kind: 'simulator',
  })
  expect(result.turns?.[1]).toMatchObject({
    status: 'skipped',
    skip_reason: 'simulator error',
    input_source: 'simulator',
  })
})

test('test-level error: no initial input', async () => {
  const result = await run({ turns: [{ assertions: [] }] }, {})
  expect(result).toMatchObject({ status: 'failed', error: 'no initial input', error_kind: 'input', total_turns: 0 })
})

test('test-level error: max turns exceeded', async () => {
  const simulator = Array.from({ length: 30 }, () => ({ input: 'more', goal_achieved: false }))
  const result = await run({ turns: [{ input: 'a' }], simulator: { use: 'sim' } }, { replies: ['And?'], simulator })
  expect(result).toMatchObject({ status: 'failed', error: 'max turns (20) exceeded', total_turns: 20 })
  const short = await run(
    { turns: [{ input: 'a' }, { input: 'b' }, { input: 'c' }], max_turns: 2 },
    { replies: ['ok'] },
  )
  expect(short).toMatchObject({ status: 'failed', error: 'max turns (2) exceeded', total_turns: 2 })
  expect(short.turns?.map((turn) => turn.status)).toEqual(['passed', 'passed', 'not_run'])
})

test('a script of more turns than the default is the author’s own bound', async () => {
  const turns = Array.from({ length: 25 }, (_unused, index) => ({ input: `turn ${index}` }))
  expect(await run({ turns }, { replies: ['ok'] })).toMatchObject({ status: 'passed', total_turns: 25 })
})

test('test-level: skipped due to missing input, with the question and the hint of the sample', async () => {
  const result = await run(
    { name: 'Large Expense Approval', turns: [{ input: 'Submit $100,000 equipment purchase' }] },
    { replies: ['This requires manager approval. Please provide PO number.'] },
  )
  expect(result).toMatchObject({
    status: 'skipped',
    skip_reason: 'Agent awaiting input, no next turn defined',
    total_turns: 1,
  })
  expect(result.turns?.[1]).toEqual({
    turn: 2,
    input: null,
    input_source: 'static',
    status: 'skipped',
    skip_reason: 'Agent awaiting input, no next turn defined',
    question: 'Please provide PO number',
    hint: 'Add more turns, use --interactive, or configure simulator',
    duration_ms: 0,
  })
})

test('on_missing_input fail and end', async () => {
  const asked = { turns: [{ input: 'a' }], final_assertions: [{ type: 'contains', value: 'number' }] }
  const failed = await run({ ...asked, on_missing_input: 'fail' }, { replies: ['Which number?'] })
  expect(failed).toMatchObject({
    status: 'failed',
    error: 'Agent awaiting input, no next turn defined',
    error_kind: 'input',
    turns: [{ status: 'passed' }, { status: 'failed', question: 'Which number?' }],
  })
  const ended = await run({ ...asked, on_missing_input: 'end' }, { replies: ['Which number?'] })
  expect(ended).toMatchObject({ status: 'passed', total_turns: 1, final_assertions: [{ passed: true }] })
})

test('after the static turns the simulator continues until its goal is achieved', async () => {
  const ask = scriptedHelper([
    { input: 'Travel expense', goal_achieved: false, reasoning: 'asked for the type' },
    { goal_achieved: true, reasoning: 'Expense submitted' },
  ])
  const result = await run(
    {
      turns: [{ input: 'Start expense report' }],
      simulator: { use: 'agents:workers.test.user-sim', metadata: { goal: 'g' } },
    },
    { replies: ['What type?', 'Anything else?'], over: { ask } },
  )
  expect(result).toMatchObject({ status: 'passed', total_turns: 2, simulator: 'workers.test.user-sim' })
  expect(result.turns?.[1]).toMatchObject({
    input: 'Travel expense',
    input_source: 'simulator',
    reasoning: 'asked for the type',
    goal_achieved: true,
    goal_reasoning: 'Expense submitted',
  })
  expect(ask.calls[0]).toMatchObject({
    role: 'simulator',
    use: 'agents:workers.test.user-sim',
    test_id: 'T001',
    options: { metadata: { goal: 'g' } },
    data: {
      last_response: 'What type?',
      turn_number: 2,
      max_turns: 20,
      session_id: 'c1',
      conversation: [
        { role: 'user', content: 'Start expense report' },
        { role: 'assistant', content: 'What type?' },
      ],
    },
  })
})

test('--simulator serves cases that name none, and not those that do', async () => {
  const ask = scriptedHelper([{ goal_achieved: true }, { goal_achieved: true }])
  const scripted = { replies: ['Which?'], over: { ask }, options: { simulator: 'default-sim' } }
  await run({ turns: [{ input: 'a' }] }, scripted)
  await run({ turns: [{ input: 'a' }], simulator: { use: 'own' } }, scripted)
  expect(ask.calls.map((call) => call.use)).toEqual(['default-sim', 'own'])
})

test('a simulator of style messages gets the conversation as messages', async () => {
  const ask = scriptedHelper([{ goal_achieved: true }])
  await run(
    { turns: [{ input: 'a' }], simulator: { use: 's', options: { metadata: { style: 'messages' } } } },
    { replies: ['Which?'], over: { ask } },
  )
  expect(ask.calls[0]?.messages).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'Which?' },
  ])
})

test('a simulator that changes what it was given changes nothing', async () => {
  const agent = new ScriptedAgent(['Which?', 'Done.'])
  const result = await run(
    { turns: [{ input: 'a' }], simulator: {} },
    {
      agent,
      over: {
        ask: async ({ data }) => {
          const conversation = data['conversation']
          if (Array.isArray(conversation)) {
            for (const message of conversation as Array<{ role: string }>) message.role = 'system'
            conversation.push({ role: 'user', content: 'injected' })
          }
          return 'b'
        },
      },
    },
  )
  expect(result.status).toBe('passed')
  expect(agent.requests[1]?.messages).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'Which?' },
    { role: 'user', content: 'b' },
  ])
})

test('a goal achieved before anything was said is the simulator’s error, never a pass', async () => {
  const result = await run({ simulator: { use: 's' } }, { simulator: [{ goal_achieved: true }] })
  expect(result).toMatchObject({ status: 'failed', error_kind: 'simulator', total_turns: 0 })
})

test('a simulator alone drives until the goal is achieved and the final assertions decide', async () => {
  const spec = {
    name: 'Dynamic Expense Flow',
    input: 'Help me file an expense',
    simulator: { use: 'workers.test.user-sim' },
    final_assertions: [{ type: 'contains', value: 'submitted' }],
  }
  const simulator = ['It is $250', { message: 'Confirm', goal_achieved: false }, { goal_achieved: true }]
  const passed = await run(spec, { replies: ['What is it?', 'Confirm?', 'Expense submitted.'], simulator })
  expect(passed).toMatchObject({ status: 'passed', total_turns: 3, metadata: { mode: 'dynamic', total_turns: 3 } })
  expect(passed.turns?.map((turn) => turn.input_source)).toEqual(['static', 'simulator', 'simulator'])
  const failed = await run(spec, { replies: ['No.'], simulator: [{ goal_achieved: true }] })
  expect(failed).toMatchObject({ status: 'failed', error_kind: 'assertion' })
})

test('the goal may be achieved with the last allowed turn', async () => {
  const spec = { input: 'a', simulator: { use: 's' }, max_turns: 2 }
  const passed = await run(spec, { replies: ['x'], simulator: ['b', { goal_achieved: true }] })
  expect(passed).toMatchObject({ status: 'passed', total_turns: 2 })
  const failed = await run(spec, { replies: ['x'], simulator: ['b', 'c'] })
  expect(failed).toMatchObject({ status: 'failed', error: 'max turns (2) exceeded', total_turns: 2 })
})

test('options of a turn override the case’s, key by key for metadata; -c wins over both', async () => {
  const agent = new ScriptedAgent(['ok'])
  await run(
    {
      options: { connector: 'a', mode: 'chat', metadata: { x: 1, y: 1 } },
      turns: [{ input: 'one', options: { connector: 'b', metadata: { y: 2 } } }, { input: 'two' }],
    },
    { agent },
  )
  expect(agent.requests[0]?.options).toEqual({ connector: 'b', mode: 'chat', metadata: { x: 1, y: 2 } })
  expect(agent.requests[0]?.context.metadata).toMatchObject({ y: 2 })
  expect(agent.requests[1]?.options).toEqual({ connector: 'a', mode: 'chat', metadata: { x: 1, y: 1 } })
  const flagged = new ScriptedAgent(['ok'])
  await run(
    { turns: [{ input: 'one', options: { connector: 'b' } }] },
    { agent: flagged, options: { connector: 'flag' } },
  )
  expect(flagged.requests[0]?.options.connector).toBe('flag')
})

test('attachments of a turn go with its message, those of the case with the first', async () => {
  const agent = new ScriptedAgent(['ok'])
  await run(
    {
      attachments: [{ type: 'file', name: 'c' }],
      turns: [{ input: 'one' }, { input: 'two', attachments: [{ type: 'image', name: 't' }] }],
    },
    { agent },
  )
  expect(JSON.stringify(agent.requests[0]?.messages)).toContain('"name":"c"')
  expect(agent.requests[1]?.messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'two' },
    { type: 'image', name: 't' },
  ])
})

test('the first turn may take the case’s input, and a history may come before it', async () => {
  const agent = new ScriptedAgent(['ok'])
  await run({ input: 'hello', turns: [{ assertions: [{ type: 'contains', value: 'ok' }] }] }, { agent })
  expect(agent.requests[0]?.messages).toEqual([{ role: 'user', content: 'hello' }])
  const told = new ScriptedAgent(['ok'])
  await run({ messages: [{ role: 'user', content: 'before' }], turns: [{ input: 'now' }] }, { agent: told })
  expect(told.requests[0]?.messages.map((message) => message.content)).toEqual(['before', 'now'])
})

test('usage and cost are summed, and one unknown price makes the sum unknown', async () => {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const turns = [{ input: 'a' }, { input: 'b' }]
  const known = await run({ turns }, { replies: [{ content: 'x', usage, cost_dollars: 0.5 }] })
  expect(known).toMatchObject({ usage: { total_tokens: 4 }, cost_dollars: 1 })
  const unknown = await run({ turns }, { replies: [{ content: 'x', usage, cost_dollars: 0.5 }, 'y'] })
  expect(unknown).not.toHaveProperty('cost_dollars')
})

test('a graded conversation continues after a failed assertion and is judged at the end', async () => {
  const result = await run(
    {
      min_score: 0.5,
      turns: [
        { input: 'a', assert: { type: 'contains', value: 'zzz' } },
        { input: 'b', assert: { type: 'contains', value: 'ok' } },
      ],
    },
    { replies: ['ok'] },
  )
  expect(result).toMatchObject({
    status: 'passed',
    score: 0.5,
    total_turns: 2,
    turns: [{ status: 'failed' }, { status: 'passed' }],
  })
})

test('assertions of the case beside turns are about the end of the conversation', async () => {
  const result = await run(
    { turns: [{ input: 'a' }, { input: 'b' }], assertions: [{ type: 'contains', value: 'second' }] },
    { replies: ['first', 'second'] },
  )
  expect(result).toMatchObject({ status: 'passed', assertions: [{ passed: true }] })
})

test('a person is asked with the question and the hint; what was typed is kept', async () => {
  const asked: unknown[] = []
  const answers = [{ kind: 'input' as const, text: 'PO-1' }, { kind: 'end' as const }]
  const human: Human = {
    ask: async ({ question, hint, timeout_ms, history }) => {
      asked.push({ question, hint, timeout_ms, said: history.length })
      return answers.shift() ?? { kind: 'closed' }
    },
  }
  const result = await run(
    { input: 'buy', interactive: { enabled: true, timeout: '10s' }, assertions: [{ type: 'contains', value: 'PO' }] },
    { replies: [{ content: 'Your PO number', awaiting_input: true, input_hint: 'PO-…' }], run: { human } },
  )
  expect(asked[0]).toEqual({ question: 'Your PO number', hint: 'PO-…', timeout_ms: 10_000, said: 2 })
  expect(result).toMatchObject({
    status: 'passed',
    total_turns: 2,
    turns: [
      { input_source: 'static', assertions: [{ passed: true }] },
      { input: 'PO-1', input_source: 'human' },
    ],
  })
})

test.each([
  ['skip', { status: 'skipped', skip_reason: 'skipped by a person' }],
  ['fail', { status: 'failed', error: 'failed by a person' }],
  ['timeout', { status: 'skipped', skip_reason: 'no answer from a person within 5m' }],
  ['closed', { status: 'skipped', skip_reason: 'no answer from a person' }],
] as const)('a person’s %s', async (kind, expected) => {
  const human: Human = { ask: async () => ({ kind }) }
  const result = await run(
    { turns: [{ input: 'a' }] },
    { replies: ['Which?'], run: { human }, options: { interactive: true } },
  )
  expect(result).toMatchObject(expected)
})

test('a person who ends the conversation before it began has tested nothing', async () => {
  const human: Human = { ask: async () => ({ kind: 'end' }) }
  const result = await run(
    { type: 'multi_turn', final_assertions: [{ type: 'not_contains', value: 'error' }] },
    { run: { human }, options: { interactive: true } },
  )
  expect(result).toMatchObject({ status: 'failed', error: 'no initial input', error_kind: 'input' })
})

test('nobody is asked if neither the case nor the flag asks for it', async () => {
  const human: Human = { ask: () => Promise.reject(new Error('asked')) }
  const result = await run({ turns: [{ input: 'a' }] }, { replies: ['Which?'], run: { human } })
  expect(result.status).toBe('skipped')
})

test('a failure in a graded case is not skipped away when its input runs out', async () => {
  const turns = [{ input: 'a', assertions: [{ type: 'contains', value: 'never' }] }]
  const missing = await run({ turns, min_score: 0.1 }, { replies: [{ content: 'And then?', awaiting_input: true }] })
  expect(missing).toMatchObject({
    status: 'failed',
    error: 'turn 1: assertion failed: output does not contain "never"',
    error_kind: 'assertion',
    turns: [{ status: 'failed' }, { status: 'skipped' }],
  })
  const human: Human = { ask: async () => ({ kind: 'skip' }) }
  const skipped = await run(
    { turns, min_score: 0.1 },
    { replies: ['And then?'], run: { human }, options: { interactive: true } },
  )
  expect(skipped).toMatchObject({ status: 'skipped', skip_reason: 'skipped by a person' })
})

test('what a failed call left behind is that of the failed call, and what it cost is counted', async () => {
  const failed = new AgentError({
    code: 'crashed',
    message: 'it ended with exit code 3',
    partial: { content: 'half', exit_code: 3, stderr: 'boom', cost_dollars: 0.02 },
  })
  const result = await run(
    { turns: [{ input: 'a' }, { input: 'b' }] },
    { replies: [{ content: 'one', exit_code: 0, stderr: '', cost_dollars: 0.01 }, failed] },
  )
  expect(result).toMatchObject({ status: 'failed', exit_code: 3, stderr: 'boom', output: 'one', cost_dollars: 0.03 })
  expect(result.turns?.[1]).toMatchObject({ status: 'failed', output: 'half' })
})

test('a failed call that used tokens without a price makes the cost unknown', async () => {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const failed = new AgentError({ code: 'failed', message: 'no', partial: { usage } })
  const result = await run(
    { turns: [{ input: 'a' }, { input: 'b' }] },
    { replies: [{ content: 'one', cost_dollars: 0.01 }, failed] },
  )
  expect(result).toMatchObject({ usage })
  expect(result).not.toHaveProperty('cost_dollars')
})

test('an agent that continues when its time is up is left behind, and what it said before is kept', async () => {
  const controller = new AbortController()
  let fail: (error: Error) => void = () => {}
  const ignoring = (): Promise<AgentReply> => {
    controller.abort(new DeadlineError('30s'))
    return new Promise((_resolve, reject) => (fail = reject))
  }
  const conversation = new Conversation(
    setupOf(
      { turns: [{ input: 'a' }, { input: 'b' }, { input: 'c' }] },
      { replies: ['one', ignoring], over: { signal: controller.signal } },
    ),
  )
  const work = converse(conversation)
  await vi.waitUntil(() => controller.signal.aborted)
  const result = abandoned(conversation)
  expect(result).toMatchObject({
    status: 'failed',
    error: 'timeout after 30s',
    error_kind: 'timeout',
    input: 'a',
    output: 'one',
    turns: [
      { turn: 1, status: 'passed', output: 'one' },
      { turn: 2, status: 'failed', error: 'timeout after 30s', error_kind: 'timeout' },
      { turn: 3, status: 'not_run' },
    ],
  })
  const reported = JSON.stringify(result)
  fail(new AgentError({ code: 'failed', message: 'no', partial: lateAnswer }))
  await work
  expect(JSON.stringify(result)).toBe(reported)
})

const lateAnswer = { content: 'late', tool_calls: [{ name: 'delete_user', arguments: {} }], trace: [{ type: 'late' }] }

test('a turn whose judge is still thinking when the time is up has failed', async () => {
  const controller = new AbortController()
  const judge = (): Promise<never> => {
    controller.abort(new DeadlineError('30s'))
    return Promise.reject(controller.signal.reason)
  }
  const setup = setupOf(
    { turns: [{ input: 'a', assertions: [{ type: 'agent', use: 'agents:judge', value: 'polite' }] }, { input: 'b' }] },
    { replies: ['one'], over: { signal: controller.signal } },
  )
  const result = await converse(new Conversation({ ...setup, services: { ...setup.services, judge } }))
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 30s', error_kind: 'timeout' })
  expect(result.turns).toMatchObject([
    { turn: 1, status: 'failed', output: 'one', error: 'timeout after 30s' },
    { turn: 2, status: 'not_run' },
  ])
})
