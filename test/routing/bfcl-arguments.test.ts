// What an import of BFCL accepts as arguments, one at a time.
import { expect, test } from 'vitest'
import { acceptedArguments } from '../../src/import/formats/bfcl-call.js'
import { compileMatcher } from '../../src/pipeline/assert/matchers/compile.js'

/** Whether a call with these arguments is right, if the tool's one argument has these acceptable values. */
function accepts(acceptable: unknown[], schema: object, args: object, key = 'it'): boolean {
  const tool = { parameters: { type: 'dict', properties: { [key]: schema } } }
  return (
    compileMatcher(acceptedArguments({ [key]: acceptable }, tool), { objects: 'exact' }).mismatches(args).length === 0
  )
}

test.for([
  { type: 'array', items: { type: 'string' } },
  { type: 'integer' },
  { type: 'float' },
  { type: 'boolean' },
  { type: 'dict' },
])('what may only be left out is not an empty text: $type', (schema) => {
  expect(accepts([''], schema, {})).toBe(true)
  expect(accepts([''], schema, { it: '' })).toBe(false)
  expect(accepts([''], schema, { it: [] })).toBe(false)
})

test('an empty text is one where texts are asked for', () => {
  expect(accepts([''], { type: 'string' }, { it: '' })).toBe(true)
  expect(accepts([''], { type: 'string' }, { it: 'x' })).toBe(false)
})

test('letters are those that are expected, in either case, also beside quotes', () => {
  const said = ["It's so"]
  expect(accepts(said, { type: 'string' }, { it: 'IT"S SO.' })).toBe(true)
  expect(accepts(said, { type: 'string' }, { it: "It'ſ so" })).toBe(false)
  expect(accepts(said, { type: 'string' }, { it: 'Its so' })).toBe(false)
})

test('an argument may be called like an operator', () => {
  expect(accepts(['a'], { type: 'string' }, { $eq: 'a' }, '$eq')).toBe(true)
  expect(accepts(['a'], { type: 'string' }, {}, '$eq')).toBe(false)
  expect(accepts(['a'], { type: 'string' }, 'a' as unknown as object, '$eq')).toBe(false)
})
