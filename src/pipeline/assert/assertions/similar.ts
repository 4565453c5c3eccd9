// `similar`: the answer resembles a text, measured offline.
import * as v from 'valibot'
import { editDistance } from '../../../base/edit-distance.js'
import { longDiff } from '../text-diff.js'
import { abridged, asText } from '../../../base/text.js'
import { defineAssertion, notAvailable } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'
import { wordsOf } from '../words.js'

const DEFAULT_THRESHOLD = 0.8
const MAX_EDIT_STEPS = 100_000_000

export const similar = defineAssertion({
  type: 'similar',
  summary:
    'The answer resembles the given text: 1 minus the share of edits, or the share of common words ("method": "tokens")',
  example: { type: 'similar', value: 'The order was submitted', threshold: 0.7 },
  on: 'answer',
  schema: v.object({
    value: v.pipe(v.string(), v.nonEmpty()),
    threshold: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))),
    method: v.optional(v.picklist(['edit', 'tokens'])),
  }),

  compile(spec, context) {
    const { value, threshold = DEFAULT_THRESHOLD, method = 'edit' } = spec
    const wanted = normalise(value)
    return onAnswer(
      spec,
      context,
      (answer) => {
        const actual = normalise(asText(answer))
        if (method === 'edit' && actual.length * wanted.length > MAX_EDIT_STEPS) {
          return notAvailable('the texts are too long to compare by edits: use "method": "tokens"')
        }
        const exact = method === 'edit' ? editSimilarity(wanted, actual) : tokenSimilarity(wanted, actual)
        const passed = exact >= threshold - Number.EPSILON
        const score = (passed ? Math.round(exact * 10_000) : Math.floor(exact * 10_000)) / 10_000
        if (passed) return { passed, score }
        const message = `similarity ${score} is below ${threshold} (${method})`
        const diff = longDiff(value, answer)
        return {
          passed,
          message,
          score,
          expected: abridged(value),
          actual: abridged(answer ?? null),
          ...(diff !== undefined && { diff }),
        }
      },
      { several: 'each' },
    )
  },
})

/** 1 = the same text, 0 = nothing in common. */
function editSimilarity(left: string, right: string): number {
  const longest = Math.max(left.length, right.length)
  return longest === 0 ? 1 : 1 - editDistance(left, right) / longest
}

/** Common words, counted as often as they occur, over all words of both. */
function tokenSimilarity(left: string, right: string): number {
  const counts = new Map<string, number>()
  const leftWords = wordsOf(left).map(bare)
  const rightWords = wordsOf(right).map(bare)
  for (const word of leftWords) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of rightWords) {
    const count = counts.get(word) ?? 0
    if (count === 0) continue
    counts.set(word, count - 1)
    common++
  }
  const total = leftWords.length + rightWords.length
  return total === 0 ? 1 : (2 * common) / total
}

function bare(word: string): string {
  return word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}

function normalise(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
