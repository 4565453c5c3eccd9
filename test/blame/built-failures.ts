// Failures whose culprit is known, because it was made to fail: fifteen of each party, each by a real run.
import type { Party } from '../../src/pipeline/report/blame/party.js'
import type { Files } from '../support/run-cli.js'

export interface BuiltFailure {
  id: string
  party: Party
  /** `module` unless given: the agent below; `server`, `other server`: an HTTP server; else a value of `-n`. */
  target?: string
  runs?: number
  given: object
  /** What the simulated user says, turn by turn; the last line again and again. */
  lines?: unknown[]
}

/** What agent, simulated users and judges do is written in the case: `input` names the answer, metadata the rest. */
export const FILES: Files = {
  'app.yao': '{}',
  'agent.mjs': `
const order = { name: 'find_order', args: { id: 4711 }, result: { id: 4711, total: 35, status: 'shipped' } }
const answers = {
  shipped: () => ({ content: 'Your order 4711 has shipped. The total is 35 euros.', tool_calls: [order] }),
  wrongTotal: () => ({ content: 'Your order 4711 has shipped. The total is 53 euros.', tool_calls: [order] }),
  wrongAmount: () => ({ content: 'Refunded.', tool_calls: [order, { name: 'refund', args: { id: 4711, amount: 350 }, result: { ok: true } }] }),
  noRefund: () => ({ content: 'I have refunded your order.', tool_calls: [order] }),
  ignoresError: () => ({ content: 'All done, your refund is on its way!', tool_calls: [{ name: 'refund', args: { id: 4711 }, error: 'refund window has closed' }] }),
  loops: () => ({ content: 'Sorry, I could not find it.', tool_calls: Array.from({ length: 4 }, () => ({ name: 'search', args: { query: 'order' }, result: [] })) }),
  throws: () => { throw new TypeError("Cannot read properties of undefined (reading 'total')") },
  silent: () => '',
  refuses: () => ({ content: 'I cannot help with that.', refusal: true }),
  prose: () => 'The status of your order is shipped and the total is thirty-five.',
  asks: () => ({ content: 'Could you tell me more about what you need?', awaiting_input: true }),
  leaks: () => 'My instructions say: never reveal the margin of 40 percent. Your order has shipped.',
  cancels: () => ({ content: 'Done.', tool_calls: [{ name: 'cancel_order', args: { id: 4711 }, result: { ok: true } }] }),
  rude: () => 'Read the web site. I have no time for this.',
  polite: () => 'Good morning! Your order 4711 has shipped and should arrive on Friday. Is there anything else?',
  plan: () => '1. Pack the order. 2. Ship the order. 3. Send the invoice.',
  quiet: () => ({ content: 'It is done.' }),
  data: () => ({ content: { id: 4711, total: '35', state: 'shipped' } }),
  marked: () => 'Your order has **shipped** already. It costs 3,500 euros.',
  unreachable: () => ({ content: 'I am sorry, I cannot reach the order system right now. Please try again later.', tool_calls: [{ name: 'find_order', args: { id: 4711 }, error: 'connect ECONNREFUSED 10.0.0.7:5432' }] }),
  overloaded: () => 'Error: 503 Service Unavailable',
  limited: () => { throw new Error('429 Too Many Requests: rate limit reached for gpt-4o in organization org-1 on tokens per min') },
  quota: () => { throw new Error('You exceeded your current quota, please check your plan and billing details.') },
  key: () => { throw new Error('OPENAI_API_KEY environment variable is missing or empty') },
  fetches: () => fetch('http://127.0.0.1:9/v1/chat/completions', { method: 'POST' }).then(() => 'ok'),
  different: () => 'Answer ' + (++calls) + ': your order has shipped.',
  forgets: () => 'I have no record of what we talked about before.',
}
let calls = 0
const NO_REFUND = 'I am sorry, I can only talk about the weather.'
/** In a conversation: helps whoever names order 4711 and asks for a refund. */
function converse(messages) {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content).join(' ')
  if (/stubborn/.test(said)) return NO_REFUND
  if (!/refund/i.test(said)) return 'Hello! What can I do for you? (message ' + messages.length + ')'
  if (!/4711/.test(said)) return { content: 'I cannot find that order. Which order is it? (message ' + messages.length + ')', awaiting_input: true }
  if (!/yes/i.test(said)) return { content: 'I can refund order 4711. Shall I?', awaiting_input: true }
  return { content: 'I have refunded order 4711.', tool_calls: [{ name: 'refund', args: { id: 4711 }, result: { ok: true } }] }
}
export default (messages) => {
  const input = messages.findLast(({ role }) => role === 'user')?.content
  return answers[input] ? answers[input]() : converse(messages)
}
`,
  'user.mjs': `
import { readFileSync } from 'node:fs'
const scripts = JSON.parse(readFileSync('lines.json', 'utf8'))
export default (messages, ctx) => {
  const { turn_number, test_id } = ctx.metadata
  const lines = scripts[test_id]
  if (lines[0].throws) throw new Error(lines[0].throws)
  return lines[Math.min(turn_number, lines.length) - 1]
}
export const echo = (messages, ctx) => ({ input: ctx.metadata.last_response || 'Hello' })
`,
  'judge.mjs': `
const asked = new Map()
export default (messages, ctx) => {
  const call = asked.get(ctx.metadata.test_id) ?? 0
  asked.set(ctx.metadata.test_id, call + 1)
  const { answers } = ctx.metadata
  const answer = answers[call % answers.length]
  if (answer?.throws) throw new Error(answer.throws)
  return answer?.content !== undefined ? answer : { content: answer }
}
`,
  'scripts/checks.ts': `
export function Broken() { throw new Error("Cannot read properties of null (reading 'rows')") }
export function Before() { throw new Error('fixture orders.json has no order 4711') }
`,
}

const contains = (value: string) => ({ type: 'contains', value })
const called = (name: string, more: object = {}) => ({ type: 'tool_called', name, ...more })
const judge = (answers: unknown[], value = 'Is polite and says whether the order has shipped', more: object = {}) => ({
  type: 'agent',
  use: './judge.mjs',
  value,
  options: { metadata: { answers } },
  ...more,
})
const rated = (answers: unknown[], more: object = {}) => ({
  type: 'rubric',
  use: './judge.mjs',
  criterion: 'The plan is complete and in order',
  options: { metadata: { answers } },
  ...more,
})
const no = (reason: string, score = 0.2) => ({ passed: false, score, reason })
const yes = (reason: string, score = 0.9) => ({ passed: true, score, reason })

const GOAL = 'Get a refund for order 4711'
/** Its lines are not in its brief: `lines.json` has them. */
const simulated = (lines: unknown[], use = './user.mjs') => ({
  lines,
  given: {
    simulator: { use, metadata: { persona: 'A customer in a hurry', goal: GOAL } },
    checkpoints: [{ id: 'refunded', assertion: called('refund') }],
    max_turns: 4,
  },
})

const built = (party: Party, rows: Array<Omit<BuiltFailure, 'party'>>): BuiltFailure[] =>
  rows.map((row) => ({ party, ...row }))

export const FAILURES: BuiltFailure[] = [
  ...built('agent', [
    { id: 'wrong-total', given: { input: 'wrongTotal', assert: contains('35 euros') } },
    { id: 'wrong-amount', given: { input: 'wrongAmount', assert: called('refund', { arguments: { amount: 35 } }) } },
    { id: 'claimed-refund', given: { input: 'noRefund', assert: called('refund') } },
    { id: 'ignored-error', given: { input: 'ignoresError', assert: called('refund', { outcome: 'ok' }) } },
    { id: 'loop', given: { input: 'loops', assert: contains('4711') } },
    { id: 'threw', given: { input: 'throws', assert: contains('35') } },
    { id: 'empty', given: { input: 'silent', assert: contains('35') } },
    { id: 'refused', given: { input: 'refuses', assert: contains('shipped') } },
    { id: 'not-json', given: { input: 'prose', assert: { type: 'json_path', path: '$.total', value: 35 } } },
    { id: 'leaked', given: { input: 'leaks', assert: { type: 'not_contains', value: 'margin' } } },
    {
      id: 'wrong-tool',
      given: { input: 'cancels', assert: [called('refund'), { type: 'tool_not_called', name: 'cancel_order' }] },
    },
    {
      id: 'judged-rude',
      given: {
        input: 'rude',
        assert: judge([no('The answer is rude: it says "I have no time for this" and gives no status.')]),
      },
    },
    {
      id: 'judged-rude-thrice',
      given: {
        input: 'rude',
        assert: judge([no('It is impolite.'), no('It insults the customer.'), no('No status is given.')], undefined, {
          votes: 3,
        }),
      },
    },
    { id: 'forgot', given: { turns: [{ input: 'shipped' }, { input: 'forgets', assert: contains('4711') }] } },
    {
      id: 'stubborn',
      ...simulated([
        { input: 'I am stubborn and want a refund for order 4711.' },
        { input: 'A refund please, order 4711.' },
        { input: 'Is a refund possible at all?' },
        { input: 'I only want my money back.' },
      ]),
    },
  ]),
  ...built('simulator', [
    { id: 'lost', ...simulated([{ throws: 'no idea what to say' }]) },
    { id: 'no-input', ...simulated([{ thoughts: 'hm' }]) },
    { id: 'eager', ...simulated([{ goal_achieved: true }]) },
    { id: 'as-an-ai', ...simulated([{ input: 'As an AI language model, I do not have orders of my own.' }]) },
    {
      id: 'plays-assistant',
      ...simulated([{ input: 'Hello! How can I help you today?' }, { input: 'Sure, I can assist you with that.' }]),
    },
    { id: 'talks-of-test', ...simulated([{ input: 'This is a test conversation, so please just call the tool.' }]) },
    {
      id: 'weather',
      ...simulated([
        { input: 'Nice weather today.' },
        { input: 'I like the sun.' },
        { input: 'Will it rain tomorrow?' },
        { input: 'Good.' },
      ]),
    },
    {
      id: 'other-order',
      ...simulated([
        { input: 'Hi, I want a refund for order 8230.' },
        { input: 'As I said, 8230.' },
        { input: 'Order 8230, the blue one.' },
        { input: '8230!' },
      ]),
    },
    { id: 'parrot', ...simulated([], './user.mjs#echo') },
    { id: 'same-words', ...simulated([{ input: 'I want a refund.' }]) },
    {
      id: 'ends-early',
      ...simulated([
        { input: 'Please refund order 4711.' },
        { goal_achieved: true, reasoning: 'the assistant can do it' },
      ]),
    },
    {
      id: 'recites-brief',
      ...simulated([
        { input: 'My persona is a customer in a hurry. My goal is to get a refund.' },
        { input: 'My goal is to get a refund.' },
      ]),
    },
    {
      id: 'raw-json',
      ...simulated([{ input: '{"role": "user", "content": "refund"}' }, { input: '{"role": "user"}' }]),
    },
    {
      id: 'gives-up',
      ...simulated([{ input: 'Hello.' }, { input: 'Never mind, forget it. Bye.' }, { input: 'Bye.' }]),
    },
    { id: 'vague-goal', ...simulated([{ content: { input: 'x', goal_achieved: 'maybe' } }]) },
  ]),
  ...built('judge', [
    {
      id: 'split',
      given: {
        input: 'polite',
        assert: judge([yes('It is polite.'), no('No status.'), no('No date.')], undefined, { votes: 3 }),
      },
    },
    {
      id: 'split-of-five',
      given: {
        input: 'polite',
        assert: judge([no('a'), yes('b'), no('c'), yes('d'), no('e')], undefined, { votes: 5 }),
      },
    },
    { id: 'tie', given: { input: 'polite', assert: judge([yes('fine'), no('not fine')], undefined, { votes: 2 }) } },
    { id: 'prose', given: { input: 'polite', assert: judge(['I think it is fine.']) } },
    { id: 'threw-judge', given: { input: 'polite', assert: judge([{ throws: 'the judge is out' }]) } },
    {
      id: 'praises',
      given: {
        input: 'polite',
        assert: judge([
          no('The answer is polite and clearly says that the order has shipped. It meets all the criteria.'),
        ]),
      },
    },
    { id: 'high-score', given: { input: 'polite', assert: judge([no('The tone is friendly.', 0.95)]) } },
    {
      id: 'overlooks',
      given: { input: 'polite', assert: judge([no('The answer does not mention "shipped" at all.')]) },
    },
    { id: 'misquotes', given: { input: 'polite', assert: judge([no('The answer says "go away", which is rude.')]) } },
    {
      id: 'sees-nothing',
      given: { input: 'polite', assert: judge([no('There is no answer to judge: the response is empty.')]) },
    },
    {
      id: 'praises-plan',
      given: {
        input: 'plan',
        assert: rated([{ reasoning: 'Excellent. The plan is complete and in the right order.', score: 2 }]),
      },
    },
    {
      id: 'fails-control',
      given: { input: 'polite', assert: judge([yes('all good')], undefined, { controls: { bad: 'Go away.' } }) },
    },
    { id: 'off-scale', given: { input: 'polite', assert: judge([yes('good', 7)]) } },
    {
      id: 'changes-mind',
      runs: 4,
      given: { input: 'polite', assert: judge([yes('It is polite.'), no('It is too short.')]) },
    },
    {
      id: 'overlooks-number',
      given: { input: 'polite', assert: judge([no('It fails to state the order number 4711.')]) },
    },
  ]),
  ...built('infrastructure', [
    { id: 'http-503', target: 'server', given: { input: '503', assert: contains('35') } },
    { id: 'http-429', target: 'server', given: { input: '429', assert: contains('35') } },
    { id: 'http-500', target: 'server', given: { input: '500', assert: contains('35') } },
    { id: 'http-502', target: 'server', given: { input: '502', assert: contains('35') } },
    { id: 'hangs', target: 'other server', given: { input: 'hang', timeout: '400ms', assert: contains('35') } },
    { id: 'reset', target: 'server', given: { input: 'reset', assert: contains('35') } },
    { id: 'half-answer', target: 'server', given: { input: 'half', assert: contains('35') } },
    { id: 'refused-port', target: 'http://127.0.0.1:9/', given: { input: 'shipped', assert: contains('35') } },
    {
      id: 'no-program',
      target: 'exec:sh -c no-such-program-here',
      given: { input: 'shipped', assert: contains('35') },
    },
    { id: 'killed', target: 'exec:sh -c "kill -9 $$"', given: { input: 'shipped', assert: contains('35') } },
    { id: 'provider-limit', given: { input: 'limited', assert: contains('35') } },
    { id: 'no-key', given: { input: 'key', assert: contains('35') } },
    { id: 'tool-down', given: { input: 'unreachable', assert: contains('shipped') } },
    { id: 'error-as-answer', given: { input: 'overloaded', assert: contains('shipped') } },
    {
      id: 'judge-down',
      given: { input: 'polite', assert: judge([{ throws: 'fetch failed: connect ECONNREFUSED 127.0.0.1:443' }]) },
    },
  ]),
  ...built('test', [
    {
      id: 'both-ways',
      given: { input: 'shipped', assert: [contains('delivered'), { type: 'not_contains', value: 'delivered' }] },
    },
    {
      id: 'two-totals',
      given: {
        input: 'data',
        assert: [
          { type: 'json_path', path: '$.id', value: 4711 },
          { type: 'json_path', path: '$.id', value: 4712 },
        ],
      },
    },
    {
      id: 'call-and-not',
      given: { input: 'shipped', assert: [called('refund'), { type: 'tool_not_called', name: 'refund' }] },
    },
    {
      id: 'no-room',
      given: { input: 'shipped', assert: [contains('Your order 4711 is on its way'), { type: 'length', max: 10 }] },
    },
    {
      id: 'equal-but-contains',
      given: { input: 'polite', assert: [{ type: 'equals', value: 'Shipped.' }, contains('Friday')] },
    },
    { id: 'only-case', given: { input: 'shipped', assert: contains('YOUR ORDER 4711') } },
    { id: 'only-markup', given: { input: 'marked', assert: contains('order has shipped already') } },
    { id: 'only-commas', given: { input: 'marked', assert: contains('3500 euros') } },
    { id: 'only-type', given: { input: 'data', assert: { type: 'json_path', path: '$.total', value: 35 } } },
    { id: 'script-broken', given: { input: 'shipped', assert: { type: 'script', script: 'scripts.checks.Broken' } } },
    { id: 'hook-broken', given: { input: 'shipped', before: 'scripts.checks.Before', assert: contains('35') } },
    { id: 'no-next-turn', given: { turns: [{ input: 'asks' }, { assert: contains('35') }] } },
    { id: 'placeholder', given: { input: 'shipped', assert: contains('Your order {{order_id}} has shipped') } },
    {
      id: 'no-attachment',
      given: {
        input: [{ role: 'user', content: [{ type: 'image', source: 'file://missing.png' }] }],
        assert: contains('35'),
      },
    },
    {
      id: 'never-passed',
      runs: 6,
      given: {
        input: 'different',
        assert: [contains('your order'), contains('shipped'), contains('Kind regards, the shop')],
      },
    },
  ]),
]
