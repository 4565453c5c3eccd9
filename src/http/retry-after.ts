// How long a server asks us to wait, in all the ways servers say it.
import { epochNow } from '../time/iso-now.js'

/** Milliseconds, or undefined if the headers say nothing that makes sense. */
export function retryAfterMs(headers: Record<string, string>, now: number = epochNow()): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && Number.isFinite(exact) && exact >= 0) return exact
  const plain = headers['retry-after'] === undefined ? undefined : parseWait(headers['retry-after'], now)
  if (plain !== undefined) return plain
  let longest: number | undefined
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(x-ratelimit-reset|anthropic-ratelimit-.*-reset$)/.test(name)) continue
    const wait = parseWait(value, now)
    if (wait !== undefined && wait > (longest ?? -1)) longest = wait
  }
  return longest
}

/** `20`, `1m30s`, `500ms`, `Fri, 31 Dec 1999 23:59:59 GMT`, `2026-01-01T00:00:00Z`. */
function parseWait(value: string, now: number): number | undefined {
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text)
    // Some servers send the moment, not the span, in seconds since 1970.
    return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    let total = 0
    for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
      total += Number(amount) * (UNITS[unit ?? ''] ?? 0)
    }
    return total
  }
  const moment = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
