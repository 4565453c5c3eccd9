// A small file of every kind that can be imported, in the shape its tool writes.
import { deflateRawSync } from 'node:zlib'

export interface Sample {
  file: string
  /** Data as JSON; a list in a `.jsonl` file is one line each. */
  content: unknown
  /** Files beside it. */
  beside?: Record<string, unknown>
  /** How many cases it makes, and how many of them can run. */
  cases: [all: number, runnable: number]
}

const attribute = (key: string, value: string): object => ({ key, value: { stringValue: value } })

export const SAMPLES: Record<string, Sample> = {
  promptfoo: {
    file: 'promptfooconfig.json',
    content: {
      prompts: ['Say {{text}}', 'Tell {{text}}'],
      providers: ['echo', { id: 'openai:gpt-4o', config: { temperature: 0 } }],
      defaultTest: { assert: [{ type: 'icontains', value: '{{text}}' }] },
      tests: [
        {
          vars: { text: 'hi' },
          assert: [
            { type: 'contains', value: 'hi' },
            { type: 'word-count', value: 2 },
          ],
        },
        { vars: { text: 'you' }, threshold: 0.5, assert: [{ type: 'contains', value: 'y', weight: 2 }] },
      ],
    },
    cases: [2, 2],
  },
  'tau-bench': {
    file: 'tasks.json',
    content: [
      {
        user_id: 'mia_1',
        instruction: 'You want to cancel reservation A1.',
        actions: [{ name: 'cancel_reservation', kwargs: { reservation_id: 'A1' } }],
        outputs: ['1200'],
      },
    ],
    cases: [1, 1],
  },
  'tau-bench-runs': {
    file: 'runs.jsonl',
    content: [
      {
        task_id: 0,
        trial: 1,
        reward: 1,
        task: {
          user_id: 'mia_1',
          instruction: 'Cancel.',
          actions: [{ name: 'cancel_reservation', kwargs: { id: 'A1' } }],
        },
        traj: [
          { role: 'system', content: 'policy' },
          { role: 'user', content: 'Cancel A1' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ function: { name: 'cancel_reservation', arguments: '{}' } }],
          },
          { role: 'tool', content: 'done' },
          { role: 'assistant', content: 'Done.' },
          { role: 'user', content: 'Thanks ###STOP###' },
        ],
      },
    ],
    cases: [1, 1],
  },
  tau2: {
    file: 'tasks.json',
    content: [
      {
        id: '0',
        user_scenario: {
          persona: 'calm',
          instructions: { reason_for_call: 'Cancel A1', task_instructions: 'Insist.' },
        },
        evaluation_criteria: {
          actions: [{ name: 'cancel_reservation', arguments: { reservation_id: 'A1' } }],
          communicate_info: ['1200'],
          nl_assertions: ['Agent is polite'],
          reward_basis: ['DB', 'COMMUNICATE', 'NL_ASSERTION'],
        },
      },
    ],
    cases: [1, 1],
  },
  'tau2-runs': {
    file: 'results.json',
    content: {
      tasks: [
        {
          id: '0',
          user_scenario: { instructions: 'Cancel A1' },
          evaluation_criteria: { actions: [{ name: 'cancel_reservation', arguments: { reservation_id: 'A1' } }] },
        },
      ],
      simulations: [
        {
          task_id: '0',
          trial: 0,
          reward_info: { reward: 1 },
          termination_reason: 'user_stop',
          messages: [
            { role: 'assistant', content: 'Hi!' },
            { role: 'user', content: 'Cancel A1' },
            { role: 'assistant', content: 'Done.' },
          ],
        },
      ],
    },
    cases: [1, 1],
  },
  bfcl: {
    file: 'BFCL_v4_multiple.json',
    content: [
      {
        id: 'multiple_0',
        question: [[{ role: 'user', content: 'Area of a triangle with sides 3, 4, 5?' }]],
        function: [
          { name: 'triangle.area', description: 'd', parameters: { type: 'dict', properties: {}, required: [] } },
        ],
      },
    ],
    beside: {
      'possible_answer/BFCL_v4_multiple.json': `${JSON.stringify({ id: 'multiple_0', ground_truth: [{ 'triangle.area': { a: [3], unit: ['', 'cm'] } }] })}\n`,
    },
    cases: [1, 1],
  },
  'skill-evals': {
    file: 'evals.json',
    content: {
      skill_name: 'forms',
      evals: [{ id: 1, prompt: 'Make a form', expected_output: 'A form', expectations: ['It has a button'] }],
    },
    cases: [1, 1],
  },
  'claude-code': {
    file: 'session.jsonl',
    content: [
      { type: 'user', uuid: 'u1', sessionId: 's1', message: { role: 'user', content: 'Fix the test' } },
      {
        type: 'assistant',
        uuid: 'a1',
        sessionId: 's1',
        message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Edit' }] },
      },
      {
        type: 'assistant',
        uuid: 'a2',
        sessionId: 's1',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Fixed.' }] },
      },
    ],
    cases: [1, 1],
  },
  codex: {
    file: 'rollout.jsonl',
    content: [
      { type: 'session_meta', payload: { id: 'c1' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the tests' }] },
      },
      {
        type: 'response_item',
        payload: { type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'x' },
      },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'They pass.' }] },
      },
    ],
    cases: [1, 1],
  },
  otlp: {
    file: 'trace.json',
    content: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  name: 'ai.toolCall',
                  traceId: 't1',
                  spanId: 's1',
                  startTimeUnixNano: '1',
                  attributes: [
                    attribute('ai.operationId', 'ai.toolCall'),
                    attribute('ai.toolCall.name', 'find_order'),
                    attribute('ai.toolCall.args', '{"number":7}'),
                  ],
                },
                {
                  name: 'chat',
                  traceId: 't1',
                  spanId: 's2',
                  startTimeUnixNano: '2',
                  attributes: [
                    attribute('ai.operationId', 'ai.generateText.doGenerate'),
                    attribute(
                      'ai.prompt.messages',
                      '[{"role":"user","content":[{"type":"text","text":"Where is it?"}]}]',
                    ),
                    attribute('ai.response.text', 'It is packed.'),
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    cases: [1, 1],
  },
  langsmith: {
    file: 'examples.jsonl',
    content: [
      { id: 'e1', inputs: { question: 'Capital of France?' }, outputs: { answer: 'Paris' }, metadata: { area: 'geo' } },
      {
        id: 'e2',
        inputs: { messages: [{ role: 'user', content: 'hi' }] },
        outputs: { messages: [{ type: 'ai', content: 'hello' }] },
      },
    ],
    cases: [2, 2],
  },
  'langsmith-runs': {
    file: 'runs.jsonl',
    content: [
      {
        id: 'r1',
        trace_id: 'r1',
        run_type: 'chain',
        name: 'agent',
        inputs: { input: 'Where?' },
        outputs: { output: 'Here.' },
      },
      {
        id: 'r2',
        trace_id: 'r1',
        parent_run_id: 'r1',
        run_type: 'tool',
        name: 'find',
        inputs: { q: 'x' },
        outputs: {},
      },
    ],
    cases: [1, 1],
  },
  langfuse: {
    file: 'items.json',
    content: [
      { id: 'i1', datasetName: 'd', status: 'ACTIVE', input: { question: 'Capital?' }, expectedOutput: 'Paris' },
      { id: 'i2', datasetName: 'd', status: 'ACTIVE', input: 'Hi', expectedOutput: { answer: 'Hello', tone: 'warm' } },
    ],
    cases: [2, 2],
  },
  'langfuse-traces': {
    file: 'traces.json',
    content: [
      {
        id: 't1',
        timestamp: '2026-01-01T00:00:00Z',
        input: 'Where?',
        output: 'Here.',
        observations: [{ type: 'TOOL', name: 'find', input: { q: 'x' } }],
      },
    ],
    cases: [1, 1],
  },
  braintrust: {
    file: 'rows.jsonl',
    content: [
      { id: 'b1', _xact_id: '1', input: 'Capital?', expected: 'Paris', tags: ['geo'], metadata: { n: 1 } },
      { id: 'b2', _xact_id: '1', input: { question: 'Where?', locale: 'en' }, expected: { answer: 'Here', ok: true } },
    ],
    cases: [2, 2],
  },
  adk: {
    file: 'a.evalset.json',
    content: {
      eval_set_id: 'e',
      eval_cases: [
        {
          eval_id: 'c1',
          conversation: [
            {
              user_content: { role: 'user', parts: [{ text: 'Lights off' }] },
              final_response: { role: 'model', parts: [{ text: 'Done.' }] },
              intermediate_data: { tool_uses: [{ name: 'set_light', args: { on: false } }] },
            },
          ],
          session_input: { app_name: 'a', user_id: 'u', state: { room: 'hall' } },
        },
      ],
    },
    beside: { 'test_config.json': { criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.6 } } },
    cases: [1, 1],
  },
  'openai-evals': {
    file: 'samples.jsonl',
    content: [{ input: [{ role: 'user', content: 'Capital?' }], ideal: ['Paris', 'paris'] }],
    cases: [1, 1],
  },
  'openai-items': {
    file: 'items.jsonl',
    content: [{ item: { question: 'Capital?', ground_truth: 'Paris' } }],
    cases: [1, 1],
  },
  azure: {
    file: 'data.jsonl',
    content: [{ query: 'Capital?', response: 'It is Paris.', context: 'France', ground_truth: 'Paris' }],
    cases: [1, 1],
  },
  atif: {
    file: 'trajectory.json',
    content: {
      schema_version: 'ATIF-v1.6',
      session_id: 's',
      steps: [
        { step_id: 1, source: 'user', message: 'Make a file' },
        {
          step_id: 2,
          source: 'agent',
          message: 'Made.',
          tool_calls: [{ tool_call_id: 'c', function_name: 'write', arguments: { path: 'a' } }],
        },
      ],
    },
    cases: [1, 1],
  },
  inspect: {
    file: 'log.json',
    content: {
      version: 2,
      eval: { task: 't', scorers: [{ name: 'match', options: {} }] },
      samples: [
        { id: 1, epoch: 1, input: 'Capital?', target: 'Paris', scores: { match: { value: 'C' } } },
        { id: 1, epoch: 2, input: 'Capital?', target: 'Paris', scores: { match: { value: 'I' } } },
      ],
    },
    cases: [1, 1],
  },
  deepeval: {
    file: 'goldens.json',
    content: [
      {
        input: 'Capital?',
        expected_output: 'Paris',
        expected_tools: [{ name: 'search', input_parameters: { q: 'x' } }],
      },
    ],
    cases: [1, 1],
  },
  chat: {
    file: 'chat.jsonl',
    content: [
      {
        messages: [
          { role: 'user', content: 'Capital?' },
          { role: 'assistant', content: 'Paris' },
        ],
      },
    ],
    cases: [1, 1],
  },
  table: { file: 'table.csv', content: 'question,answer,area\nCapital?,Paris,geo\n', cases: [1, 1] },
}

/** A ZIP archive, as Inspect writes its logs. */
export function archive(files: Record<string, unknown>, method: 'deflate' | 'store' | 'zstd' = 'deflate'): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, value] of Object.entries(files)) {
    const plain = Buffer.from(JSON.stringify(value))
    const content = method === 'deflate' ? deflateRawSync(plain) : plain
    const code = { deflate: 8, store: 0, zstd: 93 }[method]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(code, 8)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(plain.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(code, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(plain.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), content)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}
