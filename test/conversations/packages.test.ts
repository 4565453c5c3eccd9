// Conversations and helper agents through the command line, with agent packages and scripted models.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

const APP = fileURLToPath(new URL('../fixtures/conversations/expense-app', import.meta.url))
const CASES = 'assistants/expense/tests/inputs.jsonl'

function app(): string {
  const dir = makeFolder()
  cpSync(APP, dir, { recursive: true })
  return dir
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\(\d+(?:\.\d+)?m?s\)/g, '(0s)')
}

test('turns and dynamic cases are shown as trees', async () => {
  const run = await viva(['agent', 'test', '-i', CASES, '-o', 'out.jsonl'], { cwd: app() })
  expect(run.code).toBe(1)
  const shown = withoutTimes(run.stdout)
  const from = shown.indexOf('►')
  expect(shown.slice(from, shown.indexOf('─'.repeat(63), from))).toBe(`\
► [T001] Expense Reimbursement Flow (3 turns)
  ├─ Turn 1: "I want to submit an expense" → PASSED (0s)
  │          Agent: "What type of expense would you like to submit?"
  │          ✓ contains "type of expense"
  │
  ├─ Turn 2: "Business travel, $3500" → PASSED (0s)
  │          Agent: "Please confirm $250. Shall I continue?"
  │
  ├─ Turn 3: "Yes, confirm" → PASSED (0s)
  │          Agent: "Expense submitted. Reference: EXP-2025-001"
  │          ✓ contains "submitted"
  │
  └─ Final Assertions: PASSED
     ✓ regex "EXP-\\d+"

► [T002] Large Expense Approval
  ├─ Turn 1: "Submit $100,000 equipment purchase" → PASSED (0s)
  │          Agent: "This requires manager approval. Please provide PO number."
  │
  ├─ Turn 2: SKIPPED
  │          Reason: Agent awaiting input, no next turn defined
  │          Agent asked: "Please provide PO number"
  │          Hint: Add more turns, use --interactive, or configure simulator
  │
  └─ Result: SKIPPED

► [T003] Dynamic Expense Flow (simulator: workers.test.user-sim)
  ├─ Turn 1: [Initial] "Help me file an expense" → PASSED (0s)
  ├─ Turn 2: [Simulated] "It's for client dinner, $250" → PASSED (0s)
  ├─ Turn 3: [Simulated] "Yes, confirm" → PASSED (0s)
  │          Goal achieved: Expense submitted
  │
  └─ Final Assertions: PASSED

► [T004] Expense Coverage (simulator: workers.test.user-sim)
  ├─ Turn 1: [Initial] "Help me file an expense" → PASSED (0s)
  ├─ Turn 2: [Simulated] "It's for client dinner, $250" → PASSED (0s)
  ├─ Turn 3: [Simulated] "Yes, confirm" → PASSED (0s)
  │
  ├─ Checkpoints
  │  ✓ ask_type (turn 1)
  │  ✓ done (turn 3)
  │
  └─ Result: PASSED

► [T005] Unreachable (simulator: workers.test.user-sim)
  ├─ Turn 1: [Initial] "Help me file an expense" → PASSED (0s)
  ├─ Turn 2: [Simulated] "It's for client dinner, $250" → PASSED (0s)
  ├─ Turn 3: [Simulated] "Yes, confirm" → PASSED (0s)
  │          Goal achieved: Expense submitted
  │
  ├─ Checkpoints
  │  ✗ never: output does not contain "never said"
  │
  └─ Result: FAILED
     Error: missing checkpoints: never

`)
})

test('side by side, each case consumes its own scripted answers', async () => {
  const run = await viva(['agent', 'test', '-i', CASES, '--parallel', '5', '--runs', '3', '--json'], { cwd: app() })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results).toHaveLength(15)
  for (const result of results) {
    if (result['id'] === 'T004') expect(result).toMatchObject({ status: 'passed', total_turns: 3 })
    if (result['id'] === 'T002') expect(result).toMatchObject({ status: 'skipped', total_turns: 1 })
  }
})

test('a generator makes the cases; a dry run only writes them', async () => {
  const cwd = app()
  const run = await viva(
    [
      'test',
      '-i',
      'agents:workers.test.generator?count=2&focus=edge-cases',
      '-n',
      'expense',
      '-o',
      'generated.jsonl',
      '--dry-run',
    ],
    { cwd },
  )
  expect(run.code).toBe(0)
  const written = readFileSync(join(cwd, 'generated.jsonl'), 'utf8').trim().split('\n')
  expect(written.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['G1', 'G2'])
})

test('the built-in judge needs a connector and says how to give it one', async () => {
  const cwd = app()
  const args = ['agent', 'test', '-i', 'agents:workers.test.generator', '-n', 'expense', '--json']
  const without = await viva(args, { cwd })
  expect([without.code, without.stdout]).toEqual([2, ''])
  expect(without.stderr).toMatch(/the judge of G1 has no model[^]*set helpers\.connector in viva\.config/)

  writeFiles(cwd, { 'viva.config.json': { helpers: { connector: 'valmock' } } })
  const judged = await viva(args, { cwd })
  expect(judged.code).toBe(0)
})

test('a reporter agent writes the report', async () => {
  const cwd = app()
  await viva(['agent', 'test', '-i', CASES, '--run', 'T001', '-r', 'my.reporter', '-o', 'report.md'], { cwd })
  expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toBe('# My report\n')
})
