import { serialize } from 'node:v8'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ForgedFrameError, FrameReader } from './frame-reader.js'
import { HEADER_BYTES, NONCE_BYTES, type ChildMessage } from '../protocol.js'

const nonce = Buffer.alloc(NONCE_BYTES, 7)

function frame(message: unknown, mark = nonce): Buffer {
  const body = Buffer.concat([mark, serialize(message)])
  const head = Buffer.alloc(HEADER_BYTES)
  head.writeUInt32LE(body.length, 0)
  return Buffer.concat([head, body])
}

test('messages come out whole and in order, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string()), { maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (all, cuts) => {
        const messages: ChildMessage[] = all.map((lines) => ({ k: 'log', lines }))
        const bytes = Buffer.concat(messages.map((message) => frame(message)))
        const reader = new FrameReader(nonce)
        const found: ChildMessage[] = []
        for (let at = 0; at < bytes.length;) {
          const end = at + (cuts.next().value ?? 1)
          found.push(...reader.push(bytes.subarray(at, end)))
          at = end
        }
        expect(found).toEqual(messages)
      },
    ),
  )
})

test('a large message in small pieces is not read over and over', () => {
  const message: ChildMessage = { k: 'log', lines: ['x'.repeat(8 * 1024 * 1024)] }
  const bytes = frame(message)
  const reader = new FrameReader(nonce)
  let found: ChildMessage[] = []
  for (let at = 0; at < bytes.length; at += 1024) found = reader.push(bytes.subarray(at, at + 1024))
  expect(found).toEqual([message])
})

test.each([
  ['another nonce', frame({ k: 'done' }, Buffer.alloc(NONCE_BYTES, 8))],
  ['text', Buffer.from('{"status":"passed"}\n')],
  ['a frame too short for the nonce', Buffer.from([1, 0, 0, 0, 0])],
  ['a frame of four gigabytes', Buffer.from([255, 255, 255, 255])],
])('%s is refused', (_name, bytes) => {
  expect(() => new FrameReader(nonce).push(bytes)).toThrow(ForgedFrameError)
})
