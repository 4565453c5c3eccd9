import { expect, test } from 'vitest'
import { addUsage } from './usage.js'

const usage = (input_tokens: number, output_tokens: number, total_tokens: number) => ({
  input_tokens,
  output_tokens,
  total_tokens,
})

test('sums each count on its own: a total may hold more than input and output', () => {
  expect(addUsage(undefined, usage(1, 2, 3))).toEqual(usage(1, 2, 3))
  expect(addUsage(usage(1, 2, 3), usage(10, 20, 40))).toEqual(usage(11, 22, 43))
})

test('leaves what it was given alone', () => {
  const [first, second] = [usage(1, 2, 3), usage(4, 5, 9)]
  const sum = addUsage(undefined, first)
  sum.input_tokens = 100
  addUsage(first, second)
  expect([first, second]).toEqual([usage(1, 2, 3), usage(4, 5, 9)])
})
