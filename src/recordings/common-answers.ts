// What helpers answer while a run records or calls them: if two variants of a case and run ask exactly the same,
// the helper is asked once. Whether two agents differ must not depend on the mood of a judge.
import type { RecordedResponse, ConversationId } from '../model/cassette.js'
import { orAborted } from '../time/deadline.js'
import { conversationOf } from './keys.js'

// The variants of a case follow each other: earlier ones all have their answers.
const KEPT = 2_000

export class CommonAnswers {
  readonly #answers = new Map<string, Promise<RecordedResponse>>()
  /** By conversation: how often it has asked each question. Votes are not copies of one another. */
  readonly #asked = new Map<string, Map<string, number>>()

  async ask(
    conversation: ConversationId,
    question: string,
    signal: AbortSignal,
    live: () => Promise<RecordedResponse>,
  ): Promise<RecordedResponse> {
    const key = this.#keyOf(conversation, question)
    const known = this.#answers.get(key)
    if (known) {
      try {
        return await orAborted(known, signal)
      } catch {
        // The first to ask was cut off, or got no answer: that is not an answer for others.
        signal.throwIfAborted()
      }
    }
    const asking = live()
    this.#keep(key, asking)
    asking.catch(() => this.#answers.get(key) === asking && this.#answers.delete(key))
    return asking
  }

  /** Answers from an earlier part of the run. */
  know(conversation: ConversationId, question: string, response: RecordedResponse): void {
    this.#keep(this.#keyOf(conversation, question), Promise.resolve(response))
  }

  /** The conversation is over. */
  forget(conversation: ConversationId): void {
    if (this.#asked.size > 0) this.#asked.delete(conversationOf(conversation))
  }

  #keep(key: string, answer: Promise<RecordedResponse>): void {
    this.#answers.set(key, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > KEPT && oldest !== undefined) this.#answers.delete(oldest)
  }

  /** Whatever the variant: a question, and how often this conversation has asked it before. */
  #keyOf(conversation: ConversationId, question: string): string {
    const key = conversationOf(conversation)
    let asked = this.#asked.get(key)
    if (!asked) this.#asked.set(key, (asked = new Map()))
    const count = asked.get(question) ?? 0
    asked.set(question, count + 1)
    const { variant: _variant, ...rest } = conversation
    return `${conversationOf(rest)}\0${question}\0${count}`
  }
}
