// What is different between two JSON values, member by member, and the paths that name members.
import { isEqual, joinPath } from '../equal.js'
import { isRecord } from '../record.js'

export type Segment = string | number

export interface JsonChange {
  segments: readonly Segment[]
  change: 'added' | 'changed' | 'removed'
  before?: unknown
  after?: unknown
}

/** Objects by key, lists by index, anything else as a whole. In the order of `before`, then what was added. */
export function jsonChanges(before: unknown, after: unknown): JsonChange[] {
  const found: JsonChange[] = []
  compare(before, after, [], found)
  return found
}

/** `$.orders["a b"][0]` */
export function pathText(segments: readonly Segment[]): string {
  return segments.reduce<string>(
    (path, segment) => (typeof segment === 'number' ? `${path}[${segment}]` : joinPath(path, segment)),
    '$',
  )
}

/** In a path: any one member. */
export const ANY = Symbol('any')

export type MemberPath = ReadonlyArray<Segment | typeof ANY>

/** `$.a["b c"][0].*`: names, indexes and `*`. Undefined if it is anything else. */
export function parseMemberPath(path: string): MemberPath | undefined {
  if (path[0] !== '$') return undefined
  const segments: Array<Segment | typeof ANY> = []
  let position = 1
  while (position < path.length) {
    MEMBER.lastIndex = position
    const match = MEMBER.exec(path)
    if (!match) return undefined
    const [text, any, name, index, double, single] = match
    if (any !== undefined) segments.push(ANY)
    else if (index !== undefined) segments.push(Number(index))
    else if (name !== undefined) segments.push(name)
    else {
      const quoted = double ?? single
      const value = quoted === undefined ? undefined : unquoted(quoted)
      if (value === undefined) return undefined
      segments.push(value)
    }
    position += text.length
  }
  return segments
}

/** Whether the path names the member, or something that the member is part of. */
export function isAtOrBelow(segments: readonly Segment[], path: MemberPath): boolean {
  return (
    path.length <= segments.length && path.every((step, at) => step === ANY || String(step) === String(segments[at]))
  )
}

const MEMBER = /(\.\*|\[\*\])|\.([^\s.[\]*"']+)|\[(0|[1-9]\d{0,14})\]|\[("(?:[^"\\]|\\.)*")\]|\[('(?:[^'\\]|\\.)*')\]/y

function unquoted(text: string): string | undefined {
  const json =
    text[0] === "'"
      ? `"${text
          .slice(1, -1)
          .replaceAll(String.raw`\'`, "'")
          .replaceAll('"', String.raw`\"`)}"`
      : text
  try {
    return JSON.parse(json) as string
  } catch {
    return undefined
  }
}

function compare(before: unknown, after: unknown, segments: Segment[], found: JsonChange[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      compareMember(before, after, index, segments, found)
    return
  }
  if (isRecord(before) && isRecord(after)) {
    for (const key of Object.keys(before)) compareMember(before, after, key, segments, found)
    for (const key of Object.keys(after))
      if (!Object.hasOwn(before, key)) compareMember(before, after, key, segments, found)
    return
  }
  if (!isEqual(before, after)) found.push({ segments: [...segments], change: 'changed', before, after })
}

function compareMember(before: object, after: object, key: Segment, segments: Segment[], found: JsonChange[]): void {
  const left = memberOf(before, key)
  const right = memberOf(after, key)
  segments.push(key)
  if (left === undefined && right !== undefined) found.push({ segments: [...segments], change: 'added', after: right })
  else if (left !== undefined && right === undefined)
    found.push({ segments: [...segments], change: 'removed', before: left })
  else if (left !== undefined) compare(left, right, segments, found)
  segments.pop()
}

function memberOf(value: object, key: Segment): unknown {
  return Object.hasOwn(value, key) ? (value as Record<Segment, unknown>)[key] : undefined
}
