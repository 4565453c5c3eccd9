// What `runAsync` of Google's Agent Development Kit yields: events with the parts of a message, calls and results.
import { readEnding, readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { largerUsage, normalizeUsage } from '../../connectors/usage.js'
import { defined } from '../../base/defined.js'
import { isRecord, readNonEmpty, readString } from '../../base/record.js'
import { asText, show } from '../../base/text.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import type { RunReader } from './run-reader.js'

type Fields = Record<string, unknown>

export function isAdkEvent(piece: unknown): boolean {
  return isRecord(piece) && typeof piece['invocationId'] === 'string' && isRecord(piece['actions'])
}

/** `errorCode` is an error, whatever else the event holds. */
function errorInAdkEvent(piece: unknown): { error: unknown } | undefined {
  if (!isAdkEvent(piece) || !isRecord(piece)) return undefined
  const code = piece['errorCode'] ?? undefined
  const message = readNonEmpty(piece['errorMessage'])
  if (code === undefined && message === undefined) return undefined
  return {
    error: [code === undefined ? undefined : asText(code), message].filter((part) => part !== undefined).join(': '),
  }
}

export class AdkEvents implements RunReader {
  #calls: ToolCall[] = []
  #text: string | null = null
  #error: unknown
  #word: string | undefined
  #author: unknown
  #isStreamed = false
  /** Of each call of the model; streamed, several events report on one. */
  #usages: Usage[][] = [[]]
  readonly #events: unknown[] = []

  take(piece: unknown): string | undefined {
    if (!isRecord(piece)) return undefined
    const parts = partsOf(piece)
    const said = parts.flatMap((part) => (part['thought'] === true ? [] : (readString(part['text']) ?? []))).join('')
    if (piece['partial'] === true) {
      this.#isStreamed = true
      return said === '' ? undefined : said
    }
    this.#events.push(piece)
    this.#error ??= errorInAdkEvent(piece)?.error
    this.#count(piece, parts)
    if (piece['author'] === 'user') return undefined
    const calls = normalizeToolCalls(parts.flatMap((part) => part['functionCall'] ?? []))
    this.#calls.push(...calls)
    for (const part of parts) if (isRecord(part['functionResponse'])) this.#answer(part['functionResponse'])
    // What it says beside a call, or before one, is not the answer yet.
    if (calls.length > 0) this.#text = null
    else if (said !== '') this.#text = said
    this.#word = readNonEmpty(piece['finishReason']) ?? this.#word
    return said === '' || this.#isStreamed ? undefined : said
  }

  errorIn(piece: unknown): { error: unknown } | undefined {
    return errorInAdkEvent(piece)
  }

  reply(): AgentReply {
    const isBad = this.#word !== undefined && readEnding('google', this.#word) === undefined
    const error = this.#error ?? (isBad ? `finish reason ${show(this.#word)}` : undefined)
    return {
      content: this.#text,
      tool_calls: this.#calls,
      ...defined({ error, finish_reason: readFinishReason(this.#word), usage: this.#usage() }),
    }
  }

  returned(): unknown {
    return this.#events
  }

  /** By id, else the first call of that name without one. */
  #answer({ id, name, response }: Fields): void {
    const at = this.#calls.findIndex((call) =>
      call.id !== undefined && id !== undefined
        ? call.id === id
        : call.name === name && call.result === undefined && call.error === undefined,
    )
    const call = this.#calls[at]
    if (!call) return
    const { error, result = response, ...rest } = isRecord(response) ? response : { result: response }
    const isFailed = error !== undefined && Object.keys(rest).length === 0 && result === response
    this.#calls[at] = isFailed
      ? { ...call, error: asText(error) }
      : { ...call, result: Object.keys(rest).length === 0 ? result : response }
  }

  #count(event: Fields, parts: Fields[]): void {
    const isAnswered = parts.some((part) => part['functionResponse'] !== undefined)
    if (isAnswered || (event['author'] !== this.#author && this.#author !== undefined)) this.#usages.push([])
    this.#author = event['author']
    const usage = normalizeUsage(event['usageMetadata'])
    if (usage) this.#usages.at(-1)?.push(usage)
  }

  #usage(): Usage | undefined {
    const counted = this.#isStreamed
      ? this.#usages.filter((group) => group.length > 0).map((group) => group.reduce(largerUsage))
      : this.#usages.flat()
    let sum: Usage | undefined
    for (const usage of counted) sum = addUsage(sum, usage)
    return sum
  }
}

function partsOf({ content }: Fields): Fields[] {
  return isRecord(content) && Array.isArray(content['parts']) ? content['parts'].filter(isRecord) : []
}
