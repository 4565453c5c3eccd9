// `contains` and `not_contains`: the answer includes a text or, as a list, an element.
import * as v from 'valibot'
import { isEqual } from '../../../base/equal.js'
import { findJson } from '../../../base/json/find-json.js'
import { hasMatchers } from '../matchers/compile.js'
import { elementsCheck } from '../matchers/elements.js'
import { matcherField } from '../matchers/schema.js'
import { nearestPart } from '../text-diff.js'
import { isRecord } from '../../../base/record.js'
import { abridged, asText, show } from '../../../base/text.js'
import { defineAssertion, SpecError, type Check, type CompileContext, type Verdict } from '../define-assertion.js'
import { findsSeveral, onAnswer } from '../on-answer.js'

const schema = v.object({ value: matcherField, ignore_case: v.optional(v.boolean()) })

interface ContainsSpec {
  value: unknown
  ignore_case?: boolean | undefined
  path?: string
}

export const contains = defineAssertion({
  type: 'contains',
  summary:
    'The answer includes the text; a list includes an equal element; an object is searched by its values and as JSON text. A list of values: all of them',
  example: { type: 'contains', value: 'keyword' },
  on: 'answer',
  schema,

  compile(spec, context) {
    const { value, ignore_case } = spec
    if (hasMatchers(value)) return onElements(spec, context, true)
    const look: Look = { ignoreCase: ignore_case, texts: findsSeveral(spec, context) }
    if (!Array.isArray(value)) {
      requireSomething(value, `${context.field}.value`)
      return onAnswer(
        spec,
        context,
        (answer) => (findValue(value, answer, ignore_case) ? { passed: true } : missing(value, answer, look)),
        { several: 'list' },
      )
    }
    const { whole, each } = compileFinds(spec, context)
    return onAnswer(
      spec,
      context,
      (answer) => {
        const lacking = each.find(({ find }) => !find(answer))
        return lacking === undefined || whole(answer) ? { passed: true } : missing(lacking.value, answer, look)
      },
      { several: 'list' },
    )
  },
})

export const notContains = defineAssertion({
  type: 'not_contains',
  summary: 'The answer does not include the text or element; with a list of values, none of them',
  example: { type: 'not_contains', value: 'error' },
  on: 'answer',
  schema,

  compile(spec, context) {
    if (hasMatchers(spec.value)) return onElements(spec, context, false)
    const { whole, each } = compileFinds(spec, context)
    const look: Look = { ignoreCase: spec.ignore_case, texts: findsSeveral(spec, context) }
    return onAnswer(
      spec,
      context,
      (answer) => {
        for (const { value, find } of [...each, { value: spec.value, find: whole }]) {
          const place = find(answer) ?? findInElements(value, answer, look)
          if (place) return { passed: false, message: `output contains ${show(value)}: ${place()}` }
        }
        return { passed: true }
      },
      { several: 'list' },
    )
  },
})

function onElements(spec: ContainsSpec, context: CompileContext, wanted: boolean): Check {
  if (spec.ignore_case)
    throw new SpecError(`${context.field}.ignore_case`, 'does not reach into matchers: use $text, or (?i) in $regex')
  const check = elementsCheck(spec.value, `${context.field}.value`, wanted)
  return onAnswer(spec, context, (answer) => check(findJson(answer)?.value ?? answer), { several: 'list' })
}

/** Finds a value; the returned function says where, on demand. */
type Find = (answer: unknown) => (() => string) | undefined

interface Finds {
  /** A list of values may itself be an element of the answer. */
  whole: Find
  each: Array<{ value: unknown; find: Find }>
}

function compileFinds({ value, ignore_case }: ContainsSpec, { field }: CompileContext): Finds {
  const place = `${field}.value`
  if (!Array.isArray(value)) {
    requireSomething(value, place)
    return { whole: NOTHING, each: [{ value, find: (answer) => findValue(value, answer, ignore_case) }] }
  }
  if (value.length === 0) throw new SpecError(place, 'must not be an empty list: there is nothing to look for')
  value.forEach((item, index) => requireSomething(item, `${place}[${index}]`))
  return {
    whole: (answer) => (Array.isArray(answer) ? elementEqualTo(value, answer) : undefined),
    each: value.map((item: unknown) => ({ value: item, find: (answer) => findValue(item, answer, ignore_case) })),
  }
}

const NOTHING: Find = () => undefined

function requireSomething(value: unknown, place: string): void {
  if (value === '' || value === null)
    throw new SpecError(place, 'must not be empty: everything contains the empty string')
}

function findValue(value: unknown, answer: unknown, ignoreCase = false): ReturnType<Find> {
  const wanted = fold(asText(value), ignoreCase)
  if (typeof answer === 'string') return findIn(answer, wanted, ignoreCase)
  if (Array.isArray(answer)) return elementEqualTo(value, answer, ignoreCase)
  if (!isRecord(answer)) return findIn(asText(answer), wanted, ignoreCase)
  // JSON text has escapes where the values have quotes and line breaks.
  return (
    findInside(answer, (item) =>
      typeof item === 'string' ? findIn(item, wanted, ignoreCase) : equalTo(value, item),
    ) ?? findIn(asText(answer), wanted, ignoreCase)
  )
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text
}

function findIn(text: string, wanted: string, ignoreCase: boolean): ReturnType<Find> {
  const index = fold(text, ignoreCase).indexOf(wanted)
  if (index >= 0) return () => excerpt(text, index, wanted.length)
  // An "é" may be one character or two, and looks the same.
  const composed = wanted.normalize('NFC')
  const place = /[^\0-\x7f]/.test(wanted) ? fold(text, ignoreCase).normalize('NFC').indexOf(composed) : -1
  return place < 0 ? undefined : () => excerpt(text.normalize('NFC'), place, composed.length)
}

function elementEqualTo(wanted: unknown, list: unknown[], ignoreCase = false): ReturnType<Find> {
  const folded = (item: unknown) => (typeof item === 'string' ? fold(item, ignoreCase).normalize('NFC') : item)
  const target = folded(wanted)
  const index = list.findIndex((item) => isEqual(folded(item), target) || isNumberAs(wanted, item))
  return index < 0 ? undefined : () => `element ${index} is ${show(list[index])}`
}

interface Look {
  ignoreCase: boolean | undefined
  /** The elements are what a query for several has found: none of them may contain it, as text either. */
  texts: boolean
}

/** No text equals an element that is an object or a list, so search inside objects. */
function findInElements(value: unknown, answer: unknown, look: Look): ReturnType<Find> {
  for (const element of Array.isArray(answer) ? answer : []) {
    const isData = typeof element === 'object' && element !== null
    if (!isData && !(look.texts && mayHold(element, value))) continue
    const inside = findValue(value, element, look.ignoreCase) ?? findInElements(value, element, look)
    if (inside) return inside
  }
  return undefined
}

/** A text may hold a text; 15 does not hold 5, but is the same as "15". */
function mayHold(element: unknown, value: unknown): boolean {
  return (typeof element === 'string' && typeof value === 'string') || asText(element) === asText(value)
}

function equalTo(wanted: unknown, item: unknown): ReturnType<Find> {
  return (typeof wanted === 'object' && isEqual(wanted, item)) || isNumberAs(wanted, item)
    ? () => show(item)
    : undefined
}

/** In data, 1.0 has become 1. */
function isNumberAs(wanted: unknown, item: unknown): boolean {
  return (
    typeof wanted === 'string' &&
    typeof item === 'number' &&
    /^[-+]?\d+\.\d*0$|^[-+]?\d+\.$/.test(wanted) &&
    Number(wanted) === item
  )
}

/** The first of the object's keys and values, at any depth, in which something is found. */
function findInside(value: unknown, find: (item: unknown) => ReturnType<Find>): ReturnType<Find> {
  const found = find(value)
  if (found || typeof value !== 'object' || value === null) return found
  for (const [key, item] of Object.entries(value)) {
    const inside = (Array.isArray(value) ? undefined : find(key)) ?? findInside(item, find)
    if (inside) return inside
  }
  return undefined
}

function excerpt(text: string, index: number, length: number): string {
  const start = Math.max(0, index - 30)
  const end = Math.min(text.length, index + length + 30)
  return `${start > 0 ? '…' : ''}${show(text.slice(start, end))}${end < text.length ? '…' : ''}`
}

function missing(wanted: unknown, answer: unknown, look: Look): Verdict {
  const inside = findInElements(wanted, answer, look)
  return {
    passed: false,
    // What is nearest takes time to find.
    get message() {
      const near = inside || Array.isArray(answer) ? undefined : nearestPart(asText(wanted), asText(answer))
      const hint = inside ? `; ${INSIDE}: ${inside()}` : near === undefined ? '' : `; nearest: ${show(near)}`
      return `output does not contain ${show(wanted)}${hint}`
    },
    expected: abridged(wanted),
    actual: abridged(answer ?? null),
    ...(inside && { absent: `${show(wanted)} ${INSIDE}: ${inside()}` }),
  }
}

const INSIDE = 'is not an element of the list, but occurs inside one'
