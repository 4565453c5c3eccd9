import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal, ForgedLineError, LineReader, LineWriter } from './sealed-lines.js'

const KEY = 'a'.repeat(64)

test('whatever is written is read, however it is cut', () => {
  const messages = fc.array(fc.json(), { maxLength: 5 })
  fc.assert(
    fc.property(messages, fc.array(fc.nat(200)), fc.boolean(), (texts, cuts, sealed) => {
      const writer = new LineWriter(sealed ? createSeal(KEY) : undefined)
      const reader = new LineReader(sealed ? createSeal(KEY) : undefined)
      const bytes = Buffer.from(texts.map((text) => writer.encode(JSON.stringify(JSON.parse(text)))).join(''))
      const read: unknown[] = []
      let from = 0
      for (const length of [...cuts, bytes.length]) {
        read.push(...reader.push(bytes.subarray(from, from + length)))
        from += length
      }
      expect(read).toEqual(texts.map((text) => JSON.parse(text) as unknown))
    }),
  )
})

test.for([
  ['with no seal', () => '{"k":1}\n'],
  ['with the seal of another key', () => new LineWriter(createSeal('b'.repeat(64))).encode('{"k":1}')],
  ['that was seen before', (line: string) => line],
  ['with another text under the seal', (line: string) => `${line.slice(0, 32)}{"k":2}\n`],
  ['that goes on after the seal', (line: string) => `${line.slice(0, -1)} \n`],
  ['cut short', (line: string) => `${line.slice(0, -3)}\n`],
  ['that is noise', () => '\u0000\u0001\u0002\n'],
] as const)('a line %s is refused', ([, forge]) => {
  const writer = new LineWriter(createSeal(KEY))
  const reader = new LineReader(createSeal(KEY))
  const line = writer.encode('{"k":1}')
  expect(reader.push(Buffer.from(line))).toEqual([{ k: 1 }])
  expect(() => reader.push(Buffer.from(forge(line)))).toThrow(ForgedLineError)
})

test('a line without an end is refused before it fills the memory', () => {
  const reader = new LineReader()
  const chunk = Buffer.alloc(64 * 1024 * 1024, 'x')
  expect(() => {
    for (let n = 0; n < 5; n += 1) reader.push(chunk)
  }).toThrow(ForgedLineError)
})
