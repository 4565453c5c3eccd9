// `contains` and `not_contains`: the answer includes a text, or as a list an element.
import * as v from 'valibot'
import { isEqual } from '../../../base/equal.js'
import { nearestPart } from '../text-diff.js'
import { abridged, asText, show } from '../../../base/text.js'
import { defineAssertion, SpecError, type CompileContext, type Verdict } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'

const schema = v.object({ value: v.unknown(), ignore_case: v.optional(v.boolean()) })

interface ContainsSpec {
  value: unknown
  ignore_case?: boolean | undefined
  path?: string
}

export const contains = defineAssertion({
  type: 'contains',
  summary: 'The answer includes a text; a list includes an equal element; an object is searched as JSON text',
  example: { type: 'contains', value: 'keyword' },
  on: 'answer',
  schema,

  compile(spec, context) {
    const find = compileFind(spec, context)
    return onAnswer(spec, context, (answer) => (find(answer) ? { passed: true } : missing(spec, answer)))
  },
})

export const notContains = defineAssertion({
  type: 'not_contains',
  summary: 'The answer does not include a text or element',
  example: { type: 'not_contains', value: 'error' },
  on: 'answer',
  schema,

  compile(spec, context) {
    const find = compileFind(spec, context)
    return onAnswer(spec, context, (answer) => {
      const place = find(answer)
      return place ? { passed: false, message: `output contains ${show(spec.value)}: ${place()}` } : { passed: true }
    })
  },
})

/** Finds the value; what it returns tells where, when someone asks. */
type Find = (answer: unknown) => (() => string) | undefined

function compileFind(spec: ContainsSpec, { field }: CompileContext): Find {
  const { value, ignore_case: ignoreCase = false } = spec
  if (value === '' || value === null) {
    throw new SpecError(`${field}.value`, 'must not be empty: everything contains the empty text')
  }
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const foldItem = (item: unknown) => (typeof item === 'string' ? fold(item) : item)
  const wanted = fold(asText(value))
  const wantedItem = foldItem(value)
  return (answer) => {
    if (Array.isArray(answer)) {
      const index = answer.findIndex((item) => isEqual(foldItem(item), wantedItem))
      return index < 0 ? undefined : () => `element ${index} is ${show(answer[index])}`
    }
    const text = asText(answer)
    const index = fold(text).indexOf(wanted)
    return index < 0 ? undefined : () => excerpt(text, index, wanted.length)
  }
}

function excerpt(text: string, index: number, length: number): string {
  const start = Math.max(0, index - 30)
  const end = Math.min(text.length, index + length + 30)
  return `${start > 0 ? '…' : ''}${show(text.slice(start, end))}${end < text.length ? '…' : ''}`
}

function missing(spec: ContainsSpec, answer: unknown): Verdict {
  const near = Array.isArray(answer) ? undefined : nearestPart(asText(spec.value), asText(answer))
  const hint = near === undefined ? '' : `; nearest: ${show(near)}`
  return {
    passed: false,
    message: `output does not contain ${show(spec.value)}${hint}`,
    expected: abridged(spec.value),
    actual: abridged(answer ?? null),
  }
}
