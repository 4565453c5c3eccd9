// Standard mode: one call, the seeds' error table, and what a result line says.
import { expect, test } from 'vitest'
import { run, ScriptedAgent, setupOf } from '../../../../test/support/scripted-conversation.js'
import { AgentError, UserError } from '../../../errors.js'
import { CancelledError, DeadlineError } from '../../../time/deadline.js'
import { Conversation } from './conversation.js'
import { converse } from './converse.js'

test('a passing case keeps input, output, response and the number of messages', async () => {
  const result = await run(
    { input: 'hi', assertions: [{ type: 'contains', value: 'Hello' }] },
    {
      replies: [
        {
          content: 'Hello there',
          finish_reason: 'stop',
          usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
        },
      ],
    },
  )
  expect(result).toMatchObject({
    status: 'passed',
    input: 'hi',
    output: 'Hello there',
    response: 'Hello there',
    messages_count: 1,
    finish_reason: 'stop',
    usage: { total_tokens: 3 },
    assertions: [{ type: 'contains', value: 'Hello', passed: true }],
  })
  expect(result).not.toHaveProperty('error')
  expect(result).not.toHaveProperty('turns')
})

test('a history is sent as it is and counted', async () => {
  const agent = new ScriptedAgent(['Expense submitted. Reference: EXP-2025-001'])
  const messages = [
    { role: 'user', content: 'I want to submit an expense' },
    { role: 'assistant', content: 'What type of expense?' },
    { role: 'user', content: 'Yes' },
  ]
  const result = await run({ messages, assertions: [{ type: 'contains', value: 'submitted' }] }, { agent })
  expect(agent.requests[0]?.messages).toEqual(messages)
  expect(result.messages_count).toBe(3)
  expect(result.status).toBe('passed')
})

test('a case without assertions passes when the agent answers', async () => {
  expect((await run({ input: '' }, { replies: ['x'] })).status).toBe('passed')
})

test('error table: agent timeout', async () => {
  const controller = new AbortController()
  const never = (): Promise<string> =>
    new Promise((_resolve, reject) => {
      controller.signal.addEventListener('abort', () =>
        reject(new AgentError({ code: 'timeout', message: 'aborted', partial: 'Half an ans' })),
      )
      queueMicrotask(() => controller.abort(new DeadlineError('30s')))
    })
  const result = await run({ input: 'hi' }, { replies: [never], over: { signal: controller.signal } })
  expect(result).toMatchObject({
    status: 'failed',
    error: 'timeout after 30s',
    error_kind: 'timeout',
    output: 'Half an ans',
  })
  expect(result.cause).toBeInstanceOf(DeadlineError)
})

test('an answer that comes after the deadline is dropped', async () => {
  const controller = new AbortController()
  const late = (): string => {
    controller.abort(new DeadlineError('5m'))
    return 'too late'
  }
  const result = await run({ input: 'hi' }, { replies: [late], over: { signal: controller.signal } })
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 5m', error_kind: 'timeout' })
  expect(result).not.toHaveProperty('output')
})

test('error table: agent error', async () => {
  const error = new AgentError({ code: 'server', message: 'the model answered 503', status: 503 })
  const result = await run({ input: 'hi' }, { replies: [error] })
  expect(result).toMatchObject({ status: 'failed', error: 'agent error: the model answered 503', error_kind: 'agent' })
  expect(result.cause).toBe(error)
})

test('an agent error says what to do where it is known', async () => {
  const error = new AgentError({ code: 'auth', message: 'no key', hint: 'set OPENAI_KEY' })
  expect((await run({ input: 'hi' }, { replies: [error] })).error).toBe('agent error: no key (set OPENAI_KEY)')
})

test('a crash of the agent has its own kind', async () => {
  const error = new AgentError({ code: 'crashed', message: 'exit code 139' })
  expect(await run({ input: 'hi' }, { replies: [error] })).toMatchObject({ error_kind: 'crashed' })
})

test('error table: assertion failed', async () => {
  const result = await run(
    {
      input: 'hi',
      assertions: [
        { type: 'contains', value: 'a' },
        { type: 'equals', value: 'b' },
        { type: 'contains', value: 'x' },
      ],
    },
    { replies: ['x'] },
  )
  expect(result).toMatchObject({ status: 'failed', error_kind: 'assertion' })
  expect(result.assertion_errors).toHaveLength(2)
  expect(result.error).toBe(`assertion failed: ${result.assertion_errors?.[0]} (and 1 more)`)
  expect(result.assertions?.map((assertion) => assertion.passed)).toEqual([false, false, true])
})

test('a check that could not be carried out is an error, not a failure of the agent', async () => {
  const result = await run({ input: 'hi', assertions: [{ type: 'agent', value: 'nice' }] }, { replies: ['x'] })
  expect(result).toMatchObject({ status: 'failed', error_kind: 'validator' })
  expect(result.error).toContain('no judge in this test')
})

test('a plain failure beside a broken check is the agent’s', async () => {
  const result = await run(
    {
      input: 'hi',
      assertions: [
        { type: 'agent', value: 'nice' },
        { type: 'contains', value: 'z' },
      ],
    },
    { replies: ['x'] },
  )
  expect(result.error_kind).toBe('assertion')
  expect(result.assertion_errors).toHaveLength(2)
})

test('a graded case passes at its score and keeps what failed', async () => {
  const assertions = [
    { type: 'contains', value: 'x', weight: 3 },
    { type: 'contains', value: 'z' },
  ]
  const passed = await run({ input: 'hi', assertions, min_score: 0.7 }, { replies: ['x'] })
  expect(passed).toMatchObject({ status: 'passed', score: 0.75, min_score: 0.7 })
  expect(passed.assertion_errors).toHaveLength(1)
  const failed = await run({ input: 'hi', assertions, min_score: 0.8 }, { replies: ['x'] })
  expect(failed).toMatchObject({ status: 'failed', score: 0.75, error_kind: 'assertion' })
})

test('no score outweighs a check that could not be carried out', async () => {
  const assertions = [
    { type: 'contains', value: 'x', weight: 99 },
    { type: 'agent', value: 'nice' },
  ]
  const result = await run({ input: 'hi', assertions, min_score: 0.1 }, { replies: ['x'] })
  expect(result).toMatchObject({ status: 'failed', error_kind: 'validator' })
})

test('a missing attachment is the case’s own error', async () => {
  const agent = new ScriptedAgent(['x'])
  const result = await run(
    { input: 'hi' },
    {
      agent,
      run: {
        messagesOf: () =>
          Promise.reject(new UserError({ code: 'FILE_NOT_FOUND', message: 'attachment ./a.png not found' })),
      },
    },
  )
  expect(result).toMatchObject({ status: 'failed', error: 'attachment ./a.png not found', error_kind: 'input' })
  expect(agent.requests).toHaveLength(0)
})

test('a cancelled case says so to its caller', async () => {
  const controller = new AbortController()
  const stop = (): string => {
    controller.abort(new CancelledError('interrupted'))
    return 'x'
  }
  const result = await run({ input: 'hi' }, { replies: [stop], over: { signal: controller.signal } })
  expect(result.cause).toBeInstanceOf(CancelledError)
})

test('an agent that changes what it was sent changes nothing else', async () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
  const vandal = new ScriptedAgent([
    (request) => {
      const [message] = request.messages
      if (Array.isArray(message?.content)) message.content.push({ type: 'text', text: 'injected' })
      request.messages.push({ role: 'system', content: 'injected' })
      return 'ok'
    },
  ])
  const setup = setupOf({ messages }, { agent: vandal })
  await converse(new Conversation(setup))
  expect(setup.testCase.messages).toEqual(messages)
  expect(JSON.stringify(messages)).not.toContain('injected')
})

test('tool calls, their output and the awaiting state are kept', async () => {
  const result = await run(
    {
      input: 'hi',
      assertions: [
        { type: 'tool_called', name: 'create_expense' },
        { type: 'awaiting_input', value: true },
      ],
    },
    { replies: [{ content: 'Confirm?', tool_calls: [{ name: 'create_expense', args: { amount: 1 } }] }] },
  )
  expect(result).toMatchObject({
    status: 'passed',
    tool_calls: [{ name: 'create_expense', args: { amount: 1 } }],
    awaiting_input: true,
    awaiting_reason: 'content_is_question',
  })
})

test('turn_timeout bounds the one call', async () => {
  const agent = new ScriptedAgent([
    ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ])
  const result = await run({ input: 'hi', turn_timeout: '10ms' }, { agent })
  expect(result).toMatchObject({ status: 'failed', error: 'timeout after 10ms', error_kind: 'timeout' })
})

test('the steps of a call count from the start of the case, also those of a call that failed', async () => {
  const trace = [
    { kind: 'model' as const, name: 'm', start_ms: 3500.4, duration_ms: 7 },
    { kind: 'tool' as const, name: 't' },
  ]
  const told = [{ ...trace[0], start_ms: 2500 }, trace[1]]
  const over = { started: 1000 }
  expect(await run({ input: 'hi' }, { replies: [{ content: 'ok', trace }], over })).toMatchObject({ trace: told })
  const failed = new AgentError({ code: 'failed', message: 'no', partial: { trace } })
  expect(await run({ input: 'hi' }, { replies: [failed], over })).toMatchObject({ status: 'failed', trace: told })
})
