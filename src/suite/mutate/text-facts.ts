// What a text says that can be wrong: numbers, dates, identifiers, names. Where they are, and what else they could be.

export interface Fact {
  kind: 'number' | 'date' | 'id' | 'name'
  text: string
  index: number
}

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec'
const DATE = new RegExp(
  String.raw`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\b(?:${MONTHS})\.? \d{1,2}(?:st|nd|rd|th)?\b|\b\d{1,2}(?:st|nd|rd|th)? (?:${MONTHS})\b`,
  'g',
)
/** Letters and digits mixed, or joined by `_` or `-` with a digit in it. */
const ID = /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w[\w-]{3,}\w\b/g
const NUMBER = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w])/g
/** Two or more capitalised words, or one inside a sentence. */
const NAME = /\b\p{Lu}[\p{Ll}'’]+(?: \p{Lu}[\p{Ll}'’]+)+\b|(?<=[\p{Ll},;] )\p{Lu}[\p{Ll}]{2,}\b/gu

/** In order, none inside another; a date is not three numbers. */
export function factsIn(text: string): Fact[] {
  const facts: Fact[] = []
  const taken: Array<[number, number]> = []
  for (const [kind, pattern] of [
    ['date', DATE],
    ['id', ID],
    ['number', NUMBER],
    ['name', NAME],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length]
      if (taken.some(([start, end]) => from < end && to > start)) continue
      taken.push([from, to])
      facts.push({ kind, text: match[0], index: from })
    }
  }
  return facts.toSorted((left, right) => left.index - right.index)
}

export function putInstead(text: string, { index, text: old }: Fact, now: string): string {
  return text.slice(0, index) + now + text.slice(index + old.length)
}

/** One more; a number as it was written, with its commas and decimals. */
export function otherNumber(text: string): string {
  const whole = /^\d+/.exec(text.replaceAll(',', ''))?.[0] ?? text
  const decimals = /\.\d+$/.exec(text)?.[0] ?? ''
  const next = (BigInt(whole) + 1n).toString()
  const grouped = text.includes(',') && !/,\d{1,2}$/.test(text) ? next.replace(/\B(?=(\d{3})+$)/g, ',') : next
  return grouped + decimals
}

/** The next day, or the one before at the end of a month. */
export function otherDate(text: string): string {
  const day = /^\d{4}-/.test(text) ? /\d{2}$/.exec(text) : /\d{1,2}/.exec(text)
  if (!day) return text
  const number = Number(day[0])
  const moved = String(number >= 28 ? number - 1 : number + 1).padStart(day[0].length, '0')
  return text.slice(0, day.index) + moved + text.slice(day.index + day[0].length)
}

/** The last digit, else the last letter, is another one. */
export function otherId(text: string): string {
  const digit = /\d(?=\D*$)/.exec(text)
  if (digit) return text.slice(0, digit.index) + ((Number(digit[0]) + 1) % 10) + text.slice(digit.index + 1)
  return `${text}x`
}
