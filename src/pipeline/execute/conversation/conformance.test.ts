// What the original implementation does in dynamic mode. Deliberate differences are named beside their row.
import { expect, test } from 'vitest'
import { conformance } from '../../../../test/support/conformance.js'
import { caseOf, run, ScriptedAgent } from '../../../../test/support/scripted-conversation.js'
import { maxTurnsOf } from './script.js'

interface Flow {
  input: string
  checkpoints: Array<Record<string, unknown>>
  agent_replies: string[]
  simulator: unknown[]
  max_turns?: number
}

interface FlowEnd {
  status: string
  total_turns?: number
  reached_at?: Record<string, number>
  error?: string
  distinct_chat_ids?: number
}

// "max turns": the original's text ends "without reaching all checkpoints"; ours names the checkpoints.
const OTHER_TEXT: Record<string, string> = { 'max turns': 'max turns (2) exceeded, missing checkpoints: a' }

for (const row of conformance<Flow, FlowEnd>('dynamic', 'dynamic_flow')) {
  test(`dynamic flow: ${row.name}`, async () => {
    const { agent_replies, simulator, ...written } = row.given
    const agent = new ScriptedAgent(agent_replies)
    const result = await run({ ...written, simulator: { use: 'sim' } }, { agent, simulator })
    expect(result.status).toBe(row.expect.status)
    if (row.expect.total_turns !== undefined) expect(result.total_turns).toBe(row.expect.total_turns)
    if (row.expect.error !== undefined) expect(result.error).toBe(OTHER_TEXT[row.name] ?? row.expect.error)
    if (row.expect.distinct_chat_ids !== undefined) {
      expect(new Set(agent.requests.map((request) => request.context.chat_id)).size).toBe(row.expect.distinct_chat_ids)
    }
    const reached = Object.fromEntries((result.checkpoints ?? []).map((each) => [each.id, each.reached_at_turn]))
    if (row.expect.reached_at) expect(reached).toEqual(row.expect.reached_at)
  })
}

interface DynamicResult {
  dynamic_result: { turns: Array<{ input: string; output: string }> }
}

for (const row of conformance<DynamicResult, Record<string, unknown>>('dynamic', 'dynamic_to_result')) {
  test(`dynamic result: ${row.name}`, async () => {
    const { turns } = row.given.dynamic_result
    const [first, ...others] = turns.map((turn) => turn.input)
    const checkpoints = [
      { id: 'greet', assert: { type: 'contains', value: 'Hi' } },
      { id: 'bye', assert: { type: 'contains', value: 'Bye' } },
    ]
    const result = await run(
      { input: first, simulator: {}, checkpoints },
      { replies: turns.map((turn) => turn.output), simulator: others },
    )
    const { status, input, output, metadata } = row.expect
    expect(result).toMatchObject({ status, input, output, metadata })
  })
}

for (const row of conformance<{ case: Record<string, unknown> }, { max_turns: number }>('dynamic', 'max_turns')) {
  test(`max turns: ${row.name}`, () => {
    expect(maxTurnsOf(caseOf(row.given.case))).toBe(row.expect.max_turns)
  })
}

test('max turns: the simulator’s counts where the case has none', () => {
  const simulator = { options: { metadata: { max_turns: 10 } } }
  expect(maxTurnsOf(caseOf({ simulator }))).toBe(10)
  expect(maxTurnsOf(caseOf({ simulator, max_turns: 3 }))).toBe(3)
})
