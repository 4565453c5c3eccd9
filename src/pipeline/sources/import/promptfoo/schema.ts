// Which JSON Schemas are carried over: those that promptfoo can compile, of keywords that the script of the suite knows.
import { createRequire } from 'node:module'
import { isRecord } from '../../../../base/record.js'
import { SCHEMA_FORMATS, SCHEMA_KEYWORDS } from './schema-script.js'

/** The schemas of one import; the same one in many tests is compiled once. */
export class Schemas {
  readonly #known = new Set<string>()

  /** Undefined where there is none. Throws an Error that says why it is left behind. */
  require(value: unknown): unknown {
    if (value === undefined || value === null || value === '') return undefined
    if (!isRecord(value)) throw new Error('expected a JSON Schema')
    const key = JSON.stringify(value)
    if (this.#known.has(key)) return value
    requireKnown(value)
    const formats = Object.fromEntries(Array.from(SCHEMA_FORMATS, (name) => [name, true as const]))
    const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv')
    new Ajv({ strictSchema: true, logger: false, formats }).compile(value)
    this.#known.add(key)
    return value
  }
}

const IN_NAMES = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']
const IN_LISTS = ['allOf', 'anyOf', 'oneOf', 'items']
const INSIDE = [
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]

function requireKnown(schema: unknown): void {
  if (!isRecord(schema)) return
  for (const [keyword, value] of Object.entries(schema)) {
    if (!SCHEMA_KEYWORDS.has(keyword)) throw new Error(`the keyword "${keyword}" of a schema is not carried over`)
    if (keyword === '$ref' && !(typeof value === 'string' && /^#(?:\/|$)/.test(value)))
      throw new Error('a schema that refers to another file is not carried over')
    if (keyword === 'format' && typeof value === 'string' && !SCHEMA_FORMATS.has(value))
      throw new Error(`the format "${value}" of a schema is not carried over`)
    if (IN_NAMES.includes(keyword) && isRecord(value)) for (const inner of Object.values(value)) requireKnown(inner)
    if (IN_LISTS.includes(keyword) && Array.isArray(value)) for (const inner of value) requireKnown(inner)
    if (INSIDE.includes(keyword)) requireKnown(value)
  }
}
