// Where sentences can be added to something a user says.
import type { Edit } from '../edit.js'
import type { Said } from '../operator.js'

const LEAST_WORDS = 4

/** "Yes" or "4" answers a question: anything beside it could be read as part of the answer. */
export function isLongEnough({ free: { text } }: Said): boolean {
  return (text.match(/\S+/g) ?? []).length >= LEAST_WORDS
}

/** Nothing where what is said ends in a text that is to be worked on. */
export function addedAfter({ free: { text, isOpen } }: Said, sentence: string): Omit<Edit, 'slot'>[] {
  if (!isOpen || sentence === '') return []
  const end = text.trimEnd().length
  return [{ start: end, end, text: `${/[.!?]["'”’)]*$/.test(text.slice(0, end)) ? '' : '.'} ${sentence}` }]
}
