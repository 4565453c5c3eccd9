import { expect, test } from 'vitest'
import { OutputBuffer, TailBuffer } from './output-buffer.js'

test('joins a character split over two chunks', () => {
  const bytes = Buffer.from('é👍')
  const buffer = new OutputBuffer(100)
  for (const byte of bytes) expect(buffer.push(Uint8Array.of(byte))).toBe(true)
  expect(buffer.text()).toEqual({ text: 'é👍' })
})

test('keeps exactly the limit', () => {
  const buffer = new OutputBuffer(5)
  expect(buffer.push(Buffer.from('abc'))).toBe(true)
  expect(buffer.push(Buffer.from('defg'))).toBe(false)
  expect(buffer.push(Buffer.from('h'))).toBe(false)
  expect(buffer.text()).toEqual({ text: 'abcde' })
})

test('the tail keeps the end', () => {
  const buffer = new TailBuffer(4)
  for (const part of ['ab', 'cd', 'ef', 'g']) buffer.push(Buffer.from(part))
  expect(buffer.text()).toBe('defg')
})
