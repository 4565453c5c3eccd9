// Calls without a name, and backends that report none: what was called is not known, so nothing about it is shown.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { Evidence } from '../../model/evidence.js'
import type { ToolCall } from '../../model/message.js'

const writing: ToolCall = { name: 'Writing to hello.txt', unnamed: true, args: {} }
const read: ToolCall = { name: 'read_file', args: { path: 'a' }, result: { ok: true } }
const titled = { tool_calls: [writing, read] }
const silent: Partial<Evidence> = { tool_calls: [read], unreported_hats: ['builder'] }
const cut: Partial<Evidence> = { tool_calls: [read], tool_evidence: 'partial' }
const unsaid: Partial<Evidence> = { tool_calls: [read], tool_evidence: 'unknown' }

/** `passed`, `failed` or `unknown`, which is an error. */
async function verdict(spec: object, evidence: Partial<Evidence>): Promise<string> {
  const { passed, error } = await checkOne(spec, evidence)
  return error === undefined ? (passed ? 'passed' : 'failed') : 'unknown'
}

const table: Array<[spec: object, unnamed: string, unreported: string]> = [
  [{ type: 'tool_not_called', name: 'write_file' }, 'unknown', 'unknown'],
  [{ type: 'tool_not_called', name: 'Writing to hello.txt' }, 'unknown', 'unknown'],
  [{ type: 'tool_not_called', name: 'write_file', arguments: { path: 'a' } }, 'unknown', 'unknown'],
  [{ type: 'tool_not_called', name: 'read_file' }, 'failed', 'failed'],
  [{ type: 'tool_not_called', name: '*' }, 'failed', 'failed'],
  [{ type: 'tool_called', name: 'write_file' }, 'unknown', 'unknown'],
  [{ type: 'tool_called', name: 'write_file', times: 0 }, 'unknown', 'unknown'],
  [{ type: 'tool_called', name: 'read_file' }, 'passed', 'passed'],
  [{ type: 'tool_called', name: 'read_file', times: 1 }, 'unknown', 'unknown'],
  [{ type: 'tool_called', name: 'read_file', times: 2 }, 'unknown', 'unknown'],
  [{ type: 'tool_called', name: 'read_file', times: 3 }, 'failed', 'unknown'],
  [{ type: 'tool_called', name: 'read_file', times: { min: 1 } }, 'passed', 'passed'],
  [{ type: 'tool_called', name: 'read_file', times: 0 }, 'failed', 'failed'],
  [{ type: 'tool_called', name: '*', times: { min: 1 } }, 'passed', 'passed'],
  [{ type: 'tool_sequence', tools: ['read_file'] }, 'passed', 'passed'],
  [{ type: 'tool_sequence', tools: ['write_file', 'read_file'] }, 'unknown', 'unknown'],
  [{ type: 'tool_sequence', tools: ['read_file', 'write_file'] }, 'failed', 'unknown'],
  [{ type: 'tool_sequence', tools: ['write_file', 'read_file'], match: 'strict' }, 'unknown', 'unknown'],
  [{ type: 'tool_sequence', tools: ['read_file'], match: 'strict' }, 'failed', 'unknown'],
  [{ type: 'tool_sequence', tools: ['read_file', 'write_file'], match: 'unordered' }, 'unknown', 'unknown'],
  [{ type: 'tool_sequence', tools: ['read_file', 'write_file'], match: 'subset' }, 'unknown', 'unknown'],
  [{ type: 'tool_sequence', tools: ['write_file'], match: 'subset' }, 'failed', 'failed'],
  [{ type: 'tool_sequence', tools: ['read_file'], match: 'superset' }, 'passed', 'passed'],
  [{ type: 'tool_sequence', tools: ['write_file'], match: 'superset' }, 'unknown', 'unknown'],
  [{ type: 'tool_sequence', tools: [], match: 'strict' }, 'failed', 'failed'],
  [{ type: 'tool_result', tool: 'write_file' }, 'unknown', 'unknown'],
  [{ type: 'tool_result', tool: 'write_file', result: { ok: true } }, 'unknown', 'unknown'],
  [{ type: 'tool_result', tool: 'read_file', result: { ok: true } }, 'passed', 'passed'],
  [{ type: 'tool_result', tool: 'read_file', result: { ok: false } }, 'unknown', 'unknown'],
  [{ type: 'tool_result', tool: 'read_file' }, 'passed', 'unknown'],
]

/** What is looked for and was not seen fails; only that it was not called cannot be said. */
function unsaidOf(spec: Sought, unreported: string): string {
  const isSought: Record<string, boolean> = {
    tool_called: spec.times === undefined,
    tool_sequence: !CLOSED.has(spec.match),
    tool_result: spec.tool === 'write_file' || spec.result !== undefined,
  }
  return unreported === 'unknown' && isSought[spec.type ?? ''] ? 'unseen' : unreported
}

interface Sought {
  type?: string
  times?: unknown
  match?: string
  tool?: string
  result?: unknown
}

const CLOSED = new Set<string | undefined>(['strict', 'unordered', 'subset'])

test.each(table)('%j: without a name %s, without a report %s', async (spec, unnamed, unreported) => {
  const opposite: Record<string, string> = { passed: 'failed', failed: 'passed', unknown: 'unknown', unseen: 'unknown' }
  for (const [evidence, expected] of [
    [titled, unnamed],
    [silent, unreported],
    [cut, unsaidOf(spec, unreported)],
    [unsaid, unsaidOf(spec, unreported)],
  ] as const) {
    const own = expected === 'unseen' ? 'failed' : expected
    expect(await verdict(spec, evidence)).toBe(own)
    expect(await verdict({ ...spec, negate: true }, evidence)).toBe(opposite[expected])
    expect(await verdict({ type: 'none', assertions: [spec] }, evidence)).toBe(opposite[expected])
    expect(await verdict({ type: 'all', assertions: [spec] }, evidence)).toBe(own)
    expect(await verdict({ type: 'any', assertions: [spec, { type: 'contains', value: 'x' }] }, evidence)).toBe(own)
  }
})

test('the error says which call has no name, or which hat does not report its calls', async () => {
  const spec = { type: 'tool_not_called', name: 'write_file' }
  expect((await checkOne(spec, titled)).error).toContain('call 1, "Writing to hello.txt", has a title but no tool name')
  expect((await checkOne(spec, silent)).error).toContain('the backend of the hat builder does not report tool calls')
  expect((await checkOne(spec, cut)).error).toContain('was cut off')
  expect((await checkOne(spec, unsaid)).error).toContain('agents.NAME.tool_calls: "complete"')
})

test('arguments that differ show that a call without a name is another one', async () => {
  const call: ToolCall = { ...writing, args: { path: 'b' } }
  const spec = { type: 'tool_not_called', name: 'write_file', arguments: { path: 'a' } }
  expect(await verdict(spec, { tool_calls: [call] })).toBe('passed')
  expect(await verdict({ ...spec, arguments: { path: 'b' } }, { tool_calls: [call] })).toBe('unknown')
})

test('that no call of a tool failed is not known if one without a name did', async () => {
  const spec = { type: 'tool_result', tool: 'read_file' }
  expect(await verdict(spec, { tool_calls: [{ ...writing, error: 'disk full' }, read] })).toBe('unknown')
})

test('a count is undecided as long as any count that is possible would decide otherwise', async () => {
  const broken: ToolCall = { name: 'pay', args: '{', args_error: 'not JSON' }
  const paid: ToolCall = { name: 'pay', args: { amount: 5 } }
  const spec = { type: 'tool_called', name: 'pay', arguments: { amount: 5 }, times: 2, negate: true }
  expect(await verdict(spec, { tool_calls: [paid, broken, broken] })).toBe('failed')
  expect(await verdict(spec, { tool_calls: [paid, paid, paid, broken] })).toBe('passed')
})

test('of tools that the test provides every call is known, whatever else is not', async () => {
  const refund: ToolCall = { name: 'refund', args: {}, result: { ok: true } }
  for (const evidence of [silent, cut, unsaid, titled]) {
    const known = {
      ...evidence,
      recorded_tools: ['refund', 'book'],
      tool_calls: [...(evidence.tool_calls ?? []), refund],
    }
    expect(await verdict({ type: 'tool_not_called', name: 'book' }, known)).toBe('passed')
    expect(await verdict({ type: 'tool_not_called', name: 'refund' }, known)).toBe('failed')
    expect(await verdict({ type: 'tool_called', name: 'refund', times: 1 }, known)).toBe('passed')
    expect(await verdict({ type: 'tool_called', name: 'refund', times: 2 }, known)).toBe('failed')
    expect(await verdict({ type: 'tool_not_called', name: 'other' }, known)).toBe('unknown')
    const claimed = { ...known, tool_calls: [{ ...refund, claimed: true as const }] }
    expect(await verdict({ type: 'tool_called', name: 'refund' }, claimed)).toBe('failed')
    expect(await verdict({ type: 'tool_called', name: 'refund', negate: true }, claimed)).toBe('failed')
    expect(await verdict({ type: 'tool_not_called', name: 'refund' }, claimed)).toBe('failed')
    expect(await verdict({ type: 'tool_result', tool: 'refund', result: { ok: true } }, claimed)).toBe('failed')
  }
})
