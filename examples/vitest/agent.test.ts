// The assertions of Viva inside vitest: on a whole case, on an answer, on what was called.
import 'viva/vitest'
import { expect, test } from 'vitest'
import { defineCases, evaluate, runTests } from 'viva'
import { concierge } from './agent.js'

const cases = defineCases([
  {
    id: 'one-night',
    input: 'A room in Rome, please',
    assert: [
      { type: 'contains', value: 'Rome' },
      { type: 'tool_called', name: 'book_room', arguments: { city: 'Rome', nights: 1 } },
    ],
  },
  {
    id: 'asks-for-the-city',
    turns: [
      { input: 'A room, please', assert: { type: 'contains', value: 'city' } },
      { input: 'It should be in Oslo', assert: { type: 'tool_called', name: 'book_room' } },
    ],
  },
])

test.each(cases)('$id', async (testCase) => {
  await expect(testCase).toPassCase(concierge)
})

test('two nights are two nights', async () => {
  const answer = await ask('A room in Bonn for two nights')
  await expect(answer).toCallTool('book_room', { nights: 2 })
  await expect(answer).not.toCallTool('cancel_room')
  await expect(answer).toSatisfy([
    { type: 'regex', value: 'Bonn .* booked' },
    { type: 'length', max: 80 },
  ])
})

test('a case that must fail does', async () => {
  await expect({ input: 'A room in Rome', assert: { type: 'contains', value: 'Oslo' } }).not.toPassCase(concierge)
})

test('an answer from elsewhere can be judged, too', async () => {
  const { passed, results } = await evaluate({ output: { city: 'Rome', nights: 2 } }, { type: 'json_path', path: 'nights', value: { $gt: 1 } })
  expect(passed).toBe(true)
  expect(results).toHaveLength(1)
})

test('a whole suite, with its summary', async () => {
  const { exit_code, summary } = await runTests({ cases, agent: concierge, parallel: 2 })
  expect({ exit_code, passed: summary.passed }).toEqual({ exit_code: 0, passed: 2 })
})

function ask(content: string): unknown {
  return concierge([{ role: 'user', content }], {} as never, { signal: new AbortController().signal })
}
