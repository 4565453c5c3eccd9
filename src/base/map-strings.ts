// A JSON-like value with every string in it replaced.

/** Keys keep their order; `drop` leaves some out, `rename` changes them. */
export function mapStrings(
  value: unknown,
  change: (text: string) => string,
  drop?: (key: string) => boolean,
  rename: (key: string) => string = (key) => key,
): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, drop, rename))
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || key === '__proto__' || drop?.(key)) continue
    result[rename(key)] = mapStrings(item, change, drop, rename)
  }
  return result
}
