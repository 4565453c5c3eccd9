// Assembles a streamed response of the Responses API. Its last event has the whole response, which counts; what came
// before is passed on as it arrives, and is what is left if the stream breaks off.
import { AgentError } from '../errors.js'
import type { Completion } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { errorInEvent } from '../http/reported-error.js'
import { parseSse, type SseEvent } from '../http/sse.js'
import { isRecord, readString } from '../base/record.js'
import { show } from '../base/text.js'
import { monotonicNow } from '../time/clock.js'
import { BETWEEN, endResponse, readItems } from './responses-answer.js'
import { cutOff, parseEvent, type StreamOptions } from './stream-options.js'
import { withPartial } from './with-partial.js'

type Item = Record<string, unknown>

/** An item of which pieces have arrived. */
interface Piece {
  /** As its first or its last event has it. */
  item: Item
  isDone: boolean
  text: string
  refusal: string
  args: string
}

const ENDS = /^response\.(?:completed|incomplete|failed|cancelled)$/

export class ResponsesStream {
  readonly #options: StreamOptions
  readonly #pieces = new Map<number, Piece>()
  #spoken: number | undefined
  #firstChunk: number | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    options.progress.partial = () => (this.#pieces.size > 0 ? this.#gathered() : undefined)
  }

  async read(chunks: AsyncIterable<Uint8Array>): Promise<Completion> {
    const { progress, url, finishReasons } = this.#options
    try {
      for await (const event of parseSse(chunks)) {
        const response = this.#take(event)
        if (!response) continue
        const completion = endResponse(response, this.#itemsOf(response), finishReasons)
        return { ...completion, ...defined({ first_chunk_ms: this.#firstChunk }) }
      }
      throw cutOff(url)
    } catch (error) {
      throw error instanceof AgentError ? withPartial(error, progress.partial?.()) : error
    }
  }

  /** The response, once it is over. */
  #take(event: SseEvent): Item | undefined {
    if (event.data === '[DONE]') return undefined
    const { url, secrets } = this.#options
    const body = parseEvent(event, url)
    const reported = errorInEvent(event.event, body, url, secrets)
    if (reported) throw reported
    if (!isRecord(body)) return undefined
    const type = readString(body['type']) ?? event.event
    const { response, item } = body
    if (ENDS.test(type) && isRecord(response)) return response
    if (isRecord(item)) this.#takeItem(body, item, type.endsWith('.done'))
    else if (typeof body['delta'] === 'string') this.#takeDelta(type, body, body['delta'])
    return undefined
  }

  #takeItem(body: Item, item: Item, isDone: boolean): void {
    const piece = this.#pieceAt(body, '')
    if (piece.isDone && !isDone) return
    Object.assign(piece, { item, isDone })
    if (item['type'] === 'function_call') this.#began()
  }

  #takeDelta(type: string, body: Item, delta: string): void {
    switch (type) {
      case 'response.output_text.delta':
        this.#say(body, 'text', delta)
        break
      case 'response.refusal.delta':
        this.#say(body, 'refusal', delta)
        break
      case 'response.function_call_arguments.delta':
        this.#began()
        this.#pieceAt(body, 'function_call').args += delta
        break
    }
  }

  #say(body: Item, what: 'text' | 'refusal', delta: string): void {
    this.#began()
    const index = indexOf(body)
    const isOther = this.#spoken !== undefined && this.#spoken !== index
    this.#spoken = index
    this.#pieceAt(body, 'message')[what] += delta
    this.#options.onChunk?.(isOther ? BETWEEN + delta : delta)
  }

  #began(): void {
    this.#firstChunk ??= monotonicNow() - this.#options.start
  }

  #pieceAt(body: Item, type: string): Piece {
    const index = indexOf(body)
    let piece = this.#pieces.get(index)
    if (!piece) this.#pieces.set(index, (piece = { item: { type }, isDone: false, text: '', refusal: '', args: '' }))
    return piece
  }

  /** Some servers end with a response that has no items. */
  #itemsOf({ output }: Item): Item[] {
    const items: Item[] = Array.isArray(output) ? output.filter(isRecord) : []
    if (items.length === 0) return this.#items()
    const lost = [...this.#pieces.values()].find(
      (piece) => piece.isDone && isCall(piece.item) && !isAmong(piece, items),
    )
    if (lost) throw lostCall(lost.item)
    return items
  }

  #items(): Item[] {
    return [...this.#pieces].toSorted(([a], [b]) => a - b).map(([, piece]) => itemOf(piece))
  }

  #gathered(): Completion {
    const { refusal: _refusal, reasoning: _reasoning, ...said } = readItems(this.#items().filter(isNamed))
    return { ...said, ...defined({ first_chunk_ms: this.#firstChunk }) }
  }
}

function indexOf({ output_index }: Item): number {
  return typeof output_index === 'number' ? output_index : 0
}

function itemOf({ item, isDone, text, refusal, args }: Piece): Item {
  if (isDone) return item
  if (item['type'] === 'function_call') return args === '' ? item : { ...item, arguments: args }
  if (item['type'] !== 'message') return item
  return {
    ...item,
    content: [{ type: 'output_text', text }, ...(refusal === '' ? [] : [{ type: 'refusal', refusal }])],
  }
}

function isCall({ type }: Item): boolean {
  return type === 'function_call'
}

/** Of a call that broke off, the name may not have come yet. */
function isNamed(item: Item): boolean {
  return !isCall(item) || readString(item['name']) !== undefined
}

function isAmong({ item }: Piece, items: Item[]): boolean {
  return items.some((each) => isCall(each) && each['call_id'] === item['call_id'] && each['name'] === item['name'])
}

function lostCall(item: Item): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the stream has a call that its final response lacks: ${show(item)}`,
  })
}
