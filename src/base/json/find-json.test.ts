import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAllJson, findJson } from './find-json.js'
import { parseLenientJson } from './lenient-json.js'

function check(answer: unknown, expected: unknown) {
  expect(findJson(answer)).toEqual(expected === undefined ? undefined : { value: expected })
}

test('a structured answer is its own JSON', () => check({ a: 1 }, { a: 1 }))
test('nothing has no JSON', () => {
  check(null, undefined)
  check(undefined, undefined)
  check('   ', undefined)
})
test('the whole text, scalars included', () => {
  check(' {"a": 1}\n', { a: 1 })
  check('5', 5)
  check('true', true)
  check('"text"', 'text')
})
test('a fenced block', () => check('Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }))
test('a fenced block without a label', () => check('```\n[1, 2]\n```', [1, 2]))
test('a fence that was never closed', () => check('```json\n{"a": 1}', { a: 1 }))
test('tildes and longer fences', () => {
  check('~~~json\n{"a": 1}\n~~~', { a: 1 })
  check('````json\n{"a": "```"}\n````', { a: '```' })
})
test('the first block wins, one labelled json before others', () => {
  check('```json\n{"first": true}\n```\n```json\n{"second": true}\n```', { first: true })
  check('```js\n[1]\n```\n```json\n{"a": 1}\n```', { a: 1 })
})
test('JSON with a fence inside a string', () =>
  check('```json\n{"code": "```js\\nx\\n```"}\n```', { code: '```js\nx\n```' }))
test('the largest piece in prose', () =>
  check('As in [1], the result is {"a": {"b": [1, 2]}} (see [2]).', { a: { b: [1, 2] } }))
test('braces in strings do not count', () => check('x {"a": "}{", "b": 1} y', { a: '}{', b: 1 }))
test('comments, trailing commas and single quotes are repaired', () => {
  check('{"a": 1, // one\n "b": [1, 2,], /* two */}', { a: 1, b: [1, 2] })
  check("Result: {'ok': True, 'none': None, 'it': \"it's\"}", { ok: true, none: null, it: "it's" })
  check('```json\n{"key": "value",}\n```', { key: 'value' })
})
test('nothing is guessed: open brackets, unquoted words and sentences are not JSON', () => {
  check('{"a": 1', undefined)
  check('{name}', undefined)
  check('{a: 1}', undefined)
  check('[see above]', undefined)
  check('Note: this is fine', undefined)
  check('name: test\nage: 25', undefined)
})
test('what was cut off yields no inner piece', () => {
  check('{"tone": {"passed": true, "reason": "ok"}, "safety": {"passed": false, "reason": "leaks the pa', undefined)
  check('{"tone": {"passed": true}, "safety": {"passed": fal', undefined)
  check('{"tone": {"passed": true}, "x": oops, "safety": {"passed": fal … [cut]', undefined)
  check('Here: [ {"passed": true}, {"pass', undefined)
  check("{ 'tone': {'passed': True}, 'safety': {'pas", undefined)
  check('{"tone": {"passed": true}, // closes }\n "safety": {"passed": fal', undefined)
  check('{"tone": {"passed": true}, /* } */ "safety": {"passed": fal', undefined)
})
test('nor does a fenced block that was cut off, closed or not', () => {
  const cut = '{"tone": {"passed": true}, "safety": {"passed": fal'
  check(`Verdict:\n\`\`\`json\n${cut}`, undefined)
  check(`Verdict:\n\`\`\`json\n${cut}\n\`\`\``, undefined)
  check('```json\n[1, {"passed": true}, {"pas', undefined)
  check('~~~\n[1, {"passed": true}, {"pas', undefined)
})
test('complete pieces before the cut still count', () => {
  check('{"a": 1} and {"b": {"c": [1, 2, 3]}, "d', { a: 1 })
  expect(findAllJson('{"a": 1} [2] {"b": {"c": 3}, "d')).toEqual([{ a: 1 }, [2]])
})
test('stray brackets in prose are passed over', () => {
  check('use {name} or { and get {"a": 1}', { a: 1 })
  check('an open [ or {, then {"a": 1}', { a: 1 })
  check('{"a", "b"} is a set, {"it": don\'t} is nothing, {"a": 1} is JSON', { a: 1 })
  check('{"see": https://example.org} then {"a": 1}', { a: 1 })
})
test('every piece is found, outermost only', () => {
  expect(findAllJson('{"passed": true} then {"passed": false, "why": {"a": 1}}')).toEqual([
    { passed: true },
    { passed: false, why: { a: 1 } },
  ])
})
test('__proto__ stays a key', () => {
  const found = findJson("x {'__proto__': {'polluted': true}}")
  expect(Object.keys(found?.value as object)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
test('escapes are read as JSON has them', () => {
  check("see {'a': 'x\\u00e9\\n\\'\\\\'}", { a: "xé\n'\\" })
  check('see {"a": "\\x41"}', undefined)
})

test('JSON in any prose is found', () => {
  const prose = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !/[{}[\]`~'"]/.test(text) && !text.includes('//') && !text.includes('/*'))
  const data = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.array(fc.jsonValue()))
  fc.assert(
    fc.property(prose, data, prose, (before, value, after) => {
      const json: unknown = JSON.parse(JSON.stringify(value))
      expect(findJson(`x ${before} ${JSON.stringify(value)} ${after} x`)).toEqual({ value: json })
      expect(findJson(`${before}\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n${after}`)).toEqual({
        value: json,
      })
    }),
  )
})

test('the lenient reader takes all of JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const found = parseLenientJson(text)
      // The depth limit is the one thing it refuses.
      if (found) expect(found.value).toEqual(JSON.parse(text))
      else expect(text).toMatch(/^(?:[[{]["\s\w,:]*){200}/)
    }),
  )
})

test('hostile texts end', () => {
  for (const text of [
    '['.repeat(300_000),
    '{"a":'.repeat(100_000),
    '[/*'.repeat(100_000),
    '["'.repeat(100_000),
    "['".repeat(100_000),
    '```\n'.repeat(100_000),
    '[1,'.repeat(100_000),
    '{"a":1},'.repeat(50_000) + '[',
    '{"a" '.repeat(100_000) + '}'.repeat(100_000),
    '{"a" b} '.repeat(100_000),
    '```json\n['.repeat(100_000),
    `x${' '.repeat(200_000)}\n{`,
    'x {'.repeat(100_000),
    `\`\`\`\n${' \n'.repeat(100_000)}[`,
  ]) {
    expect(() => findJson(text)).not.toThrow()
  }
})

test('a part of what cannot be read is not taken for the whole', () => {
  expect(findJson('{"tone": {"passed": true}, "safety": {"passed": oops}}')).toBeUndefined()
  expect(findJson('So: {"tone": {"passed": true}, "safety": {"passed": oops}}. But {"passed": false}')).toEqual({
    value: { passed: false },
  })
})

test.each([
  ['<think>Perhaps {"city": "Paris", "sure": false}.</think>\n{"city": "Oslo"}', { city: 'Oslo' }],
  ['<think>\n```json\n{"city": "Paris"}\n```\n</think>\n```json\n{"city": "Oslo"}\n```', { city: 'Oslo' }],
  ['Perhaps {"city": "Paris"}.\n</think>\n{"city": "Oslo"}', { city: 'Oslo' }],
  ['[THINK]{"city": "Paris"}[/THINK]{"city": "Oslo"}', { city: 'Oslo' }],
  ['<reasoning>{"city": "Paris"}</reasoning><answer>{"city": "Oslo"}</answer>', { city: 'Oslo' }],
  ['<think>{"city": "Paris"}', undefined],
  ['<think>{"city": "Paris"}</think>Oslo', undefined],
  ['{"tag": "</think>", "city": "Oslo"}', { tag: '</think>', city: 'Oslo' }],
  ['I think {"city": "Oslo"}', { city: 'Oslo' }],
])('JSON is looked for in the answer, not in the thinking before it: %j', (text, value) => {
  expect(findJson(text)?.value).toEqual(value)
})
