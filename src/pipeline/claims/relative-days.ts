// Days that are named by where they lie: today, tomorrow, Monday; where it is said what day it is.
import type { Ground } from './ground.js'
import type { Language } from './languages/language.js'
import { once, sentencesOf } from './text.js'
import type { Day } from './value.js'
import { valuesIn } from './values.js'

/** Looked for once, until something is added. */
export function relativeDays(ground: Ground): readonly Day[] {
  const cache = cached(ground)
  if (cache.size !== ground.sources.length) cache.days = daysIn(ground)
  cache.size = ground.sources.length
  return cache.days
}

const cached = once<Ground, { size: number; days: readonly Day[] }>(() => ({ size: -1, days: [] }))

function daysIn({ sources, language }: Ground): Day[] {
  const given = sources.filter((source) => source.given)
  const today = given.flatMap(({ text }) => todayIn(text, language)).at(0)
  if (today === undefined) return []
  const text = given.map((source) => source.text).join('\n')
  const has = (word: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text)
  const offsets = [
    0,
    ...Object.entries(language.relativeDays).flatMap(([word, days]) => (has(word) ? [days] : [])),
    ...language.weekdays.flatMap((word, weekday) =>
      has(word) ? [(weekday - today.getUTCDay() + 7) % 7, ((weekday - today.getUTCDay() + 7) % 7) + 7] : [],
    ),
  ]
  return [...new Set(offsets)].map((days) => dayOf(new Date(today.getTime() + days * 86_400_000)))
}

/** A whole date in a sentence that says that it is today's. */
function todayIn(text: string, language: Language): Date[] {
  const now = new RegExp(`(?<!\\p{L})(?:${language.todayWords.join('|')})(?!\\p{L})`, 'u')
  return sentencesOf(text).flatMap((sentence) => {
    if (!now.test(sentence.text)) return []
    return valuesIn(capitals(sentence.text, language), language).flatMap((value) =>
      value.kind === 'date' && value.year !== undefined && value.month !== undefined && value.day !== undefined
        ? [new Date(Date.UTC(value.year, value.month - 1, value.day))]
        : [],
    )
  })
}

/** Sources are in lower case; names of months are not. */
function capitals(text: string, { months }: Language): string {
  const names = new Map(months.flat().map((name) => [name.toLowerCase(), name]))
  return text.replaceAll(/\p{L}+/gu, (word) => names.get(word) ?? word)
}

function dayOf(date: Date): Day {
  return { kind: 'date', year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
