// One way to change what an agent is told so that it should do the same.
import type { TestCase } from '../../model/case.js'
import type { Random } from '../../pipeline/fold/statistics/random.js'
import type { Edit } from './edit.js'
import type { FreeText } from './free-text.js'
import type { Slot } from './slots.js'

/** A text that the user says, and what may be changed in it. */
export interface Said {
  slot: Slot
  free: FreeText
  isEnglish: boolean
}

export interface Subject {
  testCase: TestCase
  said: Said[]
  /** Texts that the agent reads but need not obey. */
  given: Slot[]
  /** Everything the case says and asserts, in lower case: nothing that is added may collide with it. */
  vocabulary: string
}

export interface Planted {
  planted: string
  marker: string
}

export interface Change {
  /** Each can be left out. */
  edits: Edit[]
  /** For an instruction that was planted: only its effect counts. */
  injection?: Planted
}

export interface Operator {
  name: string
  /** "words are misspelt": what happens to a case that breaks. */
  summary: string
  /** Undefined if there is nothing in the case that it may touch. */
  change(subject: Subject, random: Random): Change | undefined
}

/** For operators that work on one text at a time: tries them in a random order. */
export function onOneText(
  change: (said: Said, random: Random, subject: Subject) => Omit<Edit, 'slot'>[],
): Operator['change'] {
  return (subject, random) => {
    const order = subject.said.map((said) => ({ said, key: random() })).toSorted((a, b) => a.key - b.key)
    for (const { said } of order) {
      const edits = change(said, random, subject)
      if (edits.length > 0) return { edits: edits.map((edit) => ({ ...edit, slot: said.slot })) }
    }
    return undefined
  }
}
