// What failed first, and how to say it without repeating what the two sides below already show.
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'
import { contractFinding } from '../../../model/contract-text.js'
import { isRecord } from '../../../base/record.js'
import { unabridged } from '../../../base/text.js'
import { jsonIn } from './readable.js'

export interface FirstFailure {
  item: AssertionResult
  /** The turn after which it was checked, in a conversation. */
  turn?: number
}

/** In the order in which the checks were made. A check that could not be carried out is the failure only if nothing else failed. */
export function firstFailure(event: ResultEvent): FirstFailure | undefined {
  if (event.status !== 'failed') return undefined
  const all: FirstFailure[] = [
    ...(event.turns ?? []).flatMap(({ turn, assertions }) => (assertions ?? []).map((item) => ({ item, turn }))),
    ...[...(event.assertions ?? []), ...(event.final_assertions ?? [])].map((item) => ({ item })),
  ]
  const failed = all.filter(({ item }) => !item.passed)
  const first = failed.find(({ item }) => item.error === undefined) ?? failed[0]
  return first && { ...first, item: culprit(first.item) }
}

/** Of assertions that must all hold, the first that does not. */
function culprit(item: AssertionResult): AssertionResult {
  const part = item.type === 'all' && !item.negate ? item.parts?.find((other) => !other.passed) : undefined
  return part ? culprit(part) : item
}

export interface TwoSides {
  expected: unknown
  actual: unknown
}

/** What the assertion looked at, if known. */
export interface AnswerSeen {
  output?: unknown
  tool_calls?: ToolCall[] | undefined
}

/** Undefined if the assertion recorded neither. Long values are recorded cut; the full ones are used if known. */
export function sidesOf(item: AssertionResult, { output, tool_calls }: AnswerSeen = {}): TwoSides | undefined {
  if (!('expected' in item) && !('actual' in item)) return undefined
  if (contractFinding(item)) return undefined
  const call = closestCall(item, tool_calls ?? [])
  return call ?? { expected: unabridged(item.expected, item.value), actual: unabridged(item.actual, output) }
}

/** The arguments of a tool that was called with others than those wanted, limited to the wanted ones. */
function closestCall(item: AssertionResult, calls: ToolCall[]): TwoSides | undefined {
  const [, wanted = ''] = /^.+? with (\{.*\})/s.exec(typeof item.expected === 'string' ? item.expected : '') ?? []
  const args = jsonIn(wanted)
  const [, closest] =
    /(?:; closest is|: in) call (\d+), .*, (?:which differs at|it is) /s.exec(item.message ?? '') ?? []
  const call = calls[Number(closest) - 1]
  if (!args || !call) return undefined
  const given = isRecord(call.args) ? Object.entries(call.args).filter(([key]) => Object.hasOwn(args, key)) : undefined
  return { expected: args, actual: given ? Object.fromEntries(given) : call.args }
}

/** The sentence above the two sides. */
export function headline(item: AssertionResult, sides: TwoSides | undefined): string {
  const text = item.message ?? ''
  if (!sides) return text
  // How a call differs is stated only here, unless the two calls are side by side.
  if (item.type.startsWith('tool'))
    return isRecord(sides.expected)
      ? text
          .replace(/^tool '(\S+) with .*$/s, "tool '$1' was called with other arguments")
          .replace(/: in call \d+, .*$/s, '')
      : text
  const sentence = text
    .replace(/(: | \()expected .*?(, got .*|\)$|$)/s, '')
    .replace(/; nearest: ".*"$/s, '')
    .replace(/^(\S+ does not contain) ".*"$/s, '$1 the expected text')
    .replace(/^(\S+ does not match) pattern .*$/s, '$1 the pattern')
  // All that is left may be the path.
  return /^\S+$/.test(sentence) ? `${sentence} is not as expected` : sentence
}

/** The part of the answer nearest to the text that was looked for. */
export function nearest(item: AssertionResult): string | undefined {
  return /; nearest: "(.*)"$/s.exec(item.message ?? '')?.[1]
}

/** What the result says besides its assertions, each of which is shown on its own. */
export function unsaid(event: ResultEvent): string[] {
  const said = messagesOf([
    ...(event.assertions ?? []),
    ...(event.final_assertions ?? []),
    ...(event.turns ?? []).flatMap((turn) => turn.assertions ?? []),
  ])
  const texts = [event.error ?? '', ...(event.assertion_errors ?? [])].filter(Boolean)
  const left = texts.filter((text) => !said.some((message) => text.includes(message)))
  return left.filter((text, index) => !left.some((other, at) => at < index && other.includes(text.replace(TURN, ''))))
}

const TURN = /^turn \d+: /

function messagesOf(items: AssertionResult[]): string[] {
  return items.flatMap((item) => (item.passed ? [] : [item.message ?? '', item.error ?? ''])).filter(Boolean)
}
