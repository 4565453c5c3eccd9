// Topics are words joined by dots; a pattern may have `*` in place of a word.

export const GLOBAL = '*'

/** `*` alone matches everything; elsewhere it matches exactly one segment. */
export function matchesTopic(pattern: string, topic: string): boolean {
  if (pattern === GLOBAL || pattern === topic) return true
  if (!pattern.includes('*')) return false
  const wanted = pattern.split('.')
  const found = topic.split('.')
  return wanted.length === found.length && wanted.every((part, index) => part === '*' || part === found[index])
}
