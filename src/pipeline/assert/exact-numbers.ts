// Whole numbers in an answer's text that a JavaScript number cannot hold: they are equal to no number of a case.

const LONG = /(?<![\d.])\d{16,}(?:\.\d+)?/g

/** What those numbers become when the text is parsed; undefined where there are none. */
export function inexactNumbers(output: unknown): ReadonlySet<number> | undefined {
  if (typeof output !== 'string') return undefined
  let inexact: Set<number> | undefined
  for (const [literal] of output.matchAll(LONG)) {
    const value = Number(literal)
    const [whole = ''] = literal.split('.')
    if (literal.length > 400 || BigInt(whole) === BigInt(Math.trunc(value))) continue
    inexact ??= new Set()
    inexact.add(value).add(-value)
  }
  return inexact
}

export function holdsNumberOf(value: unknown, numbers: ReadonlySet<number> | undefined): boolean {
  if (numbers === undefined) return false
  if (typeof value === 'number') return numbers.has(value)
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((item) => holdsNumberOf(item, numbers))
  )
}
