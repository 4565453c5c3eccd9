// `json_path`: the value at a path of the answer's JSON.
import * as v from 'valibot'
import { isEqual } from '../../../base/equal.js'
import { findJson } from '../../../base/json/find-json.js'
import type { PathQuery } from '../../../base/json/json-path.js'
import { abridged, preview, show } from '../../../base/text.js'
import { defineAssertion, SpecError, type CompileContext, type Verdict } from '../define-assertion.js'
import { matcherField } from '../matchers/schema.js'
import { nothingAt, notJson, requirePath } from '../on-answer.js'
import { compileValue, type ValueMatcher } from '../value-match.js'

export const jsonPath = defineAssertion({
  type: 'json_path',
  summary:
    'The value at a path; a list of values against a single one means any of them, against what a query for several finds all of them; matchers anywhere inside; `exists` asks for presence',
  example: { type: 'json_path', path: '$.need_search', value: false },
  on: 'answer',
  schema: v.object({ path: v.string(), value: v.optional(matcherField), exists: v.optional(v.boolean()) }),

  compile(spec, context) {
    const check = compilePathCheck(spec, 'path', context)
    return ({ output }) => {
      const json = findJson(output)
      return json ? check(json.value, output) : notJson(output)
    }
  },
})

interface PathSpec {
  path: string
  value?: unknown
  exists?: boolean | undefined
}

/** `output` is the text that the document was found in, `pathKey` the field that the path was written in. */
export function compilePathCheck(
  spec: PathSpec,
  pathKey: string,
  context: CompileContext,
): (document: unknown, output: unknown) => Verdict {
  const { field } = context
  const query = requirePath(spec.path, `${field}.${pathKey}`)
  const hasValue = Object.hasOwn(spec, 'value')
  if (!hasValue && spec.exists === undefined) {
    throw new SpecError(`${field}.value`, 'is missing: the value to compare with, or exists: true or false')
  }
  if (hasValue && spec.exists === false) {
    throw new SpecError(`${field}.exists`, 'false cannot be combined with a value')
  }
  const wanted = hasValue ? compileWanted(spec.value, `${field}.value`, context) : undefined
  return (document, output) => {
    const found = query.select(document)
    if (spec.exists === false) return isAbsent(query, found)
    if (found.length > 0) return wanted ? compare(wanted, query, found, output) : { passed: true }
    return wanted ? compareNothing(wanted, query, document, spec.exists) : notThere(query, document)
  }
}

interface Wanted {
  value: unknown
  whole: ValueMatcher
  /** A list against a single value: any of them will do. */
  anyOf: ValueMatcher[]
}

function compileWanted(value: unknown, field: string, context: CompileContext): Wanted {
  const anyOf = Array.isArray(value)
    ? value.map((item, index) => compileValue(item, `${field}[${index}]`, context))
    : []
  return { value, whole: compileValue(value, field, context), anyOf }
}

function isAbsent(query: PathQuery, found: unknown[]): Verdict {
  if (found.length === 0) return { passed: true }
  const actual = found.length > 1 ? found : found[0]
  return { passed: false, message: `${query.source} exists: ${show(actual)}`, actual: abridged(actual) }
}

function compare(wanted: Wanted, query: PathQuery, found: unknown[], output: unknown): Verdict {
  const { value, whole, anyOf } = wanted
  const actual = found.length > 1 ? found : found[0]
  if (whole.matches(actual, output)) return { passed: true }
  if (!query.singular) return compareSeveral(wanted, query, found, output)
  if (anyOf.length === 0 || Array.isArray(actual)) return whole.explain(actual, output, query.source)
  if (anyOf.some((each) => each.matches(actual, output))) return { passed: true }
  const message = `${query.source}: expected one of ${show(value)}, got ${show(actual)}`
  return { ...whole.explain(actual, output, query.source), message }
}

/** Of a query that may find several, the only one found is not all of those wanted, and not none of them either. */
function compareSeveral({ whole, anyOf }: Wanted, query: PathQuery, found: unknown[], output: unknown): Verdict {
  if (whole.matches(found, output)) return { passed: true }
  const [only, ...others] = found
  const isOne = others.length === 0 && anyOf.some((each) => each.matches(only, output))
  const verdict = whole.explain(anyOf.length > 0 || others.length > 0 ? found : only, output, query.source)
  if (!isOne) return verdict
  const message = `${verdict.message ?? ''} (the list is compared as a whole: for any of the values use "any")`
  return { ...verdict, message, absent: message }
}

/** A missing value counts as null, and as the empty list for a query that may find several; not if `exists` is asked for. */
function compareNothing({ value }: Wanted, query: PathQuery, document: unknown, exists?: boolean): Verdict {
  const takesNull = value === null || (query.singular && Array.isArray(value) && value.includes(null))
  const takesNone = !query.singular && isEqual(value, [])
  if (exists !== true && (takesNull || takesNone)) return { passed: true }
  const verdict = nothingAt(query.source, document)
  return { ...verdict, message: absentText(query, document), expected: abridged(value), actual: null }
}

function notThere(query: PathQuery, document: unknown): Verdict {
  return { passed: false, message: absentText(query, document) }
}

function absentText(query: PathQuery, document: unknown): string {
  return `path ${query.source} not found in ${preview(document)}`
}
