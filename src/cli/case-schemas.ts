// The schemas of case files for editors: for a line, and for a whole file, with the fields of every assertion.
import { isRecord } from '../base/record.js'
import { caseJsonSchema } from '../model/case-schema.js'
import { matcherJsonSchema } from '../pipeline/assert/matchers/schema.js'
import { assertionJsonSchema, assertionTypes } from '../pipeline/assert/assertions-json-schema.js'

type JsonSchema = Record<string, unknown>

const ASSERTION = '#/$defs/assertion'

/** One case: a line of a .jsonl file. */
export async function oneCaseSchema(): Promise<JsonSchema> {
  const schema = withTypes(await caseJsonSchema()) as JsonSchema & { $defs: JsonSchema }
  const oneAssertion = { anyOf: [{ enum: assertionTypes() }, { $ref: ASSERTION }] }
  return {
    ...schema,
    $defs: { ...schema.$defs, assertion: assertionJsonSchema(), oneAssertion, matcher: matcherJsonSchema() },
  }
}

/** A .json or .yaml file: a list of cases, or an object that has one. */
export async function caseFileSchema(): Promise<JsonSchema> {
  const { $schema, $defs, title: _title, ...own } = (await oneCaseSchema()) as JsonSchema & { $defs: JsonSchema }
  const cases = { type: 'array', minItems: 1, items: { $ref: '#/$defs/case' } }
  return {
    $schema,
    title: 'Viva test cases',
    $defs: { ...$defs, case: own },
    anyOf: [cases, { type: 'object', properties: { cases }, required: ['cases'] }],
  }
}

/** A bare string in place of an assertion is the name of a type. */
function withTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withTypes)
  if (!isRecord(node)) return node
  const { anyOf } = node
  const isAssertion = Array.isArray(anyOf) && anyOf.some((each) => isRecord(each) && each['$ref'] === ASSERTION)
  const named = isAssertion
    ? { ...node, anyOf: anyOf.map((each) => (isBareText(each) ? { enum: assertionTypes() } : each)) }
    : node
  return Object.fromEntries(Object.entries(named).map(([key, value]) => [key, withTypes(value)]))
}

function isBareText(value: unknown): boolean {
  return isRecord(value) && value['type'] === 'string' && Object.keys(value).length === 1
}
