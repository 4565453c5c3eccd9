// What must not be taken for somebody else's fault: each of these is an ordinary failure of an agent.
import { expect, test } from 'vitest'
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'
import { explainResult } from '../explain/explain.js'

function failed(more: object): ResultEvent {
  return {
    type: 'result',
    run_id: 'r',
    id: 'T1',
    run: 1,
    status: 'failed',
    error: 'assertion failed',
    error_kind: 'assertion',
    duration_ms: 1,
    input: 'Is the order paid?',
    output: 'No, the order is open.',
    ...more,
  }
}

function check(more: object, expected: string): void {
  expect(explainResult(failed(more)).blame?.party).toBe(expected)
}

const no = (message: string, more: object = {}): object => ({
  assertions: [{ type: 'agent', passed: false, value: 'Says that the order is paid', message, ...more }],
})

test.each([
  'The answer is complete nonsense.',
  'The tone is polite, but the answer is wrong.',
  'It does not say "paid".',
  'It says "the order is open", which is wrong.',
  'The answer is correct about the order, yet it does not say when.',
  'The answer is not correct.',
])('a judge with a sound reason: %s', (reason) => check(no(reason), 'agent'))

test('one vote of five for the agent is no split', () => {
  const vote = (passed: boolean): AssertionResult => ({ type: 'agent', passed, message: 'because' })
  check(no('1 of 5 votes passed: because', { parts: [true, false, false, false, false].map(vote) }), 'agent')
})

test.each([
  'HTTP 503 means that a service is unavailable. To handle it, retry with a growing pause, and show the user a friendly page after the third try.',
  'I looked up the order: there was no error.',
])('an answer about errors: %s', (output) =>
  check({ output, assertions: [{ type: 'contains', passed: false, value: 'paid', expected: 'paid' }] }, 'agent'),
)

test('a tool that could not be reached excuses nobody who hides it', () => {
  const tool_calls = [{ name: 'pay', args: {}, error: 'connect ECONNREFUSED 10.0.0.1:443' }]
  const assertions = [{ type: 'tool_called', passed: false, name: 'pay' }]
  check({ output: 'The order is paid.', tool_calls, assertions }, 'agent')
  check({ output: 'I am sorry, I could not reach the bank.', tool_calls, assertions }, 'infrastructure')
})

test.each([
  [
    { type: 'contains', value: 'a' },
    { type: 'not_contains', value: 'ab' },
  ],
  [
    { type: 'json_path', path: '$.items[*].id', value: 1 },
    { type: 'json_path', path: '$.items[*].id', value: 2 },
  ],
  [
    { type: 'tool_called', name: 'pay', params: { times: 1 } },
    { type: 'tool_not_called', name: 'pay', params: { arguments: { amount: 5 } } },
  ],
  [
    { type: 'contains', value: 'yes' },
    { type: 'contains', value: 'no' },
  ],
  [
    { type: 'contains', value: 'yes', path: '$.a' },
    { type: 'not_contains', value: 'yes', path: '$.b' },
  ],
])('assertions that can both hold: %j, %j', (one, other) =>
  check({ assertions: [one, other].map((each) => ({ ...each, passed: false })) }, 'agent'),
)

const talk = (lines: string[], goal: string): object => ({
  simulator: 'viva.user',
  simulator_brief: { goal },
  turns: lines.map((input, index) => ({
    turn: index + 1,
    input,
    input_source: 'simulator',
    status: 'passed',
    output: `What else? (${index})`,
    duration_ms: 1,
  })),
  checkpoints: [{ id: 'paid', reached: false, passed: false, required: true }],
  error: 'max turns (3) exceeded',
})

test.each([
  ['another language', 'Pay the invoice of May', ['Ich möchte die Rechnung bezahlen.', 'Die vom Mai.', 'Ja, bitte.']],
  ['a goal of its own life', 'Make a plan to lose weight', ['My goal is to lose weight.', 'Ten kilos.', 'By summer.']],
  ['an id of its brief', 'Refund order 4711 of customer 8230', ['Refund order 4711.', 'Please.', 'Now.']],
  ['gives up late', 'Refund the order', ['A refund for my order.', 'The last one.', 'Never mind then.']],
])('a simulated user that plays its part: %s', (_, goal, lines) => check(talk(lines, goal), 'agent'))

test('every kind of failure is blamed on somebody, except what a script test finds wrong', () => {
  check({ error: 'timeout after 5s', error_kind: 'timeout', output: 'The order' }, 'test')
  check(
    { error: 'timeout after 5s', error_kind: 'timeout', output: undefined, tool_calls: [{ name: 'x', args: {} }] },
    'agent',
  )
  check({ error: 'agent error: Replay mismatch: call 2', error_kind: 'agent', output: undefined }, 'test')
  check({ error: 'agent error: something odd', error_kind: 'agent', output: undefined }, 'agent')
  check({ error: 'script error: boom', error_kind: 'script' }, 'test')
  check({ error: 'hook error: boom', error_kind: 'hook' }, 'test')
  check({ error: 'no file', error_kind: 'input' }, 'test')
  check({ error: 'validator error: no JSON', error_kind: 'validator' }, 'judge')
  check({ error: 'validator error: HTTP 503 from api.example', error_kind: 'validator' }, 'infrastructure')
  check({ error: 'simulator error: no idea', error_kind: 'simulator' }, 'simulator')
  const skipped = {
    status: 'skipped',
    skipped_by: 'not_shown',
    error: undefined,
    error_kind: undefined,
    skip_reason: 'no next turn',
  }
  check(skipped, 'test')
  check({ ...skipped, error: 'simulator error: no idea', error_kind: 'simulator' }, 'simulator')
  expect(explainResult(failed({ script: 'scripts.a' })).blame).toBeUndefined()
})

test('what failed to run is never the fault of the agent that was not reached', () => {
  for (const error of [
    'agent error: cannot reach http://127.0.0.1:9: connection refused',
    'agent error: rate limited (HTTP 429 from api.example)',
    'agent error: the server failed (HTTP 500 from api.example): oops',
    'agent error: exit code 127: sh: claude: not found',
    'agent error: killed by SIGKILL',
  ])
    check({ error, error_kind: 'agent', output: undefined }, 'infrastructure')
  check({ error: 'timeout after 5s', error_kind: 'timeout', output: undefined }, 'infrastructure')
})

test.each([
  '429 Too Many Requests',
  'Error code: 429 - slow down',
  '503 Service Unavailable',
  'Request failed with status code 502',
  'InternalServerError: the model failed',
  'ENOSPC: no space left on device, write',
  'EMFILE: too many open files',
  'certificate has expired',
  'connect EHOSTUNREACH 10.0.0.1:443',
  'APITimeoutError: Request timed out.',
])('what is thrown for trouble outside of the agent is not its fault: %s', (error) =>
  check({ error: `agent error: ${error}`, error_kind: 'agent', output: undefined }, 'infrastructure'),
)

test('an agent that says that its tool could not be reached is not at fault', () => {
  const tool_calls = [{ name: 'orders', args: {}, error: '503 upstream unavailable' }]
  const output = 'I cannot reach the order system right now.'
  const assertions = [
    { type: 'contains', passed: false, value: 'shipped', message: 'output does not contain "shipped"' },
  ]
  check({ output, tool_calls, assertions }, 'infrastructure')
})
