// One file per result, with names that are safe on every system and never leave the folder.
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../test/support/any-text.js'
import { failedEvent, recordingOf, resultEvent, wholeRun } from '../../../test/support/events.js'
import { textOf } from '../../../test/support/golden.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import { repeatedRun, scriptRun } from '../../../test/support/sample-runs.js'
import type { RunEvent } from '../../model/event.js'
import { recordingOf as recordingOfFile } from '../record/read-events.js'
import { extractResults, fileName, type ExtractRequest } from './extract.js'
import { openJsonReport } from './open-json-report.js'
import { json } from './reporters/json.js'

function lines(events: RunEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

async function extract({ path, ...request }: { path: string } & Omit<ExtractRequest, 'recording'>): Promise<number> {
  const recording = path.endsWith('.json') ? await openJsonReport(path) : recordingOfFile(path)
  return extractResults({ recording, ...request })
}

const run = () =>
  wholeRun([resultEvent('T001', { name: 'First' }), failedEvent('../../etc/passwd', 'wrong'), resultEvent('t001')])

test('writes Markdown out of an event file', async () => {
  const dir = makeFolder({ 'run.jsonl': lines(run()) })
  expect(await extract({ path: join(dir, 'run.jsonl'), dir: join(dir, 'out'), format: 'markdown' })).toBe(3)
  const files = readdirSync(join(dir, 'out')).toSorted()
  expect(files).toHaveLength(3)
  expect(files.some((name) => name.startsWith('etc-passwd-'))).toBe(true)
  const first = files.find((name) => name === `${fileName({ id: 'T001' })}.md`) ?? ''
  expect(readFileSync(join(dir, 'out', first), 'utf8')).toMatch(/^# ✅ T001 - Passed \(234ms\)\n/)
  expect(readdirSync(dir).toSorted()).toEqual(['out', 'run.jsonl'])
})

test('writes JSON out of a JSON report, the same as out of its events', async () => {
  const dir = makeFolder({ 'run.jsonl': lines(run()), 'report.json': await textOf(json(recordingOf(run()))) })
  await extract({ path: join(dir, 'report.json'), dir: join(dir, 'a'), format: 'json' })
  await extract({ path: join(dir, 'run.jsonl'), dir: join(dir, 'b'), format: 'json' })
  expect(readdirSync(join(dir, 'a'))).toEqual(readdirSync(join(dir, 'b')))
  for (const name of readdirSync(join(dir, 'a'))) {
    expect(JSON.parse(readFileSync(join(dir, 'a', name), 'utf8'))).toEqual(
      JSON.parse(readFileSync(join(dir, 'b', name), 'utf8')),
    )
  }
})

test.each([
  ['repeated', repeatedRun, 3],
  ['script', scriptRun, 3],
])('takes a %s run in both forms', async (_name, events, count) => {
  const dir = makeFolder({ 'run.jsonl': lines(events()), 'report.json': await textOf(json(recordingOf(events()))) })
  expect(await extract({ path: join(dir, 'report.json'), dir: join(dir, 'a'), format: 'markdown' })).toBe(count)
  expect(await extract({ path: join(dir, 'run.jsonl'), dir: join(dir, 'b'), format: 'markdown' })).toBe(count)
})

test('a link left in the folder is replaced, not followed', async () => {
  const dir = makeFolder({ 'run.jsonl': lines(wholeRun([resultEvent('T1')])), 'out/x': '', 'victim.txt': 'keep' })
  symlinkSync(join(dir, 'victim.txt'), join(dir, 'out', `${fileName({ id: 'T1' })}.md`))
  await extract({ path: join(dir, 'run.jsonl'), dir: join(dir, 'out'), format: 'markdown' })
  expect(readFileSync(join(dir, 'victim.txt'), 'utf8')).toBe('keep')
})

test('a torn last line is normal, a broken one before it is not', async () => {
  const text = lines(run())
  const dir = makeFolder({
    'torn.jsonl': text.slice(0, -40),
    'broken.jsonl': text.replace('{"type":"result"', 'garbage'),
    'empty.jsonl': 'x',
  })
  expect(await extract({ path: join(dir, 'torn.jsonl'), dir: join(dir, 'a'), format: 'json' })).toBe(3)
  await expect(extract({ path: join(dir, 'broken.jsonl'), dir: join(dir, 'b'), format: 'json' })).rejects.toThrow(
    'broken.jsonl:2: this line is not an event',
  )
  await expect(extract({ path: join(dir, 'empty.jsonl'), dir: join(dir, 'b'), format: 'json' })).rejects.toThrow(
    'empty.jsonl:1: not a run file (no start record)',
  )
  await expect(extract({ path: join(dir, 'none.json'), dir: join(dir, 'b'), format: 'json' })).rejects.toThrow(
    'no such file',
  )
  expect(existsSync(join(dir, 'b'))).toBe(false)
})

test('names are portable for any id, and differ where ids differ', () => {
  fc.assert(
    fc.property(anyText(), fc.string(), (one, other) => {
      expect(fileName({ id: one })).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{10}$|^[a-z0-9-]{1,41}-[0-9a-f]{10}$/)
      if (one !== other) expect(fileName({ id: one })).not.toBe(fileName({ id: other }))
    }),
  )
  expect(fileName({ id: 'CON' })).toMatch(/^con-[0-9a-f]{10}$/)
  expect(fileName({ id: 'T1', run: 2 })).toMatch(/-run2$/)
})
