// Spans as OTLP/HTTP sends them: JSON, ids in hexadecimal, times in nanoseconds as text.
import { isStrings } from '../../../base/record.js'

export interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValue[]
  events?: Array<{ timeUnixNano: string; name: string; attributes: KeyValue[] }>
  status?: { code: number; message?: string }
}

export interface KeyValue {
  key: string
  value: AnyValue
}

type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } }

export const SPAN_KIND = { internal: 1, client: 3 } as const
export const STATUS = { ok: 1, error: 2 } as const

export type Attributes = Record<string, unknown>

/** Undefined values are left out; anything but a plain value is written as JSON, as the conventions require. */
export function attributesOf(given: Attributes): KeyValue[] {
  return Object.entries(given).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: anyValue(value) }],
  )
}

function anyValue(value: unknown): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value }
    case 'boolean':
      return { boolValue: value }
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
    default:
      return isStrings(value)
        ? { arrayValue: { values: value.map((text) => ({ stringValue: text })) } }
        : { stringValue: JSON.stringify(value) }
  }
}

/** Of milliseconds, fractions kept. */
export function nanos(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)))
}

/** The body of one request, and one line of a file. */
export function exportRequest(spans: readonly ExportedSpan[], version: string): string {
  const resource = { attributes: attributesOf({ 'service.name': 'viva', 'service.version': version }) }
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'viva', version }, spans }] }] })
}
