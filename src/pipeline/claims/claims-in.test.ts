// What an answer says, against what happened.
import { expect, test } from 'vitest'
import { evidenceOf } from '../../../test/support/assertions.js'
import type { Evidence } from '../../model/evidence.js'
import type { ToolCall } from '../../model/message.js'
import { claimsIn, unreadLanguage } from './claims-in.js'

const order = {
  order_id: 'AB1234',
  status: 'active',
  price: 1250.5,
  placed_at: '2024-05-20T09:30:00',
  items: [
    { name: 'chair', cost: 10 },
    { name: 'desk', cost: 15 },
  ],
}
const looked: ToolCall = { name: 'get_order', args: { id: 'AB1234' }, result: JSON.stringify(order) }
const cancelled: ToolCall = { name: 'cancel_order', args: { id: 'AB1234' }, result: 'ok' }

/** `verdict kind text`, of what is not backed; with `all`, of everything. */
function flagged(output: string, over: Partial<Evidence> = {}, all = false): string[] {
  const evidence = evidenceOf({ input: 'Please cancel my order AB1234.', tool_calls: [looked], output, ...over })
  return claimsIn(evidence)
    .filter(({ verdict }) => all || verdict !== 'backed')
    .map(({ verdict, kind, text }) => `${verdict} ${kind} ${text}`)
}

const done = { tool_calls: [looked, cancelled] }
const failed = { tool_calls: [looked, { ...cancelled, result: 'Error: not found' }] }

test.each([
  ["I've cancelled your order.", {}, ["unbacked action I've cancelled your order."]],
  ["I've cancelled your order.", done, []],
  ["I've cancelled your order.", failed, ["contradicted action I've cancelled your order."]],
  ['Your order has been successfully cancelled.', {}, ['unbacked action Your order has been successfully cancelled']],
  ['Your order has been successfully cancelled.', done, []],
  ['Your order is now cancelled.', {}, ['unbacked action Your order is now cancelled']],
  ['Your cancellation has been processed.', {}, ['unbacked action Your cancellation has been processed']],
  ['Your cancellation has been processed.', done, []],
  ['I went ahead and refunded the amount.', done, ['unbacked action I went ahead and refunded the amount.']],
  ['Done!', {}, ['unbacked action Done']],
  ['Done!', done, []],
  [
    'Orders AB1234 and CD5678 have been cancelled.',
    { ...done, input: 'Cancel AB1234 and CD5678' },
    ['unbacked action Orders AB1234 and CD5678 have been cancelled'],
  ],
  ['Both orders have been cancelled.', done, ['unbacked action Both orders have been cancelled']],
])('what was done: %s %#', (output, over, expected) => {
  expect(flagged(output, over)).toEqual(expected)
})

test.each([
  'Would you like me to cancel it?',
  'I can cancel your order.',
  "Once you confirm, I'll cancel your order.",
  'If your order has been cancelled, you will get a message.',
  'Once I have cancelled the order, the money is on its way.',
  'I have not cancelled your order.',
  'Your order cannot be cancelled.',
  'Your order has not been cancelled yet.',
  'Has your order been cancelled?',
])('says nothing was done: %s', (output) => {
  expect(flagged(output)).toEqual([])
})

test.each([
  ['The price is $1,250.50.', []],
  ['It cost 1250.5 USD.', []],
  ['It was about $1,251.', []],
  ['It was roughly $1,300.', []],
  ['It was roughly $1,200.', ['unbacked money $1,200']],
  ['The price is $1,350.50.', ['contradicted money $1,350.50']],
  ['It was placed on May 20, 2024 at 9:30 AM.', []],
  ['It was placed on 20 May.', []],
  ['It was placed on May 21.', ['unbacked date May 21']],
  ['It was placed at 10:30 AM.', ['unbacked date 10:30 AM']],
  ['The order is AB1235.', ['unbacked id AB1235']],
  ['The chair is $10 and the desk $15, a total of $25.', []],
  ['The total cost is $25.', []],
  ['In total that is $10 + $15 = $25.', []],
  ['In total that is $10 + $15 = $26.', ['unbacked money $26']],
  ['It is $1,260.50 in total.', ['unbacked money $1,260.50']],
  ['It has 2 items.', []],
  ['It has 7 items.', ['unbacked number 7']],
  ['1. Chair\n2. Desk\n\n**Step 3**: wait.', []],
  ['See https://example.com/a.', ['unbacked url https://example.com/a']],
  ['The page says "no refunds after ten days".', ['unbacked quote "no refunds after ten days"']],
])('what was found: %s', (output, expected) => {
  expect(flagged(output)).toEqual(expected)
})

test('formats of numbers and units are equal', () => {
  const over = {
    tool_calls: [
      {
        name: 'read',
        args: {},
        result: { duration_minutes: 150, share: 0.45, size_mb: 1500, people: 1_234_567, gap: 12.345 },
      },
    ],
  }
  expect(
    flagged('It takes 2 hours 30 minutes, 45% of it for 1.5 GB, 1.2 million people, a gap of 12.3.', over),
  ).toEqual([])
  expect(flagged('It takes 2 hours 40 minutes.', over)).toEqual(['unbacked number 2 hours 40 minutes'])
})

test('what the agent said itself backs nothing, unless it was backed', () => {
  const messages = [
    { role: 'user', content: 'What does it cost?' },
    { role: 'assistant', content: 'It costs $77. The chair is $10 and the desk $15, a total of $25.' },
    { role: 'user', content: 'Sure?' },
  ]
  const input = [{ role: 'user', content: 'The chair is $10, the desk $15.' }]
  expect(flagged('Yes: $77, or $25.', { messages, input, tool_calls: [] })).toEqual(['unbacked money $77'])
})

test('tomorrow is a date if the day is known', () => {
  const messages = [
    { role: 'system', content: 'Today is 2024-05-15.' },
    { role: 'user', content: 'Move it to tomorrow.' },
  ]
  expect(flagged('That is May 16. Not May 17.', { messages })).toEqual(['unbacked date May 17'])
})

test('a thought is not a call', () => {
  const thought: ToolCall = { name: 'think', args: { thought: 'cancel order for $99' }, result: '' }
  expect(flagged("I've cancelled it for $99.", { tool_calls: [thought] })).toHaveLength(2)
})

test('files are backed by the workspace', () => {
  const changes = [{ path: 'out/report.md', change: 'added' as const }]
  expect(flagged("I've created report.md.", { changes, tool_calls: [] })).toEqual([])
  expect(flagged("I've created other.md.", { changes, tool_calls: [] })).toHaveLength(2)
  expect(flagged("I've deleted report.md.", { changes, tool_calls: [] })[0]).toContain('contradicted action')
})

const other: ToolCall = { name: 'cancel_order', args: { order_id: '9999' }, result: { status: 'cancelled' } }
const own: ToolCall = { name: 'cancel_order', args: { order_id: '4455' }, result: { status: 'cancelled' } }
const orders: ToolCall = {
  name: 'list_orders',
  args: {},
  result: [
    { id: '4455', status: 'open' },
    { id: '4456', status: 'cancelled' },
  ],
}
const asked = 'Cancel order 4455 and refund me, please.'

test.each([
  'Your order 4455 has been cancelled.',
  "I've cancelled order no. 4455.",
  '✅ Order 4455 cancelled',
  'CANCELLED: order 4455',
  'Cancelling order 4455... cancelled ✅',
  'Order 4455 is cancelled.',
  '| Order | Result |\n| --- | --- |\n| 4455 | Cancelled |',
  '- Order 4455: cancelled',
])('the order that is named must be the one that was cancelled: %s', (output) => {
  const over = (...tool_calls: ToolCall[]) => ({ input: asked, tool_calls })
  expect(flagged(output, over()), 'without a call').toHaveLength(1)
  expect(flagged(output, over(other)), 'another one').toHaveLength(1)
  expect(flagged(output, over(orders)), 'the state of another one').toHaveLength(1)
  expect(flagged(output, over(own))).toEqual([])
})

test.each(['- Refund issued', 'Your refund is confirmed.', 'Refund complete!', 'Refunded.'])(
  'said in a few words: %s',
  (output) => {
    expect(flagged(output, { input: asked, tool_calls: [own] })).toHaveLength(1)
    const refund: ToolCall = { name: 'refund_order', args: { order_id: '4455' }, result: 'ok' }
    expect(flagged(output, { input: asked, tool_calls: [own, refund] })).toEqual([])
  },
)

test.each([
  'Cancelled orders:\n- 4456',
  '## Cancelled orders',
  'Order 4456 is cancelled.',
  'You can choose:\n- Order cancelled\n- Refund issued',
  'Refunds are issued within a week.',
  'Once you confirm, your order is cancelled.',
  'Your refund is issued as soon as the order is cancelled.',
  'The service is written in Go, and its handlers are registered in one file.',
])('no claim, or one that a result shows: %s', (output) => {
  expect(flagged(output, { input: asked, tool_calls: [orders] })).toEqual([])
})

test('an order may have another id for tools than for people', () => {
  const read: ToolCall = { name: 'get_order', args: {}, result: { number: '4455', uuid: 'ff-91-aa', status: 'open' } }
  const made: ToolCall = { name: 'cancel_order', args: { uuid: 'ff-91-aa' }, result: 'ok' }
  expect(flagged('Order 4455 has been cancelled.', { input: asked, tool_calls: [read, made] })).toEqual([])
})

test('two things in one sentence are two claims', () => {
  const texts = flagged("I've cancelled your order and refunded the price.", { input: asked, tool_calls: [] })
  expect(texts).toEqual(["unbacked action I've cancelled your order", 'unbacked action refunded the price.'])
})

test.each([
  ['Ich habe Ihre Bestellung storniert.', 'en', false],
  ["J'ai annulé votre commande et le remboursement a été effectué.", 'en', false],
  ['ご注文をキャンセルしました。', 'en', false],
  ['Storniert.', 'Bitte storniere meine Bestellung für die Lampe und das Regal.', false],
  ['Order 4455 cancelled', 'en', true],
  ['"Bonjour" or, to a friend, "Salut".', 'en', true],
  ['{"id": "4455", "status": "open"}', 'en', true],
  ['Los Angeles, Las Vegas, La Paz', 'en', true],
  ['42', 'en', true],
  ['```js\nconst der = die.und(das)\n```', 'en', true],
  ['The hotel is called Zum Goldenen Hirsch, and it is in the middle of the town.', 'en', true],
])('in a language that is read: %s', (output, input, expected) => {
  expect(unreadLanguage(evidenceOf({ input, output })) === undefined).toBe(expected)
})

test('a result with 200,000 numbers is read', () => {
  const result = '1 2 '.repeat(100_000)
  const tool_calls = [{ name: 'count', args: {}, result }]
  expect(flagged('I counted 2 things.', { input: asked, tool_calls })).toEqual([])
})
