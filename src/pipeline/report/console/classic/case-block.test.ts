// The blocks of the documents' samples, letter by letter, and what a hostile answer may not do.
import { expect, test } from 'vitest'
import type { ResultFields } from '../../../../../test/support/events.js'
import type { ResultEvent, TurnResult } from '../../../../model/event.js'
import { caseBlock } from './case-block.js'

const SCREEN = { columns: 100, color: false, verbose: false }

function check(result: ResultFields, expected: string, screen = SCREEN): void {
  const full = {
    type: 'result',
    run_id: 'r',
    id: 'T001',
    run: 1,
    status: 'passed',
    duration_ms: 0,
    ...result,
  } as ResultEvent
  expect(caseBlock(full, screen)).toBe(`${expected.replace(/^\n/, '')}\n`)
}

function turn(number: number, input: string | null, ms: number, over: Partial<TurnResult> = {}): TurnResult {
  return { turn: number, input, input_source: 'static', status: 'passed', duration_ms: ms, ...over }
}

test('a standard case', () => {
  check(
    {
      id: 'expense-turn1',
      name: 'First turn - ask type',
      duration_ms: 1200,
      messages_count: 1,
      assertions: [{ type: 'contains', value: 'type', passed: true }],
    },
    `
✓ [expense-turn1] First turn - ask type (1.2s)
  Messages: 1, Assertions: 1/1 passed
`,
  )
})

test('a failed standard case says which assertions failed and why', () => {
  check(
    {
      status: 'failed',
      duration_ms: 850,
      messages_count: 1,
      error: 'assertion failed: output does not contain "b"',
      error_kind: 'assertion',
      assertions: [
        { type: 'contains', value: 'a', passed: true },
        { type: 'contains', value: 'b', passed: false, message: 'output does not contain "b"' },
        { type: 'json_path', path: '$.n', value: 2, passed: false, expected: 2, actual: 3 },
      ],
    },
    `
✗ [T001] (850ms)
  Messages: 1, Assertions: 1/3 passed
  ✗ contains "b"
    output does not contain "b"
  ✗ $.n = 2
    expected: 2
    actual: 3
`,
  )
})

test('a standard case that timed out, one whose judge failed, and one that was skipped', () => {
  check(
    { status: 'failed', duration_ms: 30_000, messages_count: 1, error: 'timeout after 30s', error_kind: 'timeout' },
    `
✗ [T001] (30.0s)
  Messages: 1
  Error: timeout after 30s
`,
  )
  check(
    {
      status: 'failed',
      messages_count: 1,
      error: 'validator error: gave no boolean',
      error_kind: 'validator',
      assertions: [{ type: 'agent', value: 'nice', passed: false, error: 'validator error: gave no boolean' }],
    },
    `
✗ [T001] (0ms)
  Messages: 1, Assertions: 0/1 passed
  ! agent "nice"
    validator error: gave no boolean
`,
  )
  check(
    { name: 'Later', status: 'skipped', skip_reason: 'not ready' },
    '\n○ [T001] Later SKIPPED\n  Reason: not ready\n',
  )
})

test('static turns with final assertions', () => {
  check(
    {
      name: 'Expense Reimbursement Flow',
      turns: [
        turn(1, 'I want to submit an expense', 2100, {
          output: 'What type of expense would you like to submit?',
          assertions: [{ type: 'contains', value: 'type of expense', passed: true }],
        }),
        turn(2, 'Business travel, $3500', 3200, {
          output: '[create_expense]',
          tool_calls: [{ name: 'create_expense', args: { amount: 3500, type: 'travel' } }],
          assertions: [{ type: 'tool_called', name: 'create_expense', passed: true }],
        }),
        turn(3, 'Yes, confirm', 1800, {
          output: 'Expense submitted. Reference: EXP-2025-001',
          assertions: [{ type: 'contains', value: 'submitted', passed: true }],
        }),
      ],
      final_assertions: [{ type: 'json_path', path: '$.expense.status', value: 'submitted', passed: true }],
    },
    `
► [T001] Expense Reimbursement Flow (3 turns)
  ├─ Turn 1: "I want to submit an expense" → PASSED (2.1s)
  │          Agent: "What type of expense would you like to submit?"
  │          ✓ contains "type of expense"
  │
  ├─ Turn 2: "Business travel, $3500" → PASSED (3.2s)
  │          Agent: [tool: create_expense({amount: 3500, type: "travel"})]
  │          ✓ tool_called "create_expense"
  │
  ├─ Turn 3: "Yes, confirm" → PASSED (1.8s)
  │          Agent: "Expense submitted. Reference: EXP-2025-001"
  │          ✓ contains "submitted"
  │
  └─ Final Assertions: PASSED
     ✓ $.expense.status = "submitted"
`,
  )
})

test('turns skipped for want of input', () => {
  check(
    {
      id: 'T002',
      name: 'Large Expense Approval',
      status: 'skipped',
      skip_reason: 'Agent awaiting input, no next turn defined',
      turns: [
        turn(1, 'Submit $100,000 equipment purchase', 2000, {
          output: 'This requires manager approval. Please provide PO number.',
        }),
        turn(2, null, 0, {
          status: 'skipped',
          skip_reason: 'Agent awaiting input, no next turn defined',
          question: 'Please provide PO number',
          hint: 'Add more turns, use --interactive, or configure simulator',
        }),
      ],
    },
    `
► [T002] Large Expense Approval
  ├─ Turn 1: "Submit $100,000 equipment purchase" → PASSED (2.0s)
  │          Agent: "This requires manager approval. Please provide PO number."
  │
  ├─ Turn 2: SKIPPED
  │          Reason: Agent awaiting input, no next turn defined
  │          Agent asked: "Please provide PO number"
  │          Hint: Add more turns, use --interactive, or configure simulator
  │
  └─ Result: SKIPPED
`,
  )
})

const SIMULATED: ResultFields = {
  id: 'T003',
  name: 'Dynamic Expense Flow',
  simulator: 'workers.test.user-sim',
  turns: [
    turn(1, 'Help me file an expense', 2100, { output: 'What for?' }),
    turn(2, "It's for client dinner, $250", 2800, { input_source: 'simulator', output: 'When?' }),
    turn(3, 'Yesterday evening', 2200, { input_source: 'simulator', output: 'Confirm?' }),
    turn(4, 'Confirm', 1900, {
      input_source: 'simulator',
      output: 'Submitted',
      goal_achieved: true,
      goal_reasoning: 'Expense submitted',
    }),
  ],
  final_assertions: [{ type: 'contains', value: 'Submitted', passed: true }],
}

test('a simulated conversation', () => {
  check(
    SIMULATED,
    `
► [T003] Dynamic Expense Flow (simulator: workers.test.user-sim)
  ├─ Turn 1: [Initial] "Help me file an expense" → PASSED (2.1s)
  ├─ Turn 2: [Simulated] "It's for client dinner, $250" → PASSED (2.8s)
  ├─ Turn 3: [Simulated] "Yesterday evening" → PASSED (2.2s)
  ├─ Turn 4: [Simulated] "Confirm" → PASSED (1.9s)
  │          Goal achieved: Expense submitted
  │
  └─ Final Assertions: PASSED
`,
  )
})

test('verbose shows what the agent said in each simulated turn', () => {
  const text = caseBlock(
    { type: 'result', run_id: 'r', run: 1, status: 'passed', duration_ms: 0, id: 'T003', ...SIMULATED } as ResultEvent,
    { ...SCREEN, verbose: true },
  )
  expect(text).toContain('  │          Agent: "When?"')
  expect(text).toContain('     ✓ contains "Submitted"')
})

test('a dynamic case that failed shows its checkpoints and the error', () => {
  check(
    {
      status: 'failed',
      simulator: 'viva.user',
      error: 'missing checkpoints: confirm',
      error_kind: 'assertion',
      turns: [turn(1, 'Hi', 1000, { input_source: 'simulator', output: 'What type?' })],
      checkpoints: [
        { id: 'ask_type', description: 'Agent asks', reached: true, reached_at_turn: 1, passed: true, required: true },
        { id: 'confirm', reached: false, passed: false, required: true, message: 'not reached: waits for call_create' },
        { id: 'extra', reached: false, passed: false, required: false },
      ],
    },
    `
► [T001] (simulator: viva.user)
  ├─ Turn 1: [Simulated] "Hi" → PASSED (1.0s)
  │
  ├─ Checkpoints
  │  ✓ ask_type (turn 1) Agent asks
  │  ✗ confirm: not reached: waits for call_create
  │  ○ extra (optional): not reached
  │
  └─ Result: FAILED
     Error: missing checkpoints: confirm
`,
  )
})

test('a failed turn shows its error, and the turns that did not run', () => {
  check(
    {
      status: 'failed',
      error: 'timeout after 30s',
      error_kind: 'timeout',
      turns: [
        turn(1, 'a', 30_000, { status: 'failed', error: 'timeout after 30s', error_kind: 'timeout' }),
        turn(2, 'b', 0, { status: 'not_run' }),
      ],
    },
    `
► [T001] (2 turns)
  ├─ Turn 1: "a" → FAILED (30.0s)
  │          Error: timeout after 30s
  │
  ├─ Turn 2: "b" → NOT RUN
  │
  └─ Result: FAILED
`,
  )
})

test('text of an agent is cut to the screen by what is seen, never inside a character', () => {
  const result: ResultEvent = {
    type: 'result',
    run_id: 'r',
    id: 'T',
    run: 1,
    status: 'passed',
    duration_ms: 1,
    turns: [turn(1, '你好'.repeat(60), 1, { output: '👩‍👩‍👧‍👦'.repeat(80) })],
  }
  const text = caseBlock(result, { ...SCREEN, columns: 80 })
  expect(text).not.toMatch(/\p{Surrogate}/u)
  expect(text).toContain('…"')
  expect(text.split('\n').every((line) => line.length < 1000)).toBe(true)
})

test('nothing an agent says becomes a control character, a line of its own or a command of a CI log', () => {
  const evil = 'x\u001b[2J\u001b]0;owned\u0007\r\n::error file=a::b\n##vso[task.complete]\u202e\u009b31m'
  for (const verbose of [false, true]) {
    const text = caseBlock(
      {
        type: 'result',
        run_id: 'r',
        id: evil,
        name: evil,
        run: 1,
        status: 'failed',
        duration_ms: 1,
        error: evil,
        error_kind: 'agent',
        simulator: evil,
        warnings: [evil],
        logs: [evil],
        leaked: [evil],
        turns: [
          turn(1, evil, 1, {
            status: 'failed',
            output: evil,
            error: evil,
            reasoning: evil,
            question: evil,
            hint: evil,
            skip_reason: evil,
            tool_calls: [{ name: evil, args: { [evil]: evil } }],
            assertions: [{ type: evil, value: evil, path: evil, passed: false, message: evil, diff: evil }],
            goal_achieved: true,
            goal_reasoning: evil,
          }),
        ],
        checkpoints: [{ id: evil, description: evil, message: evil, reached: false, passed: false, required: true }],
        final_assertions: [{ type: 'x', label: evil, passed: false, error: evil }],
      },
      { ...SCREEN, verbose },
    )
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(text).not.toMatch(/^(::|##)/m)
  }
})

test('an orchestrator run: with -v its iterations, hats and events, and the files it changed', () => {
  const result: ResultFields = {
    duration_ms: 1200,
    session: {
      iterations: [
        { n: 1, hat: 'planner', duration_ms: 200 },
        { n: 2, hat: 'builder', duration_ms: 1000, error: 'the backend failed', malformed: 2 },
      ],
      events: [
        { topic: 'task.start', payload: '', source: null, target: null, recipients: ['planner'], iteration: 0 },
        { topic: 'build.task', payload: '', source: 'planner', target: 'builder', iteration: 1 },
        { topic: 'plan.\u001b[31mnote', payload: '', source: 'planner', target: null, iteration: 1 },
      ],
      termination_reason: 'MaxIterations',
      exit_code: 2,
      message: '2 iterations are over',
    },
    changes: [
      { path: 'src/a.ts', change: 'changed', additions: 3, deletions: 1, diff: '+x' },
      { path: 'logo.png', change: 'added' },
    ],
    changes_left_out: 2,
  }
  check(result, `\n✓ [T001] (1.2s)\n`)
  check(
    result,
    `
✓ [T001] (1.2s)
  Orchestrator: 2 iterations, MaxIterations, exit code 2: 2 iterations are over
  · task.start → planner
  · 1 planner (200ms): build.task → builder; plan.\\x1b[31mnote
  · 2 builder (1.0s): the backend failed; 2 malformed events
  Files changed:
  · changed src/a.ts (+3 -1)
  · added logo.png
  · and 2 more
`,
    { ...SCREEN, verbose: true },
  )
})
