// A run with everything a transcript can show: prompts, model calls, tools, hooks, delegates, turns, judges, spans.
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'

export const PROMPT = `You are the support desk of the Corner shop.\n\n${'- Never promise a day of delivery.\n'.repeat(15)}`

export function transcriptRun(): RunEvent[] {
  const results = [refund(), talk(), spans()]
  const start = startEvent({ agent_id: 'desk', connector: 'mock', input: 'cases.jsonl' })
  return [start, { type: 'prompt', id: 'p1', text: PROMPT }, ...results, summaryEvent(results)]
}

function refund(): ResultEvent {
  return resultEvent({
    id: 'refund',
    name: 'A refund above the limit goes to the refunds team',
    status: 'failed',
    error_kind: 'assertion',
    error: 'assertion failed: orders__refund was called, never with amount at most 20',
    duration_ms: 4000,
    file: 'cases.jsonl',
    line: 3,
    input: 'I want a refund for order 7.',
    output: 'I have refunded 30 EUR.',
    tool_calls: [
      { name: 'orders__find', args: { number: 7 }, result: { state: 'packed', total: 42.5 }, id: 'c1' },
      { name: 'orders__refund', args: { amount: 30 }, result: { refunded: true }, id: 'c2' },
    ],
    trace: [
      { kind: 'hook', name: 'Create', start_ms: 0, duration_ms: 20, returned: { metadata: { shop: 'Corner' } } },
      {
        kind: 'model',
        name: 'mock',
        start_ms: 20,
        duration_ms: 400,
        sent: [
          { role: 'system', prompt: 'p1' },
          { role: 'user', content: 'I want a refund for order 7.' },
        ],
        tools: ['orders__find', 'orders__refund'],
        received: { content: 'Let me look that up.', calls: ['orders__find'], finish_reason: 'tool_calls' },
        usage: { input_tokens: 800, output_tokens: 41, total_tokens: 841 },
      },
      { kind: 'tool', name: 'orders__find', start_ms: 420, duration_ms: 600, detail: { args: { number: 7 } } },
      {
        kind: 'model',
        name: 'mock',
        start_ms: 1020,
        duration_ms: 300,
        sent_before: 4,
        received: { content: '', calls: ['orders__refund'], finish_reason: 'tool_calls' },
      },
      { kind: 'tool', name: 'orders__refund', start_ms: 1320, duration_ms: 80, detail: { args: { amount: 30 } } },
      { kind: 'delegate', name: 'shop.refunds', start_ms: 1400, duration_ms: 600 },
      {
        kind: 'model',
        name: 'small',
        start_ms: 1450,
        duration_ms: 500,
        sent: [{ role: 'system', content: 'You decide on refunds.' }],
        received: { content: 'I have refunded 30 EUR.', finish_reason: 'stop' },
      },
    ],
    assertions: [
      {
        type: 'tool_called',
        passed: false,
        name: 'orders__refund',
        params: { arguments: { amount: { $lte: 20 } } },
        expected: 'orders__refund with {"amount":{"$lte":20}}',
        actual: ['orders__find', 'orders__refund'],
        message:
          'orders__refund was called, never with amount at most 20: in call 2, orders__refund({"amount":30}), it is 30',
      },
      { type: 'length', passed: true, params: { max: 280 }, actual: 23 },
      {
        type: 'agent',
        passed: false,
        value: 'Does not grant more than 20 EUR',
        params: { threshold: 0.7 },
        score: 0.2,
        message: 'The agent refunded 30 EUR at once.',
        start_ms: 2000,
        duration_ms: 1200,
      },
      {
        type: 'agent',
        passed: true,
        value: 'Is friendly',
        score: 0.92,
        message: 'Short and friendly.',
        start_ms: 3200,
        duration_ms: 800,
      },
    ],
  })
}

function talk(): ResultEvent {
  return resultEvent({
    id: 'talk',
    status: 'failed',
    error_kind: 'assertion',
    error: 'missing checkpoints: left',
    duration_ms: 700,
    simulator: 'viva.user',
    total_turns: 2,
    turns: [
      {
        turn: 1,
        input: 'It is about the hotel.',
        input_source: 'static',
        status: 'passed',
        output: 'Which order is it about?',
        awaiting_input: true,
        awaiting_reason: 'agent_declared',
        start_ms: 0,
        duration_ms: 120,
      },
      {
        turn: 2,
        input: 'It is order 7.',
        input_source: 'simulator',
        reasoning: 'The agent asked which order.',
        status: 'passed',
        output: 'It is packed.',
        tool_calls: [{ name: 'orders__find', args: { number: 7 }, result: 'packed' }],
        start_ms: 130,
        duration_ms: 500,
      },
    ],
    checkpoints: [
      { id: 'left', reached: false, passed: false, required: true, message: 'output does not contain "left"' },
    ],
    trace: [
      { kind: 'model', name: 'mock', start_ms: 2, duration_ms: 100, received: { content: 'Which order is it about?' } },
      {
        kind: 'model',
        name: 'mock',
        start_ms: 131,
        duration_ms: 200,
        received: { content: '', calls: ['orders__find'] },
      },
      { kind: 'tool', name: 'orders__find', start_ms: 331, duration_ms: 90, detail: { args: { number: 7 } } },
      { kind: 'model', name: 'mock', start_ms: 421, duration_ms: 180, received: { content: 'It is packed.' } },
    ],
  })
}

/** Of an agent that reports its own steps. */
function spans(): ResultEvent {
  return resultEvent({
    id: 'spans',
    duration_ms: 300,
    tool_evidence: 'unknown',
    state: {
      source: 'store',
      after_sha256: 'f00',
      changes: [{ path: '$.orders.o7', change: 'changed', before: { state: 'open' }, after: { state: 'refunded' } }],
    },
    input: 'Plan it.',
    output: 'Planned.',
    spans: [
      { name: 'answer', kind: 'other', id: 'c', parent: 'a', start_ms: 200, duration_ms: 90 },
      { name: 'plan', kind: 'other', id: 'a', start_ms: 0, duration_ms: 290 },
      {
        name: 'search',
        kind: 'tool',
        id: 'b',
        parent: 'a',
        start_ms: 10,
        duration_ms: 100,
        attributes: { query: 'tea' },
      },
      { name: 'fetch', kind: 'request', id: 'd', parent: 'b', start_ms: 20, duration_ms: 50 },
    ],
  })
}
