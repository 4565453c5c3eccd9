// One fact of the answer is another: a number, a date, a name.
import { parseJson } from '../../../base/json/parse-json.js'
import { eachJson, eachText, spread } from '../change.js'
import type { Mutant, Operator, Original } from '../operator.js'
import { factsIn, otherDate, otherId, otherNumber, putInstead, type Fact } from '../text-facts.js'
import { changedLeaf, leavesOf } from '../json-leaves.js'

/** Of each kind, in one answer. */
const MOST = 6

export const number: Operator = {
  name: 'number',
  about: 'answer',
  meaning: 'users get a wrong number, amount or reference',
  mutants: (original) =>
    factChanged(original, ['number', 'id'], ({ kind, text }) => (kind === 'id' ? otherId(text) : otherNumber(text))),
}

export const date: Operator = {
  name: 'date',
  about: 'answer',
  meaning: 'users get a wrong date',
  mutants: (original) => factChanged(original, ['date'], ({ text }) => otherDate(text)),
}

export const name: Operator = {
  name: 'name',
  about: 'answer',
  meaning: 'users get a wrong name',
  mutants: (original) =>
    factChanged(original, ['name'], ({ text }) => original.names.find((other) => other !== text) ?? 'Alex Morgan'),
}

function* factChanged(
  original: Original,
  kinds: Array<Fact['kind']>,
  other: (fact: Fact) => string,
): Generator<Mutant> {
  yield* eachText(original, function* (text) {
    if (isJson(text)) return
    const facts = factsIn(text).filter(({ kind }) => kinds.includes(kind))
    for (const fact of spread(facts, MOST)) {
      const now = other(fact)
      if (now !== fact.text) yield { what: `${fact.text} becomes ${now}`, text: putInstead(text, fact, now) }
    }
  })
  yield* eachJson(original, function* (value) {
    for (const { path, leaf } of spread(leavesOf(value), MOST * 3)) {
      const now = otherLeaf(leaf, kinds, other)
      if (now !== undefined && now !== leaf)
        yield {
          what: `${path} is ${JSON.stringify(now)} instead of ${JSON.stringify(leaf)}`,
          value: changedLeaf(value, path, now),
        }
    }
  })
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined
}

function otherLeaf(leaf: unknown, kinds: Array<Fact['kind']>, other: (fact: Fact) => string): unknown {
  if (typeof leaf === 'number') return kinds.includes('number') ? leaf + 1 : undefined
  if (typeof leaf !== 'string') return undefined
  const [fact] = factsIn(leaf).filter(({ kind }) => kinds.includes(kind))
  return fact && putInstead(leaf, fact, other(fact))
}
