// Operators on what has an order or a distance: numbers, texts, dates.
import { parseAge } from '../../../base/duration.js'
import { messageOf } from '../../../base/message-of.js'
import { isRecord } from '../../../base/record.js'
import { MatcherError, type Outcome } from './matcher.js'

export const ORDERINGS = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
} as const

/** Numbers against numbers, text against text; anything else cannot be compared. */
export function orderTest(
  operator: keyof typeof ORDERINGS,
  operand: unknown,
  path: string,
): (actual: unknown) => Outcome {
  if (typeof operand !== 'number' && typeof operand !== 'string')
    throw new MatcherError(path, `${operator} needs a number or a string`)
  const holds = ORDERINGS[operator]
  return (actual) => {
    const order = compare(actual, operand)
    return order === undefined ? 'unknown' : holds(order) ? 'yes' : 'no'
  }
}

/** Nothing is above 5 and below 3. */
export function requirePossible(operators: Record<string, unknown>, path: string): void {
  const { $gt, $gte, $lt, $lte } = operators
  for (const [low, high, isOpen] of [
    [$gt, $lt, true],
    [$gt, $lte, true],
    [$gte, $lt, true],
    [$gte, $lte, false],
  ] as const) {
    const order = compare(low, high)
    if (order !== undefined && (isOpen ? order >= 0 : order > 0))
      throw new MatcherError(
        path,
        `nothing lies between ${JSON.stringify(low)} and ${JSON.stringify(high)}: it cannot hold`,
      )
  }
}

function compare(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'number' && typeof right === 'number')
    return Number.isNaN(left - right) ? undefined : left - right
  if (typeof left === 'string' && typeof right === 'string') return left === right ? 0 : left < right ? -1 : 1
  return undefined
}

/** `{value: 10, within: 0.5}`, or `{value: "2026-05-01T12:00:00Z", within: "1h"}` */
export function nearTest(operand: unknown, path: string): (actual: unknown) => Outcome {
  const { value, within, ...others } = isRecord(operand) ? operand : {}
  const bad = (problem: string): MatcherError =>
    new MatcherError(path, `$near ${problem}; write {"value": 10, "within": 0.5}, or a date and "1h"`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw bad(`has no field "${other}"`)
  if (typeof value === 'number') {
    if (typeof within !== 'number' || !(within >= 0)) throw bad('needs "within": how far a number may be off')
    return (actual) => {
      if (typeof actual !== 'number') return 'unknown'
      // 0.4 is within 0.1 of 0.3, although their difference in binary is a little more.
      const slack = 4 * Number.EPSILON * Math.max(Math.abs(actual), Math.abs(value))
      return Math.abs(actual - value) <= within + slack ? 'yes' : 'no'
    }
  }
  const date = timeOf(value)
  if (date === undefined) throw bad('needs "value": a number or a date')
  const most = typeof within === 'string' ? readAge(within, path) : undefined
  if (most === undefined) throw bad('needs "within": how far a date may be off, such as "30m" or "2d"')
  return (actual) => {
    const time = timeOf(actual)
    if (time === undefined) return 'unknown'
    return Math.abs(time - date) <= most ? 'yes' : 'no'
  }
}

function readAge(text: string, path: string): number {
  try {
    return parseAge(text)
  } catch (error) {
    throw new MatcherError(path, `$near: ${messageOf(error)}`)
  }
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Without a time zone it is read as UTC, wherever the test runs. */
function timeOf(value: unknown): number | undefined {
  const match = typeof value === 'string' ? DATE.exec(value) : null
  if (!match || typeof value !== 'string') return undefined
  const time = Date.parse(value.length === 10 || match[1] !== undefined ? value : `${value}Z`)
  return Number.isNaN(time) ? undefined : time
}
