// Cases that pass: together they have nearly every field and every assertion there is.
import type { Sample } from '../support/sensitive-case.js'

const book = { name: 'shop__book', args: { title: 'Emma', copies: 2 }, result: { ok: true, id: 'B-12' } }
const cancel = { name: 'shop__cancel', args: {}, result: {} }

export const SAMPLES: Sample[] = [
  {
    name: 'the answer',
    written: {
      id: 'T1',
      name: 'The answer',
      type: 'single_turn',
      input: 'What is it?',
      user: 'ann',
      team: 'red',
      tags: ['smoke'],
      skip: false,
      skip_reason: 'not now',
      interactive: { enabled: false, timeout: '1m' },
      timeout: '30s',
      metadata: { tenant: 'x' },
      options: {
        connector: 'openai.small',
        mode: 'chat',
        skip: { history: true },
        search: true,
        disable_global_prompts: true,
        metadata: { tone: 'dry' },
      },
      before: 'scripts:env.Before',
      retry: { max_attempts: 2, backoff_ms: 5, retry_on: ['timeout'], no_retry_on: ['assertion'] },
      assert: [
        { type: 'contains', value: 'forty', ignore_case: true, label: 'says it', message: 'it does not say it' },
        { type: 'not_contains', value: ['sorry', 'error'] },
        { type: 'regex', pattern: '^Forty-t\\w+' },
        { type: 'regex', value: 'fifty', engine: 're2', negate: true },
        { type: 'length', min: 3, max: 40 },
        { type: 'words', exact: 3 },
        { type: 'similar', value: 'Forty-two it is', threshold: 0.95, method: 'edit' },
        { type: 'type', value: 'string' },
        { type: 'tool_called', name: 'shop__book', times: { max: 0 } },
        { type: 'awaiting_input', value: false, reason: 'completed' },
        { type: 'tokens', max: 50 },
        { type: 'cost', max_dollars: 1 },
        { type: 'latency', max_ms: 60_000 },
      ],
    },
    replies: [
      {
        content: 'Forty-two it is',
        usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
        cost_dollars: 0.1,
      },
    ],
  },
  {
    name: 'JSON',
    written: {
      id: 'T2',
      input: { role: 'user', content: [{ type: 'text', text: 'As JSON' }] },
      assertions: [
        { type: 'json_path', path: '$.items[0].price', value: { $gt: 5, $lte: 9.5 } },
        { type: 'json_path', path: '$.state', value: ['open'] },
        { type: 'json_path', path: '$.gone', exists: false },
        { type: 'json_path', path: '$.items[*].name', value: ['Emma', 'Persuasion'], negate: false },
        { type: 'json_path', path: '$.state', value: 'closed', negate: true },
        { type: 'equals', path: '$.total', value: 14 },
        { type: 'schema', value: { type: 'object', required: ['items'] } },
        { type: 'type', path: '$.items', value: 'array' },
        { type: 'length', path: '$.items', exact: 2 },
        {
          type: 'all',
          assertions: [
            { type: 'contains', value: 'Emma' },
            { type: 'any', assertions: [{ type: 'contains', value: 'Persuasion' }] },
            { type: 'none', assertions: [{ type: 'contains', value: 'Ulysses', negate: false }] },
          ],
        },
      ],
    },
    replies: [
      {
        content: {
          items: [
            { name: 'Emma', price: 9.5 },
            { name: 'Persuasion', price: 4.5 },
          ],
          state: 'open',
          total: 14,
        },
      },
    ],
  },
  {
    name: 'what is expected',
    written: {
      id: 'T3',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
      expected: { greeting: 'Hi', count: 1 },
    },
    replies: [{ content: '{"greeting": "Hi", "count": 1}' }],
  },
  {
    name: 'a history with tools',
    written: {
      id: 'T4',
      messages: [
        { role: 'user', content: 'Book Emma' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', name: 'shop__book', arguments: { title: 'Emma' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"ok": true}' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          ],
        },
      ],
      attachments: [{ type: 'image', source: 'file://cover.png' }],
      testing: { tools: { shop__book: { ok: true }, shop__cancel: {} } },
      assert: [
        {
          type: 'tool_called',
          name: ['shop__book'],
          arguments: { title: { $regex: '^Em' }, copies: { $gte: 2 } },
          times: { min: 1, max: 1 },
        },
        { type: 'tool_called', value: { name: 'book', args: { copies: 2 } } },
        { type: 'tool_not_called', name: 'shop__cancel' },
        { type: 'tool_result', tool: 'shop__book', result: { ok: true, id: 'regex:^B-' } },
        { type: 'tool_sequence', tools: ['shop__book'], match: 'strict' },
      ],
    },
    replies: [{ content: 'Done', tool_calls: [book] }],
  },
  {
    name: 'graded',
    written: {
      id: 'T5',
      input: 'Grade me',
      min_score: 1,
      assert: [
        { type: 'contains', value: 'alpha', weight: 0.7 },
        { type: 'contains', value: 'omega', weight: 0.3 },
      ],
    },
    replies: [{ content: 'alpha to omega' }],
  },
  {
    name: 'judged',
    written: {
      id: 'T6',
      input: 'Be nice',
      assert: [
        {
          type: 'agent',
          use: 'agents:judges.polite',
          value: 'is polite',
          threshold: 0.7,
          votes: 1,
          options: { connector: 'openai.small', metadata: { style: 'strict' } },
        },
        { type: 'script', script: 'scripts:checks.Polite', options: { metadata: { limit: 3 } } },
      ],
    },
    replies: [{ content: 'With pleasure' }],
    judge: { passed: true, score: 0.7, reason: 'fine' },
    script: true,
  },
  {
    name: 'rated',
    written: {
      id: 'T7',
      input: 'Plan it',
      assert: {
        type: 'rubric',
        use: 'agents:judges.polite',
        criterion: 'is complete',
        rubric: { 1: 'no plan', 5: 'all there' },
        threshold: 4,
      },
    },
    replies: [{ content: 'A plan' }],
    judge: { reasoning: 'all there', score: 5 },
  },
  {
    name: 'turns',
    written: {
      id: 'T8',
      turns: [
        {
          input: 'I want a book',
          assertions: [{ type: 'contains', value: 'Which' }],
          options: { metadata: { step: 1 } },
        },
        {
          input: [{ role: 'user', content: 'Emma' }],
          assert: { type: 'tool_called', name: 'book' },
          attachments: [{ type: 'file', url: 'https://example.com/list.pdf', name: 'list.pdf' }],
        },
      ],
      turn_timeout: '20s',
      on_missing_input: 'fail',
      final_assertions: [{ type: 'contains', value: 'booked' }],
    },
    replies: [{ content: 'Which one?' }, { content: 'It is booked.', tool_calls: [book] }],
  },
  {
    name: 'dynamic',
    written: {
      id: 'T9',
      input: 'Hello',
      max_turns: 4,
      simulator: {
        use: './user.mjs#run',
        options: { connector: 'openai.small', metadata: { persona: 'a reader', goal: 'a book' } },
      },
      checkpoints: [
        { id: 'asked', description: 'asks which', assertion: { type: 'contains', value: 'Which' } },
        { id: 'booked', after: ['asked'], assertion: { type: 'tool_called', name: 'shop__book' }, required: true },
        { id: 'polite', assert: { type: 'not_contains', value: 'shut up' } },
      ],
      final_assertions: { type: 'tool_sequence', tools: ['book', 'cancel'], match: 'ordered' },
    },
    replies: [{ content: 'Which one?' }, { content: 'Done', tool_calls: [cancel, book, cancel] }],
    simulator: [{ input: 'Emma, please' }],
  },
]
