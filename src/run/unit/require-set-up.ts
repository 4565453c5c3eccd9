// An agent that is not set up for what it is asked is discovered before the first case, not in each of them.
import type { Agent } from '../../model/agent.js'
import type { Planned } from '../../model/plan.js'

export async function requireSetUp(agents: readonly Agent[], planned: () => AsyncIterable<Planned[]>): Promise<void> {
  for (const agent of agents) {
    if (!agent.requireSetUp) continue
    for await (const batch of planned())
      for (const { unit } of batch)
        if (unit.kind === 'case' && !unit.testCase.skip) await agent.requireSetUp(unit.testCase)
  }
}
