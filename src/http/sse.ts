// Server-sent events out of a stream of bytes, wherever the chunks were cut.
import { TextDecoder } from 'node:util'
import { AgentError } from '../errors.js'

export interface SseEvent {
  event: string
  data: string
  /** 1 for the first event of the stream, for error messages. */
  number: number
}

export async function* parseSse(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const lines = new LineSplitter()
  const builder = new EventBuilder()
  for await (const chunk of chunks) {
    for (const line of lines.push(decode(decoder, chunk))) {
      const event = builder.take(line)
      if (event) yield event
    }
  }
  requireComplete(decoder)
  // An event at the end without its empty line still counts: some servers just close.
  for (const line of [lines.take(), '']) {
    const event = builder.take(line)
    if (event) yield event
  }
}

/** From a complete text. */
export function* parseSseText(text: string): Generator<SseEvent> {
  const lines = new LineSplitter()
  const builder = new EventBuilder()
  for (const line of [...lines.push(text), lines.take(), '']) {
    const event = builder.take(line)
    if (event) yield event
  }
}

/** Looks at every character once, however long a line is and however many chunks it spans. */
class LineSplitter {
  /** The line that has not ended yet. */
  #pieces: string[] = []
  /** A line feed that comes next belongs to the preceding carriage return. */
  #isAfterReturn = false

  /** The lines that end in it. */
  push(text: string): string[] {
    const lines: string[] = []
    if (text === '') return lines
    let from = this.#isAfterReturn && text.startsWith('\n') ? 1 : 0
    this.#isAfterReturn = text.endsWith('\r')
    const end = /\r\n|\n|\r/g
    end.lastIndex = from
    for (let found = end.exec(text); found; found = end.exec(text)) {
      this.#pieces.push(text.slice(from, found.index))
      from = end.lastIndex
      lines.push(this.take())
    }
    if (from < text.length) this.#pieces.push(text.slice(from))
    return lines
  }

  take(): string {
    const line = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join('')
    this.#pieces = []
    return line ?? ''
  }
}

class EventBuilder {
  #event = ''
  #data: string[] = []
  #number = 0

  take(line: string): SseEvent | undefined {
    if (line === '') return this.#finish()
    if (line.startsWith(':')) return undefined
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (field === 'data') this.#data.push(value)
    if (field === 'event') this.#event = value
    return undefined
  }

  #finish(): SseEvent | undefined {
    const event = this.#event || 'message'
    const data = this.#data
    this.#event = ''
    this.#data = []
    // An event without data does not count, unless it says that something went wrong.
    if (data.length === 0 && event !== 'error') return undefined
    return { event, data: data.join('\n'), number: ++this.#number }
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw new AgentError({ code: 'bad_response', message: 'the stream is not valid UTF-8', cause })
  }
}

function requireComplete(decoder: TextDecoder): void {
  try {
    decoder.decode()
  } catch (cause) {
    throw new AgentError({ code: 'cut_off', message: 'the stream ends in the middle of a character', cause })
  }
}
