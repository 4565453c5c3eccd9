// A change of a case: replacements in its texts, which can be left out one by one.
import type { TestCase } from '../../model/case.js'
import type { Slot } from './slots.js'

export interface Edit {
  slot: Slot
  /** In the original text. */
  start: number
  end: number
  text: string
}

/** Edits of one text must not overlap. */
export function withEdits(testCase: TestCase, edits: readonly Edit[]): TestCase {
  let changed = testCase
  for (const slot of new Set(edits.map((edit) => edit.slot))) {
    const own = edits.filter((edit) => edit.slot === slot)
    changed = slot.write(changed, edited(slot.text, own))
  }
  return changed
}

export function edited(text: string, edits: readonly Omit<Edit, 'slot'>[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text: inserted } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, start) + inserted
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}
