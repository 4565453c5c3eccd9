// The smallest change that still breaks a case, in the shortest text in which it does.
import { withEdits, type Edit } from './edit.js'
import type { Span } from './free-text.js'
import { minimise } from './minimise.js'
import type { Change } from './operator.js'
import type { Try } from './plan.js'
import { entryOf, plainEntry, unchangedId, type Rounds, type Tally } from './rounds.js'

export interface Smallest {
  change: Change
  /** Sentences that do not matter, left out of what is said. */
  cuts: Edit[]
  isMinimal: boolean
}

interface Search {
  rounds: Rounds
  /** Of each question. */
  repeats: number
  /** Agent runs. */
  budget: number
}

/** The change as it breaks the case, sentences left out. */
export function wholeChange({ change, cuts }: Smallest): Change {
  return { ...change, edits: [...cuts, ...change.edits] }
}

export async function smallest(item: Try, { rounds, repeats, budget }: Search): Promise<Smallest> {
  const { subject, change, id } = item
  const { testCase } = subject
  const fails = async (edits: Edit[]): Promise<boolean> => {
    const tallies = await rounds.run([entryOf(id, testCase, { ...change, edits })], repeats, 'search')
    return isFailing(tallies.get(id))
  }
  const first = await minimise(change.edits, fails, Math.floor(budget / 2 / repeats))
  const least = { ...change, edits: first.parts }
  const sentences = change.injection ? [] : untouched(item, first.parts)
  const stays = async (kept: Edit[]): Promise<boolean> => {
    const cuts = sentences.filter((sentence) => !kept.includes(sentence))
    const unchanged = unchangedId(id)
    const plain = plainEntry(withEdits(testCase, cuts), unchanged)
    const changed = entryOf(id, testCase, { ...least, edits: [...cuts, ...least.edits] })
    const tallies = await rounds.run([plain, changed], repeats, 'search')
    return isFailing(tallies.get(id)) && isPassing(tallies.get(unchanged))
  }
  if (sentences.length === 0) return { change: least, cuts: [], isMinimal: first.isMinimal }
  // Each question about the text is asked with and without the change.
  const second = await leastKept(sentences, stays, Math.floor(budget / 4 / repeats))
  const cuts = sentences.filter((sentence) => !second.parts.includes(sentence))
  return { change: least, cuts, isMinimal: first.isMinimal && second.isMinimal }
}

async function leastKept(
  sentences: Edit[],
  stays: (kept: Edit[]) => Promise<boolean>,
  budget: number,
): Promise<{ parts: Edit[]; isMinimal: boolean }> {
  if (budget > 0 && (await stays([]))) return { parts: [], isMinimal: true }
  return minimise(sentences, stays, budget - 1)
}

function isFailing(tally: Tally = { passed: 0, failed: 0 }): boolean {
  return tally.failed > tally.passed
}

function isPassing(tally: Tally = { passed: 0, failed: 0 }): boolean {
  return tally.passed > 0 && tally.failed === 0
}

/** Sentences that the change does not reach into, as cuts. One sentence alone always stays. */
function untouched({ subject }: Try, edits: readonly Edit[]): Edit[] {
  return subject.said.flatMap(({ slot, free: { text, sentences } }) => {
    const own = edits.filter((edit) => edit.slot === slot)
    if (own.length === 0 || sentences.length < 2) return []
    const left = sentences.filter((sentence) => !own.some((edit) => overlap(edit, sentence)))
    const most = left.length === sentences.length ? left.slice(1) : left
    return most.map((sentence) => {
      const at = sentences.indexOf(sentence)
      const next = sentences[at + 1]
      // The last one takes the space before it along.
      if (!next) return { slot, start: sentences[at - 1]?.end ?? 0, end: text.length, text: '' }
      return { slot, start: sentence.start, end: next.start, text: '' }
    })
  })
}

function overlap(edit: Edit, { start, end }: Span): boolean {
  return edit.start === edit.end ? edit.start > start && edit.start < end : edit.start < end && start < edit.end
}
