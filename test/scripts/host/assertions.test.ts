// `t.assert`: the original's cases, then what the specification adds. Many assertions in one process.
import { expect, test } from 'vitest'
import type { ScriptAssertion } from '../../../src/model/script.js'
import { conformance, runBody } from '../../support/script-app.js'

/** Messages that differ from the original's on purpose. */
const DIFFERENT: Record<string, string> = {
  'Equal number vs string': 'strings are quoted, so that "1" and 1 can be told apart',
}

async function check(calls: string[]): Promise<(ScriptAssertion | undefined)[]> {
  const body = calls.map((call, index) => `t.run('${index}', async (t) => { await t.assert.${call} })`).join('\n')
  const { outcome } = await runBody(body, { verbose: true })
  const found = outcome.assertions ?? []
  return calls.map((_, index) => {
    const own = found.find((item) => item.message?.startsWith(`${index}: `))
    return own ? { ...own, message: own.message?.slice(`${index}: `.length) ?? '' } : undefined
  })
}

const cases = conformance('script_assert.jsonl').filter((item) => item.area === 't_assert')

test('as the original', async () => {
  const results = await check(cases.map((item) => item.given['call'] as string))
  const differing: string[] = []
  for (const [index, { name, expect: wanted }] of cases.entries()) {
    const failure = results[index]
    if ((failure === undefined) !== wanted['ok']) differing.push(`${name}: ${failure?.message ?? 'passed'}`)
    else if (wanted['message'] !== undefined && failure?.message !== wanted['message'] && !(name in DIFFERENT)) {
      differing.push(`${name}: ${failure?.message}`)
    }
  }
  expect(differing).toEqual([])
})

const PASSING = [
  'True({})',
  'True("no")',
  'False(0)',
  'False(null)',
  'Equal(null, null)',
  'Equal(NaN, NaN)',
  'Equal(new Date(1), new Date(1))',
  'Equal(new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]]))',
  'Equal(new Set([1, 2]), new Set([2, 1]))',
  'Equal(Buffer.from("a"), Buffer.from("a"))',
  'Equal({ a: undefined }, {})',
  'Equal(/a/g, /a/g)',
  'Equal(new URL("http://a/b"), new URL("http://a/b"))',
  'Equal(new URLSearchParams("a=1"), new URLSearchParams("a=1"))',
  'Equal(new Error("a", { cause: 1 }), new Error("a", { cause: 1 }))',
  'Equal(Object(1), Object(1))',
  'Equal([1, , 2], [1, , 2])',
  'Equal(new Map([[{ a: 1 }, 1], [{ a: 2 }, 2]]), new Map([[{ a: 2 }, 2], [{ a: 1 }, 1]]))',
  'Equal(new Set([{ a: 1 }, [2]]), new Set([[2], { a: 1 }]))',
  'Equal(new Uint8Array([1]).buffer, new Uint8Array([1]).buffer)',
  'Equal(Object.create(null), {})',
  'NotEqual(new URL("http://a/b"), new URL("http://a/c"))',
  'NotEqual(new URL("http://a/b"), {})',
  'NotEqual(new Error("a"), {})',
  'NotEqual(new Error("a"), new Error("b"))',
  'NotEqual(new Error("a", { cause: 1 }), new Error("a", { cause: 2 }))',
  'NotEqual(new Exception("a", 1), new Exception("a", 2))',
  'NotEqual(Object(1), Object(2))',
  'NotEqual(new String("a"), new String("b"))',
  'NotEqual(Object(1), 1)',
  'NotEqual([,], [5])',
  'NotEqual([,], [undefined])',
  'NotEqual(new Set([1]), new Set([1, 2]))',
  'NotEqual(new Set([1, 2]), new Set([1]))',
  'NotEqual(new Map([[1, 2]]), new Map([[1, 2], [3, 4]]))',
  'NotEqual(new Map([[1, 2], [3, 4]]), new Map([[1, 2]]))',
  'NotEqual(new Set([{ a: 1 }, { a: 1 }]), new Set([{ a: 1 }, { a: 2 }]))',
  'NotEqual(new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 2]]))',
  'NotEqual(new Uint8Array([1]).buffer, new Uint8Array([2]).buffer)',
  'NotEqual(new Uint8Array([1, 0]), new Uint16Array([1]))',
  'NotEqual({ [Symbol.for("a")]: 1 }, { [Symbol.for("a")]: 2 })',
  'True(new Proxy({}, { get: () => () => 1 }))',
  'NotEqual(null, undefined)',
  'NotEqual([1, 2], [2, 1])',
  'NotEqual([1], { 0: 1 })',
  'NotEqual(new Date(1), new Date(2))',
  'NotEqual(new Date(1), {})',
  'Nil(undefined)',
  'NotNil(0)',
  'Contains(["a", { b: 1 }], { b: 1 })',
  'Contains("a1", 1)',
  'NotContains("abc", "d")',
  'Len("日本語", 3)',
  'Len("👍🏽", 2)',
  'Len([1, 2], 2)',
  'Len(new Map([[1, 2]]), 1)',
  'Greater(2, 1)',
  'Greater("b", "a")',
  'GreaterOrEqual(2, 2)',
  'Less(new Date(1), new Date(2))',
  'LessOrEqual(1n, 2)',
  'Error(new Error("x"))',
  'Error(new Exception("x", 1))',
  'Error("went wrong")',
  'Error({ code: 1 })',
  'NoError(null)',
  'NoError(undefined)',
  'NoError("")',
  'Panic(async () => { throw new Error("x") })',
  'NoPanic(() => 1)',
  'NoPanic(async () => 1)',
  'Match("abc-12", /\\d+/g)',
  'Match("ABC", "(?i)abc")',
  'Match("x\\ny", "(?s)x.y")',
  'Match("abc", "\\\\Aabc\\\\z")',
  'Match({ a: 1 }, "\\"a\\":1")',
  'NotMatch("abc", /x/)',
  'JSONPath({ a: { b: [1, 2] } }, "$.a.b[1]", 2)',
  'JSONPath({ a: { b: [1, 2] } }, "a.b[0]", 1)',
  'JSONPath(\'{"a": 1}\', "$.a", 1)',
  'JSONPath([{ x: 1 }, { x: 2 }], "$[?@.x > 0].x", [1, 2])',
  'JSONPath({ a: null }, "$.a", null)',
  'Type([], "array")',
  'Type(undefined, "undefined")',
  'Type(true, "boolean")',
  'Agent("x", "workers.test.validator", { metadata: { criteria: "nice" } })',
  'equal(1, 1)',
  'jsonPath({ a: 1 }, "a", 1)',
]

test('these hold', async () => {
  const results = await check(PASSING)
  expect(PASSING.filter((_, index) => results[index] !== undefined)).toEqual([])
})

const FAILING: [string, string][] = [
  ['True("")', 'expected true, got false'],
  ['Equal(null, undefined)', 'expected undefined, got null'],
  ['Equal({ a: 1 }, { a: 1, b: 2 })', 'expected { a: 1, b: 2 }, got { a: 1 }'],
  ['Equal("1", 1)', 'expected 1, got "1"'],
  ['Nil(0)', 'expected nil, got 0'],
  ['Contains(5, 5)', 'expected a string or a list, got 5'],
  ['Len(5, 1)', 'Len needs a string, a list or an object, got 5'],
  ['Len("abc", "3")', 'expected length "3", got 3'],
  ['Greater("a", 1)', 'cannot compare "a" with 1'],
  ['Greater(NaN, 1)', 'expected NaN > 1'],
  ['Less(2, 1)', 'expected 2 < 1'],
  ['Error(null)', 'expected an error, got null'],
  ['Error("")', 'expected an error, got ""'],
  ['NoError(new TypeError("x"))', 'expected no error, got TypeError: x'],
  ['Panic(() => 1)', 'expected the function to throw, it did not'],
  ['Panic(async () => 1)', 'expected the function to throw, it did not'],
  ['NoPanic(async () => { throw new TypeError("x") })', 'expected the function not to throw, it threw TypeError: x'],
  ['Match("abc", "x")', 'expected "abc" to match x'],
  ['JSONPath({ a: 1 }, "$.b", 1)', 'nothing at $.b, expected 1'],
  ['JSONPath({ a: 1 }, "$.a", 2)', 'at $.a expected 2, got 1'],
  ['Type(null, "object")', "expected type 'object', got 'null'"],
  ['JSONPath({}, "$.a")', 'JSONPath requires an object, a path and the expected value'],
  ['Agent("x")', 'Agent requires a response and an agent id'],
  ['Equal(1, 2, "own words")', 'own words'],
  ...[
    'True(Promise.resolve(false))',
    'NotNil(Promise.resolve(null))',
    'NotEqual(Promise.resolve(1), 1)',
    'Equal(1, Promise.resolve(1), "own words")',
    'NotContains(Promise.resolve("a"), "b")',
    'Type(Promise.resolve(1), "object")',
    'Error(Promise.resolve(null))',
    'NotMatch(Promise.resolve("a"), "b")',
    'Len(Promise.resolve([]), 0)',
    'True({ then() {} })',
    'Agent(Promise.resolve("x"), "workers.test.validator")',
  ].map((call): [string, string] => [call, 'got a promise, not its value: forgot await?']),
  ['True(() => false)', 'got a function, not what it returns: forgot to call it?'],
  ['False(Number)', 'got a function, not what it returns: forgot to call it?'],
  [
    'Panic(Promise.reject(1).catch(() => 1))',
    'Panic requires a function argument, got a promise: pass the function itself',
  ],
  [
    'NotEqual({ a: Promise.resolve(1) }, { a: Promise.resolve(2) })',
    'cannot compare: it holds a promise: forgot await?',
  ],
  [
    'Equal(new WeakMap(), new WeakMap())',
    'cannot compare WeakMap { <items unknown> } with WeakMap { <items unknown> }: they have no properties of their own to compare: compare what their methods return',
  ],
]

test('these do not, and say why', async () => {
  const results = await check(FAILING.map(([call]) => call))
  expect(FAILING.map(([call], index) => [call, results[index]?.message])).toEqual(FAILING)
})

test('an invalid pattern is a failure that says so', async () => {
  const [match, path] = await check(['Match("a", "(?P<x")', 'JSONPath({}, "$[?", 1)'])
  expect(match?.message).toMatch(/^invalid pattern "\(\?P<x": /)
  expect(path?.message).toMatch(/^invalid path "\$\[\?": /)
})

test('Agent: the judge gets response, agent and options; its reason is the failure', async () => {
  const asked: unknown[] = []
  const { outcome } = await runBody(
    `t.assert.Agent('Hello', 'workers.test.validator', { metadata: { criteria: 'asks back', conversation: [1] } })`,
    {
      judge: async (response, agent, options) => {
        asked.push(response, agent, options)
        return { passed: false, reason: 'it does not ask' }
      },
    },
  )
  expect(asked).toEqual(['Hello', 'workers.test.validator', { metadata: { criteria: 'asks back', conversation: [1] } }])
  expect(outcome).toMatchObject({
    status: 'failed',
    error: 'assertion failed: it does not ask',
    assertion: { type: 'Agent', expected: 'asks back', actual: 'Hello' },
  })
})

test('Agent: a judge that cannot be asked is never a pass', async () => {
  const judge = async (): Promise<never> => {
    throw new Error('no such agent')
  }
  const { outcome } = await runBody(`t.assert.Agent('Hello', 'nobody')`, { judge })
  expect(outcome).toMatchObject({
    status: 'failed',
    error: 'assertion failed: nobody could not judge: no such agent',
    error_kind: 'validator',
  })
})

test('an async Panic that is not awaited still counts', async () => {
  const { outcome } = await runBody(`t.assert.Panic(async () => { await new Promise((r) => setTimeout(r, 5)) })`)
  expect(outcome.error).toBe('assertion failed: expected the function to throw, it did not')
})

test('odd values are reported as text', async () => {
  const { outcome } = await runBody(`const ring = { a: 1 }; ring.self = ring
  t.assert.Equal(ring, 1); t.assert.Equal(10n, NaN); t.assert.Equal(() => 1, Symbol('s')); t.assert.Equal(new Error('e'), 'x'.repeat(20000))`)
  const [first, second, third, fourth] = outcome.assertions ?? []
  expect(first?.actual).toContain('<ref *1>')
  expect(second).toMatchObject({ actual: '10n', expected: 'NaN' })
  expect(third).toMatchObject({ actual: '[Function: anonymous]', expected: 'Symbol(s)' })
  expect(String(fourth?.expected)).toHaveLength(10_001)
  expect(JSON.stringify(outcome)).toContain('Error: e')
})
