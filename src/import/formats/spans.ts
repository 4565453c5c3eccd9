// OTLP JSON → spans with plain attributes.
import { isRecord } from '../../base/record.js'

export interface Span {
  name: string
  trace: string
  id: string
  parent: string
  start: bigint
  attributes: Map<string, unknown>
  events: Array<{ name: string; attributes: Map<string, unknown> }>
}

export function isTrace(value: unknown): boolean {
  return isRecord(value) && field(value, 'resourceSpans', 'resource_spans') !== undefined
}

const SPAN_KEYS =
  'traceId trace_id spanId span_id parentSpanId parent_span_id traceState trace_state flags name kind startTimeUnixNano start_time_unix_nano ' +
  'endTimeUnixNano end_time_unix_nano attributes droppedAttributesCount dropped_attributes_count events droppedEventsCount ' +
  'dropped_events_count links droppedLinksCount dropped_links_count status'

/** What stands in spans and around them beside what the protocol has. */
export function strangeKeys(value: unknown): string[] {
  const beside = (record: unknown, known: string): string[] =>
    Object.keys(isRecord(record) ? record : {}).filter((key) => !known.split(' ').includes(key))
  return [
    ...beside(value, 'resourceSpans resource_spans'),
    ...list(value, 'resourceSpans', 'resource_spans').flatMap((resource) => [
      ...beside(resource, 'resource scopeSpans scope_spans instrumentationLibrarySpans schemaUrl schema_url'),
      ...list(resource, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans').flatMap((scope) => [
        ...beside(scope, 'scope instrumentationLibrary spans schemaUrl schema_url'),
        ...list(scope, 'spans').flatMap((span) => [
          ...beside(span, SPAN_KEYS),
          ...list(span, 'attributes').flatMap((attribute) => beside(attribute, 'key value')),
        ]),
      ]),
    ]),
  ]
}

export function spansOf(value: unknown): Span[] {
  return list(value, 'resourceSpans', 'resource_spans').flatMap((resource) =>
    list(resource, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans').flatMap((scope) =>
      list(scope, 'spans').map((span): Span => ({
        name: text(span, 'name'),
        trace: text(span, 'traceId', 'trace_id'),
        id: text(span, 'spanId', 'span_id'),
        parent: text(span, 'parentSpanId', 'parent_span_id'),
        start: nanos(field(span, 'startTimeUnixNano', 'start_time_unix_nano')),
        attributes: attributesOf(span),
        events: list(span, 'events').map((event) => ({ name: text(event, 'name'), attributes: attributesOf(event) })),
      })),
    ),
  )
}

function field(value: unknown, ...names: string[]): unknown {
  if (!isRecord(value)) return undefined
  const name = names.find((one) => Object.hasOwn(value, one))
  return name === undefined ? undefined : value[name]
}

function text(value: unknown, ...names: string[]): string {
  const found = field(value, ...names)
  return typeof found === 'string' ? found : ''
}

function list(value: unknown, ...names: string[]): unknown[] {
  const found = field(value, ...names)
  return Array.isArray(found) ? (found as unknown[]) : []
}

function nanos(value: unknown): bigint {
  return /^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n
}

function attributesOf(owner: unknown): Map<string, unknown> {
  return new Map(
    list(owner, 'attributes').flatMap((attribute) => {
      const key = text(attribute, 'key')
      return key === '' ? [] : [[key, plain(field(attribute, 'value'), 0)]]
    }),
  )
}

function plain(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth > 50) return value
  if ('stringValue' in value) return value['stringValue']
  if ('intValue' in value) return Number(value['intValue'])
  if ('doubleValue' in value) return value['doubleValue']
  if ('boolValue' in value) return value['boolValue']
  if ('arrayValue' in value) return list(value['arrayValue'], 'values').map((item) => plain(item, depth + 1))
  if ('kvlistValue' in value)
    return Object.fromEntries(
      list(value['kvlistValue'], 'values').map((pair) => [text(pair, 'key'), plain(field(pair, 'value'), depth + 1)]),
    )
  return undefined
}

/** `a.0.b.c = 1` → [{b: {c: 1}}]: lists of objects that are written as numbered attributes. */
export function numbered(attributes: ReadonlyMap<string, unknown>, prefix: string): unknown[] {
  const root: Record<string, unknown> = {}
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue
    const steps = key.slice(prefix.length + 1).split('.')
    let at = root
    for (const step of steps.slice(0, -1)) {
      const inner = Object.hasOwn(at, step) && isRecord(at[step]) ? at[step] : {}
      at[step] = inner
      at = inner
    }
    at[steps.at(-1) ?? ''] = value
  }
  const found: unknown = asLists(root)
  return Array.isArray(found) ? (found as unknown[]) : []
}

function asLists(value: unknown): unknown {
  if (!isRecord(value)) return value
  const keys = Object.keys(value)
  const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key))
  if (!isList) return Object.fromEntries(keys.map((key) => [key, asLists(value[key])]))
  return keys.toSorted((a, b) => Number(a) - Number(b)).map((key) => asLists(value[key]))
}
