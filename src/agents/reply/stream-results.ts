// What became of tool calls, in streams in which it comes as a piece of its own: those of the AI SDK.
import { isRecord, readString } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import { errorText } from './error-text.js'

export class StreamResults {
  readonly #byId = new Map<string, Pick<ToolCall, 'result' | 'error'>>()

  /** Whether the piece was one. */
  take(piece: unknown): boolean {
    if (!isRecord(piece)) return false
    const { type, toolCallId, output, result = output, error, errorText: text = error, isError } = piece
    const id = readString(toolCallId)
    if (id === undefined || typeof type !== 'string') return false
    if (RESULTS.has(type)) this.#byId.set(id, isError === true ? { error: errorText(result) } : { result })
    else if (ERRORS.has(type)) this.#byId.set(id, { error: errorText(text) })
    else return false
    return true
  }

  addTo(calls: readonly ToolCall[]): ToolCall[] {
    return calls.map((call) => ({ ...call, ...this.#byId.get(call.id ?? '') }))
  }
}

const RESULTS = new Set(['tool-result', 'tool-output-available'])
const ERRORS = new Set(['tool-error', 'tool-output-error'])
