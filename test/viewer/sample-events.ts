// Made-up runs for the viewer's tests: one of every kind of result, stability runs, script tests, and any number of rows.
import type { AssertionResult } from '../../src/model/assertion.js'
import type { ResultEvent, RunEvent, StabilityEvent, StartEvent, SummaryEvent } from '../../src/model/event.js'
import type { ResultFields } from '../support/events.js'
import type { Status } from '../../src/model/status.js'

const RUN = 'run-20260314-093000'
const TIME = '2026-03-14T09:30:00.000Z'

export function startEvent(change: Partial<StartEvent> = {}): StartEvent {
  return {
    type: 'start',
    format: 1,
    timestamp: TIME,
    run_id: RUN,
    mode: 'agent',
    agent_id: 'expense.assistant',
    connector: 'deepseek.v3',
    input: 'tests/expenses.jsonl',
    runs_per_case: 1,
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    options: {},
    version: '0.1.0',
    ...change,
  }
}

export function resultEvent(change: ResultFields & { id: string }): ResultEvent {
  return { type: 'result', run_id: RUN, run: 1, status: 'passed', duration_ms: 800, ...change } as ResultEvent
}

export function summaryEvent(results: ResultEvent[], change: Partial<SummaryEvent> = {}): SummaryEvent {
  const count = (status: Status) => results.filter((result) => result.status === status).length
  return {
    type: 'summary',
    run_id: RUN,
    timestamp: TIME,
    total: results.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    not_run: 0,
    duration_ms: 41_300,
    pass_rate: 0,
    usage: { input_tokens: 18_200, output_tokens: 6_310, total_tokens: 24_510 },
    cost_dollars: 0.0412,
    failed_ids: results.filter((result) => result.status === 'failed').map((result) => result.id),
    by_error_kind: {},
    exit_code: count('failed') > 0 ? 1 : 0,
    ...change,
  }
}

const passes = (type: string, value?: unknown): AssertionResult => ({ type, passed: true, value, duration_ms: 0 })

/** Ten cases that show everything the detail view has. */
export function sampleResults(): ResultEvent[] {
  return [
    resultEvent({
      id: 'T001',
      name: 'Greets and asks what the expense is for',
      input: 'Hello, I had lunch with a client.',
      output: 'Nice! How much was it, and which client should I book it on?',
      duration_ms: 1240,
      tags: ['smoke', 'greeting'],
      assertions: [passes('contains', 'client'), passes('regex', 'how much')],
      usage: { input_tokens: 312, output_tokens: 28, total_tokens: 340 },
      cost_dollars: 0.00031,
      first_chunk_ms: 410,
    }),
    resultEvent({
      id: 'T002',
      name: 'Submits a taxi receipt in one go',
      status: 'failed',
      error: 'output does not contain "submitted"',
      error_kind: 'assertion',
      duration_ms: 3480,
      tags: ['receipts', 'tools'],
      input: [
        { role: 'system', content: 'You are the expense assistant of Acme. Today is 2026-03-14.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Please submit this taxi receipt, 42.50 EUR, project Borealis.' },
            { type: 'image', source: 'file://receipts/taxi-0314.png' },
          ],
        },
      ],
      output:
        'I have saved the taxi ride of 42.50 EUR on project Borealis as a draft. Would you like me to send it to your manager for approval now?',
      tool_calls: [
        {
          name: 'ocr.read',
          args: { file: 'receipts/taxi-0314.png' },
          result: { total: 42.5, currency: 'EUR', vendor: 'City Cab' },
        },
        {
          name: 'expense.save',
          server: 'expenses',
          args: { amount: 42.5, currency: 'EUR', project: 'Borealis', category: 'travel', status: 'draft' },
          result: { id: 'EX-8812', status: 'draft' },
        },
        { name: 'expense.submit', args: { id: 'EX-8812' }, error: 'approval required: manager not set' },
      ],
      assertions: [
        {
          type: 'contains',
          passed: false,
          value: 'submitted',
          expected: 'submitted',
          actual: 'I have saved the taxi ride of 42.50 EUR on project Borealis as a draft. Would you like…',
          message: 'output does not contain "submitted"',
        },
        {
          type: 'equals',
          passed: false,
          label: 'the confirmation sentence',
          expected: 'I have submitted the taxi ride of 42.50 EUR on project Borealis for approval.',
          actual: 'I have saved the taxi ride of 42.50 EUR on project Borealis as a draft.',
          message: 'output differs from the expected text',
        },
        {
          type: 'tool_called',
          passed: false,
          name: 'expense.save',
          expected: { amount: 42.5, currency: 'EUR', project: 'Borealis', category: 'transport', status: 'submitted' },
          actual: { amount: 42.5, currency: 'EUR', project: 'Borealis', category: 'travel', status: 'draft' },
          message: 'closest call differs at $.category',
        },
        {
          type: 'agent',
          passed: true,
          label: 'polite and to the point',
          score: 0.92,
          message: 'Clear, short and friendly.',
          duration_ms: 1430,
        },
        passes('json_path', '$.total'),
      ],
      trace: [
        { kind: 'hook', name: 'Create', duration_ms: 4 },
        { kind: 'model', name: 'deepseek.v3', duration_ms: 1720, detail: { finish_reason: 'tool_calls' } },
        { kind: 'tool', name: 'ocr.read', duration_ms: 610, detail: { total: 42.5 } },
        { kind: 'tool', name: 'expense.save', duration_ms: 120 },
        { kind: 'tool', name: 'expense.submit', duration_ms: 35, error: 'approval required: manager not set' },
        { kind: 'model', name: 'deepseek.v3', duration_ms: 1090 },
      ],
      usage: { input_tokens: 1830, output_tokens: 212, total_tokens: 2042 },
      cost_dollars: 0.0034,
      finish_reason: 'stop',
      file: 'tests/expenses.jsonl',
      line: 2,
      metadata: { owner: 'finance', ticket: 'FIN-311' },
    }),
    resultEvent({
      id: 'T003',
      name: 'Guides through a reimbursement over several turns',
      status: 'failed',
      error: 'checkpoint "confirm_amount" was not reached within 5 turns',
      error_kind: 'assertion',
      duration_ms: 12_840,
      tags: ['dynamic', 'tools'],
      simulator: 'viva.user',
      total_turns: 4,
      cost_dollars: 0.0121,
      usage: { input_tokens: 6100, output_tokens: 940, total_tokens: 7040 },
      turns: [
        {
          turn: 1,
          input: 'I want to claim a hotel stay.',
          input_source: 'static',
          status: 'passed',
          output: 'Happy to help. Which city was it, and on which dates?',
          awaiting_input: true,
          awaiting_reason: 'question',
          assertions: [passes('contains', 'city')],
          duration_ms: 2210,
        },
        {
          turn: 2,
          input: 'Lisbon, from the 2nd to the 5th of March.',
          input_source: 'simulator',
          reasoning: 'The agent asked for city and dates; answer both.',
          status: 'passed',
          output: 'Thank you. What was the total on the invoice?',
          tool_calls: [
            { name: 'policy.lookup', args: { city: 'Lisbon' }, result: { limit_per_night: 140, currency: 'EUR' } },
          ],
          duration_ms: 4120,
        },
        {
          turn: 3,
          input: 'It was 512 euros for three nights.',
          input_source: 'simulator',
          status: 'failed',
          output: {
            intent: 'ask',
            text: 'That is above the limit of 140 EUR a night. Why was it necessary?',
            over_limit: true,
          },
          assertions: [
            {
              type: 'json_path',
              passed: false,
              path: '$.over_limit',
              expected: false,
              actual: true,
              message: '$.over_limit: expected false, got true',
            },
          ],
          duration_ms: 3980,
        },
        {
          turn: 4,
          input: 'All other hotels were full.',
          input_source: 'simulator',
          status: 'passed',
          output: 'Understood, I will note that.',
          duration_ms: 2400,
        },
      ],
      checkpoints: [
        {
          id: 'ask_place',
          description: 'asks for the city',
          reached: true,
          reached_at_turn: 1,
          passed: true,
          required: true,
        },
        {
          id: 'check_policy',
          description: 'looks up the limit',
          reached: true,
          reached_at_turn: 2,
          passed: true,
          required: true,
        },
        {
          id: 'offer_help',
          description: 'offers to write to the manager',
          reached: false,
          passed: false,
          required: false,
        },
        {
          id: 'confirm_amount',
          description: 'repeats the amount',
          reached: false,
          passed: false,
          required: true,
          message: 'never matched "512"',
        },
      ],
      final_assertions: [{ type: 'cost_within', passed: true, value: 0.05, actual: 0.0121 }],
    }),
    resultEvent({
      id: 'T004',
      name: 'Answers in German',
      input: 'Wie reiche ich eine Bahnfahrkarte ein?',
      output: 'Laden Sie bitte ein Foto der Fahrkarte hoch.',
      duration_ms: 1610,
      tags: ['i18n'],
      assertions: [passes('contains', 'Foto')],
      cost_dollars: 0.0004,
    }),
    resultEvent({
      id: 'T005',
      name: 'Right-to-left input',
      input: 'مرحبا، أريد تقديم فاتورة فندق',
      output: 'بالتأكيد. في أي مدينة كان الفندق؟',
      duration_ms: 1490,
      tags: ['i18n'],
      cost_dollars: 0.0004,
    }),
    resultEvent({
      id: 'T006',
      name: 'Survives a slow policy service',
      status: 'failed',
      error: 'timeout after 30s',
      error_kind: 'timeout',
      duration_ms: 30_000,
      tags: ['resilience'],
      input: 'What is the limit for Tokyo?',
      trace: [{ kind: 'tool', name: 'policy.lookup', duration_ms: 29_800, error: 'aborted' }],
    }),
    resultEvent({
      id: 'T007',
      name: 'Recovers from a rate limit',
      duration_ms: 5230,
      attempts: 2,
      flaky: true,
      tags: ['resilience'],
      input: 'Is a business class flight allowed?',
      output: 'Only above six hours of flight time.',
      failure_history: [
        {
          attempt: 1,
          status: 'failed',
          error: 'agent error: 429 too many requests',
          error_kind: 'agent',
          duration_ms: 1210,
        },
      ],
      cost_dollars: 0.0006,
    }),
    resultEvent({
      id: 'T008',
      name: 'Books on two cost centres',
      status: 'skipped',
      skip_reason: 'waits for FIN-290',
      duration_ms: 0,
      tags: ['tools'],
    }),
    resultEvent({
      id: 'T009',
      name: 'Returns the category as JSON',
      input: 'Classify: printer paper, 24.90 EUR',
      output: { category: 'office', confidence: 0.97, items: [{ name: 'printer paper', amount: 24.9, taxable: true }] },
      duration_ms: 930,
      score: 0.8,
      min_score: 0.7,
      assertions: [
        passes('type', 'object'),
        { type: 'json_path', passed: true, path: '$.category', expected: 'office', actual: 'office' },
      ],
      cost_dollars: 0.0003,
    }),
    resultEvent({
      id: 'T010',
      name: 'Judge cannot be reached',
      status: 'failed',
      error: 'the check "agent" could not be carried out: connection refused',
      error_kind: 'validator',
      duration_ms: 2110,
      input: 'Summarise my open claims.',
      output: 'You have two open claims: EX-8801 and EX-8812.',
      assertions: [
        { type: 'agent', passed: false, error: 'judge viva.judge: connection refused', error_kind: 'validator' },
      ],
      logs: ['open claims: 2', 'EX-8801 12.00 EUR', 'EX-8812 42.50 EUR'],
    }),
  ]
}

export function sampleRun(): RunEvent[] {
  const results = sampleResults()
  return [
    startEvent({ total_cases: results.length }),
    ...results,
    summaryEvent(results, { flaky: 1, flaky_ids: ['T007'] }),
  ]
}

/** `--runs 5`: six cases, some of them not steady. */
export function stabilityRun(): RunEvent[] {
  const patterns: [id: string, name: string, pattern: string][] = [
    ['S001', 'Greets', 'ppppp'],
    ['S002', 'Extracts the amount', 'ppfpp'],
    ['S003', 'Refuses to pay twice', 'pfpff'],
    ['S004', 'Names the policy', 'fffff'],
    ['S005', 'Answers in the user’s language', 'ppppp'],
    ['S006', 'Keeps the currency', 'ppppp'],
  ]
  const results: ResultEvent[] = []
  const stability: StabilityEvent[] = []
  for (const [id, name, pattern] of patterns) {
    const runs = pattern.split('').map((letter, index) =>
      resultEvent({
        id,
        name,
        run: index + 1,
        status: letter === 'p' ? 'passed' : 'failed',
        duration_ms: 700 + ((index * 377 + id.charCodeAt(3) * 91) % 900),
        input: `${name}?`,
        output: letter === 'p' ? 'Yes.' : 'I am not sure.',
        ...(letter === 'p' ? {} : { error: 'output does not contain "Yes"', error_kind: 'assertion' as const }),
      }),
    )
    results.push(...runs)
    stability.push(stabilityEvent(id, name, runs))
  }
  return [
    startEvent({ runs_per_case: 5, total_cases: patterns.length, options: { min_pass_rate: 80 } }),
    ...results,
    ...stability,
    summaryEvent([], {
      total: 6,
      passed: 4,
      failed: 2,
      total_cases: 6,
      total_runs: 30,
      runs_per_case: 5,
      exit_code: 1,
    }),
  ]
}

function stabilityEvent(id: string, name: string, runs: ResultEvent[]): StabilityEvent {
  const passed = runs.filter((run) => run.status === 'passed').length
  const share = passed / runs.length
  const spread = 1.96 * Math.sqrt((share * (1 - share) + 0.1) / runs.length)
  return {
    type: 'stability',
    id,
    name,
    runs: runs.length,
    passed,
    failed: runs.length - passed,
    pass_rate: share * 100,
    consistency: Math.max(share, 1 - share),
    stable: share === 1,
    classification:
      share === 1 ? 'stable' : share >= 0.8 ? 'mostly_stable' : share >= 0.5 ? 'unstable' : 'highly_unstable',
    avg_duration_ms: 1100,
    min_duration_ms: 700,
    max_duration_ms: 1580,
    std_deviation_ms: 240,
    run_details: runs.map((run) => ({ run: run.run, status: run.status, duration_ms: run.duration_ms })),
    interval: { low: Math.max(0, share - spread), high: Math.min(1, share + spread), confidence: 0.95 },
    output_agreement: 0.6,
    pass_at_k: { 1: share, 3: 0.9 },
    pass_hat_k: { 1: share, 3: 0.4 },
  }
}

export function scriptRun(): RunEvent[] {
  const base = { script: 'scripts.expense.setup', script_path: 'assistants/expense/src/setup_test.ts' }
  const results = [
    resultEvent({
      id: 'scripts.expense.setup.TestReady',
      name: 'TestReady',
      duration_ms: 12,
      ...base,
      line: 8,
      logs: ['tables: 4', 'ready'],
    }),
    resultEvent({
      id: 'scripts.expense.setup.TestMissingTable',
      name: 'TestMissingTable',
      status: 'failed',
      error: 'expected the table to be created on demand',
      error_kind: 'assertion',
      duration_ms: 48,
      ...base,
      line: 21,
      assertion: {
        type: 'Equal',
        expected: { table: 'expenses', rows: 0, created: true },
        actual: { table: 'expenses', rows: 0, created: false },
        message: 'expected the table to be created on demand',
      },
      stack:
        'AssertionError: expected the table to be created on demand\n    at TestMissingTable (assistants/expense/src/setup_test.ts:24:12)\n    at processTicksAndRejections (node:internal/process/task_queues:95:5)',
      logs: ['dropping table expenses', 'calling setup.Ready', 'rows: 0'],
    }),
    resultEvent({
      id: 'scripts.expense.setup.TestLocale',
      name: 'TestLocale',
      status: 'skipped',
      skip_reason: 'needs a locale file',
      duration_ms: 1,
      ...base,
      line: 40,
    }),
  ]
  return [
    startEvent({ mode: 'script_test', agent_id: 'expense', input: 'scripts.expense.setup', total_cases: 3, ...base }),
    ...results,
    summaryEvent(results),
  ]
}

/** As many results as wanted, made one at a time. */
export function* manyResults(
  count: number,
  output = 'The claim was saved and waits for approval.',
): Generator<RunEvent> {
  yield startEvent({ total_cases: count, agent_id: 'load.test' })
  const kinds = ['assertion', 'timeout', 'agent'] as const
  for (let index = 0; index < count; index += 1) {
    const failed = index % 17 === 0
    const kind = kinds[index % 3] ?? 'assertion'
    yield resultEvent({
      id: `T${String(index).padStart(6, '0')}`,
      name: `Case number ${index} about ${['travel', 'food', 'hotel', 'office'][index % 4]} expenses`,
      status: failed ? 'failed' : index % 41 === 0 ? 'skipped' : 'passed',
      ...(failed ? { error: `output does not contain "approved ${index % 7}"`, error_kind: kind } : {}),
      duration_ms: 200 + ((index * 7919) % 4000),
      input: `Please book expense ${index} of ${index % 300} EUR on project ${index % 50}.`,
      output,
      tags: [['smoke', 'tools', 'i18n'][index % 3] ?? 'smoke'],
      tool_calls: [
        { name: 'expense.save', args: { amount: index % 300, project: index % 50 }, result: { id: `EX-${index}` } },
      ],
      assertions: [
        { type: 'contains', passed: !failed, value: 'approved', expected: 'approved', actual: output.slice(0, 80) },
      ],
      cost_dollars: 0.0002,
    })
  }
  yield summaryEvent([], { total: count, exit_code: 1 })
}

export async function* asStream(events: Iterable<RunEvent>): AsyncGenerator<RunEvent> {
  yield* events
}
