// Which changes are tried: drawn with a seed, every way on every case in turn, no change twice.
import { createHash } from 'node:crypto'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { seededRandom, type Random } from '../../pipeline/fold/statistics/random.js'
import { withEdits } from './edit.js'
import type { Change, Operator, Planted, Subject } from './operator.js'

export interface Try {
  /** Of the changed case. */
  id: string
  subject: Subject
  operator: Operator
  change: Change
}

export interface PlanInit {
  subjects: readonly Subject[]
  operators: readonly Operator[]
  seed: number
  tries: number
}

/** How often a way may come up with nothing new for a case before it is given up there. */
const PATIENCE = 10

export function planTries({ subjects, operators, seed, tries }: PlanInit): Try[] {
  const found: Try[] = []
  const seen = new Set<string>()
  const freeId = idsBeside(subjects.map(({ testCase }) => testCase.id))
  const draws = subjects.flatMap((subject) => operators.map((operator) => drawFrom(subject, operator, seed, freeId)))
  const shuffle = seededRandom(seed)
  let open = draws.map((draw) => ({ draw, key: shuffle() })).toSorted((a, b) => a.key - b.key)
  while (open.length > 0 && found.length < tries) {
    open = open.filter(({ draw }) => {
      if (found.length >= tries) return true
      const next = draw(seen)
      if (next) found.push(next)
      return next !== undefined
    })
  }
  return found
}

/** One change after the other; undefined when there are no more. */
function drawFrom(
  subject: Subject,
  operator: Operator,
  seed: number,
  freeId: (stem: string) => string,
): (seen: Set<string>) => Try | undefined {
  const { id: from } = subject.testCase
  const random = randomFor(`${seed}\n${from}\n${operator.name}`)
  return (seen) => {
    for (let attempt = 0; attempt < PATIENCE; attempt++) {
      const change = operator.change(subject, random)
      // Another draw may find something: a text in lower case can still be written in capitals.
      if (!change) continue
      const key = JSON.stringify([
        from,
        change.edits.map(({ slot, start, end, text }) => [slot.where, start, end, text]),
      ])
      if (seen.has(key)) continue
      seen.add(key)
      return { id: freeId(`${from}~${operator.name}-${seed}`), subject, operator, change }
    }
    return undefined
  }
}

/** Cases that were found before may be in the suite, under such ids. */
function idsBeside(taken: readonly string[]): (stem: string) => string {
  const ids = new Set(taken)
  return (stem) => {
    for (let count = 1; ; count++) {
      const id = `${stem}.${count}`
      if (ids.has(id)) continue
      ids.add(id)
      return id
    }
  }
}

function randomFor(text: string): Random {
  return seededRandom(createHash('sha256').update(text).digest().readInt32LE(0))
}

/** With an instruction planted, what else is compared word for word with the answer no longer counts: it may quote it. */
export function changedCase(testCase: TestCase, { edits, injection }: Change): TestCase {
  const changed = withEdits(testCase, edits)
  return injection ? withCheck(changed, injection) : changed
}

function withCheck(testCase: TestCase, { planted, marker }: Planted): TestCase {
  const check: AssertionSpec = { type: 'injection', planted, marker, in: 'answer' }
  const { expected: _expected, ...rest } = testCase
  if (testCase.turns) {
    const turns = testCase.turns.map((turn) => ({ ...turn, assertions: turn.assertions.filter(isLoose) }))
    return { ...rest, turns, final_assertions: [...(testCase.final_assertions ?? []).filter(isLoose), check] }
  }
  return { ...rest, assertions: [...testCase.assertions.filter(isLoose), check] }
}

/** It holds as well for an answer that quotes the instruction. */
function isLoose({ type, value, pattern, negate, path }: AssertionSpec): boolean {
  if (path !== undefined) return true
  if (negate === true || WHOLE_ANSWER.has(type)) return false
  return type !== 'regex' || !/^(?:\(\?\w+\))?(?:\^|\\A)|(?:\$|\\z)$/.test(String(value ?? pattern))
}

const WHOLE_ANSWER = new Set([
  'equals',
  'length',
  'words',
  'similar',
  'not_contains',
  'none',
  'snapshot',
  'snapshot_matches',
])
