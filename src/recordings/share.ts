// A case that ran elsewhere: what it used of the recording and what it adds, as data for the one place that keeps both.
import { isRecord } from '../base/record.js'
import { isAroundCases, type ConversationId } from '../model/cassette.js'
import { runKey, type RunKey, type RunName } from '../model/run-key.js'
import type { UnsavedLine } from './unsaved.js'
import { problemOf, type WrittenInteraction } from './read-cassette.js'

export interface EntryShare {
  lines: UnsavedLine[]
  /** What answered, counted from 0 through the whole recording as it was. */
  used: number[]
  replayed: number
  passed_through: number
  stale: number
  /** For what has no result of its own: what the recording could not answer. */
  failure?: string
}

export function conversationOfLine(line: UnsavedLine): ConversationId {
  return line.type === 'interaction' ? line.interaction : line.conversation
}

/** By case and run, until asked for. */
export class Shares {
  readonly #shares = new Map<RunKey, EntryShare>()
  readonly #numbers: Map<WrittenInteraction, number>

  constructor(recorded: readonly WrittenInteraction[]) {
    this.#numbers = new Map(recorded.map((interaction, index) => [interaction, index]))
  }

  /** To be appended to. */
  of({ case: id, run, variant }: ConversationId): EntryShare {
    const key = id === '' ? SHARED : runKey({ id, run, variant })
    let share = this.#shares.get(key)
    if (!share) this.#shares.set(key, (share = { lines: [], used: [], replayed: 0, passed_through: 0, stale: 0 }))
    return share
  }

  use(conversation: ConversationId, interaction: WrittenInteraction): void {
    const share = this.of(conversation)
    share.replayed++
    share.used.push(this.#numbers.get(interaction) ?? -1)
  }

  /** Undefined if there is nothing. */
  take(key: RunKey = SHARED): EntryShare | undefined {
    const share = this.#shares.get(key)
    this.#shares.delete(key)
    return share
  }
}

/** What is recorded once for all, by whichever variant. No run has this key. */
const SHARED = '' as RunKey

export interface ShareOwner {
  /** Whose it must be, by its name in the cassette; undefined: recorded once for all. */
  own: RunName | undefined
  attempts: number
  recorded: readonly WrittenInteraction[]
}

/** Why it cannot be what this case used and recorded; undefined if it can. */
export function problemOfShare(share: unknown, owner: ShareOwner): string | undefined {
  if (!isRecord(share) || !Array.isArray(share['lines']) || !Array.isArray(share['used']))
    return 'it has an unexpected shape'
  for (const count of ['replayed', 'passed_through', 'stale'])
    if (!isCount(share[count])) return `"${count}" is not a number`
  for (const number of share['used'] as unknown[])
    if (!isCount(number) || owner.recorded[number]?.case !== (owner.own?.id ?? ''))
      return 'it used interactions that the recording does not have for it'
  for (const line of share['lines'] as unknown[]) {
    const problem = problemOfLine(line, owner)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfLine(line: unknown, { own, attempts }: ShareOwner): string | undefined {
  if (!isRecord(line)) return 'it has an unexpected shape'
  const { type, order, position, interaction, conversation, kept } = line
  if (type === 'interaction' && isRecord(interaction)) {
    if (!isCount(order) || !isCount(position)) return 'an interaction has no position'
    const problem = problemOf(interaction)
    if (problem !== undefined) return `an interaction cannot be recorded: ${problem}`
  } else if (type === 'cut' && !isKept(kept)) return 'it has an unexpected shape'
  else if (type !== 'cut' && type !== 'restart') return 'it has an unexpected shape'
  const given = type === 'interaction' ? interaction : conversation
  if (!isRecord(given) || typeof given['case'] !== 'string' || !isCount(given['run']) || !isCount(given['attempt']))
    return 'it has an unexpected shape'
  const { case: id, run, attempt, variant } = given as unknown as ConversationId
  const isOwn = own ? runKey({ id, run, variant }) === runKey(own) : id === ''
  if (!isOwn) return `it has an interaction of ${id === '' ? 'no case' : `${id}, run ${run}`}`
  if (attempt < 1 || (attempt > attempts && !isAroundCases(id))) return `it has an interaction of attempt ${attempt}`
  return undefined
}

function isKept(kept: unknown): boolean {
  return isRecord(kept) && Object.values(kept).every((list) => Array.isArray(list) && list.every(isCount))
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
