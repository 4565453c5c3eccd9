// The schemas of a tool are schemas, and accept what they themselves give as examples and defaults.
import { defined } from '../../../../base/defined.js'
import { messageOf } from '../../../../base/message-of.js'
import { isRecord } from '../../../../base/record.js'
import { show } from '../../../../base/text.js'
import { compileForeign } from '../../../../json-schema/compile-foreign.js'
import { uncheckedPatterns, UnusableSchema } from '../../../../json-schema/compile-schema.js'
import { finding, hint, TOOLS, type Judged, type Rule } from '../rule.js'

export const schemas: Rule = {
  id: 'schemas',
  reason: 'models are shown the schema, its examples and its defaults, and follow them',
  fix: 'correct the schema, or the example or default that it refuses',
  on: TOOLS,
  byListing: true,
  judge({ subject }) {
    if (subject.kind !== 'tool') return []
    const { inputSchema, outputSchema } = subject.item
    return [
      ...(inputSchema === undefined
        ? [finding('the tool has no inputSchema')]
        : problemsOf('inputSchema', inputSchema)),
      ...(outputSchema === undefined ? [] : problemsOf('outputSchema', outputSchema)),
    ]
  },
}

function problemsOf(name: string, schema: unknown): Judged[] {
  if (!isRecord(schema)) return [finding(`${name} is not an object`)]
  if (schema['type'] !== 'object')
    return [finding(`${name} has ${typeWords(schema['type'])}: the protocol requires "object"`)]
  try {
    compileForeign(schema)
  } catch (error) {
    if (error instanceof UnusableSchema)
      return [{ kind: 'not_exercised', why: `${name} cannot be used here: ${error.message}` }]
    return [finding(`${name} is not a valid JSON Schema: ${messageOf(error)}`)]
  }
  const open = uncheckedPatterns(schema)
  return [
    ...refusedIn(schema, schema, name, 0),
    ...(open.length > 0 ? [hint(`${name} has patterns that are not checked here: ${open.join(', ')}`)] : []),
  ]
}

function typeWords(type: unknown): string {
  return type === undefined ? 'no type' : `the type ${show(type)}`
}

const MOST_DEPTH = 8

/** Each schema inside is looked at with the definitions of the whole. */
function refusedIn(
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
  place: string,
  depth: number,
): Judged[] {
  if (depth > MOST_DEPTH) return []
  const { examples, default: usual } = schema
  const offered: Array<[string, unknown]> = [
    ...(Array.isArray(examples) ? examples.map((value: unknown): [string, unknown] => ['example', value]) : []),
    // A default of null stands for "none" in the output of many generators.
    ...(usual === undefined || usual === null ? [] : [['default', usual] satisfies [string, unknown]]),
  ]
  const own = offered.flatMap(([kind, value]) => {
    const problems = refusal(schema, root, value)
    return problems === undefined
      ? []
      : [finding(`${place}: its own ${kind} ${show(value, 80)} is refused: ${problems}`)]
  })
  return [
    ...own,
    ...inside(schema, place).flatMap(([at, each]) => (isRecord(each) ? refusedIn(each, root, at, depth + 1) : [])),
  ]
}

/** Not those of `not` and `if`: what they describe need not be allowed. */
function inside(schema: Record<string, unknown>, place: string): Array<[place: string, schema: unknown]> {
  const { properties, items } = schema
  return [
    ...named(properties, place),
    ...['$defs', 'definitions', 'patternProperties'].flatMap((key) => named(schema[key], `${place}.${key}`)),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'].flatMap((key) => listed(schema[key], `${place}.${key}`)),
    [`${place}[]`, items],
    [`${place}.*`, schema['additionalProperties']],
  ]
}

function named(schemas: unknown, place: string): Array<[string, unknown]> {
  return isRecord(schemas) ? Object.entries(schemas).map(([name, each]) => [`${place}.${name}`, each]) : []
}

function listed(schemas: unknown, place: string): Array<[string, unknown]> {
  return Array.isArray(schemas) ? schemas.map((each: unknown, index) => [`${place}[${index}]`, each]) : []
}

function refusal(schema: Record<string, unknown>, root: Record<string, unknown>, value: unknown): string | undefined {
  const { $defs, definitions, $schema } = root
  // A reference to the whole document would be read as one to this part of it.
  if (/"\$ref":"#(?:"|\/properties)/.test(JSON.stringify(schema))) return undefined
  try {
    const problems = compileForeign({ ...defined({ $defs, definitions, $schema }), ...schema })(value)
    return problems.length === 0 ? undefined : problems.join('; ')
  } catch {
    return undefined
  }
}
