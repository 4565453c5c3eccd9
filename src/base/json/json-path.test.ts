import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePath, PathError, pathSegments } from './json-path.js'

const DOCUMENT = {
  a: { b: [{ c: 1 }, { c: null }] },
  list: [10, 20, 30],
  s: 'text',
  'x.y': 5,
  'x-request-id': 'r1',
  items: [
    { name: 'first', price: 5 },
    { name: 'second', price: 15 },
  ],
}

function check(path: string, expected: unknown) {
  const found = compilePath(path).select(DOCUMENT)
  expect(found.length > 1 ? found : (found[0] ?? null), path).toEqual(expected)
}

test('dotted paths, with and without the dollar', () => {
  check('$.a.b[0].c', 1)
  check('a.b[0].c', 1)
  check('list[1]', 20)
  check('list[-1]', 30)
  check('$.x-request-id', 'r1')
  check('$', DOCUMENT)
  check('items.1.name', 'second')
})

test('what is not there is null', () => {
  for (const path of ['a.b[1].c', 'a.b[2].c', 's.length', 'list.length', 'x.y', 'nope', 'a[0]', 'list.a'])
    check(path, null)
})

test('prototypes are not walked', () => {
  for (const path of ['$.__proto__.polluted', '$.constructor.name', '__proto__', 'list.constructor', '$..constructor'])
    check(path, null)
})

test('every RFC 9535 query', () => {
  check('$.items[*].name', ['first', 'second'])
  check('$..price', [5, 15])
  check('$.items[?@.price > 10].name', 'second')
  check("$['x.y']", 5)
  check('items[?@.name == "first"].price', 5)
  check('$.list[0:2]', [10, 20])
  check('$.items[?match(@.name, "f.*")].price', 5)
  check('$.items[?search(@.name, "eco")].price', 15)
  check('$.items[?match(@.name, "irs")].price', null)
})

test('a simple path matches one value at most', () => {
  expect(compilePath('$.a').singular).toBe(true)
  expect(compilePath("$['a']").singular).toBe(true)
  expect(compilePath('$.a[*]').singular).toBe(false)
})

test('segments of simple paths', () => {
  expect(pathSegments('a.b.c')).toEqual(['a', 'b', 'c'])
  expect(pathSegments('a[0][1]')).toEqual(['a', 0, 1])
  expect(pathSegments('$..a')).toBeUndefined()
  expect(pathSegments('')).toBeUndefined()
})

test('a bad path is refused with its place', () => {
  for (const [path, position] of [
    ['$.[', 2],
    ['a[', 2],
    ['$.a b', 4],
    ['$.a[?foo(@)]', 5],
    ['a[?@.x ==]', undefined],
  ] as const) {
    const error = refusal(path)
    if (position !== undefined) expect(error.position, path).toBe(position)
    expect(error.message).toMatch(/at position \d+$/)
  }
  expect(refusal('').message).toBe('the path is empty')
})

test('a hostile pattern in a query ends', () => {
  expect(compilePath('$[?match(@, "(a+)+b")]').select(['a'.repeat(10_000)])).toEqual([])
})

test('own code and the library agree on simple paths', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const document = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  const step = fc.oneof(
    name.map((key) => `.${key}`),
    fc.integer({ min: -3, max: 3 }).map((index) => `[${index}]`),
  )
  fc.assert(
    fc.property(document, fc.array(step, { maxLength: 4 }), (value, steps) => {
      // The union with an unused name sends the same steps through the library.
      const quoted = steps.map((each) => each.replace(/^\.(.*)$/, "['$1','unused']"))
      expect(compilePath(`$${steps.join('')}`).select(value)).toEqual(
        steps.length === 0
          ? [value]
          : compilePath(`$${quoted.join('').replace(/\[(-?\d+)\]/g, '[$1,99]')}`).select(value),
      )
    }),
  )
})

function refusal(path: string): PathError {
  try {
    compilePath(path)
  } catch (error) {
    expect(error).toBeInstanceOf(PathError)
    return error as PathError
  }
  throw new Error(`${path} was accepted`)
}
