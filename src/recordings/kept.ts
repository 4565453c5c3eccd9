// What a run adds to its recording: in the journal until the run ends, or in the share of a case that runs elsewhere.
import { isAroundCases, type Interaction, type TakeId } from '../model/cassette.js'
import type { Take } from './case-tapes.js'
import type { Journal, JournalFile, JournalLine } from './journal.js'
import { keyOf, takeOf } from './keys.js'
import { takeOfLine, type Shares } from './share.js'

/** As `modelOf` names them. */
export const MODEL_CALL = /^[a-z]+:model:/

/** The case of what is recorded once for all. */
export const SHARED = ''

/** `order`: among all calls of the run; `position`: among those of its hat in its conversation. */
export interface KeptPlace {
  order: number
  position: number
  renews?: true
}

export class Kept {
  /** How many interactions. */
  count = 0
  /** A call that an agent made to its model directly was recorded. */
  hasModelCalls = false
  /** Undefined if nothing is written here. */
  journal: JournalFile | undefined
  /** Of cases whose recording is elsewhere. */
  shares: Shares | undefined
  #order = 0
  /** What was answered once for all, in this part of the run or an earlier one. */
  readonly #once = new Set<string>()
  /** Around cases, by an earlier part of the run: what is done again is recorded again. */
  readonly #begunBefore = new Set<string>()

  /** What an earlier part of the run has left is in the journal. */
  goOn({ lines }: Journal): void {
    for (const line of lines) {
      const take = takeOfLine(line)
      if (isAroundCases(take.case)) this.#begunBefore.add(takeOf(take))
      if (line.type !== 'interaction') continue
      this.#order = Math.max(this.#order, line.order + 1)
      this.#noteOnce(line.interaction)
    }
  }

  nextOrder(): number {
    return this.#order++
  }

  add(interaction: Interaction, place: KeptPlace): void {
    this.#append({ type: 'interaction', ...place, interaction })
    this.count++
    this.hasModelCalls ||= MODEL_CALL.test(interaction.hat)
    this.#noteOnce(interaction)
  }

  cut(take: Take, kept: Record<string, number[]>): void {
    if (take.cut) return
    take.cut = true
    this.#append({ type: 'cut', take: take.id, kept })
  }

  restart(take: TakeId): void {
    this.#append({ type: 'restart', take })
  }

  /** Lines of a case that ran elsewhere. */
  take(
    lines: readonly JournalLine[],
    { takeOf: find, hidden }: { takeOf(id: TakeId): Take; hidden(interaction: Interaction): Interaction },
  ): void {
    const first = this.#order
    for (const line of lines) {
      if (line.type === 'cut') this.cut(find(line.take), line.kept)
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
  #noteOnce({ hat, response, ...take }: Pick<Interaction, 'hat' | 'response' | keyof TakeId>): void {
    if (take.case === SHARED && response.error === undefined) this.#once.add(keyOf(take, hat))
  }

  #append(line: JournalLine): void {
    const take = takeOfLine(line)
    if (this.#begunBefore.delete(takeOf(take))) this.restart(take)
    this.journal?.append(line)
    this.shares?.of(take).lines.push(line)
  }
}
