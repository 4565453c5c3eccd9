// A JSON-like value with every string in it replaced.

/** Keys stay as they are, in their order; `drop` leaves keys out. */
export function mapStrings(value: unknown, change: (text: string) => string, drop?: (key: string) => boolean): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, drop))
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || key === '__proto__' || drop?.(key)) continue
    result[key] = mapStrings(item, change, drop)
  }
  return result
}
