// Results of made-up agents that use tools, talk, ask and answer at random, all with the same pass rate.
import type { ResultEvent } from '../../src/model/event.js'
import { compareBehaviour, type BehaviourChange } from '../../src/pipeline/fold/behaviour/compare-behaviour.js'
import { createFingerprints } from '../../src/pipeline/fold/behaviour/fingerprints.js'
import { seededRandom, type Random } from '../../src/pipeline/fold/statistics/random.js'
import { failedEvent, resultEvent } from './events.js'

export interface SimulatedAgent {
  pass_rate: number
  /** The part of cases (`in: 'cases'`) or of runs in which another tool is called first. */
  other_tool: { part: number; in: 'cases' | 'runs' }
  /** How much slower than the other one its machine is. */
  slower: number
}

export const STEADY: SimulatedAgent = { pass_rate: 0.8, other_tool: { part: 0, in: 'runs' }, slower: 1 }

export function behaviourBySimulation(
  agents: { before: SimulatedAgent; after: SimulatedAgent },
  { cases, runs }: { cases: number; runs: number },
  seed: number,
): BehaviourChange {
  const random = seededRandom(seed)
  const fingerprints = createFingerprints()
  const print = (agent: SimulatedAgent, id: number): number[] =>
    Array.from({ length: runs }, (_, run) => fingerprints.add(resultOf(agent, id, run + 1, cases, random))).filter(
      (number) => number !== undefined,
    )
  const sides = Array.from({ length: cases }, (_, id) => ({
    before: print(agents.before, id),
    after: print(agents.after, id),
  }))
  return compareBehaviour(sides, fingerprints, 5)
}

/** Cases differ in the tools they need and in how much there is to say; runs of a case differ by chance. */
function resultOf(
  { pass_rate, other_tool, slower }: SimulatedAgent,
  id: number,
  run: number,
  cases: number,
  random: Random,
): ResultEvent {
  const isOther = other_tool.in === 'cases' ? id < cases * other_tool.part : random() < other_tool.part
  const tools = [isOther ? 'search' : 'lookup', ...(id % 3 === 0 ? ['convert'] : [])]
  while (random() < 0.3) tools.push(random() < 0.5 ? 'lookup' : 'save')
  const turns = 1 + (id % 2) + Math.floor(random() * 2)
  const answer = 'x'.repeat(Math.round(40 * 2 ** (id % 5) * Math.exp((random() - 0.5) * 1.2)))
  const asks = random() < 0.25
  const fields = {
    run,
    duration_ms: 1_000 * slower * Math.exp(random()),
    cost_dollars: 0.01 * slower,
    output: answer,
    response: answer,
    tool_calls: tools.map((name) => ({
      name,
      args: random() < 0.3 ? { query: 'a', limit: 3 } : { query: 'a' },
    })),
    finish_reason: random() < 0.05 ? 'length' : 'stop',
    total_turns: turns,
    ...(asks && { awaiting_input: true, awaiting_reason: 'tool_requires_confirmation' }),
  }
  const name = `T${id}`
  return random() < pass_rate ? resultEvent(name, fields) : failedEvent(name, 'wrong', 'assertion', fields)
}
