// How deep data is nested. JSON some thousand levels deep overflows the stack of any serialiser.

export const MAX_LEVELS = 1000

/** A value that contains itself has no end. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
