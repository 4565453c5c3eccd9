import { serialize } from 'node:v8'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ForgedFrameError, FrameReader } from './frame-reader.js'
import { HEADER_BYTES, type ChildMessage } from '../protocol.js'
import { KEY_BYTES } from '../siphash.js'
import { createSeal, type Seal } from '../seal.js'

const key = Buffer.alloc(KEY_BYTES, 7)

function frame(message: unknown, seal: Seal = createSeal(key)): Buffer {
  const data = serialize(message)
  const body = Buffer.concat([Buffer.from(seal(data, data.length)), data])
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
        const seal = createSeal(key)
        const bytes = Buffer.concat(messages.map((message) => frame(message, seal)))
        const reader = new FrameReader(key)
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
  const reader = new FrameReader(key)
  let found: ChildMessage[] = []
  for (let at = 0; at < bytes.length; at += 1024) found = reader.push(bytes.subarray(at, at + 1024))
  expect(found).toEqual([message])
})

test.each([
  ['another key', frame({ k: 'done' }, createSeal(Buffer.alloc(KEY_BYTES, 8)))],
  ['a frame that was seen before', Buffer.concat([frame({ k: 'done' }), frame({ k: 'done' })])],
  ['a body that was changed', changed(frame({ k: 'done' }))],
  ['text', Buffer.from('{"status":"passed"}\n')],
  ['a frame too short for the seal', Buffer.from([1, 0, 0, 0, 0])],
  ['a frame of four gigabytes', Buffer.from([255, 255, 255, 255])],
])('%s is refused', (_name, bytes) => {
  expect(() => new FrameReader(key).push(bytes)).toThrow(ForgedFrameError)
})

test('large bodies are sealed like small ones', () => {
  const seal = createSeal(key)
  const messages: ChildMessage[] = [1, 100_000, 2, 70_000].map((size) => ({ k: 'log', lines: ['x'.repeat(size)] }))
  const bytes = Buffer.concat(messages.map((message) => frame(message, seal)))
  expect(new FrameReader(key).push(bytes)).toEqual(messages)
})

function changed(bytes: Buffer): Buffer {
  const last = bytes.length - 1
  bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last)
  return bytes
}
