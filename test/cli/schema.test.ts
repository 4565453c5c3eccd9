// `viva schema cases` and the loader agree: on what they accept, and on slips in names and types.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SAMPLES } from '../breaks/samples.js'
import { caseFileSchema, oneCaseSchema } from '../../src/cli/case-schemas.js'
import { checkAssertion } from '../../src/pipeline/assert/compile.js'
import { assertionDefinitions } from '../../src/pipeline/assert/registry.js'
import { casesFromValues } from '../../src/pipeline/sources/values.js'
import { breaksOf } from '../support/break-json.js'

const ajv = new Ajv2020({ strict: false })
const isFile = ajv.compile(await caseFileSchema())
const isCase = ajv.compile(await oneCaseSchema())

/** Accepted silently, accepted with a warning, or refused. */
async function load(written: unknown): Promise<string> {
  try {
    const source = await casesFromValues([written], {
      kind: 'cases',
      label: 'cases',
      dir: '/app',
      checkAssertion: (spec, field, doubts) => checkAssertion(spec, field, doubts),
    })
    return source.warnings.length === 0 ? 'fine' : 'doubtful'
  } catch (error) {
    return error instanceof Error ? `refused: ${error.message}` : 'refused'
  }
}

test('every example of an assertion is valid, and a slip in its fields is not', () => {
  for (const { example } of assertionDefinitions) {
    const written = { id: 'a', input: 'x', assert: example }
    expect(isCase(written), `${JSON.stringify(example)} ${JSON.stringify(isCase.errors)}`).toBe(true)
    expect(isCase({ ...written, assert: { ...example, quux: 1 } }), example.type).toBe(false)
    expect(isCase({ ...written, assert: { ...example, type: 'quux' } })).toBe(false)
  }
})

test('500 generated files: what the loader accepts silently is valid, what is not valid it does not accept', async () => {
  const anyFile = fc.constantFrom(...SAMPLES).chain(({ written }) =>
    fc.oneof(
      {
        weight: 4,
        arbitrary: breaksOf(written).map(({ broken, kind, field }) => ({ written: broken, kind, field })),
      },
      { weight: 1, arbitrary: fc.constant({ written, kind: 'whole', field: '' }) },
    ),
  )
  let refusedByBoth = 0
  let fine = 0
  await fc.assert(
    fc.asyncProperty(anyFile, async ({ written, kind, field }) => {
      const verdict = await load(written)
      const asList = isFile([written])
      expect(isFile({ cases: [written] })).toBe(asList)
      expect(isCase(written)).toBe(asList)
      const told = JSON.stringify({ kind, field, verdict, written, errors: isFile.errors })
      if (verdict === 'fine') expect(asList, told).toBe(true)
      if (!asList) expect(verdict, told).not.toBe('fine')
      if (verdict === 'fine') fine++
      if (!asList && verdict.startsWith('refused')) refusedByBoth++
    }),
    { numRuns: 500, seed: 77 },
  )
  expect(fine).toBeGreaterThan(100)
  expect(refusedByBoth).toBeGreaterThan(100)
})

test('slips in the names of assertion fields are seen by both', async () => {
  for (const assert of [
    { type: 'contains', vlaue: 'x' },
    { type: 'contain', value: 'x' },
    { type: 'length', max: '3' },
    { type: 'tool_called', name: 'f', path: 'x' },
    { type: 'all', assertions: [{ type: 'contains', vlaue: 'x' }] },
    'contain',
  ]) {
    const written = { id: 'a', input: 'x', assert }
    expect([JSON.stringify(assert), isCase(written), (await load(written)).startsWith('refused')]).toEqual([
      JSON.stringify(assert),
      false,
      true,
    ])
  }
})
