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
  const builder = new EventBuilder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decode(decoder, chunk)
    // A carriage return at the very end may be half of CR LF: it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = builder.take(line)
      if (event) yield event
    }
  }
  // An event at the end without its empty line still counts: some servers just close.
  for (const line of [rest.replace(/\r$/, ''), '']) {
    const event = builder.take(line)
    if (event) yield event
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
    if (data.length === 0) return undefined
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
