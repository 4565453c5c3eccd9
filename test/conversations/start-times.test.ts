// Every step that has a duration says when it began, counted from the start of its case; `-v` shows it.
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const APP = {
  'app.yao': '{}',
  'assistants/shop/package.yao': '{"name": "Shop", "connector": "mock"}',
  'assistants/shop/prompts.yml': '- role: system\n  content: You sell shirts.\n',
  'assistants/shop/mock.yml': '- output: Which size?\n- output: Ordered.\n',
  'assistants/shop/src/index.ts': 'export function Create(ctx, messages) { return { messages } }\n',
  'judge.mjs': 'export default () => ({ content: { passed: true, reason: "polite" } })\n',
  'cases.jsonl': [
    {
      id: 'T1',
      turns: [{ input: 'A shirt' }, { input: 'XL' }],
      final_assertions: [{ type: 'agent', use: './judge.mjs', value: 'polite' }, 'awaiting_input'],
    },
  ],
}
const BASE = ['test', '-i', 'cases.jsonl', '-n', 'shop']

interface Step {
  kind?: string
  start_ms: number
  duration_ms: number
}

test('turns, hooks, model calls and judges say when they began', async () => {
  const { stdout } = await viva([...BASE, '--json'], { cwd: makeFolder(APP) })
  const events = parseEvents(stdout)
  expect(events.find((event) => event.type === 'case_start')).toMatchObject({ id: 'T1', timestamp: expect.any(String) })
  const result = events.find((event) => event.type === 'result') as unknown as Record<string, Step[]>
  const { turns = [], trace = [], final_assertions: [judged, plain] = [] } = result
  expect(trace.map(({ kind }) => kind)).toEqual(['hook', 'model', 'hook', 'model'])
  const [first, second] = turns
  const order = [first, trace[0], trace[1], second, trace[2], trace[3], judged].map((step) => step?.start_ms ?? NaN)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  for (const at of order) expect(Number.isInteger(at) && at >= 0).toBe(true)
  expect(plain).not.toHaveProperty('start_ms')
})

test('-v shows when each step began', async () => {
  const testCase = { id: 'T1', input: 'A shirt' }
  const cwd = makeFolder({ ...APP, 'cases.jsonl': [testCase] })
  const { stdout } = await viva([...BASE, '-v'], { cwd })
  expect(stdout).toMatch(
    / {2}· \+\d[\d.]*m?s hook Create \(\d[\d.]*m?s\)\n {2}· \+\d[\d.]*m?s model mock \(\d[\d.]*m?s\)\n/,
  )
})

test('an attempt that failed says when it began', async () => {
  const agent = `let calls = 0; export default () => { if (calls++ < 2) throw new Error('not yet'); return 'ok' }`
  const retry = { max_attempts: 3, backoff_ms: 0, retry_on: ['agent_error'] }
  const cwd = makeFolder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'T1', input: 'hi', retry }] })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json'], { cwd })
  const result = parseEvents(stdout).find((event) => event.type === 'result')
  expect(result).toMatchObject({
    status: 'passed',
    failure_history: [{ start_ms: 0 }, { start_ms: expect.any(Number) }],
  })
})
