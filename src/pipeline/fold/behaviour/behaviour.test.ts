// Behaviour compared, by simulation with fixed seeds (the full numbers: bench/decisions), and what a fingerprint holds.
import { expect, test } from 'vitest'
import { failedEvent, resultEvent, type ResultFields } from '../../../../test/support/events.js'
import { behaviourBySimulation, STEADY } from '../../../../test/support/simulated-behaviour.js'
import { seededRandom } from '../statistics/random.js'
import { compareBehaviour, describeMoved } from './compare-behaviour.js'
import { driftTest, type CaseBehaviour } from './drift-test.js'
import { createFingerprints } from './fingerprints.js'
import { traitsOf } from './traits.js'

const SIZE = { cases: 50, runs: 3 }
const PAIRS = 40

test.each(['cases', 'runs'] as const)('another tool first in a fifth of the %s is found, and named', (where) => {
  const after = { ...STEADY, other_tool: { part: 0.2, in: where } }
  let found = 0
  for (let seed = 1; seed <= PAIRS; seed++) {
    const { verdict, moved } = behaviourBySimulation({ before: STEADY, after }, SIZE, seed)
    if (verdict === 'drift') found++
    if (seed === 1) {
      const said = moved.map(describeMoved)
      expect(
        said.some((text) => /^calls `search` first in \d+(\.\d)?% of conversations instead of 0%$/.test(text)),
      ).toBe(true)
    }
  }
  expect(found / PAIRS).toBeGreaterThanOrEqual(0.95)
})

test('the same agent on a machine 1.5 times slower has not drifted', () => {
  let alarms = 0
  for (let seed = 1; seed <= PAIRS; seed++) {
    const pair = { before: STEADY, after: { ...STEADY, slower: 1.5 } }
    const { verdict, moved } = behaviourBySimulation(pair, SIZE, seed)
    if (verdict === 'drift') alarms++
    else expect(moved).toEqual([])
  }
  // At a level of 1%, 40 pairs show more than this in 1 of 1,000 series.
  expect(alarms).toBeLessThanOrEqual(3)
})

test('one run a side is enough where many cases changed, and few changed ones are chance', () => {
  const side = (changed: number) =>
    Array.from({ length: 50 }, (_, index) => ({ before: [1], after: [index < changed ? 2 : 1] }))
  const test = (cases: CaseBehaviour[]) => driftTest(cases, (print) => [print])
  expect(test(side(15)).p_value).toBeLessThan(0.01)
  expect(test(side(3)).p_value).toBeGreaterThan(0.1)
  expect(test(side(0))).toMatchObject({ p_value: 1, distance: 0, moved: [] })
  expect(test([])).toMatchObject({ cases: 0, p_value: 1 })
})

test('the distance is the energy distance by definition, and the rates are means over the cases', () => {
  const prints = [[1, 2], [1], [2, 3], [4], [1, 4], []]
  const traitsOf = (print: number) => prints[print] ?? []
  const [before, after] = [[0, 1, 2].map(traitsOf), [1, 3, 4].map(traitsOf)]
  const apart = (one: number[], other: number[]) =>
    one.filter((trait) => !other.includes(trait)).length + other.filter((trait) => !one.includes(trait)).length
  const mean = (ones: number[][], others: number[][]) =>
    ones.flatMap((one) => others.map((other) => apart(one, other))).reduce((sum, each) => sum + each, 0) /
    (ones.length * others.length)
  const { distance, moved } = driftTest([{ before: [0, 1, 2], after: [1, 3, 4] }], traitsOf)
  expect(distance).toBeCloseTo(2 * mean(before, after) - mean(before, before) - mean(after, after), 12)
  expect(moved.find(({ trait }) => trait === 4)).toMatchObject({ before: 0, after: expect.closeTo(2 / 3, 12) })
  // A case with more runs counts no more than another.
  const uneven = driftTest(
    [
      { before: [1], after: [5] },
      { before: [5, 5, 5], after: [5, 1, 5] },
    ],
    traitsOf,
  )
  expect(uneven.moved).toEqual([
    { trait: 1, before: 0.5, after: expect.closeTo(1 / 6, 12), p_value: expect.any(Number) },
  ])
})

test('beyond chance, but less than what matters', () => {
  const fingerprints = createFingerprints()
  const plain = fingerprints.add(resultEvent('A')) ?? 0
  const long = fingerprints.add(resultEvent('A', { output: 'x'.repeat(40) })) ?? 0
  const cases = Array.from({ length: 1_000 }, (_, index) => ({ before: [plain], after: [index < 40 ? long : plain] }))
  expect(compareBehaviour(cases, fingerprints, 5)).toMatchObject({ verdict: 'slight', moved: [] })
  expect(compareBehaviour(cases, fingerprints, 3)).toMatchObject({
    verdict: 'drift',
    moved: [{ trait: 'answers with 16 characters or more', before: 0, after: 4 }],
  })
})

test('what a fingerprint holds: tools, order, shape of arguments, turns, lengths, reasons, awaiting', () => {
  const turn = (fields: ResultFields) => ({
    turn: 1,
    input: 'x',
    input_source: 'static' as const,
    status: 'passed' as const,
    duration_ms: 5,
    ...fields,
  })
  const event = resultEvent('A', {
    tool_calls: [
      { name: 'search', args: { query: 'secret value', limit: 3, tags: ['a'] } },
      { name: 'read', args: 'raw' },
      { name: 'search', args: null },
    ],
    turns: [
      turn({ output: 'What is it?', awaiting_input: true, awaiting_reason: 'content_is_question' }),
      turn({ output: 'x'.repeat(20), finish_reason: 'stop' }),
      { ...turn({}), status: 'not_run' as const },
    ] as NonNullable<ResultFields['turns']>,
    total_turns: 2,
  })
  expect([...traitsOf(event)]).toEqual([
    'calls a tool',
    'makes 2 tool calls or more',
    'makes 3 tool calls or more',
    'calls `search` first',
    'calls `search`',
    'calls `search`, then `read`',
    'calls `search`, then `read`, then `search`',
    'gives `search` {limit: number, query: text, tags: a list}',
    'calls `read`',
    'calls `read`, then `search`',
    'gives `read` text',
    'calls `search` more than once',
    'gives `search` nothing',
    'asks a question',
    'finishes with `stop`',
    'takes 2 turns or more',
    'answers with 16 characters or more',
  ])
})

test('time and cost are not part of it, and what broke down has no fingerprint', () => {
  const fingerprints = createFingerprints()
  const one = fingerprints.add(resultEvent('A', { duration_ms: 1, cost_dollars: 1, first_chunk_ms: 1 }))
  expect(fingerprints.add(resultEvent('A', { duration_ms: 900, cost_dollars: 9, first_chunk_ms: 90 }))).toBe(one)
  expect(fingerprints.add(failedEvent('A', 'wrong'))).toBe(one)
  expect(fingerprints.add(failedEvent('A', '503', 'agent'))).toBeUndefined()
  expect(fingerprints.add(resultEvent('A', { status: 'skipped', skip_reason: 'x' }))).toBeUndefined()
})

test('fingerprints stay small, whatever an agent does', () => {
  const fingerprints = createFingerprints()
  const random = seededRandom(1)
  let most = 0
  for (let run = 0; run < 160; run++) {
    const tool_calls = Array.from({ length: 200 }, () => ({ name: `tool ${random()}`.repeat(3), args: {} }))
    const print = fingerprints.add(resultEvent('A', { tool_calls })) ?? 0
    for (const trait of fingerprints.traits(print)) most = Math.max(most, trait)
    expect(fingerprints.traits(print).length).toBeLessThanOrEqual(400)
  }
  expect(most).toBeLessThan(51_024)
  expect(fingerprints.words(most)).toBeUndefined()
})
