// One thing in a JSON value, broken: a key renamed, a value of another type, another value.
import fc from 'fast-check'

export interface Break {
  kind: 'name' | 'type' | 'value'
  path: Array<string | number>
  /** The field that is broken, without indexes: `turns[].assert.value`. */
  field: string
  /** What a warning must name: the new name, or the name of the field or value. */
  names: string[]
  broken: unknown
}

type Path = Array<string | number>

/** Any one break of the value. */
export function breaksOf(value: unknown): fc.Arbitrary<Break> {
  const places = placesIn(value, [])
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom<Break['kind']>('name', 'type', 'value'), fc.nat(1000))
    .map(([path, kind, salt]) => breakAt(value, path, kind, salt))
    .filter((found): found is Break => found !== undefined)
}

function placesIn(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    return [here, ...placesIn(item, here)]
  })
}

function breakAt(value: unknown, path: Path, kind: Break['kind'], salt: number): Break | undefined {
  const last = path.at(-1)
  const before = valueAt(value, path)
  const field = path
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1)
  const own = path.filter((step) => typeof step === 'string')
  if (kind === 'name') {
    if (typeof last !== 'string') return undefined
    const name = otherName(last, salt)
    return { kind, path, field, names: [name, last], broken: withName(value, path, name) }
  }
  const after = kind === 'type' ? otherType(before, salt) : otherValue(before, last, salt)
  if (after === undefined) return undefined
  const names = [...own, String(before), ...(typeof after === 'string' ? [after] : [])]
  return { kind, path, field, names, broken: withValue(value, path, after) }
}

/** A slip of the fingers, or another word. */
function otherName(name: string, salt: number): string {
  const at = salt % name.length
  const slips = [
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + name.charAt(at) + name.slice(at),
    `${name.slice(0, at)}q${name.slice(at + 1)}`,
    `quux${salt}`,
    name.toUpperCase(),
    `${name}s`,
  ]
  const slip = slips[salt % slips.length] ?? ''
  return slip === name || slip === '' ? `quux${salt}` : slip
}

function otherType(value: unknown, salt: number): unknown {
  const others: unknown[] = [`text ${salt}`, salt + 7919, [`item ${salt}`], { [`key${salt}`]: salt }, salt % 2 === 0]
  const kinds = others.filter((other) => kindOf(other) !== kindOf(value))
  return kinds[salt % kinds.length]
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
}

const LOWER_LIMITS = new Set<unknown>(['min', '$gt', '$gte'])

/** Of the same type. A number goes where it cannot be right: a limit that is only moved is a limit still. */
function otherValue(value: unknown, key: string | number | undefined, salt: number): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return LOWER_LIMITS.has(key) ? value + 1e7 + salt : -value - 1 - (salt % 3)
  if (typeof value === 'string') return salt % 3 === 0 && value.length > 3 ? value.slice(0, -1) + 'q' : `quux${salt}`
  return undefined
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value)
}

function withValue(value: unknown, path: Path, after: unknown): unknown {
  const copy = structuredClone(value)
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>
  parent[String(path.at(-1))] = after
  return copy
}

function withName(value: unknown, path: Path, name: string): unknown {
  const copy = structuredClone(value)
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>
  const entries = Object.entries(parent).map(([key, item]) => [key === path.at(-1) ? name : key, item] as const)
  for (const key of Object.keys(parent)) delete parent[key]
  Object.assign(parent, Object.fromEntries(entries))
  return copy
}
