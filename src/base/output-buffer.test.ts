import { expect, test } from 'vitest'
import { isTail, OutputBuffer, TailBuffer } from './output-buffer.js'

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

test('the tail keeps the end, and says what is missing', () => {
  const buffer = new TailBuffer(4)
  for (const part of ['ab', 'cd']) buffer.push(Buffer.from(part))
  expect(buffer.text()).toBe('abcd')
  expect(isTail(buffer.text())).toBe(false)
  for (const part of ['ef', 'g']) buffer.push(Buffer.from(part))
  expect(buffer.text()).toBe('… 3 bytes before this were not kept\ndefg')
  expect(isTail(buffer.text())).toBe(true)
})

test('a tail that begins with a line is known as one', () => {
  const buffer = new TailBuffer(10)
  buffer.push(Buffer.from('one\ntwo\nthree\nfour\n'))
  expect(buffer.text()).toBe('… 14 bytes before this were not kept\nfour\n')
})
