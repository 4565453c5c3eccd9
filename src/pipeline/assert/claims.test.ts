// `claims` where something was not reported: never a pass, never a plain failure.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { Evidence } from '../../model/evidence.js'

const said = { output: "I've cancelled order AB1234.", input: 'Cancel order AB1234' }

test.each<[string, Partial<Evidence>, string]>([
  ['no calls are reported', { tool_evidence: 'unknown' }, 'the agent does not report its tool calls'],
  ['some calls were not seen', { tool_evidence: 'partial' }, 'only some of the tool calls were seen'],
  ['a hat reports none', { unreported_hats: ['builder'] }, 'the tool calls of builder are not reported'],
  [
    'a result is not reported',
    { tool_calls: [{ name: 'cancel_order', args: { id: 'AB1234' } }] },
    'the agent does not report what cancel_order returned',
  ],
  [
    'an error may have been followed by a success',
    { tool_evidence: 'partial', tool_calls: [{ name: 'cancel_order', args: {}, error: 'busy' }] },
    'only some of the tool calls were seen',
  ],
])('%s: an error', async (_name, evidence, why) => {
  for (const spec of [{ type: 'claims' }, { type: 'claims', negate: true }]) {
    const result = await checkOne(spec, { ...said, ...evidence })
    expect(result).toMatchObject({ passed: false, error_kind: 'input' })
    expect(result.error).toContain(why)
  }
})

test('what is backed by the input needs no calls', async () => {
  const result = await checkOne(
    { type: 'claims' },
    { output: 'Order AB1234, right?', input: 'Order AB1234', tool_evidence: 'unknown' },
  )
  expect(result.passed).toBe(true)
})

test('a call that the tool of the test did not receive backs nothing', async () => {
  const result = await checkOne(
    { type: 'claims' },
    { ...said, tool_calls: [{ name: 'cancel_order', args: {}, result: 'ok', claimed: true }] },
  )
  expect(result.message).toContain('was not made')
})

test('a refusal shows nothing', async () => {
  expect((await checkOne({ type: 'claims' }, { ...said, refused: 'No.' })).passed).toBe(false)
  expect((await checkOne({ type: 'claims', negate: true }, { ...said, refused: 'No.' })).passed).toBe(false)
})

test('wrong options are refused', async () => {
  await expect(checkOne({ type: 'claims', only: ['action'] })).rejects.toThrow('only')
  await expect(checkOne({ type: 'claims', only: [] })).rejects.toThrow('only')
  await expect(checkOne({ type: 'claims', allow: ['contradicted'] })).rejects.toThrow('allow')
  await expect(checkOne({ type: 'claims', judge: true })).rejects.toThrow('judge')
})

test('an answer that is too long to look through is an error', async () => {
  const result = await checkOne({ type: 'claims' }, { output: 'a '.repeat(60_000) })
  expect(result.error).toContain('120,000 characters')
})
