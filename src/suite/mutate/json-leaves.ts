// The values at the ends of structured data, by path, and the data with one of them changed.
import { isRecord } from '../../base/record.js'

export interface Leaf {
  /** `$.items[0].price` */
  path: string
  steps: Array<string | number>
  leaf: unknown
}

export function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = []
  walk(value, [], leaves)
  return leaves
}

const DEEP = 12

function walk(value: unknown, steps: Array<string | number>, leaves: Leaf[]): void {
  const isData = isRecord(value) || Array.isArray(value)
  if (!isData || steps.length >= DEEP || Object.keys(value).length === 0) {
    if (steps.length > 0) leaves.push({ path: pathOf(steps), steps, leaf: value })
    return
  }
  if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...steps, index], leaves)
  else for (const [key, item] of Object.entries(value)) walk(item, [...steps, key], leaves)
}

export function pathOf(steps: ReadonlyArray<string | number>): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : isPlain(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`
}

function isPlain(key: string): boolean {
  return /^[A-Za-z_]\w*$/.test(key)
}

/** A copy with another value at the path of one of its leaves. */
export function changedLeaf(value: unknown, path: string, now: unknown): unknown {
  const leaf = leavesOf(value).find((each) => each.path === path)
  return leaf ? withAt(value, leaf.steps, () => now) : value
}

/** A copy in which what is at the steps has been changed. */
export function withAt(
  value: unknown,
  [step, ...rest]: ReadonlyArray<string | number>,
  change: (old: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? withAt(item, rest, change) : item))
  if (!isRecord(value)) return value
  return { ...value, [step]: withAt(value[step], rest, change) }
}
