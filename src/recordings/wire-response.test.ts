// Answers over HTTP: what is kept is what came, byte for byte and piece by piece, less what must not be written.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCassette } from './read-cassette.js'
import { renderCassette } from './write-cassette.js'
import { bodyBytes, recordWire, wireOf, type WireAnswer } from './wire-response.js'

const asIs = (text: string): string => text
const hide = (text: string): string => text.replaceAll('SECRET-VALUE', '[HIDDEN]')
const type = fc.constantFrom('text/event-stream', 'application/json', 'audio/mpeg')
const bytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
  fc.constantFrom('data: {"a":1}\n\n', 'data: x\r\n\r\n', '\n', '\n\n').map((text) => new TextEncoder().encode(text)),
)

function answer(chunks: Uint8Array[], contentType: string): WireAnswer {
  return { status: 200, headers: { 'content-type': contentType }, chunks, times: chunks.map((_, index) => index * 7) }
}

test('whatever came, in whatever pieces, is given back in the same ones', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 8 }), type, (chunks, contentType) => {
      const kept = recordWire(answer(chunks, contentType), 100, asIs)
      const back = wireOf(JSON.parse(JSON.stringify(kept)) as typeof kept)
      expect(back.chunks.map((chunk) => Buffer.from(chunk).toString('hex'))).toEqual(
        chunks.map((chunk) => Buffer.from(chunk).toString('hex')),
      )
      expect(back.times).toEqual(chunks.map((_, index) => index * 7))
    }),
  )
})

test('a file says what came, whatever the pieces are', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom(
      'data: {}\r\n\r\n',
      '  x\n\n',
      '\n',
      '\n\n',
      ' \n',
      'a\n  b\n\n\n',
      '\tx\n',
      '- x\n',
      '# x\n',
      'null',
      '1',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), (chunks) => {
      const take = { case: 'T1', run: 1, attempt: 1, hat: 'agent:model:desk', prompt_hash: `sha256:${'0'.repeat(64)}` }
      const response = { status: 200, chunks, duration_ms: 1 }
      const facts = { name: 'x.yaml', agent: 'desk', recorded: '', clock: '2026-01-01T00:00:00' }
      const text = renderCassette(undefined, [{ written: { ...take, request: { messages: ['x'] }, response } }], facts)
      expect(parseCassette(text ?? '', '').interactions[0]?.response).toEqual(response)
    }),
    { numRuns: 300 },
  )
})

test('a secret is hidden wherever the pieces end, of the connection or of the stream', () => {
  const said = `say SECRET-VALUE twice: SECRET-VALUE, é`
  fc.assert(
    fc.property(
      fc.array(fc.nat(said.length), { maxLength: 6 }),
      fc.array(fc.nat(600), { maxLength: 6 }),
      (words, cuts) => {
        const pieces = cutAt(said, words)
        const events = pieces.map(
          (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
        )
        const whole = Buffer.from(`${events.join('')}data: [DONE]\n\n`)
        const chunks = cutAt(whole.toString('latin1'), cuts).map((part) => Buffer.from(part, 'latin1'))
        const kept = bodyBytes(recordWire(answer(chunks, 'text/event-stream'), 100, hide)).toString()
        const deltas = kept.split('\n\n').filter((event) => event.startsWith('data: {'))
        const texts = deltas.map(
          (event) =>
            (JSON.parse(event.slice(6)) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content,
        )
        expect(texts.join('')).toBe(hide(said))
        expect(texts).toHaveLength(pieces.length)
        expect(kept.endsWith('data: [DONE]\n\n')).toBe(true)
      },
    ),
  )
})

test('events in which nothing is hidden stay as they are', () => {
  const [before, behind] = ['event: ping\ndata: { "odd":  1 }\n\n', ': comment\n\n']
  const text = `${before}data: {"text": "SECRET-VALUE"}\n\n${behind}`
  const kept = recordWire(answer([Buffer.from(text)], 'text/event-stream'), 1, hide)
  expect(kept.output).toBe(`${before}data: {"text": "[HIDDEN]"}\n\n${behind}`)
})

function cutAt(text: string, places: number[]): string[] {
  const ends = [...new Set([...places.filter((place) => place > 0 && place < text.length), text.length])].toSorted(
    (a, b) => a - b,
  )
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}
