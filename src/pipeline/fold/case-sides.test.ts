// Two variants of one run: what is slower, more expensive, or done differently.
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../model/event.js'
import { CaseSides } from './case-sides.js'

const RULE = { confidence: 0.95, practical: 5 }

function result(id: string, more: Partial<ResultEvent>): ResultEvent {
  return {
    type: 'result',
    id,
    run: 1,
    status: 'passed',
    duration_ms: 100,
    ...more,
  } as ResultEvent
}

function sidesOf(count: number, make: (at: number, variant: number) => Partial<ResultEvent>): CaseSides {
  const sides = new CaseSides(2, true)
  for (let at = 0; at < count; at++)
    for (const variant of [0, 1]) sides.add(result(`C${at}`, make(at, variant)), variant)
  return sides
}

test('time must differ beyond chance, by percent and by what is noticed at all', () => {
  const slower = (base: number, factor: number) =>
    sidesOf(20, (at, variant) => ({ duration_ms: (base + at) * (variant === 1 ? factor : 1) })).duration(0, 1, {
      ...RULE,
      noticeable: 50,
    })?.verdict
  expect(slower(1_000, 1.5)).toBe('worse')
  expect(slower(1_000, 0.5)).toBe('better')
  expect(slower(5_000, 1.02)).toBe('slight')
  expect(slower(3, 1.5)).toBe('slight')
  expect(slower(1_000, 1)).toBe('unchanged')
})

test('runs without a verdict count as lost, and say nothing of time, cost and behaviour', () => {
  const sides = sidesOf(10, (_, variant) => ({
    ...(variant === 1 && { status: 'failed', error: 'down', error_kind: 'agent', duration_ms: 9_000 }),
    cost_dollars: 1,
  }))
  expect(sides.pairs(0, 1)[0]).toMatchObject({
    before: { passes: 1, lost: 0 },
    after: { passes: 0, fails: 0, lost: 1 },
  })
  expect(sides.duration(0, 1, RULE)).toBeUndefined()
  expect(sides.cost(0, 1, RULE)).toBeUndefined()
  expect(sides.behaviour(0, 1, 5)).toBeUndefined()
})

test('a case skipped on one side only has lost its runs there; one skipped on both is left out', () => {
  const sides = sidesOf(2, (at, variant) => ({ status: at === 0 || variant === 1 ? 'skipped' : 'passed' }))
  expect(sides.pairs(0, 1)).toEqual([
    { id: 'C1', before: { passes: 1, fails: 0, lost: 0 }, after: { passes: 0, fails: 0, lost: 1 } },
  ])
})

test('behaviour that moved is named; the same behaviour is not', () => {
  const calls = (at: number, variant: number, share: number) =>
    variant === 1 && at % share === 0 ? { tool_calls: [{ name: 'search', args: { q: 'x' } }] } : {}
  expect(sidesOf(40, (at, variant) => calls(at, variant, 2)).behaviour(0, 1, 5)).toMatchObject({
    verdict: 'drift',
    moved: [{ trait: 'calls a tool', before: 0, after: 50 }, {}, {}],
  })
  expect(sidesOf(40, (at) => calls(at, 1, 2)).behaviour(0, 1, 5)).toMatchObject({ verdict: 'unchanged', moved: [] })
})
