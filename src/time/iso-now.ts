// The time of day. Thousands of events share a millisecond, so its text is built once.
let at = 0
let text = ''

export function dateNow(): Date {
  return new Date()
}

/** Milliseconds since 1970. */
export function epochNow(): number {
  return Date.now()
}

export function isoNow(): string {
  const now = Date.now()
  if (now !== at) {
    at = now
    text = new Date(now).toISOString()
  }
  return text
}
