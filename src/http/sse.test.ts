import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { parseSse } from './sse.js'

async function* bytes(text: string | Uint8Array, cuts: number[] = []): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text as string)
  let from = 0
  for (const cut of [...cuts.map((at) => at % (all.length + 1)).toSorted((a, b) => a - b), all.length]) {
    yield all.subarray(from, cut)
    from = cut
  }
}

async function parse(text: string | Uint8Array, cuts: number[] = []) {
  const events = []
  for await (const event of parseSse(bytes(text, cuts))) events.push(event)
  return events
}

test('events, names, comments, several data lines', async () => {
  expect(await parse(': hi\nevent: a\ndata: 1\ndata: 2\n\ndata:3\n\nid: 7\n\n')).toEqual([
    { event: 'a', data: '1\n2', number: 1 },
    { event: 'message', data: '3', number: 2 },
  ])
})
test('a last event without its empty line counts', async () =>
  expect(await parse('data: a')).toEqual([{ event: 'message', data: 'a', number: 1 }]))
test('carriage returns end lines too', async () =>
  expect((await parse('data: a\r\rdata: b\r\n\r\n')).map((event) => event.data)).toEqual(['a', 'b']))
test('bytes that are no UTF-8 are an error', async () =>
  expect(await failure(parse(Uint8Array.of(0x64, 0xff)))).toMatchObject({ code: 'bad_response' }))

test('the cuts between chunks do not matter', async () => {
  const text = 'event: x\r\ndata: hello é👍\r\n\r\ndata: {"a":1}\n\ndata: b\r\rdata: [DONE]\n\n'
  const whole = await parse(text)
  expect(whole).toHaveLength(4)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 20 }), async (cuts) => {
      expect(await parse(text, cuts)).toEqual(whole)
    }),
  )
})
