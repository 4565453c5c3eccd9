// What a schema says about the format of a text is checked.
import { describe, expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { Problem } from '../../errors.js'
import { checkAssertion } from './compile.js'

test.each<[format: string, fine: string[], wrong: string[]]>([
  ['date', ['2024-02-29', '0001-01-01'], ['2023-02-29', '2024-13-01', 'yesterday', '24-01-01', '2024-1-1']],
  ['time', ['23:59:60Z', '01:02:03.45+02:00'], ['24:00:00Z', '01:02:03', '1:02:03Z', '01:02:03+25:00']],
  ['date-time', ['2024-02-29T10:00:00Z', '2024-01-01t10:00:00.5-08:00'], ['2024-02-29', '2024-02-30T10:00:00Z', 'now']],
  ['duration', ['P3W', 'P1Y2M3DT4H5M6S', 'PT36H'], ['P', 'PT', '3 days', 'P1S']],
  ['email', ['a@b.example', 'a.b+c@x.org'], ['a', '@b', 'a b@c.example', 'a@', 'a..b@c.example', 'a@b@']],
  ['hostname', ['localhost', 'a-b.example'], ['-a', 'a..b', 'a b', 'a_b']],
  ['ipv4', ['127.0.0.1', '255.249.0.10'], ['256.0.0.1', '1.2.3', '1.2.3.4.', '1.2.3.4.5', '']],
  ['ipv6', ['::1', '2001:db8::1'], ['1::2::3', '127.0.0.1', '1:2', '::1]/', '']],
  ['uri', ['https://a.example/x?y=%20', 'mailto:a@b.example'], ['/x', 'a.example', 'https://a b', 'https://a/%zz']],
  ['uri-reference', ['/x', 'x?y', '#z'], ['a b', '<x>']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567e89b12d3a456426614174000', 'x']],
  ['json-pointer', ['', '/a/0', '/a~1b'], ['a', '/a~2']],
  ['regex', ['^a+$', '(?=x)'], ['(', '[']],
])('%s', async (format, fine, wrong) => {
  const passes = async (text: string) =>
    (
      await checkOne(
        { type: 'schema', value: { type: 'object', properties: { text: { type: 'string', format } } } },
        { output: { text } },
      )
    ).passed
  for (const text of fine) expect([text, await passes(text)]).toEqual([text, true])
  for (const text of wrong) expect([text, await passes(text)]).toEqual([text, false])
})

test('a format that is not known is a doubt, not an error; what says how a value is kept is neither', () => {
  const doubts = (format: string): Problem[] => {
    const found: Problem[] = []
    checkAssertion({ type: 'schema', value: { properties: { a: { format } } } }, 'assert', found)
    return found
  }
  expect(doubts('colour')).toMatchObject([
    { message: expect.stringContaining('"colour" is unknown, so it is not checked') },
  ])
  expect(doubts('int32')).toEqual([])
  expect(doubts('date')).toEqual([])
})

test('in a file, too, a format that is not known is told', async () => {
  const warnings: string[] = []
  const files: Record<string, string> = {
    'a.json': '{"type":"object","properties":{"a":{"format":"colour"}}}',
    'b.json': '{"type":"object","examples":[{"format":"datetime"}]}',
  }
  const services = {
    readFile: async (path: string) => files[path] ?? '',
    warn: (text: string) => void warnings.push(text),
  }
  for (const file of Object.keys(files))
    expect((await checkOne({ type: 'schema', file }, { output: {} }, services)).passed).toBe(true)
  expect(warnings).toEqual(['a.json: the format "colour" is unknown, so it is not checked: use a pattern'])
})

describe('a schema is read by the draft that it names', () => {
  const passes = async ($schema: string, keywords: object, output: unknown) =>
    (await checkOne({ type: 'schema', value: { $schema, ...keywords } }, { output })).passed
  const pair = { items: [{ type: 'number' }, { type: 'string' }], additionalItems: false }

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft-07/schema',
    'http://json-schema.org/draft-06/schema#',
    'https://json-schema.org/draft/2019-09/schema',
  ])('%s', async (name) => {
    expect(await passes(name, pair, [1, 'x'])).toBe(true)
    expect(await passes(name, pair, ['x', 1])).toBe(false)
    expect(await passes(name, pair, [1, 'x', 2])).toBe(false)
    expect(await passes(name, { properties: { a: { format: 'date' } } }, { a: 'soon' })).toBe(false)
  })

  test('2020-12', async () => {
    const name = 'https://json-schema.org/draft/2020-12/schema'
    expect(await passes(name, { prefixItems: [{ type: 'number' }], items: false }, [1])).toBe(true)
    expect(await passes(name, { prefixItems: [{ type: 'number' }], items: false }, [1, 2])).toBe(false)
  })

  test.each(['http://json-schema.org/draft-04/schema#', 'https://x.example/schema', 7])('not %s', ($schema) => {
    const message = expect.stringContaining('$schema names') as string
    expect(checkAssertion({ type: 'schema', value: { $schema } }, 'assert')).toMatchObject([{ message }])
  })
})

test('a near miss of a format is an error: it would be checked as nothing', () => {
  const check = (format: string) =>
    checkAssertion({ type: 'schema', value: { properties: { a: { format } } } }, 'assert')
  for (const [format, near] of [
    ['emial', 'email'],
    ['datetime', 'date-time'],
    ['uiid', 'uuid'],
  ] as const)
    expect(check(format)).toMatchObject([{ message: expect.stringContaining(`did you mean "${near}"?`) as string }])
  for (const format of ['iri', 'idn-email', 'int16', 'colour']) expect(Array.isArray(check(format))).toBe(false)
})
