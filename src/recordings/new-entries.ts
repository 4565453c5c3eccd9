// What a run adds to its cassette: unsaved entries until the run ends, or the share of a case that runs elsewhere.
import { isAroundCases, type Interaction, type ConversationId } from '../model/cassette.js'
import type { Conversation } from './case-entries.js'
import type { Unsaved, UnsavedFile, UnsavedLine } from './unsaved.js'
import { keyOf, conversationOf } from './keys.js'
import { conversationOfLine, type Shares } from './share.js'

/** As `modelOf` names them. */
export const MODEL_CALL = /^[a-z]+:model:/

/** The case of what is recorded once for all. */
export const SHARED = ''

/** `order`: among all calls of the run; `position`: among those of its hat in its conversation. */
export interface EntryPosition {
  order: number
  position: number
  renews?: true
}

export class NewEntries {
  /** How many interactions. */
  count = 0
  /** A call that an agent made to its model directly was recorded. */
  hasModelCalls = false
  /** Undefined if nothing is written here. */
  unsaved: UnsavedFile | undefined
  /** Of cases whose recording is elsewhere. */
  shares: Shares | undefined
  #order = 0
  /** What was answered once for all, in this part of the run or an earlier one. */
  readonly #once = new Set<string>()
  /** Around cases, by an earlier part of the run: what is done again is recorded again. */
  readonly #begunBefore = new Set<string>()

  /** What an earlier part of the run has left unsaved. */
  goOn({ lines }: Unsaved): void {
    for (const line of lines) {
      const conversation = conversationOfLine(line)
      if (isAroundCases(conversation.case)) this.#begunBefore.add(conversationOf(conversation))
      if (line.type !== 'interaction') continue
      this.#order = Math.max(this.#order, line.order + 1)
      this.#noteOnce(line.interaction)
    }
  }

  nextOrder(): number {
    return this.#order++
  }

  add(interaction: Interaction, place: EntryPosition): void {
    this.#append({ type: 'interaction', ...place, interaction })
    this.count++
    this.hasModelCalls ||= MODEL_CALL.test(interaction.hat)
    this.#noteOnce(interaction)
  }

  cut(conversation: Conversation, kept: Record<string, number[]>): void {
    if (conversation.cut) return
    conversation.cut = true
    this.#append({ type: 'cut', conversation: conversation.id, kept })
  }

  restart(conversation: ConversationId): void {
    this.#append({ type: 'restart', conversation })
  }

  /** Lines of a case that ran elsewhere. */
  take(
    lines: readonly UnsavedLine[],
    {
      conversationOf: find,
      hidden,
    }: { conversationOf(id: ConversationId): Conversation; hidden(interaction: Interaction): Interaction },
  ): void {
    const first = this.#order
    for (const line of lines) {
      if (line.type === 'cut') this.cut(find(line.conversation), line.kept)
      else if (line.type === 'restart') this.#append(line)
      else if (!this.#once.has(keyOf(line.interaction, line.interaction.hat))) {
        const { interaction, position, renews } = line
        const order = first + line.order
        this.#order = Math.max(this.#order, order + 1)
        this.add(hidden(interaction), { order, position, ...(renews && { renews }) })
      }
    }
  }

  /** After a failure, the next caller that needs the answer asks again. */
  #noteOnce({ hat, response, ...conversation }: Pick<Interaction, 'hat' | 'response' | keyof ConversationId>): void {
    if (conversation.case === SHARED && response.error === undefined) this.#once.add(keyOf(conversation, hat))
  }

  #append(line: UnsavedLine): void {
    const conversation = conversationOfLine(line)
    if (this.#begunBefore.delete(conversationOf(conversation))) this.restart(conversation)
    this.unsaved?.append(line)
    this.shares?.of(conversation).lines.push(line)
  }
}
