// Streams of model APIs, passed on piece by piece: each says by a piece of its own that it is over.
import { isRecord, readNonEmpty } from '../../base/record.js'
import { AgentError } from '../../errors.js'

interface Kind {
  /** What the last piece would have had. */
  end: string
  isPiece(piece: Record<string, unknown>): boolean
  isLast(piece: Record<string, unknown>): boolean
}

const KINDS: readonly Kind[] = [
  {
    end: 'finishReason',
    isPiece: (piece) => Array.isArray(piece['candidates']),
    isLast: (piece) => someOf(piece['candidates'], 'finishReason') || someOf([piece['promptFeedback']], 'blockReason'),
  },
  {
    end: 'finish_reason',
    isPiece: (piece) =>
      Array.isArray(piece['choices']) &&
      piece['choices'].some((choice) => isRecord(choice) && isRecord(choice['delta'])),
    isLast: (piece) => someOf(piece['choices'], 'finish_reason'),
  },
  {
    end: 'response.completed',
    isPiece: ({ type }) => type === 'response.created',
    isLast: ({ type }) => type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed',
  },
]

/** A piece that says no more than that: `data: [DONE]`. */
export const DONE = Symbol('the end of a stream')

export class StreamEnd {
  #kind: Kind | undefined
  #isOver = false

  take(piece: unknown): void {
    if (piece === DONE) this.#isOver = true
    if (!isRecord(piece)) return
    this.#kind ??= KINDS.find((kind) => kind.isPiece(piece))
    this.#isOver ||= this.#kind?.isLast(piece) === true
  }

  /** Throws AgentError for a stream that was cut off. */
  requireEnd(): void {
    if (!this.#kind || this.#isOver) return
    throw new AgentError({
      code: 'cut_off',
      message: `the stream ended before the answer was complete: no ${this.#kind.end}`,
      hint: 'pass on every chunk of the stream, including the last, or only its text',
    })
  }
}

function someOf(list: unknown, field: string): boolean {
  return Array.isArray(list) && list.some((item) => isRecord(item) && readNonEmpty(item[field]) !== undefined)
}
