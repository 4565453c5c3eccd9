// Runs in the order people look for them.

export function newestFirst(a: { timestamp: string }, b: { timestamp: string }): number {
  return a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0
}
