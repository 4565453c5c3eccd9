import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogKeeper } from './log-keeper.js'

test('short output is kept as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 200 }), (lines) => {
      const keeper = new LogKeeper()
      for (const line of lines) keeper.add(line)
      expect(keeper.lines()).toEqual(lines)
      expect(keeper.dropped).toBe(0)
    }),
  )
})

test('of long output the beginning and the end are kept, and every line is accounted for', () => {
  const keeper = new LogKeeper()
  const count = 300_000
  for (let line = 0; line < count; line++) keeper.add(`line ${line}`)
  const lines = keeper.lines()
  expect(lines[0]).toBe('line 0')
  expect(lines.at(-1)).toBe(`line ${count - 1}`)
  expect(lines.length + keeper.dropped).toBe(count)
  const bytes = Buffer.byteLength(lines.join('\n'))
  expect(bytes).toBeLessThanOrEqual(1024 * 1024)
  expect(bytes).toBeGreaterThan(900 * 1024)
})

test('one endless line is cut', () => {
  const keeper = new LogKeeper()
  keeper.add('x'.repeat(50_000_000))
  expect(keeper.lines().join('').length).toBeLessThan(1024 * 1024)
})
