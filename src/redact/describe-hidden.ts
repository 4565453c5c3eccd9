// Says which variables' values were hidden, so that nobody wonders about a placeholder.
import type { HiddenVariable } from './exact-values.js'

/** Undefined: none. */
export function describeHidden(hidden: readonly HiddenVariable[]): string | undefined {
  if (hidden.length === 0) return undefined
  const byLook = listed(hidden.filter((variable) => variable.byLook))
  const allow = byLook === '' ? '' : ` (looks random: ${byLook}; redactions.allow in viva.config shows it)`
  return `Hidden as [SECRET]: ${listed(hidden)}${allow}`
}

function listed(variables: readonly HiddenVariable[]): string {
  return variables
    .map(({ name }) => name)
    .toSorted()
    .join(', ')
}
