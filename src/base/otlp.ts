// Spans as OTLP/JSON has them, read leniently: ids as text, times in milliseconds, attributes as plain data.
import { isRecord, readList } from './record.js'

export interface OtlpSpan {
  trace_id: string
  id: string
  parent?: string
  name: string
  /** Unix milliseconds, fractions kept. */
  start_ms?: number
  end_ms?: number
  attributes: Record<string, unknown>
  /** `status.message`, where the status is an error. */
  error?: string
}

/** `{resourceSpans: […]}`, or its parts; undefined for what is not OTLP. */
export function readOtlp(value: unknown): OtlpSpan[] | undefined {
  if (!isRecord(value)) return undefined
  const resources = value['resourceSpans'] ?? value['resource_spans']
  if (!Array.isArray(resources)) return undefined
  return resources.flatMap((resource: unknown) => {
    if (!isRecord(resource)) return []
    const about = isRecord(resource['resource']) ? attributesOf(resource['resource']['attributes']) : {}
    const scopes = resource['scopeSpans'] ?? resource['scope_spans'] ?? resource['instrumentationLibrarySpans']
    return readList(scopes).flatMap((scope) =>
      isRecord(scope) ? readList(scope['spans']).flatMap((span) => spanOf(span, about)) : [],
    )
  })
}

function spanOf(span: unknown, about: Record<string, unknown>): OtlpSpan[] {
  if (!isRecord(span)) return []
  const status = isRecord(span['status']) ? span['status'] : {}
  const failed = status['code'] === 2 || status['code'] === 'STATUS_CODE_ERROR'
  const parent = textOf(span['parentSpanId'] ?? span['parent_span_id'])
  const start = millisOf(span['startTimeUnixNano'] ?? span['start_time_unix_nano'])
  const end = millisOf(span['endTimeUnixNano'] ?? span['end_time_unix_nano'])
  return [
    {
      trace_id: textOf(span['traceId'] ?? span['trace_id']),
      id: textOf(span['spanId'] ?? span['span_id']),
      name: textOf(span['name']),
      attributes: { ...about, ...attributesOf(span['attributes']) },
      ...(parent !== '' && { parent }),
      ...(start !== undefined && { start_ms: start }),
      ...(end !== undefined && { end_ms: end }),
      ...(failed && { error: textOf(status['message']) || 'error' }),
    },
  ]
}

/** `[{key, value: {stringValue}}]`, or a plain object. */
function attributesOf(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  const pairs = readList(value).flatMap((item): Array<[string, unknown]> =>
    isRecord(item) && typeof item['key'] === 'string' ? [[item['key'], anyValue(item['value'])]] : [],
  )
  return Object.fromEntries(pairs)
}

function anyValue(value: unknown): unknown {
  if (!isRecord(value)) return value ?? null
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value
  if (intValue !== undefined) return Number(intValue)
  if (isRecord(arrayValue)) return readList(arrayValue['values']).map(anyValue)
  if (isRecord(kvlistValue)) return attributesOf(kvlistValue['values'])
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue ?? null
}

/** Nanoseconds come as text, since they do not fit into a number. */
function millisOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value / 1e6
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return undefined
  const nanos = BigInt(value)
  return Number(nanos / 1_000_000n) + Number(nanos % 1_000_000n) / 1e6
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
