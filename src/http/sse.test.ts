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
test('bytes that are not UTF-8 are an error', async () =>
  expect(await failure(parse(Uint8Array.of(0x64, 0xff)))).toMatchObject({ code: 'bad_response' }))

test('a character cut off at the end is an error, one cut between chunks is not', async () => {
  const bytes = Buffer.from('data: é👍')
  expect(await parse(bytes, [7, 9, 10, 11])).toEqual([{ event: 'message', data: 'é👍', number: 1 }])
  for (let end = bytes.length - 3; end < bytes.length; end++)
    expect(await failure(parse(bytes.subarray(0, end)))).toMatchObject({
      code: 'cut_off',
      message: expect.stringContaining('middle of a character'),
    })
  expect(await failure(parse(Buffer.concat([Buffer.from('data: a\n\n'), bytes.subarray(0, 7)])))).toMatchObject({
    code: 'cut_off',
  })
})
test('an error without data is still an event', async () =>
  expect(await parse('event: error\n\nevent: ping\n\n')).toEqual([{ event: 'error', data: '', number: 1 }]))

test('every character of a long line is looked at once', async () => {
  // A line of 15 MB in pieces of 1 kB: looking at all of it for every piece would take minutes.
  const size = 15 * 1024 * 1024
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('data: ')
    for (let at = 0; at < size; at += 1024) yield Buffer.alloc(1024, 'x')
    yield Buffer.from('\n\n')
  }
  const events = []
  for await (const event of parseSse(pieces())) events.push(event)
  expect(events).toHaveLength(1)
  expect(events[0]?.data).toHaveLength(size)
}, 10_000)

test('the cuts between chunks do not matter', async () => {
  const text = ': a\r\n\revent: x\r\ndata: hello é👍\r\n\r\ndata: {"a":1}\n\ndata: b\r\rdata: [DONE]\n\n'
  const whole = await parse(text)
  expect(whole).toHaveLength(4)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 20 }), async (cuts) => {
      expect(await parse(text, cuts)).toEqual(whole)
    }),
  )
})
