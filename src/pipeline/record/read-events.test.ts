// Event files that are damaged, doubled, torn or newer: a clear error with its line, or what can be read.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedEvent, resultEvent, wholeRun } from '../../../test/support/events.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import type { RunEvent } from '../../model/event.js'
import { readEventLines, readEvents, recordingOf } from './read-events.js'
import { readEdges, readResultAt } from './read-parts.js'

const RUN = wholeRun([resultEvent('T1'), failedEvent('T2', 'wrong'), resultEvent('föur')])
const [START = '', FIRST = '', SECOND = '', THIRD = '', SUMMARY = ''] = RUN.map((event) => JSON.stringify(event))

function fileOf(lines: string[], end = '\n'): string {
  return join(makeFolder({ 'run.jsonl': lines.join('\n') + end }), 'run.jsonl')
}

async function read(path: string): Promise<string[]> {
  const found: string[] = []
  for await (const event of readEvents(path)) found.push('id' in event ? event.id : event.type)
  return found
}

test.each<[name: string, lines: string[], end: string, found: string[]]>([
  ['a whole run', [START, FIRST, SECOND, THIRD, SUMMARY], '\n', ['start', 'T1', 'T2', 'föur', 'summary']],
  ['blank lines', [START, '', FIRST, ' ', SUMMARY], '\n\n', ['start', 'T1', 'summary']],
  ['carriage returns', [`${START}\r`, `${FIRST}\r`], '\n', ['start', 'T1']],
  ['a torn last line', [START, FIRST, SECOND.slice(0, 40)], '', ['start', 'T1']],
  ['a last line that lacks only its newline', [START, FIRST], '', ['start']],
  ['no summary', [START, FIRST], '\n', ['start', 'T1']],
  [
    'a resumed run with both summaries',
    [START, FIRST, SUMMARY, SECOND, SUMMARY],
    '\n',
    ['start', 'T1', 'summary', 'T2', 'summary'],
  ],
  ['a type of the future', [START, '{"type":"gesture","id":1}', FIRST], '\n', ['start', 'T1']],
  [
    'words of the future',
    [START, FIRST.replace('"run":1', '"run":1,"trace":[{"kind":"dream","name":"x"}]')],
    '\n',
    ['start', 'T1'],
  ],
  ['fields of the future', [START, FIRST.replace('"run":1', '"run":1,"mood":{"a":1}')], '\n', ['start', 'T1']],
  [
    'what other tools leave out',
    ['{"type":"start"}', '{"type":"result","id":"T1","status":"failed"}'],
    '\n',
    ['start', 'T1'],
  ],
])('reads %s', async (_name, lines, end, found) => expect(await read(fileOf(lines, end))).toEqual(found))

const DEEP = `${'{"type":"all","passed":true,"parts":['.repeat(20_000)}${']}'.repeat(20_000)}`

test.each<[name: string, lines: string[], message: string]>([
  ['an empty file', [''], ':1: not a run file (no start record)'],
  ['no start', [FIRST, SUMMARY], ':1: not a run file (no start record)'],
  ['a type of the future first', ['{"type":"gesture"}', START], ':1: not a run file (no start record)'],
  ['something else', ['hello'], ':1: not a run file (no start record)'],
  ['two starts', [START, FIRST, START], ':3: two runs in one file'],
  [
    'a newer format',
    [START.replace('"format":1', '"format":3'), FIRST],
    ':1: written in format 3, this version reads format 1 and 2',
  ],
  ['two summaries', [START, FIRST, SUMMARY, SUMMARY], ':4: a second summary (the first is on line 3)'],
  ['a doubled result', [START, FIRST, SECOND, FIRST], ':4: a second result of "T1", run 1 (the first is on line 2)'],
  ['a damaged line', [START, '{oops', FIRST], ':2: this line is not an event'],
  ['zeros', [START, '\0\0\0', FIRST], ':2: NUL bytes: the file was cut by a power loss'],
  ['null', [START, 'null'], ':2: this line is not an event'],
  ['a result without id', [START, '{"type":"result","status":"passed"}'], ':2: result: id is missing, expected text'],
  [
    'a result without status',
    [START, '{"type":"result","id":"T1"}'],
    ':2: result: status is missing, expected one of passed, failed, skipped',
  ],
  [
    'a status of the future',
    [START, '{"type":"result","id":"T1","status":"great"}'],
    ':2: result: status must be one of passed, failed, skipped, found "great"',
  ],
  [
    'turns that are no list',
    [START, '{"type":"result","id":"T1","status":"passed","turns":5}'],
    ':2: result: turns must be a list, found 5',
  ],
  [
    'a turn that is none',
    [START, '{"type":"result","id":"T1","status":"passed","turns":[null]}'],
    ':2: result: turns.0 must be an object, found null',
  ],
  ['an empty summary', [START, '{"type":"summary"}'], ':2: summary: run_id is missing, expected text'],
  ['options that are none', ['{"type":"start","options":[]}'], ':1: start: options must be an object, found a list'],
  [
    'endless nesting',
    [START, `{"type":"result","id":"T1","status":"passed","assertions":[${DEEP}]}`],
    ':2: result: nested too deeply',
  ],
])('refuses %s', async (_name, lines, message) => {
  const path = fileOf(lines)
  await expect(read(path)).rejects.toMatchObject({ name: 'UserError', message: `${path}${message}` })
})

test.each(['', 'none.jsonl'])('says that there is no file (%j)', async (name) => {
  await expect(read(join(makeFolder(), name))).rejects.toMatchObject({ code: 'NO_EVENT_FILE' })
})

test('says where lines start and end, including those it does not know', async () => {
  const lines = [START, '{"type":"gesture"}', THIRD]
  const found = []
  for await (const { event, start, end } of readEventLines(fileOf(lines))) found.push([event?.type, start, end])
  const ends = lines.map((_line, index) => Buffer.byteLength(`${lines.slice(0, index + 1).join('\n')}\n`))
  expect(found).toEqual([
    ['start', 0, ends[0]],
    [undefined, ends[0], ends[1]],
    ['result', ends[1], ends[2]],
  ])
})

test('copies lines as they are', async () => {
  const lines = [START, '{"type":"gesture",  "x":1}', FIRST]
  const copied: string[] = []
  for await (const line of recordingOf(fileOf(lines, '\n{"torn')).lines()) copied.push(line)
  expect(copied).toEqual(lines)
})

test('lines longer than a block come whole', async () => {
  const long = JSON.stringify(resultEvent('T1', { output: 'é'.repeat(700_000) }))
  const events: RunEvent[] = []
  for await (const event of readEvents(fileOf([START, long, SECOND]))) events.push(event)
  expect(JSON.stringify(events[1])).toBe(long)
})

test('start and summary are found without reading the rest', async () => {
  const long = { ...RUN.at(-1), suggestion: 'x'.repeat(300_000) } as RunEvent
  const edges = async (lines: string[], end?: string) => {
    const found = await readEdges(fileOf(lines, end))
    return found && [found.start.run_id, found.summary?.passed]
  }
  expect(await edges([START, FIRST, SUMMARY])).toEqual(['run-20241217-100000', 2])
  expect(await edges([START, FIRST, JSON.stringify(long)])).toEqual(['run-20241217-100000', 2])
  expect(await edges([START, FIRST])).toEqual(['run-20241217-100000', undefined])
  expect(await edges([START, FIRST, SUMMARY.slice(0, 50)], '')).toEqual(['run-20241217-100000', undefined])
  expect(await edges([START.replace('"format":1', '"format":3'), SUMMARY])).toBeUndefined()
  expect(await edges([FIRST, SUMMARY])).toBeUndefined()
  expect(await edges([''])).toBeUndefined()
})

test('one result is read by the byte at which it starts', async () => {
  const path = fileOf([START, FIRST, THIRD, SUMMARY])
  const at = Buffer.byteLength(`${START}\n${FIRST}\n`)
  expect(await readResultAt(path, at)).toMatchObject({ id: 'föur' })
  for (const wrong of [0, at + 1, 1e9, -1, 1.5]) expect(await readResultAt(path, wrong)).toBeUndefined()
})
