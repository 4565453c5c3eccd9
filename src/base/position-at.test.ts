import { expect, test } from 'vitest'
import { positionAt } from './position-at.js'

test('lines and columns count from 1', () => {
  expect(positionAt('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
  expect(positionAt('ab\ncd', 2)).toEqual({ line: 1, column: 3 })
  expect(positionAt('ab\ncd', 4)).toEqual({ line: 2, column: 2 })
})
