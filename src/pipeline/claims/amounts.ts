// Numbers in a text: amounts of money, with units, in per cent, and bare ones.
import type { Language } from './languages/language.js'
import { anyOf, blanked, once } from './text.js'
import type { Amount, Place } from './value.js'

type PlacedAmount = Amount & Place

export function amountsIn(text: string, language: Language): PlacedAmount[] {
  const { moneyBefore, moneyAfter, withUnit, bare } = patternsOf(language)
  const found: PlacedAmount[] = []
  let rest = text
  const take = (fresh: PlacedAmount[]): void => {
    for (const each of fresh) found.push(each)
    rest = blanked(rest, fresh)
  }
  take(
    [...rest.matchAll(moneyBefore), ...rest.matchAll(moneyAfter)].flatMap((match) => {
      const { n = '', k, c = '' } = match.groups ?? {}
      const { amount, step } = readNumber(n, k, language)
      const currency = language.currencies[c.toLowerCase()] ?? c.toUpperCase()
      const start = match.index + match[0].length - match[0].trimStart().length
      return [{ kind: 'money' as const, amount, step, currency, start, end: match.index + match[0].length }]
    }),
  )
  take(durations(rest))
  take(sizes(rest))
  take(
    [...rest.matchAll(withUnit)].flatMap((match) => {
      const { n = '', u = '' } = match.groups ?? {}
      const unit = unitOf(u, language)
      return unit ? [{ kind: 'number' as const, ...readNumber(n, undefined, language), unit, ...placeOf(match) }] : []
    }),
  )
  take(
    [...rest.matchAll(bare)].flatMap((match) => {
      const { n = '', k } = match.groups ?? {}
      return [{ kind: 'number' as const, ...readNumber(n, k, language), ...placeOf(match) }]
    }),
  )
  return found.map((each) => roughly(each, text, language)).toSorted((a, b) => a.start - b.start)
}

/** "about 1,200": its noughts are not figures. */
function roughly(amount: PlacedAmount, text: string, language: Language): PlacedAmount {
  if (!patternsOf(language).rough.test(text.slice(Math.max(0, amount.start - 20), amount.start))) return amount
  const noughts = /0*$/.exec(String(amount.amount))?.[0].length ?? 0
  return { ...amount, step: Math.max(amount.step, 10 ** noughts) }
}

const NUMBER = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})+,\\d{1,2}|\\d+(?:\\.\\d+)?'

const patternsOf = once((language: Language) => {
  const number = `(?<n>${NUMBER})`
  const magnitude = `(?:\\s?(?<k>${anyOf(Object.keys(language.magnitudes))})(?!\\w))?`
  const signs = Object.keys(language.currencies).filter((name) => !/\w$/.test(name))
  const words = Object.keys(language.currencies).filter((name) => /\w$/.test(name))
  const codes = words.filter((word) => word.length === 3)
  const before = '(?<![\\w.,])'
  const after = '(?!\\w|[.,]\\d)'
  return {
    moneyBefore: new RegExp(
      `(?<!\\w)(?<c>${anyOf(signs)}|(?:${anyOf(codes)})\\s)\\s?${number}${magnitude}${after}`,
      'gi',
    ),
    moneyAfter: new RegExp(`${before}${number}${magnitude}[\\s-]?(?<c>${anyOf(words)}|[€£¥])(?!\\w)`, 'gi'),
    withUnit: new RegExp(
      `${before}${number}[\\s-]?(?<u>${anyOf([...Object.keys(language.units), ...language.percentWords])})(?!\\w)`,
      'gi',
    ),
    rough: new RegExp(`(?:^|[^\\p{L}])(?:${anyOf(language.roughWords)})\\s*$`, 'iu'),
    bare: new RegExp(`${before}(?<![/:]|\\d[-–])${number}${magnitude}(?!\\w|[.,]\\d|[/:]\\d)`, 'gi'),
  }
})

/** "two passengers": what is counted in words is evidence and an operand, but rarely a claim. */
export function numberWordsIn(text: string, { numberWords }: Language): PlacedAmount[] {
  return [...text.matchAll(/(?<!\p{L})\p{L}+(?!\p{L})/gu)].flatMap((match) => {
    const word = match[0].toLowerCase()
    if (!Object.hasOwn(numberWords, word)) return []
    return [{ kind: 'number' as const, amount: numberWords[word] ?? 0, step: 1, ...placeOf(match) }]
  })
}

/** "2 hours and 30 minutes", "2h 30m": one length of time. */
function durations(text: string): PlacedAmount[] {
  const pattern = /(?<![\w.,])(\d+)\s?(hours?|hrs?|h)[\s,]*(?:and\s+)?(\d{1,2})\s?(minutes?|mins?|m)(?!\w)/gi
  return [...text.matchAll(pattern)].map((match) => ({
    kind: 'number',
    amount: Number(match[1]) * 60 + Number(match[3]),
    step: 1,
    unit: { dimension: 'time', factor: 60 },
    ...placeOf(match),
  }))
}

/** "27G", as programs write it. */
function sizes(text: string): PlacedAmount[] {
  return [...text.matchAll(/(?<![\w.,$€£¥])(\d+(?:\.(\d+))?)([GT])(?!\w)/g)].map((match) => ({
    kind: 'number',
    amount: Number(match[1]),
    step: 10 ** -(match[2]?.length ?? 0),
    unit: { dimension: 'data', factor: match[3] === 'G' ? 1e9 : 1e12 },
    ...placeOf(match),
  }))
}

export function unitOf(word: string, language: Language): Amount['unit'] | undefined {
  const name = word.toLowerCase()
  if (language.percentWords.includes(name)) return { dimension: 'percent', factor: 0.01 }
  const known = Object.hasOwn(language.units, name) ? language.units[name] : undefined
  return known && { dimension: known[0], factor: known[1] }
}

function readNumber(text: string, magnitude: string | undefined, language: Language): { amount: number; step: number } {
  const plain = /^\d{1,3}(?:\.\d{3})+,/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replaceAll(',', '')
  const times = magnitude === undefined ? 1 : (language.magnitudes[magnitude.toLowerCase()] ?? 1)
  const decimals = plain.split('.')[1]?.length ?? 0
  return { amount: Number(plain) * times, step: times / 10 ** decimals }
}

function placeOf(match: RegExpExecArray): Place {
  return { start: match.index, end: match.index + match[0].length }
}

/** Whether what is claimed is what is known, in the same unit, rounded as written. */
export function sameAmount(claimed: Amount, known: Amount): boolean {
  if (claimed.currency !== undefined && known.currency !== undefined && claimed.currency !== known.currency)
    return false
  if (claimed.kind === 'money' && known.unit !== undefined) return false
  if (known.kind === 'money' && claimed.unit !== undefined) return false
  if (claimed.unit && known.unit) {
    if (claimed.unit.dimension !== known.unit.dimension) return false
    return isClose(claimed, (known.amount * known.unit.factor) / claimed.unit.factor, known.step)
  }
  if (isClose(claimed, known.amount, known.step)) return true
  // A share as a fraction.
  return claimed.unit?.dimension === 'percent' && known.kind === 'number' && isClose(claimed, known.amount * 100, 0)
}

/** Half of the last written digit; a number with fewer digits than the claim cannot be rounded to it. */
function isClose({ amount, step }: Amount, known: number, knownStep: number): boolean {
  const gap = Math.abs(Math.abs(known) - amount)
  if (gap < 1e-9 * Math.max(1, amount)) return true
  return knownStep < step && gap <= step / 2 + 1e-9
}
