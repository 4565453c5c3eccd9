import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isPlainlyFine } from './quick-check.js'
import { assertionsByType } from './registry.js'

const definitions = [...assertionsByType.values()]

test('the usual assertions take the short way', () => {
  const fine = definitions.filter(({ schema, example }) => isPlainlyFine(schema, example))
  expect(fine.map(({ type }) => type)).toEqual(expect.arrayContaining(['equals', 'contains', 'regex', 'json_path']))
})

test('the short way accepts nothing that the schema refuses', () => {
  const definition = fc.constantFrom(...definitions)
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, '', 0, true, 'equals'))
  fc.assert(
    fc.property(
      definition.chain(({ schema, example }) =>
        fc.tuple(
          fc.constant(schema),
          fc.constant(example),
          fc.record(Object.fromEntries(Object.keys(schema.entries).map((key) => [key, field])), { requiredKeys: [] }),
          fc.boolean(),
        ),
      ),
      ([schema, example, fields, over]) => {
        const spec = over ? { ...example, ...fields } : fields
        if (isPlainlyFine(schema, spec)) expect(v.safeParse(schema, spec).success).toBe(true)
      },
    ),
    { numRuns: 2000 },
  )
})
