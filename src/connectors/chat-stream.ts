// Assembles a streamed chat completion: text, fragments of tool calls, usage, and errors in the middle.
import { AgentError } from '../errors.js'
import type { Completion } from '../model/connector.js'
import type { Usage } from '../model/message.js'
import { defined } from '../base/defined.js'
import { errorInEvent } from '../http/reported-error.js'
import { parseSse, type SseEvent } from '../http/sse.js'
import { isRecord, readNonEmpty } from '../base/record.js'
import { withPartial } from './with-partial.js'
import { CallFragments } from './call-fragments.js'
import { ReasoningFragments } from './chat-reasoning.js'
import { worseEnding, type FinishReasons } from './finish-reason.js'
import { contentText, refusalIn } from './message-text.js'
import { requireEnding } from './require-ending.js'
import { cutOff, parseEvent, type StreamOptions } from './stream-options.js'
import { largerUsage, normalizeUsage } from './usage.js'
import { monotonicNow } from '../time/clock.js'

export class ChatStream {
  readonly #options: StreamOptions
  readonly #calls = new CallFragments()
  readonly #reasoning = new ReasoningFragments()
  #refused = false
  #content = ''
  #finishReason: string | undefined
  #usage: Usage | undefined
  #firstChunk: number | undefined
  #hasBegun = false

  constructor(options: StreamOptions) {
    this.#options = options
    options.progress.partial = () => (this.#hasBegun ? this.#completion() : undefined)
  }

  async read(chunks: AsyncIterable<Uint8Array>): Promise<Completion> {
    try {
      await this.#readEvents(chunks)
      this.#calls.requireNames()
      const reason = this.#refused ? 'refusal' : this.#finishReason
      const ended = endChat(this.#completion(), reason, this.#options.finishReasons)
      return { ...ended, ...defined({ reasoning: this.#reasoning.items(this.#calls.beside()) }) }
    } catch (error) {
      throw error instanceof AgentError ? withPartial(error, this.#options.progress.partial?.()) : error
    }
  }

  async #readEvents(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const event of parseSse(chunks)) {
      if (event.data === '[DONE]') return
      this.#take(event)
    }
    if (this.#finishReason === undefined) throw cutOff(this.#options.url)
  }

  #take(event: SseEvent): void {
    const { url, secrets } = this.#options
    const body = parseEvent(event, url)
    const reported = errorInEvent(event.event, body, url, secrets)
    if (reported) throw reported
    if (!isRecord(body)) return
    if (body['usage']) this.#addUsage(body['usage'])
    const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : []
    const choice = choices.find(isFirst)
    if (!isRecord(choice)) return
    this.#finishReason = worseEnding(this.#finishReason, readNonEmpty(choice['finish_reason']))
    // A server that does not stream sends one event with a whole message.
    const delta = choice['delta'] ?? choice['message']
    if (!isRecord(delta)) return
    const text = contentText(delta['content'])
    if (text) this.#addText(text)
    const refusal = refusalIn(delta)
    if (refusal) {
      this.#addText(refusal)
      this.#refused = true
    }
    this.#reasoning.add(delta)
    this.#addCalls(delta['tool_calls'] ?? [])
    // The form from before a model could make several calls.
    if (isRecord(delta['function_call'])) this.#addCalls([{ index: 0, function: delta['function_call'] }])
    this.#hasBegun = true
  }

  #addUsage(given: unknown): void {
    const usage = normalizeUsage(given)
    this.#usage = usage && largerUsage(this.#usage, usage)
  }

  #addText(text: string): void {
    this.#firstChunk ??= monotonicNow() - this.#options.start
    this.#content += text
    this.#options.onChunk?.(text)
  }

  #addCalls(parts: unknown): void {
    if (Array.isArray(parts) && parts.length === 0) return
    this.#firstChunk ??= monotonicNow() - this.#options.start
    this.#calls.add(parts)
  }

  #completion(): Completion {
    return {
      content: this.#content,
      tool_calls: this.#calls.calls(),
      ...defined({ usage: this.#usage, first_chunk_ms: this.#firstChunk }),
    }
  }
}

/** The completion with the word it ended with. A whole answer may lack one: it is complete by its form. */
export function endChat(completion: Completion, reason: unknown, own: FinishReasons | undefined): Completion {
  const word = readNonEmpty(reason)
  if (word === undefined) return { ...completion, refusal: false }
  const finishReason = requireEnding('openai', word, completion, own)
  return { ...completion, finish_reason: finishReason, refusal: finishReason === 'refusal' }
}

/** Of several answers to one question the first counts, as in an answer that is not streamed. */
function isFirst(choice: unknown): boolean {
  return isRecord(choice) && (choice['index'] ?? 0) === 0
}
