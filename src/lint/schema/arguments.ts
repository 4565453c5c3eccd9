// The arguments that a schema of a tool declares, nested ones too, as a flat list.
import { isRecord, isStrings } from '../../base/record.js'

export interface Argument {
  /** `filter.tags[].name` */
  path: string
  schema: Record<string, unknown> | boolean
  isRequired: boolean
  /** Inside `anyOf` or `oneOf`, where a value tells the branches apart. */
  isBranch: boolean
}

const MOST = 2000
const DEEPEST = 12
/** Parts that refer to one another are met once for each way to them. */
const MOST_PARTS = 20_000

export function argumentsOf(schema: unknown): Argument[] {
  const found: Argument[] = []
  collect(schema, schema, '', false, new Set(), { found, parts: 0 }, 0)
  return found
}

/** What a `$ref` inside the same schema points to; anything else as it is. */
export function resolveRef(root: unknown, schema: unknown): unknown {
  const ref = isRecord(schema) ? schema['$ref'] : undefined
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  let at: unknown = root
  for (const step of ref.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined
  }
  return at ?? schema
}

function collect(
  root: unknown,
  given: unknown,
  path: string,
  isBranch: boolean,
  seen: ReadonlySet<unknown>,
  met: { found: Argument[]; parts: number },
  depth: number,
): void {
  const schema = resolveRef(root, given)
  if (!isRecord(schema) || seen.has(schema) || met.found.length >= MOST || depth > DEEPEST) return
  if (++met.parts > MOST_PARTS) return
  const inside = new Set([...seen, schema])
  const required = isStrings(schema['required']) ? schema['required'] : []
  const { properties } = schema
  if (isRecord(properties))
    for (const [name, value] of Object.entries(properties)) {
      if (!isRecord(value) && typeof value !== 'boolean') continue
      const at = path === '' ? name : `${path}.${name}`
      met.found.push({ path: at, schema: value, isRequired: required.includes(name), isBranch })
      collect(root, value, at, isBranch, inside, met, depth + 1)
    }
  if (isRecord(schema['items'])) collect(root, schema['items'], `${path}[]`, isBranch, inside, met, depth + 1)
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[key]
    if (!Array.isArray(branches)) continue
    const alternatives = branches.filter((branch) => !isRecord(branch) || branch['type'] !== 'null')
    for (const branch of branches)
      collect(root, branch, path, isBranch || (key !== 'allOf' && alternatives.length > 1), inside, met, depth + 1)
  }
}
