// What the rule about schemas says of schemas that are unusual, and valid.
import { expect, test } from 'vitest'
import type { ContractEvidence } from '../../../../model/contract.js'
import { schemas } from './schemas.js'

function check(inputSchema: object, expected: RegExp | undefined, kind: string): void {
  const subject = { kind: 'tool', item: { name: 'find', inputSchema } }
  const found = schemas.judge({ subject } as unknown as ContractEvidence)
  const said = found.map((each) => [each.kind, 'what' in each ? each.what : each.why])
  expect(said).toEqual(expected ? [[kind, expect.stringMatching(expected)]] : [])
}

function text(schema: object): object {
  return { type: 'object', properties: { name: { type: 'string', ...schema } } }
}

test('a pattern with look-around is valid, and named as not checked', () =>
  check(text({ pattern: '^(?!-)[a-z-]+$', examples: ['a-b'] }), /patterns that are not checked here: \^\(\?!-/, 'hint'))

test('a pattern that is valid without the u flag is checked', () => {
  check(text({ pattern: String.raw`^\-[\w-.]+$`, examples: ['-a.b'] }), undefined, '')
  check(text({ pattern: String.raw`^\-[\w-.]+$`, examples: ['a'] }), /its own example "a" is refused/, 'finding')
})

test('what is no pattern in any engine is a finding', () =>
  check(text({ pattern: '^(a$' }), /is not a valid JSON Schema/, 'finding'))

test('another draft, and parts that are on the web, cannot be judged', () => {
  check({ ...text({}), $schema: 'http://json-schema.org/draft-04/schema#' }, /which is not known/, 'not_exercised')
  check(text({ $ref: 'https://example.com/name.json' }), /can't resolve reference/, 'not_exercised')
})

test('a reference to nothing in the same schema is a finding', () =>
  check(text({ $ref: '#/$defs/none' }), /can't resolve reference/, 'finding'))
