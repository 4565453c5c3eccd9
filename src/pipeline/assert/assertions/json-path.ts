// `json_path`: the value at a path of the answer's JSON.
import * as v from 'valibot'
import { isEqual } from '../../../base/equal.js'
import { findJson } from '../../../base/json/find-json.js'
import type { PathQuery } from '../../../base/json/json-path.js'
import { abridged, preview, show } from '../../../base/text.js'
import { defineAssertion, SpecError, type Verdict } from '../define-assertion.js'
import { notJson, requirePath } from '../on-answer.js'
import { unequal } from './equals.js'

export const jsonPath = defineAssertion({
  type: 'json_path',
  summary: 'The value at a path; a list of values against a single one means any of them; `exists` asks for presence',
  example: { type: 'json_path', path: '$.need_search', value: false },
  on: 'answer',
  schema: v.object({ path: v.string(), value: v.optional(v.unknown()), exists: v.optional(v.boolean()) }),

  compile(spec, { field }) {
    const query = requirePath(spec.path, `${field}.path`)
    const hasValue = Object.hasOwn(spec, 'value')
    if (!hasValue && spec.exists === undefined) {
      throw new SpecError(`${field}.value`, 'is missing: the value to compare with, or exists: true or false')
    }
    if (hasValue && spec.exists === false) {
      throw new SpecError(`${field}.exists`, 'false cannot be combined with a value')
    }
    return ({ output }) => {
      const json = findJson(output)
      if (!json) return notJson(output)
      const found = query.select(json.value)
      return (
        presence(spec.exists, query, found, json.value) ??
        (hasValue ? compare(spec.value, query, found, json.value) : { passed: true })
      )
    }
  },
})

function presence(
  exists: boolean | undefined,
  query: PathQuery,
  found: unknown[],
  document: unknown,
): Verdict | undefined {
  if (exists === true && found.length === 0) return absent(query, document)
  if (exists === false && found.length > 0) {
    const actual = found.length > 1 ? found : found[0]
    return { passed: false, message: `${query.source} exists: ${show(actual)}`, actual: abridged(actual) }
  }
  return undefined
}

function compare(expected: unknown, query: PathQuery, found: unknown[], document: unknown): Verdict {
  const actual = found.length > 1 ? found : (found[0] ?? null)
  const isList = !query.singular && isEqual(expected, found)
  if (isList || isEqual(expected, actual) || isAnyOf(expected, actual)) return { passed: true }
  if (found.length === 0) return { ...absent(query, document), expected: abridged(expected), actual: null }
  const verdict = unequal(expected, actual, query.source)
  if (!Array.isArray(expected) || Array.isArray(actual)) return verdict
  return { ...verdict, message: `${query.source}: expected one of ${show(expected)}, got ${show(actual)}` }
}

function isAnyOf(expected: unknown, actual: unknown): boolean {
  return Array.isArray(expected) && !Array.isArray(actual) && expected.some((value) => isEqual(value, actual))
}

function absent(query: PathQuery, document: unknown): Verdict {
  return { passed: false, message: `path ${query.source} not found in ${preview(document)}` }
}
