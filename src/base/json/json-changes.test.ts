import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEqual } from '../equal.js'
import { ANY, isAtOrBelow, jsonChanges, parseMemberPath, pathText, type JsonChange } from './json-changes.js'

const json = fc.jsonValue({ maxDepth: 4 })

test('there is a change exactly where two values differ', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const changes = jsonChanges(before, after)
      expect(changes.length === 0).toBe(isEqual(before, after))
      for (const { segments, change, before: old, after: now } of changes) {
        expect(at(before, segments)).toEqual(change === 'added' ? undefined : old)
        expect(at(after, segments)).toEqual(change === 'removed' ? undefined : now)
        expect(isEqual(old, now)).toBe(false)
      }
    }),
  )
})

test('the changes, made to the first value, give the second', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      // Lists shrink from their end.
      const changes = jsonChanges(before, after).toReversed()
      expect(isEqual(applied(before, changes), after)).toBe(true)
    }),
  )
})

test('no change is part of another', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const changes = jsonChanges(before, after)
      for (const one of changes)
        for (const other of changes) if (one !== other) expect(isAtOrBelow(one.segments, other.segments)).toBe(false)
    }),
  )
})

test('a path is read back as it was written', () => {
  const segment = fc.oneof(fc.string(), fc.nat(1000))
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      expect(parseMemberPath(pathText(segments))).toEqual(segments)
    }),
  )
})

test.each<[string, unknown]>([
  ['$', []],
  ['$.a.b[0]', ['a', 'b', 0]],
  ["$['a b'].c-d", ['a b', 'c-d']],
  ['$.*.x[*]', [ANY, 'x', ANY]],
  ['a.b', undefined],
  ['$.', undefined],
  ['$..a', undefined],
  ['$[?@.a]', undefined],
  ['$[-1]', undefined],
  ['$[0', undefined],
  ['$.a b', undefined],
])('%s', (path, expected) => expect(parseMemberPath(path)).toEqual(expected))

function at(value: unknown, segments: readonly (string | number)[]): unknown {
  return segments.reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, segment)
        ? (inner as Record<string | number, unknown>)[segment]
        : undefined,
    value,
  )
}

function applied(value: unknown, changes: readonly JsonChange[]): unknown {
  const root = { value: structuredClone(value) } as Record<string | number, unknown>
  for (const { segments, change, after } of changes) {
    const path = ['value', ...segments]
    const last = path.pop() ?? ''
    const holder = at(root, path) as Record<string | number, unknown> & unknown[]
    if (change !== 'removed')
      Object.defineProperty(holder, last, { value: after, writable: true, enumerable: true, configurable: true })
    else if (Array.isArray(holder)) holder.pop()
    else delete holder[last]
  }
  return root['value']
}
