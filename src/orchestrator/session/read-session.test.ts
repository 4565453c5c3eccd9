import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../../../test/support/case-files.js'
import { isKind } from '../../model/session.js'
import { parseSession, readSession } from './read-session.js'

const publish = (topic: string): string =>
  JSON.stringify({ ts: 1704067200000, event: 'bus.publish', data: { topic, payload: 'p' } })

async function fromFile(text: string) {
  const path = join(tempDir(), 'session.jsonl')
  writeFileSync(path, text)
  return readSession(path)
}

describe('readSession', () => {
  test('reads records in order and skips blank lines', async () => {
    const { records, torn } = await fromFile(`${publish('a')}\n\n  \n${publish('b')}\n`)
    expect(records.map((record) => isKind(record, 'bus.publish') && record.data.topic)).toEqual(['a', 'b'])
    expect(torn).toBe(false)
  })

  test('a torn last line is normal', async () => {
    expect(await fromFile(`${publish('a')}\n${publish('b').slice(0, 30)}`)).toMatchObject({
      records: [{ data: { topic: 'a' } }],
      torn: true,
    })
  })

  test('a last line without its newline counts when it is whole', async () => {
    expect(await fromFile(publish('a'))).toMatchObject({ records: [{ data: { topic: 'a' } }], torn: false })
  })

  test.each([
    ['half a line in the middle', `${publish('a')}\n{"ts":170406,"event":"bus.pub\n${publish('b')}\n`, /:2: not JSON/],
    ['a corrupt last line with a newline', `${publish('a')}\nnonsense\n`, /:2: not JSON/],
    ['NUL bytes', `${publish('a')}\n\0\0\0\0\n${publish('b')}\n`, /:2: NUL bytes/],
    ['NUL bytes at the end', `${publish('a')}\n\0\0\0\0`, /:2: NUL bytes/],
    [
      'an iteration that is no number',
      '{"ts":1,"event":"_meta.iteration","data":{"n":"one","hat":"p"}}\n',
      /:1: n of _meta.iteration must be an integer, found "one"/,
    ],
    ['no object', '[]\n', /:1: expected an object/],
    ['no time', '{"event":"x"}\n', /:1: ts must be a number/],
    ['no kind', '{"ts":1}\n', /:1: event must be text/],
    ['no data', '{"ts":1,"event":"bus.publish"}\n', /:1: data of bus.publish must be an object/],
  ])('%s is an error with its line', async (_, text, message) => {
    await expect(fromFile(text)).rejects.toMatchObject({ code: 'BAD_SESSION', message: expect.stringMatching(message) })
  })

  test('kinds it does not know are kept', async () => {
    expect((await fromFile('{"ts":1,"event":"zz.new","data":{"a":1}}\n')).records).toEqual([
      { ts: 1, event: 'zz.new', data: { a: 1 } },
    ])
  })

  test('ux records are read flat and doubly nested', async () => {
    const data = { bytes: 'dGVzdA==', stdout: true, offset_ms: 0 }
    const flat = { ts: 1, event: 'ux.terminal.write', data }
    const nested = { ...flat, data: { event: flat.event, data } }
    const { records } = await fromFile([flat, nested].map((record) => `${JSON.stringify(record)}\n`).join(''))
    expect(records).toEqual([flat, flat])
  })

  test('a missing file is named', async () => {
    await expect(readSession('/nowhere/session.jsonl')).rejects.toMatchObject({ code: 'NO_SESSION' })
  })
})

test('what is not corrupt can still be looked at', () => {
  expect(parseSession(`${publish('a')}\nnonsense\n${publish('b')}\n`)).toMatchObject({
    records: [{ data: { topic: 'a' } }, { data: { topic: 'b' } }],
    problem: { line: 2 },
  })
})
