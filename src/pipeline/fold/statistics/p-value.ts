// A p-value is never 0: nothing observed is impossible, and what underflows is merely very small.

const SMALLEST = 1e-300

export function positive(p: number): number {
  return Math.max(p, SMALLEST)
}
