import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEqual } from '../../../base/equal.js'
import { asLiteral } from '../../../model/matcher-keys.js'
import { compileMatcher } from './compile.js'
import { MatcherError, toOutcome, type Outcome } from './matcher.js'
import { inWords } from './words.js'

const of = (expected: unknown, actual: unknown): Outcome => toOutcome(compileMatcher(expected).mismatches(actual))

describe('each operator', () => {
  test.each<[unknown, { yes?: unknown[]; no?: unknown[]; unknown?: unknown[] }]>([
    [{ $eq: { a: 1 } }, { yes: [{ a: 1 }], no: [{ a: 1, b: 2 }, { a: 2 }, 1] }],
    [{ $ne: { a: 1 } }, { yes: [{ a: 1, b: 2 }, 'x'], no: [{ a: 1 }], unknown: ['{"a":1}'] }],
    [{ $ne: { $regex: '^x' } }, { yes: ['a'], no: ['x1'], unknown: [null] }],
    [{ $in: ['a', { $gt: 5 }] }, { yes: ['a', 6], no: [5], unknown: ['b', null] }],
    [{ $in: [1, 2] }, { yes: [2], no: [3, 'x'], unknown: ['2'] }],
    [{ $not: { $gt: 5 } }, { yes: [5], no: [6], unknown: ['6', null, {}] }],
    [{ $not: 5 }, { yes: [6, 'x', null], no: [5], unknown: ['5'] }],
    [{ $not: { a: { $gt: 5 } } }, { yes: [{ a: 1 }, {}], no: [{ a: 6 }], unknown: [{ a: 'x' }] }],
    [{ $all: [{ $gt: 1 }, { $lt: 5 }] }, { yes: [2], no: [5], unknown: ['2'] }],
    [{ $any: [{ $lt: 0 }, { $gt: 10 }] }, { yes: [-1, 11], no: [5], unknown: ['11'] }],
    [{ $any: true }, { yes: [null, 1, 'x', {}] }],
    [{ $near: { value: 0.3, within: 0.1 } }, { yes: [0.4, 0.2, 0.3], no: [0.41], unknown: ['0.3'] }],
    [
      { $near: { value: '2026-05-01', within: '1d' } },
      { yes: ['2026-05-02', '2026-05-01T23:00:00Z', '2026-05-01 10:00'], no: ['2026-05-03'], unknown: ['May 1', 5] },
    ],
    [
      { $near: { value: '2026-05-01T12:00:00+02:00', within: '1m' } },
      { yes: ['2026-05-01T10:00:59Z'], no: ['2026-05-01T12:00:00Z'] },
    ],
    [{ $regex: '^A\\d' }, { yes: ['A1'], no: ['B1'], unknown: [null, ['A1'], true] }],
    [
      { $text: { value: 'New York, NY', ignore: ['case', 'space', 'punctuation'] } },
      { yes: ['new york NY', 'NEW-YORK,NY'], no: ['New York'], unknown: [5, ['New York, NY']] },
    ],
    [{ $text: { value: 'a-b', ignore: ['-', '^', ']', '\\'] } }, { yes: ['ab', 'a^b]', 'a\\b'], no: ['A-b', 'a b'] }],
    [{ $text: { value: 'é', ignore: ['case'] } }, { yes: ['É', 'e\u0301'], no: ['e'] }],
    [{ $type: 'integer' }, { yes: [3, 3.0], no: [3.5, '3', null] }],
    [{ $type: ['string', 'null'] }, { yes: ['', null], no: [0, {}] }],
    [{ $size: 2 }, { yes: [[1, 2], 'ab', { a: 1, b: 2 }, '😀x'], no: [[1]], unknown: [2, null] }],
    [{ $size: { $gte: 1, $lt: 3 } }, { yes: [[1]], no: [[], [1, 2, 3]] }],
    [
      { $each: { id: { $gt: 0 } } },
      { yes: [[{ id: 1, more: 2 }]], no: [[], [{ id: 1 }, { id: 0 }]], unknown: [{ id: 1 }, 'x'] },
    ],
    [
      { $each: { $gt: 0 }, $size: { $lte: 2 } },
      { yes: [[], [1]], no: [[0], [1, 2, 3]] },
    ],
    [
      { $contains: { id: 1 } },
      { yes: [[{ id: 2 }, { id: 1, x: 1 }]], no: [[], [{ id: 2 }]], unknown: ['{"id":1}', 5] },
    ],
    [{ $contains: 'ell' }, { yes: ['hello', ['x', 'ell']], no: ['help', ['hello']], unknown: [5] }],
    [{ $exact: { a: { b: 1 } } }, { yes: [{ a: { b: 1 } }], no: [{ a: { b: 1 }, c: 1 }, { a: { b: 1, c: 1 } }] }],
    [{ $exact: { a: { $subset: { b: 1 } } } }, { yes: [{ a: { b: 1, c: 1 } }], no: [{ a: { b: 1 }, c: 1 }] }],
    [{ a: { $optional: { $gt: 1 } } }, { yes: [{}, { a: 2 }], no: [{ a: 1 }], unknown: [{ a: '2' }] }],
    [{ $exact: { a: { $optional: 1 } } }, { yes: [{}, { a: 1 }], no: [{ a: 2 }, { b: 1 }] }],
    [{ a: { $absent: true } }, { yes: [{}, { b: 1 }], no: [{ a: null }, { a: 1 }] }],
    [{ $$gt: 5 }, { yes: [{ $gt: 5 }], no: [{ $$gt: 5 }, 6] }],
    [
      { a: 1, $ref: 'x' },
      { yes: [{ a: 1, $ref: 'x' }], no: [{ a: 1 }] },
    ],
  ])('%j', (expected, { yes = [], no = [], unknown = [] }) => {
    for (const actual of yes) expect(of(expected, actual), JSON.stringify(actual)).toBe('yes')
    for (const actual of no) expect(of(expected, actual), JSON.stringify(actual)).toBe('no')
    for (const actual of unknown) expect(of(expected, actual), JSON.stringify(actual)).toBe('unknown')
  })
})

test.each([
  [{ $all: [] }, 'cannot fail'],
  [{ $any: [] }, 'cannot hold'],
  [{ $in: [] }, 'cannot hold'],
  [{ $not: { $any: true } }, 'cannot hold'],
  [{ $not: { $any: [1, { $any: true }] } }, 'cannot hold'],
  [{ $size: { $gte: 0 } }, 'cannot fail'],
  [{ $size: -1 }, 'allows no size'],
  [{ $size: '2' }, 'allows no size'],
  [{ $size: { $lt: 0 } }, 'allows no size'],
  [{ $size: 1.5 }, 'allows no size'],
  [{ $gt: 5, $lt: 5 }, 'nothing lies between'],
  [{ $gte: 6, $lte: 5 }, 'nothing lies between'],
  [{ $text: { value: ' - ', ignore: ['space', 'punctuation'] } }, 'would match anything'],
  [{ $text: { value: 'a', ignore: [] } }, 'ignore is empty'],
  [{ $text: { value: 'a', ignore: ['spaces'] } }, '"spaces"'],
  [{ $text: { value: 'a', ignore: ['case'], igno: 1 } }, 'no field "igno"'],
  [{ $text: 'a' }, '$text needs'],
  [{ $optional: 5 }, 'key of an object'],
  [[{ $absent: true }], 'key of an object'],
  [{ a: { $in: [{ $absent: true }] } }, 'key of an object'],
  [{ a: { $optional: 5, $gt: 3 } }, '$optional stands alone'],
  [{ a: { $absent: false } }, 'needs true'],
  [{ $near: { value: 5 } }, 'needs "within"'],
  [{ $near: { value: 5, within: -1 } }, 'needs "within"'],
  [{ $near: { value: '2026-05-01', within: 5 } }, 'needs "within"'],
  [{ $near: { value: 'soon', within: '1h' } }, 'a number or a date'],
  [{ $near: { value: 5, within: 1, witin: 2 } }, 'no field "witin"'],
  [{ $type: 'text' }, 'needs one of string'],
  [{ $contains: '' }, 'something to look for'],
  [{ $exact: 5 }, 'needs an object'],
  [{ $gt: 5, a: 1 }, '"$$gt"'],
  [{ a: { $gt: 5, $foo: 1 } }, 'unknown operator $foo'],
  [{ a: { $contans: 5 } }, 'did you mean $contains?'],
  [{ a: { b: 1, $gtt: 5 } }, 'did you mean $gt?'],
  [{ a: { $unknown: 5 } }, 'known: $eq'],
])('%j is refused: %s', (expected, message) => {
  expect(() => compileMatcher(expected)).toThrow(MatcherError)
  expect(() => compileMatcher(expected)).toThrow(message)
})

test('a value that is written as a literal matches itself and nothing else', () => {
  const key = fc.oneof(fc.constantFrom('$gt', '$$gt', '$in', '$inc', '$ref', 'a'), fc.string())
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.dictionary(key, tie('value')),
      fc.array(tie('value')),
    ),
  })).value
  fc.assert(
    fc.property(tree, tree, (value, other) => {
      const literal = compileMatcher(asLiteral(value), { objects: 'exact', amongData: true })
      expect(literal.mismatches(value)).toEqual([])
      expect(literal.mismatches(other).length === 0).toBe(isEqual(value, other))
    }),
  )
})

describe('against a plain re-implementation', () => {
  const scalar = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('a', 'b', 'A', ' a', '1', '2026-01-01', ''),
    fc.constant(null),
    fc.boolean(),
  )
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    ),
  })).value
  const size = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.record({ $gte: fc.integer({ min: 1, max: 3 }) }))
  const matcher = fc.letrec((tie) => {
    const one = tie('matcher')
    const some = fc.array(one, { minLength: 1, maxLength: 3 })
    const member = fc.oneof(one, fc.record({ $optional: one }), fc.constant({ $absent: true }))
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), member, { maxKeys: 3 })
    return {
      matcher: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        data,
        fc.record({ $eq: one }),
        fc.record({ $ne: one }),
        fc.record({ $not: one }),
        fc.record({ $in: some }),
        fc.record({ $any: fc.oneof(some, fc.constant(true)) }),
        fc.record({ $all: some }),
        fc.record({ $gt: scalar.filter((value) => typeof value === 'number' || typeof value === 'string') }),
        fc.record({ $lte: scalar.filter((value) => typeof value === 'number' || typeof value === 'string') }),
        fc.record({
          $near: fc.record({ value: fc.integer({ min: -3, max: 3 }), within: fc.integer({ min: 0, max: 2 }) }),
        }),
        fc.record({ $regex: fc.constantFrom('a', '^a$', '[0-9]') }),
        fc.record({ $text: fc.constant({ value: 'a', ignore: ['case', 'space'] }) }),
        fc.record({ $type: fc.constantFrom('string', 'number', 'array', 'object', 'null', 'boolean') }),
        fc.record({ $size: size }),
        fc.record({ $each: one }),
        fc.record({ $each: one, $size: size }),
        fc.record({ $contains: one.filter((value) => value !== '') }),
        fc.record({ $exact: object }),
        fc.record({ $subset: object }),
        object,
        fc.array(one, { maxLength: 3 }),
      ),
    }
  }).matcher

  test('yes, no and unknown are the same', () => {
    fc.assert(
      fc.property(matcher, data, (expected, actual) => {
        const compiled = tryCompile(expected)
        if (compiled === undefined) return
        expect(toOutcome(compiled.mismatches(actual)), JSON.stringify({ expected, actual })).toBe(
          plain(expected, actual, 'subset'),
        )
      }),
      { numRuns: 3000 },
    )
  })

  test('a negation is never true for what cannot be compared, and has words', () => {
    fc.assert(
      fc.property(matcher, data, (expected, actual) => {
        const compiled = tryCompile(expected)
        const negated = tryCompile({ $not: expected })
        if (compiled === undefined || negated === undefined) return
        const opposite = { yes: 'no', no: 'yes', unknown: 'unknown' } as const
        expect(toOutcome(negated.mismatches(actual))).toBe(opposite[toOutcome(compiled.mismatches(actual))])
        expect(inWords(expected)).not.toBe('')
      }),
      { numRuns: 3000 },
    )
  })
})

function tryCompile(expected: unknown) {
  try {
    return compileMatcher(expected)
  } catch (error) {
    expect(error).toBeInstanceOf(MatcherError)
    return undefined
  }
}

/* oxlint-disable typescript/no-explicit-any -- the specification in the fewest words */
/** Straight from the specification, with no eye to speed, paths or messages. */
function plain(expected: any, actual: any, mode: 'subset' | 'exact'): Outcome {
  const all = (list: Outcome[]): Outcome => (list.includes('no') ? 'no' : list.includes('unknown') ? 'unknown' : 'yes')
  const some = (list: Outcome[]): Outcome =>
    list.includes('yes') ? 'yes' : list.includes('unknown') ? 'unknown' : 'no'
  const not = (one: Outcome): Outcome => (one === 'yes' ? 'no' : one === 'no' ? 'yes' : 'unknown')
  const known = (isKnown: boolean, holds: () => boolean): Outcome => (isKnown ? (holds() ? 'yes' : 'no') : 'unknown')
  const asJson = (): Outcome => {
    if (typeof actual !== 'string') return 'no'
    try {
      const value = JSON.parse(actual)
      return typeof value === 'string' || plain(expected, value, mode) === 'no' ? 'no' : 'unknown'
    } catch {
      return 'no'
    }
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return asJson()
    return all(expected.map((each, index) => plain(each, actual[index], mode)))
  }
  if (typeof expected !== 'object' || expected === null) {
    if (expected === actual) return 'yes'
    const [text, other] = typeof expected === 'string' ? [expected, actual] : [actual, expected]
    if (typeof text !== 'string' || typeof other === 'string') return 'no'
    try {
      return isEqual(JSON.parse(text), other) ? 'unknown' : 'no'
    } catch {
      return 'no'
    }
  }
  const keys = Object.keys(expected)
  if (!keys.some((key) => key.startsWith('$'))) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return asJson()
    const members = keys.map((key): Outcome => {
      const want = expected[key]
      const isOperator = typeof want === 'object' && want !== null && !Array.isArray(want)
      if (isOperator && '$absent' in want) return key in actual ? 'no' : 'yes'
      if (isOperator && '$optional' in want) return key in actual ? plain(want.$optional, actual[key], mode) : 'yes'
      return key in actual ? plain(want, actual[key], mode) : 'no'
    })
    const extra = mode === 'exact' && Object.keys(actual).some((key) => !keys.includes(key))
    return all([...members, extra ? 'no' : 'yes'])
  }
  const number = typeof actual === 'number'
  const order = (operand: unknown, holds: (a: any, b: any) => boolean): Outcome =>
    known(typeof actual === typeof operand, () => holds(actual, operand))
  const sizeOf = (): number | undefined =>
    typeof actual === 'string'
      ? Array.from(actual).length
      : typeof actual === 'object' && actual !== null
        ? Object.keys(actual).length
        : undefined
  return all(
    keys.map((key): Outcome => {
      const operand = expected[key]
      switch (key) {
        case '$eq':
          return plain(operand, actual, 'exact')
        case '$ne':
          return not(plain(operand, actual, 'exact'))
        case '$not':
          return not(plain(operand, actual, mode))
        case '$in':
        case '$any': {
          if (operand === true) return 'yes'
          const found = some(operand.map((each: unknown) => plain(each, actual, mode)))
          return found
        }
        case '$all':
          return all(operand.map((each: unknown) => plain(each, actual, mode)))
        case '$gt':
          return order(operand, (a, b) => a > b)
        case '$lte':
          return order(operand, (a, b) => a <= b)
        case '$near':
          return known(number, () => Math.abs(actual - operand.value) <= operand.within)
        case '$regex':
          return known(number || typeof actual === 'string', () => new RegExp(operand).test(String(actual)))
        case '$text':
          return known(typeof actual === 'string', () => actual.toLowerCase().trim() === 'a')
        case '$type':
          return known(
            true,
            () => (Array.isArray(actual) ? 'array' : actual === null ? 'null' : typeof actual) === operand,
          )
        case '$size':
          return known(sizeOf() !== undefined, () =>
            typeof operand === 'number' ? sizeOf() === operand : (sizeOf() ?? 0) >= operand.$gte,
          )
        case '$each': {
          if (!Array.isArray(actual)) return 'unknown'
          const mayBeEmpty = expected.$size === 0
          if (actual.length === 0) return mayBeEmpty ? 'yes' : 'no'
          return all(actual.map((item) => plain(operand, item, mode)))
        }
        case '$contains':
          if (typeof actual === 'string') return known(typeof operand === 'string', () => actual.includes(operand))
          return Array.isArray(actual) ? some(actual.map((item) => plain(operand, item, mode))) : 'unknown'
        case '$exact':
          return plain(operand, actual, 'exact')
        case '$subset':
          return plain(operand, actual, 'subset')
        default:
          throw new Error(key)
      }
    }),
  )
}
