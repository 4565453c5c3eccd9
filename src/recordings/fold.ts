// What was there before and what a run has recorded → the new content of the cassette.
import { laneOfHat, type Interaction, type RecordedResponse, type ConversationId } from '../model/cassette.js'
import type { UnsavedLine } from './unsaved.js'
import { conversationOf } from './keys.js'
import type { WrittenInteraction } from './read-cassette.js'
import { isSameAnswer, type Slot } from './write-cassette.js'

/** `isFinished`: conversations without a result stay as they were before the run. */
export function foldUnsaved(
  old: readonly WrittenInteraction[],
  lines: readonly UnsavedLine[],
  isFinished: (conversation: ConversationId) => boolean,
  onKept: (conversation: ConversationId) => void = () => {},
): Slot[] {
  const conversations = collect(
    lines.filter((line) => isFinished(line.type === 'interaction' ? line.interaction : line.conversation)),
  )
  const before = grouped(old)
  const slots: Slot[] = []
  const done = new Set<string>()
  for (const interaction of old) {
    const id = conversationOf(interaction)
    const conversation = conversations.get(id)
    if (!conversation) slots.push({ kept: interaction })
    else if (!done.has(id)) {
      done.add(id)
      const earlier = before.get(id) ?? []
      const isWorse = losesAnswer(earlier, conversation)
      if (isWorse) onKept(conversation.id)
      slots.push(...(isWorse ? earlier.map((kept) => ({ kept })) : foldConversation(earlier, conversation)))
    }
  }
  const fresh = [...conversations].filter(([id]) => !done.has(id)).map(([, conversation]) => conversation)
  for (const conversation of inOrder(fresh)) slots.push(...foldConversation([], conversation))
  return slots
}

interface Conversation {
  id: ConversationId
  cut: Record<string, number[]> | undefined
  recorded: Array<{ order: number; position: number; interaction: Interaction; renews?: true }>
}

function collect(lines: readonly UnsavedLine[]): Map<string, Conversation> {
  const conversations = new Map<string, Conversation>()
  for (const line of lines) {
    const id = line.type === 'interaction' ? line.interaction : line.conversation
    const key = conversationOf(id)
    let conversation = conversations.get(key)
    if (!conversation) conversations.set(key, (conversation = { id, cut: undefined, recorded: [] }))
    if (line.type === 'interaction') conversation.recorded.push(line)
    else if (line.type === 'cut') conversation.cut ??= line.kept
    else conversation.recorded = []
  }
  return conversations
}

function grouped(interactions: readonly WrittenInteraction[]): Map<string, WrittenInteraction[]> {
  const groups = new Map<string, WrittenInteraction[]>()
  for (const interaction of interactions) {
    const id = conversationOf(interaction)
    const group = groups.get(id)
    if (group) group.push(interaction)
    else groups.set(id, [interaction])
  }
  return groups
}

/**
 * What stays of a conversation, then what is new in it; the same answer to the same request stays as written. What
 * was folded before a kill is found at its position, and not added twice.
 */
function foldConversation(old: WrittenInteraction[], { cut, recorded: all }: Conversation): Slot[] {
  const recorded = lastOfEach(all.toSorted((a, b) => a.order - b.order))
  const fresh = new Map(recorded.map((line) => [`${line.position}\0${line.interaction.hat}`, line.interaction]))
  const replaced = new Map<string, WrittenInteraction>()
  const slots: Slot[] = []
  // A delta is written against the interaction before it.
  const isBaseSame = new Map<string, boolean>()
  const write = (interaction: Interaction, instead: WrittenInteraction | undefined, renews?: true): void => {
    const { hat } = interaction
    const sameRequest = instead?.prompt_hash === interaction.prompt_hash
    if (instead && !renews && sameRequest && (isBaseSame.get(hat) ?? true) && isSameAnswer(instead, interaction))
      slots.push({ kept: instead })
    else slots.push({ written: interaction, ...(instead && { instead }) })
    isBaseSame.set(hat, sameRequest)
  }
  const taken = new Map<string, number>()
  for (const interaction of old) {
    const { hat } = interaction
    const position = taken.get(hat) ?? 0
    taken.set(hat, position + 1)
    const place = `${position}\0${hat}`
    const again = fresh.get(place)
    if (!again && (cut === undefined || cut[hat]?.includes(position))) write(interaction, interaction)
    else if (again && cut?.[hat]?.some((kept) => kept > position)) {
      // Calls may come in another order: whatever stays after it keeps its position.
      write(again, interaction)
      fresh.delete(place)
    } else replaced.set(place, interaction)
  }
  for (const { interaction, position, renews } of recorded) {
    const place = `${position}\0${interaction.hat}`
    if (fresh.has(place)) write(interaction, replaced.get(place), renews)
  }
  return slots
}

/** The same request was answered before and fails now: an agent that is down must not cost the recording. */
function losesAnswer(old: readonly WrittenInteraction[], { recorded }: Conversation): boolean {
  const failed = recorded.filter(({ interaction }) => isFailure(interaction.response))
  return failed.some(({ interaction: { hat, prompt_hash }, position }) => {
    const before = old.filter((each) => each.hat === hat)[position]
    if (before?.prompt_hash !== prompt_hash || isFailure(before.response)) return false
    // A client may have retried.
    return !recorded.some(
      ({ interaction: other }) => other.hat === hat && other.prompt_hash === prompt_hash && !isFailure(other.response),
    )
  })
}

function isFailure({ error, status }: RecordedResponse): boolean {
  return error !== undefined || (typeof status === 'number' && status >= 400)
}

/** What is recorded once for all cases may have been recorded by two parts of a run. */
function lastOfEach(recorded: Conversation['recorded']): Conversation['recorded'] {
  const [first] = recorded
  if (!first || first.interaction.case !== '' || laneOfHat(first.interaction.hat) === 'hat') return recorded
  return [...new Map(recorded.map((line) => [line.interaction.hat, line])).values()]
}

/** The same whatever ran concurrently. */
function inOrder(conversations: readonly Conversation[]): Conversation[] {
  // Created here: it takes as long as everything else that is loaded for a replay.
  const { compare } = new Intl.Collator('en', { numeric: true })
  return conversations.toSorted(
    ({ id: a }, { id: b }) =>
      compare(a.case, b.case) ||
      (a.case < b.case ? -1 : a.case > b.case ? 1 : 0) ||
      a.run - b.run ||
      compare(a.variant ?? '', b.variant ?? '') ||
      a.attempt - b.attempt,
  )
}
