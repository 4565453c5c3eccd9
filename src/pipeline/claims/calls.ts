// What a call shows: whether it was made, succeeded, only read, or only held a thought.
import { jsonOrText } from '../../base/json/parse-json.js'
import { isRecord } from '../../base/record.js'
import { preview } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'
import type { Language } from './languages/language.js'
import { nameWords } from './text.js'

export type CallOutcome = 'ok' | 'error' | 'unknown' | 'not made'

export function outcomeOf(call: ToolCall): CallOutcome {
  if (call.claimed || call.no_such_tool) return 'not made'
  if (call.error !== undefined) return 'error'
  if (call.result === undefined) return 'unknown'
  return errorIn(call.result) === undefined ? 'ok' : 'error'
}

/** The error that a call ended with, as its result may say it too. */
export function errorOf(call: ToolCall): string | undefined {
  return call.error ?? errorIn(call.result)
}

/** Many tools return their errors as results. */
function errorIn(raw: unknown): string | undefined {
  const result = resultOf(raw)
  if (typeof result === 'string')
    return /^\s*(?:\w*error|\w*exception|failed|failure|traceback)\b/i.test(result) ? result : undefined
  if (!isRecord(result)) return undefined
  const { error, success, ok, isError, is_error, status } = result
  const failed =
    (error !== undefined && error !== null && error !== false && error !== '') ||
    success === false ||
    ok === false ||
    isError === true ||
    is_error === true ||
    (typeof status === 'string' && /^(?:error|failed|failure)$/i.test(status))
  return failed ? preview(typeof error === 'string' ? error : result, 200) : undefined
}

/** Tool servers often return JSON as text. */
export function resultOf(result: unknown): unknown {
  return typeof result === 'string' ? jsonOrText(result) : result
}

/** The words of its name, or of its title and kind where it has no name. */
export function callWords({ name, kind, title }: ToolCall): string[] {
  return [...nameWords(name), ...nameWords(kind ?? ''), ...nameWords(title ?? '')]
}

export function isThought({ name }: ToolCall, { thinkingTools }: Language): boolean {
  return nameWords(name).some((word) => thinkingTools.includes(word))
}

/** It changes nothing, by its first word that says so. */
export function isReading(call: ToolCall, { readingTools }: Language): boolean {
  const words = nameWords(call.name)
  if (call.kind !== undefined) return ['read', 'search', 'fetch', 'think'].includes(call.kind)
  const own = words.filter((word) => word !== 'mcp')
  return readingTools.some((verb) => own[0] === verb || (own.length > 1 && own.slice(0, 3).includes(verb)))
}
