// One value from a JSON Schema: examples and defaults first, then what the name suggests, then what the type allows.
import { isEqual } from '../../base/equal.js'
import { isRecord, readString } from '../../base/record.js'
import { compileSchema } from '../compile-schema.js'
import { flatten, type Schema } from './flatten.js'
import { FORMAT_TEXTS } from './text-of-format.js'
import type { Sample } from './sample.js'
import { textOfPattern } from './text-of-pattern.js'

/** A part of the value that is not an object or a list. */
export interface Leaf {
  steps: Array<string | number>
  schema: Schema
  /** Of the argument, or of the list that it is in. */
  name: string
}

export interface Built {
  value: unknown
  leaves: Leaf[]
  /** Where something else could have been taken: place → how many ways. */
  ways: Map<string, number>
}

/** Which properties that may be left out are kept: `suggested` those that `sample` has a value for; one; or all but some. */
export type Optional = 'none' | 'suggested' | 'all' | { only: string } | { without: readonly string[] }

export interface BuildOptions {
  root: Schema
  sample: Sample
  optional: Optional
  /** Which way is taken where nothing is chosen: other rounds make other values. */
  round?: number
  /** Place → which way is taken. */
  choices: ReadonlyMap<string, number>
}

/** Why there is no such value, or none that could be found. */
export class CannotMake extends Error {}

// Deeper than a person would write one.
const MOST_OPTIONAL_DEPTH = 3
const MOST_DEPTH = 12
const MOST_ITEMS = 50

export function buildValue(schema: unknown, options: BuildOptions): Built {
  const built: Omit<Built, 'value'> = { leaves: [], ways: new Map() }
  const value = build(schema, { steps: [], name: '', options, built })
  return { value, ...built }
}

interface Place {
  steps: Array<string | number>
  name: string
  options: BuildOptions
  built: Omit<Built, 'value'>
}

function build(given: unknown, place: Place): unknown {
  const { steps, options, built } = place
  const depth = steps.length
  if (depth > MOST_DEPTH) throw new CannotMake(`${placeName(steps)} never ends: the schema refers to itself`)
  const key = steps.join('/')
  const flat = flatten(
    given,
    options.root,
    options.choices.get(`${key}|`) ?? options.round ?? 0,
    depth > MOST_OPTIONAL_DEPTH,
  )
  if (flat.ways > 1) built.ways.set(`${key}|`, Math.min(flat.ways, 12))
  const { schema } = flat
  const ready = readyValues(schema, place)
  const type = typeOf(schema)
  if ((type === 'object' || type === 'array') && ready.length > 0) return pick(ready, key, place)
  if (type === 'object') return buildObject(schema, place)
  if (type === 'array') return buildArray(schema, place)
  const values = [...ready, ...valuesOfType(type, schema)].filter((value) => fits(schema, value))
  if (values.length === 0)
    throw new CannotMake(`no value was found for ${placeName(steps)}, whose schema is ${brief(schema)}`)
  built.leaves.push({ steps, schema, name: place.name })
  return pick(values, key, place)
}

function pick(values: unknown[], key: string, { options, built }: Place): unknown {
  if (values.length > 1) built.ways.set(key, Math.min(values.length, 8))
  return values[(options.choices.get(key) ?? options.round ?? 0) % values.length]
}

/** What the schema itself offers, or the name suggests. */
function readyValues(schema: Schema, { name, options }: Place): unknown[] {
  if ('const' in schema) return [schema['const']]
  const { enum: listed, default: usual, examples, example, description } = schema
  const offered = [
    ...(Array.isArray(examples) ? (examples as unknown[]) : []),
    ...(example === undefined ? [] : [example]),
    ...(usual === undefined || usual === null || usual === '' ? [] : [usual]),
  ].filter((value) => fits(schema, value))
  if (Array.isArray(listed)) return unique([...offered, ...(listed as unknown[])])
  const about = { name, ...(typeof description === 'string' && { description }) }
  const suggested = name === '' ? [] : options.sample(about).filter((value) => fits(schema, value))
  return unique([...offered, ...suggested])
}

function buildObject(schema: Schema, place: Place): Record<string, unknown> {
  const { options, steps } = place
  const { properties, required, additionalProperties: extra, minProperties } = schema
  const known = isRecord(properties) ? properties : {}
  const needed = new Set(Array.isArray(required) ? (required as string[]) : [])
  const { optional } = options
  const isMost = optional === 'all' || (typeof optional === 'object' && 'without' in optional)
  const wanted = isMost && steps.length < MOST_OPTIONAL_DEPTH
  const result: Array<[string, unknown]> = []
  const add = (name: string, own: unknown) =>
    result.push([name, build(own, { ...place, steps: [...steps, name], name })])
  for (const [name, own] of Object.entries(known)) {
    if (needed.has(name)) add(name, own)
    else if ((wanted && !isLeftOut(name, place)) || isWanted(name, own, place)) tryTo(() => add(name, own))
  }
  for (const name of needed) if (!Object.hasOwn(known, name)) add(name, isRecord(extra) ? extra : {})
  const least = typeof minProperties === 'number' ? minProperties : 0
  const isMap = isRecord(extra) && wanted && result.length === 0
  for (const [name, own] of Object.entries(known))
    if (result.length < least && !result.some(([taken]) => taken === name)) tryTo(() => add(name, own))
  while (result.length < Math.max(least, isMap ? 1 : 0)) {
    if (extra === false) throw new CannotMake(`${placeName(steps)} needs more properties than it may have`)
    const name = `example${result.length === 0 ? '' : result.length + 1}`
    if (isMap && least === 0) {
      tryTo(() => add(name, extra))
      break
    }
    add(name, isRecord(extra) ? extra : {})
  }
  // Defines keys: `__proto__` stays an ordinary one.
  return Object.fromEntries(result)
}

function isLeftOut(name: string, { steps, options: { optional } }: Place): boolean {
  return typeof optional === 'object' && 'without' in optional && steps.length === 0 && optional.without.includes(name)
}

function isWanted(name: string, own: unknown, { steps, options: { optional, sample } }: Place): boolean {
  if (typeof optional === 'object') return 'only' in optional && steps.length === 0 && name === optional.only
  if (optional !== 'suggested') return false
  const description = isRecord(own) ? readString(own['description']) : undefined
  return sample({ name, ...(description !== undefined && { description }) }).length > 0
}

function buildArray(schema: Schema, place: Place): unknown[] {
  const { steps, name } = place
  const { items, prefixItems, minItems, maxItems, uniqueItems, contains } = schema
  const firsts: unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest: unknown = Array.isArray(items) ? schema['additionalItems'] : items
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  const least = Math.max(typeof minItems === 'number' ? minItems : 0, firsts.length)
  const count = Math.min(most, Math.max(least, rest === false ? 0 : 1))
  if (count > MOST_ITEMS) throw new CannotMake(`${placeName(steps)} needs ${count} items`)
  const result: unknown[] = []
  for (let index = 0; index < count; index++) {
    const own = index < firsts.length ? firsts[index] : index === 0 && contains !== undefined ? contains : rest
    const at = { ...place, steps: [...steps, index], name }
    const isOptional = index >= least
    if (isOptional) tryTo(() => result.push(build(own ?? {}, at)))
    else result.push(build(own ?? {}, at))
  }
  return uniqueItems === true ? distinct(result, rest, place) : result
}

function distinct(values: unknown[], own: unknown, place: Place): unknown[] {
  const result: unknown[] = []
  for (const [index, value] of values.entries()) {
    const others = value !== undefined && isNew(result, value) ? [value] : variations(value, own, index, place)
    const found = others.find((other) => isNew(result, other))
    if (found === undefined) throw new CannotMake(`${placeName(place.steps)} needs items that differ`)
    result.push(found)
  }
  return result
}

function variations(value: unknown, own: unknown, index: number, { options }: Place): unknown[] {
  const { schema } = flatten(own ?? {}, options.root, 0, false)
  const near =
    typeof value === 'string'
      ? [`${value}${index + 1}`, `${value.slice(0, -1)}${index + 1}`]
      : typeof value === 'number'
        ? [value + index, value - index]
        : []
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [true, false]
  return [...near, ...listed].filter((each) => fits(schema, each))
}

function isNew(list: unknown[], value: unknown): boolean {
  return !list.some((each) => isEqual(each, value))
}

function unique(values: unknown[]): unknown[] {
  return values.filter((value, index) => isNew(values.slice(0, index), value))
}

function tryTo(action: () => unknown): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof CannotMake)) throw error
  }
}

export function typeOf(schema: Schema): string {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null')
  const has = (...keys: string[]) => keys.some((key) => key in schema)
  if (has('properties', 'required', 'additionalProperties', 'minProperties')) return 'object'
  if (has('items', 'prefixItems', 'minItems', 'contains')) return 'array'
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number'
  return 'string'
}

function valuesOfType(type: string, schema: Schema): unknown[] {
  switch (type) {
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer')
    case 'boolean':
      return [false, true]
    case 'null':
      return [null]
    default:
      return []
  }
}

function texts({ minLength, maxLength, pattern, format }: Schema): string[] {
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  const fitted = (text: string) => (text.length < least ? text.padEnd(least, 'a') : text.slice(0, most))
  const ofPattern =
    typeof pattern === 'string' ? [0, 1, 2, 3].flatMap((choice) => textOfPattern(pattern, choice) ?? []) : []
  const ofFormat = typeof format === 'string' ? (FORMAT_TEXTS[format] ?? []) : []
  return [...ofFormat, ...ofPattern, ...ofPattern.map(fitted), ...['example', 'a', '1'].map(fitted)]
}

function numbers(schema: Schema, isWhole: boolean): number[] {
  const { multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : 0.5
  const { least, most } = boundsOf(schema, step)
  const from = step > 0 ? Math.ceil(least / step) * step : least
  const to = step > 0 ? Math.floor(most / step) * step : most
  return [1, step, from, to, from + step, 0, (least + most) / 2].filter(
    (value) => Number.isFinite(value) && value >= least && value <= most,
  )
}

export function boundsOf(schema: Schema, step: number): { least: number; most: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const number = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)
  const small = Math.max(number(minimum, -Infinity), number(exclusiveMinimum, -Infinity) + step)
  const large = Math.min(number(maximum, Infinity), number(exclusiveMaximum, Infinity) - step)
  // Draft 4 writes them as flags.
  return {
    least: exclusiveMinimum === true ? small + step : small,
    most: exclusiveMaximum === true ? large - step : large,
  }
}

/** By this part of the schema alone; references in it are for the check of the whole value. */
function fits(schema: Schema, value: unknown): boolean {
  const { default: _default, examples: _examples, description: _description, title: _title, ...rules } = schema
  if (JSON.stringify(rules).includes('"$ref"')) return true
  try {
    return compileSchema(rules, { foreign: true })(value).length === 0
  } catch {
    return true
  }
}

function placeName(steps: Array<string | number>): string {
  return steps.length === 0 ? 'the value' : `"${steps.join('.')}"`
}

function brief(schema: Schema): string {
  const { description: _description, title: _title, ...rest } = schema
  const text = JSON.stringify(rest)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
