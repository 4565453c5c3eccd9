// The time of day as a recording keeps it.

/** `2026-03-01T09:30:00`, as the clock on the wall shows it. */
export function wallTime(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
