import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimise } from './minimise.js'

/** Fails if it holds one of these sets whole. */
const causes = (sets: number[][]) => async (parts: number[]) =>
  sets.some((set) => set.every((part) => parts.includes(part)))

const problem = fc.integer({ min: 1, max: 24 }).chain((count) =>
  fc.record({
    parts: fc.constant(Array.from({ length: count }, (_, index) => index)),
    sets: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
)

test('what is left fails, in its order, and nothing more can be left out', async () => {
  await fc.assert(
    fc.asyncProperty(problem, async ({ parts, sets }) => {
      const fails = causes(sets)
      const { parts: left, isMinimal } = await minimise(parts, fails)
      expect(await fails(left)).toBe(true)
      expect(left).toEqual(left.toSorted((a, b) => a - b))
      expect(isMinimal).toBe(true)
      for (const part of left)
        if (left.length > 1) expect(await fails(left.filter((each) => each !== part))).toBe(false)
    }),
  )
})

test('also where a failure depends on the number of parts, and nothing is asked twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), async (count, least) => {
      const parts = Array.from({ length: Math.max(count, least) }, (_, index) => index)
      const questions: string[] = []
      const { parts: left, asked } = await minimise(parts, async (subset) => {
        questions.push(subset.join())
        return subset.length >= least
      })
      expect(left).toHaveLength(least)
      expect(new Set(questions).size).toBe(questions.length)
      expect(asked).toBe(questions.length)
    }),
  )
})

test('a budget ends the search with something that fails, and says so', async () => {
  await fc.assert(
    fc.asyncProperty(problem, fc.integer({ min: 0, max: 6 }), async ({ parts, sets }, budget) => {
      const fails = causes(sets)
      const { parts: left, isMinimal, asked } = await minimise(parts, fails, budget)
      expect(asked).toBeLessThanOrEqual(budget)
      expect(await fails(left)).toBe(true)
      if (isMinimal && left.length > 1)
        for (const part of left) expect(await fails(left.filter((each) => each !== part))).toBe(false)
    }),
  )
})
