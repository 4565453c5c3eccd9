// A JSON Schema as a table for people: every field with its type, default and meaning, objects inside it included.

export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: { if?: Schema; then?: Schema }[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  required?: string[]
  minimum?: number
  maximum?: number
}

export interface TableOptions {
  /** Fields that are described elsewhere. */
  without?: readonly string[]
  /** Where a named type is described. */
  linkTo?: (name: string) => string | undefined
  /** Instead of a list of more than twenty words. */
  longEnum?: string
}

/** The lines of a Markdown table; none for a schema without fields. */
export function schemaTable(schema: Schema, options: TableOptions = {}): string[] {
  const rows = fieldRows(schema, '', options)
  if (rows.length === 0) return []
  const columns = (['name', 'type', 'fallback', 'meaning'] as const).filter((key) =>
    rows.some((row) => row[key] !== ''),
  )
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(columns.map((key) => TITLES[key])),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((key) => row[key]))),
  ]
}

const TITLES = { name: 'field', type: 'type', fallback: 'default', meaning: 'meaning' }

interface Row {
  name: string
  type: string
  fallback: string
  meaning: string
}

function fieldRows(schema: Schema, before: string, options: TableOptions): Row[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    if (before === '' && options.without?.includes(name)) return []
    const { meaning, fallback } = splitDefault(field.description ?? '')
    const row = {
      name: `\`${before}${name}\`${required.includes(name) ? ' (required)' : ''}`,
      type: typeText(field, options),
      fallback: cell(fallback),
      meaning: cell(meaning),
    }
    return [
      row,
      ...innerObjects(field).flatMap(({ object, suffix }) => fieldRows(object, `${before}${name}${suffix}`, options)),
    ]
  })
}

/** Objects that stand in the place of a field: itself, one of its alternatives, the elements of its list. */
function innerObjects(schema: Schema): { object: Schema; suffix: string }[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap(innerObjects)
  if (schema.items) return innerObjects(schema.items).map(({ object, suffix }) => ({ object, suffix: `[]${suffix}` }))
  return schema.properties && Object.keys(schema.properties).length > 0 ? [{ object: schema, suffix: '.' }] : []
}

function typeText(schema: Schema, options: TableOptions = {}): string {
  if (schema.$ref !== undefined) return named(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1), options)
  if (schema.anyOf ?? schema.oneOf) return alternativesText(alternativesOf(schema), options)
  if (schema.enum && schema.enum.length > 20 && options.longEnum !== undefined) return options.longEnum
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.type === 'array') return `list of ${schema.items ? typeText(schema.items, options) : 'anything'}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `object: name → ${typeText(schema.additionalProperties, options)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything')
  return `${type}${rangeText(schema)}`
}

/** "A or B, or a list of them" where a list may have just what the field itself may be. */
function alternativesText(all: Schema[], options: TableOptions): string {
  const texts = (schemas: Schema[]): string[] => [...new Set(schemas.map((each) => typeText(each, options)))]
  const single = texts(all.filter(({ type }) => type !== 'array')).filter((text) => text !== 'null')
  const isOfThem = ({ items }: Schema): boolean =>
    single.length > 1 && items !== undefined && texts(alternativesOf(items)).join() === single.join()
  const lists = all.filter(({ type }) => type === 'array')
  const others = [
    ...texts(lists.filter((list) => !isOfThem(list))),
    ...(all.some(({ type }) => type === 'null') ? ['null'] : []),
  ]
  return `${[...single, ...others].join(' or ')}${lists.some(isOfThem) ? ', or a list of them' : ''}`
}

function alternativesOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf)?.flatMap(alternativesOf) ?? [schema]
}

function named(name: string, { linkTo }: TableOptions): string {
  const target = linkTo?.(name)
  return target === undefined ? name : `[${name}](${target})`
}

function rangeText({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`
  if (minimum !== undefined) return ` (${minimum} or more)`
  return maximum === undefined ? '' : ` (at most ${maximum})`
}

/** Descriptions name the default at their end: "…; default: 20." */
function splitDefault(description: string): { meaning: string; fallback: string } {
  const [, meaning = description, fallback = ''] = /^(.*?)[;,.]? ?\bdefault: ([^;.]+)\.?$/is.exec(description) ?? []
  return { meaning: meaning === description ? description : `${meaning}.`, fallback }
}

export function cell(text: string): string {
  return prose(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** `<` would begin a tag, which Markdown leaves out. */
export function prose(text: string): string {
  return text.replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '\\<' : part))
}
