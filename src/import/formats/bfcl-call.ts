// A call that BFCL accepts, as matchers: each argument has a list of acceptable values, of the type that the tool asks for.
import { isRecord } from '../../base/record.js'
import { asLiteral } from '../../model/matcher-keys.js'

type Fields = Record<string, unknown>

/** `answers`: acceptable values by argument; `tool`: as the question describes it, in BFCL's words for types. */
export function acceptedArguments(answers: Fields, tool: Fields): Fields {
  const parameters = recordIn(tool, 'parameters')
  const properties = recordIn(parameters, 'properties')
  const required = Array.isArray(parameters['required']) ? parameters['required'] : []
  return Object.fromEntries(
    Object.entries(answers).map(([key, values]) => {
      const acceptable: unknown[] = Array.isArray(values) ? values : [values]
      const value = anyOf(acceptable, recordIn(properties, key))
      const isOptional = acceptable.includes('') && !required.includes(key)
      if (value === undefined) return [literal(key), isOptional ? { $absent: true } : '']
      return [literal(key), isOptional ? { $optional: value } : value]
    }),
  )
}

/** An empty text stands for "may be left out", and is itself acceptable only where texts are asked for. Undefined: no value is. */
function anyOf(acceptable: unknown[], schema: Fields): unknown {
  const [first] = acceptable.filter((value) => value !== '')
  const isOther = first !== undefined && !hasType(first, schema)
  const values = acceptable.filter((value) => hasType(value, schema) || (isOther && value !== ''))
  if (values.length === 0) return undefined
  return values.length === 1 ? matcherOf(values[0]) : { $in: values.map(matcherOf) }
}

function matcherOf(value: unknown): unknown {
  if (typeof value === 'string') return textMatcher(value)
  // Lists inside of lists are compared as they are.
  if (Array.isArray(value)) return value.map((item: unknown) => (Array.isArray(item) ? item : matcherOf(item)))
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([key, values]): [string, unknown] => {
    const acceptable: unknown[] = Array.isArray(values) ? values : [values]
    const one = acceptable.length === 1 ? matcherOf(acceptable[0]) : { $in: acceptable.map(matcherOf) }
    return [literal(key), acceptable.includes('') ? { $optional: one } : one]
  })
  return Object.fromEntries(members)
}

/** The key, where it could be taken for an operator. */
function literal(key: string): string {
  return Object.keys(asLiteral({ [key]: 0 }) as Fields)[0] ?? key
}

const IGNORED = ['case', ' ', ',', '.', '/', '-', '_', '*', '^']

/** Quotes of either kind are the same, which `$text` cannot say; nor can it stand for a text of nothing but what it ignores. */
function textMatcher(value: string): unknown {
  const kept = value
    .replaceAll(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
  if (kept !== '' && !kept.includes('"')) return { $text: { value, ignore: IGNORED } }
  const gap = '[ ,./\\-_*^]*'
  return { $type: 'string', $regex: `^${gap}${Array.from(kept, (letter) => eitherCase(letter) + gap).join('')}$` }
}

/** Not `(?i)`, by which a long s is an s. */
function eitherCase(letter: string): string {
  if (letter === '"') return `['"]`
  const capital = letter.toUpperCase()
  if (capital !== letter && capital.toLowerCase() === letter) return `[${letter}${capital}]`
  return letter.replace(/[\\$()+?[\]{}|]/, '\\$&')
}

const KINDS: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isRecord,
}

/** In lists the elements are looked at one level deep. */
function hasType(value: unknown, schema: Fields): boolean {
  const isKind = kindOf(schema)
  if (isKind && !isKind(value)) return false
  const isItem = isRecord(schema['items']) ? kindOf(schema['items']) : undefined
  return !isItem || !Array.isArray(value) || value.every((item) => isItem(item))
}

function kindOf({ type }: Fields): ((value: unknown) => boolean) | undefined {
  return KINDS[jsonType(type) ?? '']
}

/** Words for types, of Python and of others, that are not those of JSON Schema. */
const TYPES: Record<string, string> = {
  dict: 'object',
  hashmap: 'object',
  float: 'number',
  double: 'number',
  long: 'integer',
  tuple: 'array',
  list: 'array',
  arraylist: 'array',
  set: 'array',
  char: 'string',
}

/** Undefined: anything. */
function jsonType(type: unknown): string | undefined {
  if (typeof type !== 'string') return undefined
  const word = type.toLowerCase()
  const known = TYPES[word] ?? word
  return known in KINDS ? known : undefined
}

/** The schema of a tool's arguments, as JSON Schema has it. */
export function jsonSchemaOf(schema: unknown): Fields {
  if (!isRecord(schema)) return {}
  const {
    type: given,
    properties,
    items,
    optional: _optional,
    additionalProperties: others,
    ...rest
  } = withElementValues(schema)
  const type = jsonType(given)
  return {
    ...(type !== undefined && { type }),
    ...rest,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, jsonSchemaOf(one)])),
    }),
    ...(isRecord(others)
      ? { additionalProperties: jsonSchemaOf(others) }
      : others !== undefined && { additionalProperties: others }),
    // Vendors refuse a list that does not say what it holds.
    ...((type === 'array' || items !== undefined) && { items: jsonSchemaOf(items) }),
  }
}

/** Values that are no lists are those of the elements: no list would be one of them. */
function withElementValues(schema: Fields): Fields {
  const { enum: values, ...list } = schema
  if (jsonType(schema['type']) !== 'array' || !Array.isArray(values) || values.some(Array.isArray)) return schema
  return { ...list, items: { ...recordIn(schema, 'items'), enum: values } }
}

function recordIn(value: Fields, key: string): Fields {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return isRecord(found) ? found : {}
}
