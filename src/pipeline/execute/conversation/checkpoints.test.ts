// The order of checkpoints, for any list and any answers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkpointResults,
  isCheap,
  isInOrder,
  isPending,
  missingIds,
  reachedIds,
  recordVerdict,
  startCheckpoints,
} from './checkpoints.js'

const scenario = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.record({
    after: fc.array(fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 }), {
      minLength: count,
      maxLength: count,
    }),
    required: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    turns: fc.array(fc.array(fc.boolean(), { minLength: count, maxLength: count }), { maxLength: 5 }),
  }),
)

test('a checkpoint is reached only after those it waits for, once, and missing ones are the required rest', () => {
  fc.assert(
    fc.property(scenario, ({ after, required, turns }) => {
      const all = startCheckpoints(
        after.map((ids, index) => ({
          id: `c${index}`,
          assertion: { type: 'contains' },
          after: ids.map((id) => `c${id}`),
          required: required[index] === true,
        })),
      )
      turns.forEach((matches, turn) => {
        all.forEach((progress, index) => {
          const before = progress.reachedAt
          if (isPending(progress))
            recordVerdict(progress, all, { type: 'contains', passed: matches[index] === true }, turn + 1)
          if (before !== undefined) expect(progress.reachedAt).toBe(before)
        })
      })
      const at = new Map(all.map((progress) => [progress.checkpoint.id, progress.reachedAt]))
      for (const { checkpoint, reachedAt } of all) {
        if (reachedAt === undefined) continue
        for (const id of checkpoint.after) expect(at.get(id)).toBeLessThanOrEqual(reachedAt)
      }
      const results = checkpointResults(all)
      expect(results.filter((each) => each.reached).map((each) => each.id)).toEqual(reachedIds(all))
      expect(results.filter((each) => !each.reached && each.required).map((each) => each.id)).toEqual(missingIds(all))
      for (const each of results) {
        expect(each.passed).toBe(each.reached)
        if (each.out_of_order) expect(each.reached).toBe(false)
        expect(each.message === undefined).toBe(each.reached)
      }
    }),
  )
})

test('earlier in the same turn counts', () => {
  const all = startCheckpoints([
    { id: 'a', assertion: { type: 'x' }, after: [], required: true },
    { id: 'b', assertion: { type: 'x' }, after: ['a'], required: true },
  ])
  const [a, b] = all
  if (!a || !b) throw new Error('two checkpoints')
  expect(isInOrder(b, all)).toBe(false)
  recordVerdict(a, all, { type: 'x', passed: true }, 1)
  expect(isInOrder(b, all)).toBe(true)
})

test('what asks a model or a script is not cheap, also inside a group', () => {
  expect(isCheap({ type: 'contains', value: 'x' })).toBe(true)
  expect(isCheap({ type: 'agent' })).toBe(false)
  expect(
    isCheap({ type: 'all', assertions: [{ type: 'contains' }, { type: 'any', assertions: [{ type: 'script' }] }] }),
  ).toBe(false)
})
