// What `viva mutate` says about a finished run, for the viewer.
import type { SuiteOverview } from '../model/suite-overview.js'

/** Asked twice at the same time, it is computed once. */
export function openExaminer(): (events: string) => Promise<SuiteOverview> {
  const going = new Map<string, Promise<SuiteOverview>>()
  return (events) => {
    const found = going.get(events) ?? examineRun(events).finally(() => going.delete(events))
    going.set(events, found)
    return found
  }
}

async function examineRun(events: string): Promise<SuiteOverview> {
  const { examine } = await import('./commands/mutate.js')
  const { suiteOverview } = await import('../suite/mutate/overview.js')
  return suiteOverview(await examine([events], [], {}))
}
