import { expect, test } from 'vitest'
import { longDiff, nearestPart } from './text-diff.js'

const LONG = 'The quick brown fox jumps over the lazy dog while the cat looks on from the window.'

test('short or equal values have no diff', () => {
  expect(longDiff('a', 'b')).toBeUndefined()
  expect(longDiff(LONG, LONG)).toBeUndefined()
})

test('one long line shows what is missing and what is new', () => {
  expect(longDiff(LONG, LONG.replace('brown', 'red'))).toContain('[-brown-]{+red+}')
})

test('several lines are a unified diff', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const diff = longDiff(lines.join('\n'), lines.with(10, 'changed').join('\n'))
  expect(diff).toContain('-line 10\n+changed')
  expect(diff).not.toContain('line 3')
})

test('structured values are compared with keys in one order', () => {
  const expected = { a: 'x'.repeat(40), b: 'y'.repeat(40), c: 1 }
  const diff = longDiff(expected, { c: 2, b: expected.b, a: expected.a })
  expect(diff).toContain('-  "c": 1\n+  "c": 2')
  expect(diff).not.toContain('-  "a"')
})

test('texts that have nothing in common end in time and give no diff or a short one', () => {
  const left = Array.from({ length: 5000 }, (_, index) => `a${index}`).join('\n')
  const right = Array.from({ length: 5000 }, (_, index) => `b${index}`).join('\n')
  expect((longDiff(left, right) ?? '').length).toBeLessThan(5000)
})

test('the nearest part is found by case, by slip, or not at all', () => {
  expect(nearestPart('submitted', 'Your order was Submitted today')).toBe('Submitted')
  expect(nearestPart('order was submitted', 'Your order was submited today')).toBe('order was submited')
  expect(nearestPart('submitted', 'I cannot help with that')).toBeUndefined()
  expect(nearestPart('x', 'xyz')).toBeUndefined()
  expect(nearestPart('退款已完成', '您的退款已經完成。')).toBeDefined()
})

test('what may be a key is never split: its parts would not be recognised', () => {
  const uuid = '3f2a9c11-7b6d-4e21-9a77-aa1c5be0d9f3'
  const other = '00000000-7b6d-4e21-0000-000000000000'
  expect(longDiff(`${LONG} ${other} x`, `${LONG} ${uuid} x`)).toContain(`[-${other}-]{+${uuid}+}`)
  const equal = `${'word '.repeat(6)}${uuid} ${'word '.repeat(20)}${uuid} end`
  expect(longDiff(`${equal} a`, `${equal} b`)).not.toMatch(/3f2a9c11(?!-7b6d-4e21-9a77-aa1c5be0d9f3)/)
})
