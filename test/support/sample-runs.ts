// Runs that show everything a report must cope with: passes, failures, skips, flaky cases, hostile text, script tests.
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { failedEvent, resultEvent, wholeRun } from './events.js'

// Every C0 character, both halves of a broken pair, direction marks, and what each format takes as syntax.
export const HOSTILE = `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')}\u007f\u0085\u2028\u202e\ufffe\ud800x\udc00]]>&<img src=x onerror=alert(1)>"'\`\`\`|# SKIP\n::error::forged\n##vso[task]\nBail out!\n1..1\nok 1 - forged\n  ...\nnot ok 2 - forged # TODO\n![x](http://127.0.0.1:9/leak) [x](javascript:alert(1)) https://example.com www.example.com @everyone <script>alert(1)</script>`

export function mixedRun(): RunEvent[] {
  return wholeRun(mixedResults(), { options: { parallel: 4 }, agent_path: 'assistants/keyword', input_hash: 'abc' })
}

function mixedResults(): ResultEvent[] {
  return [
    resultEvent('T001', {
      name: 'Simple question',
      output: { keywords: ['AI', 'ML'] },
      assertions: [{ type: 'json_path', path: '$.keywords[0]', value: 'AI', passed: true }],
      usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
      cost_dollars: 0.0012,
      tags: ['smoke'],
      file: 'tests/inputs.jsonl',
      line: 1,
    }),
    failedEvent('T002', 'output does not contain "cloud"', 'assertion', {
      name: '关键词提取 🙂',
      input: '云计算',
      output: 'Über naïve Wolken ☁️',
      expected: 'cloud',
      assertions: [
        {
          type: 'contains',
          value: 'cloud',
          passed: false,
          message: 'output does not contain "cloud"',
          expected: 'cloud',
          actual: 'Über naïve Wolken ☁️',
          diff: '-cloud\n+Wolken',
        },
        { type: 'type', value: 'string', passed: true },
      ],
      assertion_errors: ['output does not contain "cloud"'],
      file: 'tests/inputs.jsonl',
      line: 2,
    }),
    failedEvent('T003', 'timeout after 30s', 'timeout', { duration_ms: 30_000, file: 'tests/inputs.jsonl', line: 3 }),
    resultEvent('T004', {
      status: 'skipped',
      skip_reason: 'waiting for the new model',
      duration_ms: 0,
      output: undefined as never,
    }),
    resultEvent('T005', {
      flaky: true,
      attempts: 2,
      failure_history: [
        { attempt: 1, status: 'failed', error: 'timeout after 5s', error_kind: 'timeout', duration_ms: 5000 },
      ],
      duration_ms: 812,
    }),
    conversation(),
    failedEvent(`hostile ${HOSTILE}`, HOSTILE, 'agent', {
      name: HOSTILE,
      input: HOSTILE,
      output: HOSTILE,
      logs: [HOSTILE],
      stderr: HOSTILE,
      file: `tests/${HOSTILE}`,
      line: 7,
      tool_calls: [{ name: HOSTILE, args: { [HOSTILE]: HOSTILE } }],
      assertions: [
        {
          type: 'contains',
          value: HOSTILE,
          passed: false,
          message: HOSTILE,
          expected: HOSTILE,
          actual: HOSTILE,
          diff: HOSTILE,
        },
      ],
      tags: [HOSTILE],
    }),
    failedEvent('T1 # SKIP', 'never there'),
    failedEvent('T2 # TODO later', 'never there'),
    failedEvent('a|b', 'pipe | in | error'),
    failedEvent('`` ` ``', 'backticks'),
  ].map(withoutUndefined)
}

function conversation(): ResultEvent {
  return failedEvent('T006', 'checkpoint confirm failed: not reached', 'assertion', {
    name: 'Expense flow',
    total_turns: 2,
    turns: [
      {
        turn: 1,
        input: 'I want to submit an expense',
        input_source: 'static',
        status: 'passed',
        output: 'What type of expense?',
        awaiting_input: true,
        assertions: [{ type: 'contains', value: 'type of expense', passed: true }],
        duration_ms: 2100,
      },
      {
        turn: 2,
        input: 'Travel, $3500',
        input_source: 'simulator',
        status: 'failed',
        output: '',
        tool_calls: [{ name: 'create_expense', args: { amount: 3500 } }],
        assertions: [{ type: 'tool_called', name: 'submit', passed: false, message: 'tool "submit" was not called' }],
        error: 'tool "submit" was not called',
        duration_ms: 3200,
      },
      { turn: 3, input: 'Yes', input_source: 'static', status: 'not_run', duration_ms: 0 },
    ],
    checkpoints: [
      { id: 'ask_type', reached: true, reached_at_turn: 1, passed: true, required: true },
      { id: 'confirm', reached: false, passed: false, required: true, message: 'not reached' },
      { id: 'thanks', reached: false, passed: false, required: false },
    ],
    final_assertions: [
      { type: 'json_path', path: '$.status', value: 'submitted', passed: false, message: '$.status is missing' },
    ],
  })
}

/** Three cases five times: one always passes, one passes three times of five, one was skipped. */
export function repeatedRun(options: Record<string, unknown> = {}): RunEvent[] {
  const results: ResultEvent[] = []
  for (let run = 1; run <= 5; run++) {
    results.push(
      resultEvent('T001', { run, duration_ms: 200 + run, cost_dollars: 0.001, file: 'tests/inputs.jsonl', line: 1 }),
    )
    const shared = { run, duration_ms: 300 + 10 * run, file: 'tests/inputs.jsonl', line: 2 }
    if (run === 2) results.push(failedEvent('T002', 'expected "yes"', 'assertion', { ...shared, output: 'no' }))
    else if (run === 4) results.push(failedEvent('T002', 'timeout after 30s', 'timeout', shared))
    else results.push(resultEvent('T002', { ...shared, output: 'yes' }))
  }
  results.push(resultEvent('T003', { status: 'skipped', skip_reason: 'not yet', skip: true, duration_ms: 0 }))
  return wholeRun(results, { runs_per_case: 5, options })
}

/** Seed 000's script test. */
export function scriptRun(): RunEvent[] {
  const results = [
    resultEvent('scripts.expense.setup.TestSystemReady', { name: 'TestSystemReady', duration_ms: 12, logs: [] }),
    resultEvent('scripts.expense.setup.TestSystemReadyWithInvalidContext', {
      name: 'TestSystemReadyWithInvalidContext',
      duration_ms: 8,
      logs: [],
    }),
    failedEvent(
      'scripts.expense.setup.TestSetupWithMockData',
      'assertion failed: Result ID should match',
      'assertion',
      {
        name: 'TestSetupWithMockData',
        duration_ms: 15,
        assertion: { type: 'Equal', expected: 1, actual: 2, message: 'Result ID should match' },
        logs: [],
      },
    ),
  ].map((result) => {
    const { input: _input, output: _output, ...rest } = result
    return { ...rest, script: 'scripts.expense.setup', script_path: 'expense/src/setup_test.ts' }
  })
  const script = {
    mode: 'script_test' as const,
    input: 'scripts.expense.setup',
    script: 'scripts.expense.setup',
    script_path: 'expense/src/setup_test.ts',
  }
  return wholeRun(results, { ...script, agent_id: 'expense' }, 35)
}

function withoutUndefined(result: ResultEvent): ResultEvent {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as unknown as ResultEvent
}
