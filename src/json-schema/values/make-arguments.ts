// Arguments for a tool from its JSON Schema: typical, at the boundaries, wrong by construction, hostile. Each is checked against
// the schema before it is handed out; what cannot be made is said.
import { canonicalJson } from '../../base/json/canonical-json.js'
import { isEqual } from '../../base/equal.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { boundaryValues } from './boundary-values.js'
import { buildValue, CannotMake, type Built, type Leaf, type Optional } from './build-value.js'
import type { Schema } from './flatten.js'
import { hostileTexts } from './hostile-texts.js'
import { named, replaced, type MadeValue } from './made-value.js'
import { isCode, sampleByName, type Sample } from './sample.js'
import { compileForeign } from '../compile-foreign.js'
import { wrongValues } from './wrong-values.js'

export interface MadeArguments {
  typical: MadeValue[]
  boundary: MadeValue[]
  wrong: MadeValue[]
  hostile: MadeValue[]
  /** Why there are none, where there are none. */
  cannot: string[]
}

export interface MakeOptions {
  /** Suggestions that know where the tool works; those by name follow. */
  sample?: Sample
  /** At most that many of each kind. */
  most?: Partial<Record<keyof Omit<MadeArguments, 'cannot'>, number>>
  /** Which ones are taken where there are more. The same seed makes the same values. */
  seed?: number
  /** Other typical values than those of an earlier round, as far as the schema and the names suggest any. */
  round?: number
  /** Optional arguments that are also tried without each other: of some, exactly one may be given. */
  asked?: readonly string[]
  /** A typical value that worked: those at the boundaries and hostile ones are made from it. Default: from every argument. */
  worked?: unknown
}

const MOST = { typical: 3, boundary: 8, wrong: 8, hostile: 5 }
/** Combinations that are tried until one is valid. */
const MOST_TRIES = 80

/** Throws if the document is not a schema. */
export function makeArguments(
  schema: Schema,
  { sample, most = {}, seed = 0, round = 0, asked = [], worked }: MakeOptions = {},
): MadeArguments {
  const validate = compileForeign(schema)
  const isValid = (value: unknown) => validate(value).length === 0
  const limit = { ...MOST, ...most }
  const suggest: Sample = (argument) => [...(sample?.(argument) ?? []), ...sampleByName(argument)]
  const { built, offered, cannot } = typicalOf(schema, { sample: suggest, round, asked }, isValid)
  const typical = distinct([...offered, ...built.map(({ value, why }) => ({ value, why }))]).slice(
    0,
    limit.typical + 2 * asked.length,
  )
  const base = built.at(-1)
  if (base === undefined) return { typical, boundary: [], wrong: wrongOnly(schema, isValid), hostile: [], cannot }
  const source = built.find(({ value, leaves }) => leaves.length > 0 && isEqual(value, worked)) ?? base
  return {
    typical,
    boundary: chosen(changed(source, boundaryValues).filter(valid), limit.boundary, seed),
    wrong: chosen([...wrongValues(schema, base).filter(invalid), ...wrongOnly(schema, isValid)], limit.wrong, seed),
    hostile: chosen(changed(source, hostileFor).filter(valid), limit.hostile, seed),
    cannot,
  }

  function valid({ value }: MadeValue): boolean {
    return isValid(value)
  }
  function invalid({ value }: MadeValue): boolean {
    return !isValid(value)
  }
}

interface Typical {
  /** As the schema's author wrote them. */
  offered: MadeValue[]
  /** Made, the last one with the most in it. */
  built: Array<Built & { why: string }>
  cannot: string[]
}

function typicalOf(
  schema: Schema,
  { sample, round, asked }: { sample: Sample; round: number; asked: readonly string[] },
  isValid: (value: unknown) => boolean,
): Typical {
  const { examples, default: usual } = schema
  const listed = [...(Array.isArray(examples) ? (examples as unknown[]) : []), ...(isRecord(usual) ? [usual] : [])]
  const offered = listed.filter(isValid).map((value) => ({ value, why: 'an example of the schema' }))
  const built: Typical['built'] = []
  const cannot: string[] = []
  const kinds: Optional[] = [
    ...asked.map((only) => ({ only })),
    ...(asked.length > 1 ? asked.map((one) => ({ without: asked.filter((other) => other !== one) })) : []),
    ...(round === 0 ? [] : (['suggested'] as const)),
    'none',
    'all',
  ]
  for (const optional of kinds) {
    const found = search({ root: schema, sample, optional, round }, isValid)
    if (typeof found === 'string') cannot.push(found)
    else built.push({ ...found, why: kindOf(optional) })
  }
  // Leaving the optional ones out is enough.
  if (built.length > 0 || offered.length > 0) cannot.length = 0
  return { offered, built, cannot: [...new Set(cannot)] }
}

function kindOf(optional: Optional): string {
  if (typeof optional === 'string') return KINDS[optional]
  if ('only' in optional) return `what is required, and "${optional.only}"`
  return `every argument but ${optional.without.map((name) => `"${name}"`).join(', ')}`
}

const KINDS = {
  none: 'only what is required',
  suggested: 'what is required, and what names suggest',
  all: 'every argument',
}

/** The first combination that is valid, each choice varied on its own and then together with the one before. */
function search(
  options: { root: Schema; sample: Sample; optional: Optional; round: number },
  isValid: (value: unknown) => boolean,
): Built | string {
  let reason = 'no valid value was found: none of the combinations that were tried satisfies the schema'
  const queue: Array<ReadonlyMap<string, number>> = [new Map()]
  const seen = new Set<string>([''])
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const choices = queue.shift()
    if (choices === undefined) break
    let built: Built | undefined
    try {
      built = buildValue(options.root, { ...options, choices })
    } catch (error) {
      if (!(error instanceof CannotMake)) throw error
      reason = messageOf(error)
    }
    if (built && isValid(built.value)) return built
    for (const [place, ways] of built?.ways ?? [['|', 4] as const])
      for (let way = 1; way < ways; way++) {
        if (choices.has(place)) continue
        const next = new Map([...choices, [place, way]])
        const key = JSON.stringify([...next].toSorted(([one], [other]) => (one < other ? -1 : 1)))
        if (!seen.has(key)) queue.push(next)
        seen.add(key)
      }
  }
  return reason
}

/** The base with one of its leaves changed, for each leaf and each way. */
function changed({ value, leaves }: Built, valuesFor: (leaf: Leaf) => MadeValue[]): MadeValue[] {
  const perLeaf = leaves.map((leaf) =>
    valuesFor(leaf).map((made) => ({
      value: replaced(value, leaf.steps, made.value),
      why: `${named(leaf.steps)} ${made.why}`,
    })),
  )
  return inTurns(perLeaf)
}

function hostileFor({ schema, name }: Leaf): MadeValue[] {
  const { type } = schema
  const isText = type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
  if (!isText || 'enum' in schema || 'const' in schema) return []
  return hostileTexts.filter(({ executes }) => !executes || !isCode(name))
}

/** What no object that describes arguments allows. */
function wrongOnly({ properties, required }: Schema, isValid: (value: unknown) => boolean): MadeValue[] {
  const hasNeeds = Array.isArray(required) && required.length > 0 && isRecord(properties)
  if (!hasNeeds || isValid({})) return []
  return [{ value: {}, why: 'there are no arguments' }]
}

/** The first of each, then the second of each. */
function inTurns<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }).flatMap((_, index) => lists.flatMap((list) => list.slice(index, index + 1)))
}

function chosen(values: MadeValue[], most: number, seed: number): MadeValue[] {
  const all = distinct(values)
  if (all.length <= most) return all
  const start = Math.abs(seed) % all.length
  return [...all.slice(start), ...all.slice(0, start)].slice(0, most)
}

function distinct(values: MadeValue[]): MadeValue[] {
  const seen = new Set<string>()
  return values.filter(({ value }) => {
    const key = canonicalJson(value)
    return !seen.has(key) && seen.add(key)
  })
}
