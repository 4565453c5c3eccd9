// Dates and times of day in a text, in words and in figures.
import type { Language } from './languages/language.js'
import { anyOf, blanked, once } from './text.js'
import type { Day, Place } from './value.js'

type PlacedDay = Day & Place

export function datesIn(text: string, language: Language): PlacedDay[] {
  const { monthFirst, dayFirst, monthYear, monthOf } = patternsOf(language)
  const found: PlacedDay[] = []
  let rest = text
  const take = (pattern: RegExp, read: (groups: Record<string, string | undefined>) => Day | undefined): void => {
    const fresh = [...rest.matchAll(pattern)].flatMap((match) => {
      const day = read(match.groups ?? {})
      return day ? [{ ...day, start: match.index, end: match.index + match[0].length }] : []
    })
    for (const each of fresh) found.push(each)
    rest = blanked(rest, fresh)
  }
  const inWords = ({ m, d, y }: Record<string, string | undefined>) =>
    calendarDay(y === undefined ? undefined : Number(y), monthOf(m ?? ''), d === undefined ? undefined : Number(d))
  take(ISO, ({ y, m, d }) => calendarDay(Number(y), Number(m), Number(d)))
  take(FIGURES, ({ a, b, y }) => inFigures(Number(a), Number(b), Number(y)))
  take(monthFirst, inWords)
  take(dayFirst, inWords)
  take(monthYear, inWords)
  for (const each of secondDays(rest, found)) found.push(each)
  rest = blanked(rest, found)
  take(CLOCK, ({ h, min, half }) => timeOfDay(Number(h), Number(min ?? 0), half))
  take(HOUR, ({ h, half }) => timeOfDay(Number(h), 0, half))
  return found.toSorted((a, b) => a.start - b.start)
}

const ISO = /(?<![\w-])(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?!\d|-\d)/g
const FIGURES = /(?<![\w/.])(?<a>\d{1,2})[/.](?<b>\d{1,2})[/.](?<y>\d{4}|\d{2})(?![\w/]|\.\d)/g
const CLOCK = /(?<![\d:])(?<h>\d{1,2}):(?<min>\d{2})(?::\d{2}(?:\.\d+)?)?(?!\d)(?:\s?(?<half>[ap](?:\.m\.|m\b)))?/gi
const HOUR = /(?<![\w:.])(?<h>\d{1,2})\s?(?<half>[ap](?:\.m\.|m\b))/gi

const patternsOf = once((language: Language) => {
  const month = `(?<m>${anyOf(language.months.flat())})\\b\\.?`
  const day = '(?<d>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?!\\s?[ap]\\.?m\\b)'
  const year = '(?:,?\\s+(?:of\\s+)?(?<y>(?:19|20)\\d{2})\\b)'
  const names = new Map(language.months.flatMap((forms, index) => forms.map((form) => [form, index + 1])))
  return {
    monthFirst: new RegExp(`\\b${month}\\s+(?:the\\s+)?${day}${year}?`, 'g'),
    dayFirst: new RegExp(`(?<!\\w)${day}\\s+(?:of\\s+)?${month}${year}?`, 'g'),
    monthYear: new RegExp(`\\b${month}${year}`, 'g'),
    monthOf: (name: string) => names.get(name),
  }
})

/** "May 20-22", "May 20th and 22nd, 2024": the second day has the month of the first. */
function secondDays(text: string, days: readonly PlacedDay[]): PlacedDay[] {
  return days.flatMap((first) => {
    if (first.month === undefined || first.day === undefined) return []
    const match = SECOND.exec(text.slice(first.end, first.end + 30))
    if (!match) return []
    const { gap = '', d, y } = match.groups ?? {}
    const day = calendarDay(y === undefined ? first.year : Number(y), first.month, Number(d))
    return day ? [{ ...day, start: first.end + gap.length, end: first.end + match[0].length }] : []
  })
}

const SECOND =
  /^(?<gap>[ \t]*(?:[-–—]|to|and|&)[ \t]*)(?<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<y>(?:19|20)\d{2})\b)?(?![.:,]?\d|\w|\s?[ap]\.?m\b|\s+\p{Ll})/u

function calendarDay(year: number | undefined, month: number | undefined, day: number | undefined): Day | undefined {
  if (month === undefined || month < 1 || month > 12) return undefined
  if (day !== undefined && (day < 1 || day > 31)) return undefined
  return {
    kind: 'date',
    ...(year !== undefined && { year: year < 100 ? 2000 + year : year }),
    month,
    ...(day !== undefined && { day }),
  }
}

function inFigures(a: number, b: number, year: number): Day | undefined {
  const american = calendarDay(year, a, b)
  const european = calendarDay(year, b, a)
  return american && european && a !== b ? { ...american, either: true } : (american ?? european)
}

function timeOfDay(hours: number, minutes: number, half: string | undefined): Day | undefined {
  if (minutes > 59 || hours > 24) return undefined
  if (half === undefined) return { kind: 'date', minutes: hours * 60 + minutes }
  if (hours < 1 || hours > 12) return undefined
  return { kind: 'date', minutes: ((hours % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)) * 60 + minutes }
}

/** What is written in both must be equal; a time of day is no date. */
export function sameDay(a: Day, b: Day): boolean {
  if (a.minutes !== undefined || b.minutes !== undefined) return a.minutes === b.minutes
  if (a.year !== undefined && b.year !== undefined && a.year !== b.year) return false
  if (a.day === undefined || b.day === undefined) {
    return a.month === b.month && (a.day === b.day || a.day === undefined)
  }
  const turned = (day: Day) => day.either === true
  return (
    (a.month === b.month && a.day === b.day) || ((turned(a) || turned(b)) && a.month === b.day && a.day === b.month)
  )
}
