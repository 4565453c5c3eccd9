// Values from schemas: those that should be valid are, those that should not be are not, and nothing is guessed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileForeign } from '../compile-foreign.js'
import { hostileTexts } from './hostile-texts.js'
import { makeArguments } from './make-arguments.js'
import type { Schema } from './flatten.js'

const DRAFTS = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#']

const text = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.tuple(fc.nat(20), fc.nat(20)).map(([one, more]) => ({ type: 'string', minLength: one, maxLength: one + more })),
  fc
    .constantFrom('date', 'date-time', 'email', 'uri', 'uuid', 'ipv4', 'hostname')
    .map((format) => ({ type: 'string', format })),
  fc
    .constantFrom(
      '^[a-z]{2,5}$',
      String.raw`^\d{4}-\d{2}$`,
      '^(?:red|green)$',
      '^[A-Z][a-z]+( [A-Z][a-z]+)*$',
      '^#[0-9a-f]{6}$',
    )
    .map((pattern) => ({ type: 'string', pattern })),
  fc.constant({ type: 'string', enum: ['one', 'two', 'three'] }),
  fc.constant({ const: 'only' }),
)
const number = fc.oneof(
  fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50)).map(([minimum, more]) => ({
    type: 'integer',
    minimum,
    maximum: minimum + more,
  })),
  fc.constantFrom({ type: 'number', multipleOf: 5, minimum: 7, maximum: 93 }, { type: 'number', exclusiveMinimum: 0 }),
  fc.constant({ type: ['integer', 'null'] }),
)
const { schema: anySchema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    text as fc.Arbitrary<Schema>,
    number as fc.Arbitrary<Schema>,
    fc.constant<Schema>({ type: 'boolean' }),
    tie('object'),
    tie('schema').map((items) => ({ type: 'array', items, minItems: 1 })),
    fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf })),
    tie('schema').map((one) => ({ anyOf: [one, { type: 'null' }] })),
    tie('object').map((one) => ({ allOf: [one, { type: 'object', properties: { also: { type: 'string' } } }] })),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('path', 'url', 'limit', 'name', 'tags', 'mode'), tie('schema'), { maxKeys: 4 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([properties, all, closed]) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, all ? undefined : 1),
      ...(closed && { additionalProperties: false }),
    })),
}))
const toolSchema = fc
  .tuple(
    fc.dictionary(fc.constantFrom('path', 'when', 'limit', 'email', 'options', 'items', 'query'), anySchema, {
      maxKeys: 5,
    }),
    fc.constantFrom(undefined, ...DRAFTS),
    fc.boolean(),
  )
  .map(([properties, draft, closed]): Schema => ({
    ...(draft !== undefined && { $schema: draft }),
    type: 'object',
    properties,
    required: Object.keys(properties).filter((_, index) => index % 2 === 0),
    ...(closed && { additionalProperties: false }),
  }))

describe('for any schema', () => {
  test('what is valid by construction is valid, what is wrong is not, and there is something to call it with', () => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        const validate = compileForeign(schema)
        const made = makeArguments(schema, { seed })
        expect(made.cannot).toEqual([])
        expect(made.typical.length).toBeGreaterThan(0)
        for (const { value } of [...made.typical, ...made.boundary, ...made.hostile])
          expect(validate(value)).toEqual([])
        for (const { value } of made.wrong) expect(validate(value)).not.toEqual([])
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  test('the same seed makes the same values', () => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        expect(makeArguments(schema, { seed })).toEqual(makeArguments(schema, { seed }))
      }),
      { numRuns: 50 },
    )
  }, 60_000)
})

/** The first typical value. */
function typical(properties: Schema, rest: Schema = {}): unknown {
  const schema = { type: 'object', properties, required: Object.keys(properties), ...rest }
  return makeArguments(schema).typical[0]?.value
}

test('examples come before defaults, and defaults before what is made up', () => {
  expect(typical({ a: { type: 'string', examples: ['x'], default: 'y' }, b: { type: 'integer', default: 7 } })).toEqual(
    {
      a: 'x',
      b: 7,
    },
  )
})

test('an example that the schema refuses is not used', () => {
  expect(typical({ a: { type: 'integer', examples: ['x'], default: 'y' } })).toEqual({ a: 1 })
})

test('names suggest values, where the schema allows them', () => {
  expect(typical({ email: { type: 'string' }, url: { type: 'string' }, timeoutMs: { type: 'integer' } })).toEqual({
    email: 'jane@example.com',
    url: 'https://example.com/',
    timeoutMs: 1,
  })
  expect(typical({ email: { type: 'string', maxLength: 3 } })).toEqual({ email: 'exa' })
})

test('references, also to itself, are followed to an end', () => {
  const node = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['name', 'children'],
  }
  const schema = { type: 'object', properties: { tree: { $ref: '#/$defs/node' } }, required: ['tree'], $defs: { node } }
  const { typical: made, cannot } = makeArguments(schema)
  expect(cannot).toEqual([])
  expect(compileForeign(schema)(made[0]?.value)).toEqual([])
})

test('a schema that only an endless value satisfies is said to have none', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] }
  const made = makeArguments({
    type: 'object',
    properties: { a: { $ref: '#/$defs/node' } },
    required: ['a'],
    $defs: { node },
  })
  expect(made.typical).toEqual([])
  expect(made.cannot.join()).toContain('never ends: the schema refers to itself')
})

test('a schema that contradicts itself is said to have no value', () => {
  const made = makeArguments({ type: 'object', properties: { a: { type: 'string', enum: [1] } }, required: ['a'] })
  expect(made.typical).toEqual([])
  expect(made.cannot).toEqual([expect.stringContaining('no value was found for "a"')])
})

test('conditions are met', () => {
  const schema: Schema = {
    type: 'object',
    properties: { kind: { enum: ['card', 'cash'] }, number: { type: 'string', pattern: String.raw`^\d{4}$` } },
    required: ['kind'],
    if: { properties: { kind: { const: 'card' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['number'] },
  }
  const { typical: made, cannot } = makeArguments(schema)
  expect(cannot).toEqual([])
  for (const { value } of made) expect(compileForeign(schema)(value)).toEqual([])
})

test('what waits is never asked to wait for long', () => {
  const { boundary } = makeArguments({
    type: 'object',
    properties: { delaySeconds: { type: 'number', minimum: 0, maximum: 86_400 } },
  })
  expect(boundary.map(({ value }) => value)).toEqual([{ delaySeconds: 0 }])
})

test('each of a few listed values is tried', () => {
  const listed = ['fast', 'slow', 'deep', 'wide', 'full']
  const { typical, boundary } = makeArguments({ type: 'object', properties: { mode: { enum: listed } } })
  const modes = [...typical, ...boundary].map(({ value }) => (value as { mode?: string }).mode)
  expect(new Set(modes)).toEqual(new Set([undefined, ...listed]))
})

test('each reason for which a value is wrong is named', () => {
  const { wrong } = makeArguments({
    type: 'object',
    properties: { path: { type: 'string', minLength: 2 }, mode: { enum: ['r', 'w'] } },
    required: ['path'],
    additionalProperties: false,
  })
  expect(wrong.map(({ why }) => why)).toEqual([
    '"path" is missing',
    '"path" is an object instead of a string',
    '"path" is too short',
    '"mode" is an object instead of a string',
    '"mode" is not one of the values listed',
    '"viva_unknown_argument" is not a known argument',
    'there are no arguments',
  ])
})

test('hostile texts lead nowhere outside, and are not run where they would be by design', () => {
  for (const { value } of hostileTexts) expect(value).not.toMatch(/^(?:\/|~|\.\.)|\.\.\/\.\./)
  const { hostile } = makeArguments({ type: 'object', properties: { command: { type: 'string' } } })
  expect(hostile.map(({ value }) => JSON.stringify(value)).join()).not.toContain('touch')
})
