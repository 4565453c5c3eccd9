import { expect, test } from 'vitest'
import { Spans } from './spans.js'

test('what overlaps counts once', () => {
  const spans = new Spans()
  expect(spans.add(0, 100)).toBe(100)
  expect(spans.add(50, 80)).toBe(0)
  expect(spans.add(80, 150)).toBe(50)
  expect(spans.add(200, 300)).toBe(100)
  expect(spans.add(140, 210)).toBe(50)
  expect(spans.add(0, 300)).toBe(0)
})
