// An agent that is not set up for what it is asked is discovered before the first case, not in each of them.
import type { Planned } from '../../model/plan.js'
import { optionsFor } from '../../pipeline/plan/environment.js'
import type { Tested } from './tested.js'

export async function requireSetUp(
  tested: ReadonlyArray<Pick<Tested, 'agent' | 'spec'>>,
  planned: () => AsyncIterable<Planned[]>,
): Promise<void> {
  for (const { agent, spec } of tested) {
    if (!agent.requireSetUp) continue
    for await (const batch of planned())
      for (const { unit } of batch)
        if (unit.kind === 'case' && !unit.testCase.skip)
          await agent.requireSetUp({ ...unit.testCase, options: optionsFor(unit.testCase, spec) })
  }
}
