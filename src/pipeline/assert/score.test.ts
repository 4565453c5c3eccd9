import { expect, test } from 'vitest'
import { scoreOf } from './score.js'

const results = (...weights: Array<[boolean, number?]>) =>
  weights.map(([passed, weight]) => ({ type: 'a', passed, ...(weight !== undefined && { weight }) }))

test('the score is the weighted share of what passed', () => {
  expect(scoreOf([]).score).toBe(0)
  expect(scoreOf(results([true, 3], [false])).score).toBe(0.75)
  expect(scoreOf(results([true, 0])).score).toBe(0)
})

test('a score that equals the threshold reaches it, in decimals', () => {
  expect(scoreOf(results([true, 0.1], [true, 0.2], [false, 0.7])).reaches(0.3)).toBe(true)
  expect(scoreOf(results([true, 0.7], [true, 0.1], [false, 0.2])).reaches(0.8)).toBe(true)
  expect(
    scoreOf(results(...Array.from({ length: 7 }, (): [boolean, number] => [true, 0.1]), [false, 0.3])).reaches(0.7),
  ).toBe(true)
  expect(scoreOf(results([true], [true], [false])).reaches(0.6666)).toBe(true)
  expect(scoreOf(results([true], [true], [false])).reaches(0.6667)).toBe(false)
  expect(scoreOf(results([true, 1e-7], [false, 1e-7])).reaches(0.5)).toBe(true)
  expect(scoreOf(results([true, 1_000_000], [false, 1e-9])).reaches(1)).toBe(false)
  expect(scoreOf(results([true], [true])).reaches(1)).toBe(true)
})

test('where nothing weighs anything nothing is reached', () => {
  expect(scoreOf([]).reaches(0.1)).toBe(false)
  expect(scoreOf(results([true, 0])).reaches(0.1)).toBe(false)
})
