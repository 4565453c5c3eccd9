// What results and people say was done, and of which thing.
import { isRecord } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import { outcomeOf, resultOf } from './calls.js'
import type { Source } from './known.js'
import { nameWords, once, sentencesOf } from './text.js'

/** Word → the names that stand in the records in which a result has it as a value. */
export type Told = ReadonlyMap<string, ReadonlySet<string>>

/** An error says that something was denied, but not that anything is done. */
export const toldByResult = once((call: ToolCall): Told => {
  const found = new Map<string, Set<string>>()
  if (outcomeOf(call) === 'ok') visit(resultOf(call.result), [], found)
  return found
})

/** Also what it was called with, what its keys say, and how it failed. */
export const toldByCall = once((call: ToolCall): Told => {
  const found = new Map<string, Set<string>>()
  visit(call.error ?? resultOf(call.result), [], found, true)
  visit(call.args, [], found, true)
  return found
})

function visit(value: unknown, names: readonly string[], found: Map<string, Set<string>>, withAll = false): void {
  if (names.length > MOST_NAMES) return
  if (typeof value === 'string') {
    for (const line of value.split('\n')) {
      if (!withAll && DENIED.test(line)) continue
      const own =
        line
          .slice(0, 2000)
          .toLowerCase()
          .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
      for (const word of line.toLowerCase().match(/\p{L}+/gu) ?? []) add(found, word, [...names, ...own])
    }
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, names, found, withAll)
  } else if (isRecord(value)) {
    const own = Object.values(value).flatMap((item) =>
      (typeof item === 'string' && item.length < 60) || typeof item === 'number' ? [String(item).toLowerCase()] : [],
    )
    for (const [key, item] of Object.entries(value)) {
      const inner = [...names, ...own]
      const isTrue = item !== null && item !== false && item !== '' && item !== 0
      const words = nameWords(key)
      if (withAll || (isTrue && !words.some((word) => POSSIBLE.has(word))))
        for (const word of words) add(found, word, inner)
      visit(item, inner, found, withAll)
    }
  }
}

/** What is nested deeper says nothing. */
const MOST_NAMES = 5000

/** "cannot be cancelled", "to be cancelled". */
const DENIED =
  /(?<!\p{L})(?:not|never|cannot|can|could|may|if|until|unless|will|to be|must|should)(?!\p{L})|n['’]t(?!\p{L})/iu
const POSSIBLE = new Set(['can', 'may', 'not', 'allowed', 'if', 'if', 'is_not', 'could', 'be', 'able'])

function add(found: Map<string, Set<string>>, word: string, names: readonly string[]): void {
  const known = found.get(word) ?? new Set<string>()
  for (const name of names) known.add(name)
  found.set(word, known)
}

/** What somebody says, not asks or wishes: parts of sentences with their words. */
export const toldBySomebody = once(({ text }: Source) =>
  sentencesOf(text).flatMap((sentence) => {
    const parts = sentence.text.split(/,\s/)
    return parts.flatMap((part, index) => {
      const isAsked = sentence.text.endsWith('?') && (index === parts.length - 1 || QUESTION.test(part))
      return isAsked || WISH.test(part) ? [] : [{ text: part, words: new Set(part.match(/\p{L}+/gu)) }]
    })
  }),
)

const QUESTION = /^(?:is|are|was|were|has|have|had|do|does|did|why|how|when|who|what|which)(?!\p{L})/iu
const WISH = /(?<!\p{L})(?:want|like|need|please|could|can|would|should|if|wish|hope|have to|get)(?!\p{L})/iu
