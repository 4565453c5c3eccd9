// Matchers as a person would say them: "below 20", "one of a, b", "nothing".
import { isRecord } from '../../../base/record.js'
import { show } from '../../../base/text.js'
import { isOperators } from '../../../model/matcher-keys.js'
import type { Mismatch } from './matcher.js'

/** What was expected, and what was found instead. */
export function describeMismatch({ path, expected, actual, missing, extra }: Mismatch): string {
  if (extra) return `${path}: not expected, found ${show(actual)}`
  return `${path}: expected ${inWords(expected)}, ${missing ? 'found nothing' : `got ${show(actual)}`}`
}

/** What no call had: `with amount below 20`, `with city "Paris"`, `without note`. */
export function lackingPart({ path, expected, extra }: Mismatch): string {
  const name = path.replace(/^\$\.?/, '')
  if (extra || isAbsent(expected)) return `without ${name}`
  return `with ${name === '' ? '' : `${name} `}${inWords(expected)}`
}

export function inWords(expected: unknown): string {
  if (!isRecord(expected) || !isOperators(expected, true)) return show(expected)
  return Object.entries(expected)
    .map(([operator, operand]) => WORDS[operator]?.(operand) ?? `${operator} ${show(operand)}`)
    .join(' and ')
}

const WORDS: Record<string, (operand: unknown) => string> = {
  $eq: (operand) => inWords(operand),
  $ne: (operand) => `other than ${inWords(operand)}`,
  $not: (operand) => `anything but ${inWords(operand)}`,
  $in: (operand) => `one of ${listed(operand, ', ')}`,
  $any: (operand) => (operand === true ? 'anything' : listed(operand, ' or ')),
  $all: (operand) => listed(operand, ' and '),
  $gt: (operand) => `above ${show(operand)}`,
  $gte: (operand) => `at least ${show(operand)}`,
  $lt: (operand) => `below ${show(operand)}`,
  $lte: (operand) => `at most ${show(operand)}`,
  $near: (operand) => (isRecord(operand) ? `within ${preciseOf(operand)}` : show(operand)),
  $regex: (operand) => `a match of ${show(operand)}`,
  $text: (operand) =>
    isRecord(operand)
      ? `${show(operand['value'])} (ignoring ${listed(operand['ignore'], ', ', String)})`
      : show(operand),
  $type: (operand) => `a value of type ${Array.isArray(operand) ? operand.join(' or ') : String(operand)}`,
  $size: (operand) => `a size of ${inWords(operand)}`,
  $each: (operand) => `a list with nothing but ${inWords(operand)}`,
  $contains: (operand) => `something with ${inWords(operand)} in it`,
  $exact: (operand) => `exactly ${inWords(operand)}`,
  $subset: (operand) => `at least ${inWords(operand)}`,
  $optional: (operand) => `${inWords(operand)} or nothing`,
  $absent: () => 'nothing',
}

function preciseOf({ value, within }: Record<string, unknown>): string {
  return `${String(within)} of ${show(value)}`
}

function listed(operand: unknown, joint: string, each: (value: unknown) => string = inWords): string {
  return Array.isArray(operand) ? operand.map((value) => each(value)).join(joint) : show(operand)
}

function isAbsent(expected: unknown): boolean {
  return isRecord(expected) && Object.hasOwn(expected, '$absent')
}
