// The time of day as a recording keeps it.

/** `2026-03-01T09:30:00+01:00`, local wall-clock time. */
export function wallTime(now: Date): string {
  const minutes = -now.getTimezoneOffset()
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
  return new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 19) + offset
}
