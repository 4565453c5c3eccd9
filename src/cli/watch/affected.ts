// Which cases a change affects.
import type { RoundPlan } from './plan-round.js'

/** `all`, or the ids of some. */
export type Affected = 'all' | Set<string>

/** `before`: the plan of the last round; undefined if there was none. An unknown file affects all. */
export function affectedBy(files: readonly string[], before: RoundPlan | undefined, now: RoundPlan): Affected {
  if (!before) return 'all'
  const ids = new Set<string>()
  for (const file of files) {
    const owner = now.dependencies.owners.get(file) ?? before.dependencies.owners.get(file)
    if (owner === undefined || owner === 'all') return 'all'
    for (const id of owner) ids.add(id)
  }
  for (const [id, hash] of now.cases) if (before.cases.get(id) !== hash) ids.add(id)
  return new Set([...ids].filter((id) => now.cases.has(id)))
}

export function joined(one: Affected, other: Affected): Affected {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other])
}
