import { expect, test } from 'vitest'
import { traceLines } from './trace-lines.js'

test('each step with its time and what went wrong', () =>
  expect(
    traceLines([
      { kind: 'hook', name: 'Create', start_ms: 0, duration_ms: 12 },
      { kind: 'model', name: 'openai.gpt-4o', start_ms: 1340, duration_ms: 1500 },
      { kind: 'tool', name: 'orders__find', error: 'no such\norder' },
    ]),
  ).toEqual([
    '  · +0ms hook Create (12ms)',
    '  · +1.3s model openai.gpt-4o (1.5s)',
    '  · tool orders__find: no such\\norder',
  ]))

test('a long trace is cut', () => {
  const lines = traceLines(Array.from({ length: 200 }, () => ({ kind: 'model', name: 'm' }) as const))
  expect(lines).toHaveLength(51)
  expect(lines.at(-1)).toBe('  · and 150 more')
})
