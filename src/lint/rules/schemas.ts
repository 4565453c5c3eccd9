// The schemas of tools: do they compile, do they accept what they show, and do they tell a model what to send?
import { isRecord, isStrings } from '../../base/record.js'
import { listed, show } from '../../base/text.js'
import { plural } from '../../base/format.js'
import type { Found } from '../finding.js'
import { defineRule } from '../rule.js'
import { messageOf } from '../../base/message-of.js'
import { compileForeign } from '../../json-schema/compile-foreign.js'
import { UnusableSchema, type ValidateSchema } from '../../json-schema/compile-schema.js'
import { argumentsOf, resolveRef, type Argument } from '../schema/arguments.js'
import type { ListedItem, ToolList } from '../subject.js'
import { wordsOf } from '../text/words.js'

const MOST_NAMES = 8

export const SCHEMAS = [
  defineRule({
    id: 'schema-invalid',
    on: 'list',
    severity: 'error',
    summary: 'a schema that is missing, is not one of an object, or does not compile',
    reason: 'Clients cannot check arguments against it, and the APIs of models refuse the whole list.',
    fix: 'Write a JSON Schema with type: "object" at the top; {"type": "object", "properties": {}} for no arguments.',
    *find({ items }) {
      for (const item of tools(items)) {
        const { place, inputSchema, outputSchema } = item
        for (const [which, schema] of [
          ['input', inputSchema],
          ['output', outputSchema],
        ] as const) {
          if (which === 'output' && schema === undefined) continue
          const wrong = schemaProblem(schema)
          if (wrong !== undefined) yield { ...place, message: `the ${which} schema ${wrong}` }
        }
      }
    },
  }),
  defineRule({
    id: 'schema-refuses-example',
    on: 'list',
    severity: 'error',
    summary: 'a default or an example that the schema itself refuses',
    reason: 'A model that copies the example gets an error.',
    fix: 'Correct the example, or the schema.',
    *find({ items }) {
      for (const item of tools(items)) yield* refusedExamples(item)
    },
  }),
  defineRule({
    id: 'schema-required-unknown',
    on: 'list',
    severity: 'error',
    summary: 'a required argument that is not among the properties',
    reason: 'A model is not told what to send for it, so every call lacks it.',
    fix: 'Declare it in properties, or remove it from required.',
    *find({ items }) {
      for (const { place, inputSchema } of tools(items))
        for (const [path, name] of requiredUnknown(inputSchema))
          yield {
            ...place,
            message: `${show(path === '' ? name : `${path}.${name}`, 80)} is required and not declared`,
          }
    },
  }),
  defineRule({
    id: 'schema-undescribed',
    on: 'list',
    severity: 'warning',
    summary: 'arguments without a description',
    reason: 'A model guesses what to send from the name alone.',
    fix: 'Describe each: what it is, its format or unit, an example.',
    *find({ items }) {
      for (const item of tools(items)) {
        const all = argumentsOf(item.inputSchema)
        const bare = all.filter((arg) => !arg.isBranch && !isDescribed(item, arg))
        if (bare.length > 0)
          yield {
            ...item.place,
            message: `${bare.length} of ${plural(all.length, 'argument')} without a description: ${pathsOf(bare)}`,
          }
      }
    },
  }),
  defineRule({
    id: 'schema-any',
    on: 'list',
    severity: 'warning',
    summary: 'arguments of any type',
    reason: 'A model may send anything, and nothing notices before the tool runs.',
    fix: 'Give each a type, an enum, or a schema of its own.',
    *find({ items }) {
      for (const item of tools(items)) {
        const any = argumentsOf(item.inputSchema).filter(({ schema }) => isAny(schema))
        if (any.length > 0) yield { ...item.place, message: `any value is accepted for ${pathsOf(any)}` }
      }
    },
  }),
  defineRule({
    id: 'schema-enum-one',
    on: 'list',
    severity: 'warning',
    summary: 'an enum with one value, or the same value twice',
    reason: 'An argument that can have one value only tells the tool nothing.',
    fix: 'Remove the argument, or list the values that are missing.',
    *find({ items }) {
      for (const { place, inputSchema } of tools(items))
        for (const { path, schema, isBranch } of argumentsOf(inputSchema)) {
          const values = isRecord(schema) && Array.isArray(schema['enum']) ? schema['enum'] : undefined
          if (values === undefined || isBranch) continue
          const distinct = new Set(values.map((value) => JSON.stringify(value))).size
          if (distinct === 1 && values.length === 1)
            yield { ...place, message: `${show(path, 80)} has an enum of one value` }
          else if (distinct < values.length)
            yield { ...place, message: `${show(path, 80)} has an enum with a value twice` }
        }
    },
  }),
  defineRule({
    id: 'schema-unbounded',
    on: 'list',
    severity: 'note',
    summary: 'lists and amounts without an upper bound',
    reason: 'A model that asks for too much gets an answer that does not fit its context.',
    fix: 'Add maxItems or maximum, and say it in the description.',
    *find({ items }) {
      for (const { place, inputSchema } of tools(items)) {
        const open = argumentsOf(inputSchema).filter(isUnbounded)
        if (open.length > 0) yield { ...place, message: `no upper bound for ${pathsOf(open)}` }
      }
    },
  }),
  defineRule({
    id: 'schema-no-example',
    on: 'list',
    severity: 'note',
    summary: 'required texts without an example, a default, a format or a list of values',
    reason: 'Where the form of a text matters, an example is what models follow best.',
    fix: 'Add examples: […], or an example to the description.',
    *find({ items }) {
      for (const item of tools(items)) {
        const bare = argumentsOf(item.inputSchema).filter(
          (arg) => arg.isRequired && !arg.isBranch && lacksExample(item, arg),
        )
        if (bare.length > 0) yield { ...item.place, message: `no example for ${pathsOf(bare)}` }
      }
    },
  }),
  defineRule({
    id: 'schema-open',
    on: 'list',
    severity: 'note',
    summary: 'schemas that accept arguments that do not exist',
    reason: 'A misspelled argument is ignored without a word, and the tool does something else.',
    fix: 'Add additionalProperties: false.',
    *find(list) {
      yield* openSchemas(list)
    },
  }),
]

function tools(items: ListedItem[]): ListedItem[] {
  return items.filter(({ kind }) => kind === 'tool')
}

function schemaProblem(schema: unknown): string | undefined {
  if (schema === undefined) return 'is missing'
  if (!isRecord(schema)) return 'is not an object'
  if (schema['type'] !== 'object') return `has the type ${show(schema['type'] ?? null, 60)} at the top, not "object"`
  try {
    compileForeign(schema)
    return undefined
  } catch (error) {
    // Which says nothing either way.
    if (error instanceof UnusableSchema) return undefined
    return `does not compile: ${show(messageOf(error), 160).replace(/^"|"$/g, '')}`
  }
}

/** Undefined: it cannot be checked. */
function checkOf(schema: Record<string, unknown>): ValidateSchema | undefined {
  try {
    return compileForeign(schema)
  } catch {
    return undefined
  }
}

function* refusedExamples({ place, inputSchema }: ListedItem): Iterable<Found> {
  const whole = isRecord(inputSchema) ? inputSchema : {}
  const parts: Array<[path: string, schema: Record<string, unknown>]> = [
    ['', whole],
    ...argumentsOf(inputSchema).flatMap(({ path, schema }): Array<[string, Record<string, unknown>]> =>
      isRecord(schema) ? [[path, schema]] : [],
    ),
  ]
  for (const [path, schema] of parts) {
    const shown = [
      ...('default' in schema ? [['default', schema['default']] as const] : []),
      ...(Array.isArray(schema['examples']) ? schema['examples'].map((value) => ['example', value] as const) : []),
    ]
    if (shown.length === 0) continue
    // Definitions that a part refers to are at the top.
    const check = checkOf({ ...definitionsOf(whole), ...schema })
    if (!check) continue
    for (const [what, value] of shown) {
      const [wrong] = check(value)
      if (wrong === undefined) continue
      const of = path === '' ? '' : ` of ${show(path, 80)}`
      yield { ...place, message: `the ${what} ${show(value, 60)}${of} is refused by its own schema: ${wrong}` }
    }
  }
}

function definitionsOf({ $defs, definitions, $schema }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...($schema !== undefined && { $schema }),
  }
}

/** Only where nothing else in the schema could declare it. */
function requiredUnknown(schema: unknown): Array<[path: string, name: string]> {
  const objects: Array<[string, unknown]> = [
    ['', schema],
    ...argumentsOf(schema).map(({ path, schema: part }): [string, unknown] => [path, part]),
  ]
  return objects.flatMap(([path, given]) => {
    const part = resolveRef(schema, given)
    if (!isRecord(part) || !isStrings(part['required']) || ELSEWHERE.some((key) => key in part)) return []
    const { properties = {} } = part
    if (!isRecord(properties)) return []
    return part['required']
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name): [string, string] => [path, name])
  })
}

const ELSEWHERE = ['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'patternProperties', 'dependentSchemas']

/** A title of more than the name counts, and so does a `$ref` or branch that has the description. */
function isDescribed({ inputSchema }: ListedItem, { schema }: Argument): boolean {
  const given = isRecord(schema) ? schema : {}
  const described = [given, resolveRef(inputSchema, given), ...branchesOf(given)]
  return described.some(
    (part) => isRecord(part) && typeof part['description'] === 'string' && part['description'].trim() !== '',
  )
}

function branchesOf(schema: Record<string, unknown>): unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []))
}

/** Nothing in it restricts a value. */
function isAny(schema: Argument['schema']): boolean {
  if (typeof schema === 'boolean') return schema
  return !Object.keys(schema).some((key) => !SAYS_NOTHING.has(key) && !key.startsWith('x-'))
}

const SAYS_NOTHING = new Set(
  'title description default examples example deprecated readOnly writeOnly $comment markdownDescription'.split(' '),
)

function isUnbounded({ path, schema }: Argument): boolean {
  if (!isRecord(schema)) return false
  const { type } = schema
  if (type === 'array') return schema['maxItems'] === undefined && !hasFiniteItems(schema['items'])
  const isNumber = type === 'integer' || type === 'number'
  return isNumber && isAmount(path) && schema['maximum'] === undefined && schema['exclusiveMaximum'] === undefined
}

/** A list of distinct choices ends by itself. */
function hasFiniteItems(items: unknown): boolean {
  return isRecord(items) && (Array.isArray(items['enum']) || items['const'] !== undefined)
}

function isAmount(path: string): boolean {
  return wordsOf(path.slice(path.lastIndexOf('.') + 1)).some((word) => AMOUNTS.has(word))
}

const AMOUNTS = new Set(
  'limit count size max maximum depth length lines tail head timeout duration delay pages results num amount topk'.split(
    ' ',
  ),
)

function lacksExample({ description = '' }: ListedItem, { path, schema }: Argument): boolean {
  if (!isRecord(schema) || schema['type'] !== 'string') return false
  if (['enum', 'const', 'format', 'pattern', 'default', 'examples', 'example'].some((key) => key in schema))
    return false
  const about = typeof schema['description'] === 'string' ? schema['description'] : ''
  const name = path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1)
  const shows = (text: string): boolean => /["'`“‘]|\be\.?g\b|\bexample|\bsuch as\b|\blike\b|\bi\.?e\b/i.test(text)
  return !shows(about) && !(description.includes(name) && shows(description))
}

function* openSchemas({ items }: ToolList): Iterable<Found> {
  const all = tools(items).filter(({ inputSchema }) => isRecord(inputSchema))
  const open = all.filter(({ inputSchema }) => {
    const schema = isRecord(inputSchema) ? inputSchema : {}
    return schema['additionalProperties'] === undefined && schema['unevaluatedProperties'] === undefined
  })
  if (open.length === 0) return
  const share =
    open.length === all.length ? plural(all.length, 'tool') : `${open.length} of ${plural(all.length, 'tool')}`
  const which = listed(
    open.map(({ name }) => show(name, 60)),
    MOST_NAMES,
  )
  const file = open[0]?.place.file
  yield { ...(file !== undefined && { file }), message: `${share} with unknown arguments accepted: ${which}` }
}

function pathsOf(args: Argument[]): string {
  return listed(
    args.map(({ path }) => show(path, 60)),
    MOST_NAMES,
  )
}
