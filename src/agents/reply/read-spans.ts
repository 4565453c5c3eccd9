// Spans that an agent reports in its reply: OTLP/JSON, or a plain list.
import { readOtlp, type OtlpSpan } from '../../base/otlp.js'
import { defined } from '../../base/defined.js'
import { isRecord, readNonEmpty } from '../../base/record.js'
import { SPAN_KINDS } from '../../model/result-schema.js'
import type { Span } from '../../model/span.js'

/** Undefined for what is neither. */
export function readSpans(value: unknown): Span[] | undefined {
  const otlp = readOtlp(value)
  if (otlp) return sinceFirst(otlp)
  if (!Array.isArray(value) || !value.every(isSpan)) return undefined
  return value.map(plainSpan)
}

function isSpan(value: unknown): value is Record<string, unknown> & { name: string } {
  return isRecord(value) && typeof value['name'] === 'string'
}

function plainSpan(span: Record<string, unknown> & { name: string }): Span {
  const { name, kind, id, parent, start_ms, duration_ms, error, attributes } = span
  return {
    name,
    kind: kindOf(kind),
    ...defined({
      id: readNonEmpty(id),
      parent: readNonEmpty(parent),
      start_ms: number(start_ms),
      duration_ms: number(duration_ms),
      error: error === undefined || error === null || error === false ? undefined : (readNonEmpty(error) ?? 'error'),
      attributes: isRecord(attributes) ? attributes : undefined,
    }),
  }
}

/** A different clock from ours: its times are relative to the first of its spans. */
function sinceFirst(spans: OtlpSpan[]): Span[] {
  const first = spans.reduce((least, { start_ms = Infinity }) => Math.min(least, start_ms), Infinity)
  return spans.map(({ name, id, parent, start_ms, end_ms, attributes, error }) => ({
    name,
    kind: kindOf(OPERATIONS[String(attributes['gen_ai.operation.name'])]),
    ...defined({
      id: readNonEmpty(id),
      parent,
      start_ms: start_ms === undefined ? undefined : start_ms - first,
      duration_ms: start_ms === undefined || end_ms === undefined ? undefined : Math.max(0, end_ms - start_ms),
      error,
    }),
    attributes,
  }))
}

/** The GenAI conventions. */
const OPERATIONS: Record<string, Span['kind']> = {
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  execute_tool: 'tool',
  invoke_agent: 'delegate',
  create_agent: 'delegate',
}

function kindOf(value: unknown): Span['kind'] {
  return SPAN_KINDS.find((kind) => kind === value) ?? 'other'
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
