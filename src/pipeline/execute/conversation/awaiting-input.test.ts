// Whether an agent awaits input: the order of the signs, and questions in any language.
import { expect, test } from 'vitest'
import { conformance } from '../../../../test/support/conformance.js'
import type { AgentReply } from '../../../model/agent.js'
import { DEFAULT_AWAITING_TOOLS, detectAwaiting, looksLikeQuestion, questionAsked } from './awaiting-input.js'

type Row = Record<string, unknown>

function reply(content: unknown, over: Partial<AgentReply> = {}): AgentReply {
  return { content, tool_calls: [], ...over }
}

test.each<[string, AgentReply, boolean, string]>([
  ['declared', reply('Done.', { awaiting_input: true, input_hint: 'amount' }), true, 'agent_declared'],
  ['declared in structured content', reply({ content: 'x', awaiting_input: true }), true, 'agent_declared'],
  ['declared in the Next data', reply('x', { next: { awaiting_input: true } }), true, 'agent_declared'],
  [
    'declared wins over a tool',
    reply('x', { awaiting_input: true, tool_calls: [{ name: 'ask_user', args: {} }] }),
    true,
    'agent_declared',
  ],
  [
    'a tool that asks',
    reply('ok', { tool_calls: [{ name: 'request_confirmation', args: {} }] }),
    true,
    'tool_requires_confirmation',
  ],
  [
    'with a server before its name',
    reply('', { tool_calls: [{ name: 'ui__ask_user', args: {} }] }),
    true,
    'tool_requires_confirmation',
  ],
  [
    'a tool that asks wins over tool_calls',
    reply('', { finish_reason: 'tool_calls', tool_calls: [{ name: 'get_user_input', args: {} }] }),
    true,
    'tool_requires_confirmation',
  ],
  [
    'another tool whose name only ends alike',
    reply('ok', { tool_calls: [{ name: 'mask_user', args: {} }] }),
    false,
    'completed',
  ],
  ['tool_calls', reply('Shall I?', { finish_reason: 'tool_calls' }), false, 'completed'],
  ['length', reply('Shall I?', { finish_reason: 'length' }), false, 'completed'],
  ['a question', reply('Shall I?', { finish_reason: 'stop' }), true, 'content_is_question'],
  ['an answer', reply('Submitted.'), false, 'completed'],
  ['nothing', reply(null), false, 'completed'],
  ['structured data', reply({ status: 'ok?' }), false, 'completed'],
])('%s', (_name, given, awaiting, reason) => {
  expect(detectAwaiting(given, DEFAULT_AWAITING_TOOLS)).toMatchObject({ awaiting, reason })
})

test('the agent’s hint is kept', () => {
  expect(detectAwaiting(reply('x', { awaiting_input: true, input_hint: 'e.g. $3500' }), []).hint).toBe('e.g. $3500')
})

test('the list of tools can be configured', () => {
  const asks = reply('', { tool_calls: [{ name: 'prompt_person', args: {} }] })
  expect(detectAwaiting(asks, ['prompt_person']).awaiting).toBe(true)
  expect(detectAwaiting(asks, DEFAULT_AWAITING_TOOLS).awaiting).toBe(false)
})

test.each([
  'What is the amount?',
  'What is the amount',
  'could you share the receipt',
  'Please provide a PO number',
  'This requires manager approval. Please provide PO number.',
  'Shall I proceed? I am ready when you are.',
  '您确认吗？',
  'هل تريد المتابعة؟',
  '¿Confirmo el gasto?',
  'Είσαι σίγουρος;',
  'Is that right? 🙂',
  '**Is that right?**',
  'He asked: “Is that right?”',
  'Which one?\n\n',
])('a question: %s', (text) => {
  expect(looksLikeQuestion(text)).toBe(true)
})

test.each([
  '',
  'Expense submitted. Reference: EXP-2025-001',
  'However, it was done.',
  'Whatever you say.',
  'Done. Please let me know if you need anything else.',
  'Please note that this is final.',
  'See https://example.com/?q=1 for details.',
  'Your question "why?" was answered.',
  'I will continue.',
])('no question: %s', (text) => {
  expect(looksLikeQuestion(text)).toBe(false)
})

test('the question asked is the sentence that asks', () => {
  expect(questionAsked('This requires manager approval. Please provide PO number.')).toBe('Please provide PO number')
  expect(questionAsked('Which one? I can wait.')).toBe('Which one?')
  expect(questionAsked('已收到。请问金额是多少？')).toBe('请问金额是多少？')
  expect(questionAsked('')).toBe('')
})

test('a long text costs no more than its length', () => {
  const text = `${'a.'.repeat(500_000)} `
  expect(looksLikeQuestion(text)).toBe(false)
  expect(looksLikeQuestion(`${' ?'.repeat(200_000)} x`)).toBe(false)
})

for (const row of conformance<Row, Row>('awaiting', 'awaiting')) {
  test(`conformance: ${row.name}`, () => {
    const calls = (row.given['tool_calls'] ?? []) as Array<{ name: string }>
    const given = reply(row.given['content'], { tool_calls: calls.map((call) => ({ args: {}, ...call })) })
    const { awaiting, reason } = detectAwaiting(given, DEFAULT_AWAITING_TOOLS)
    expect({ awaiting, reason }).toEqual(row.expect)
  })
}
