// What the log promises about bytes: every line is on disk, whole, before anyone hears of it.
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { failedEvent, resultEvent, startEvent, wholeRun } from '../../../test/support/events.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import type { RunEvent, SummaryEvent } from '../../model/event.js'
import { createRedactor } from '../../redact/redactor.js'
import { openEventLog, type EventLog, type EventSink } from './event-log.js'
import { openNamedOutput } from './open-output.js'

interface Opened {
  log: EventLog
  path: string
  /** Ids or types, in the order they were announced. */
  announced: string[]
}

function open(onWrite: (path: string, event: RunEvent) => void = () => {}, env: Record<string, string> = {}): Opened {
  const path = join(makeFolder(), 'o.jsonl')
  const file = openNamedOutput(path, { force: false, asideIn: '', onAside: () => {} })
  onTestFinished(file.release)
  const announced: string[] = []
  const sink: EventSink = {
    name: 'test',
    write: (event) => {
      announced.push('id' in event ? event.id : event.type)
      onWrite(path, event)
    },
  }
  const log = openEventLog({
    file,
    redactor: createRedactor({ env }),
    sinks: [sink],
    onBroken: (error) => {
      throw error
    },
    onSinkError: (_name, error) => {
      throw error
    },
  })
  return { log, path, announced }
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

test('a line is on disk, with its newline, when it is announced', async () => {
  const seen: boolean[] = []
  const { log } = open((path, event) => seen.push(lines(path).includes(JSON.stringify(event))))
  const events = wholeRun([resultEvent('T1'), resultEvent('long', { output: 'x'.repeat(300_000) }), resultEvent('T3')])
  for (const event of events) log.append(event)
  await log.close()
  expect(seen).toEqual(events.map(() => true))
})

// One unit of a string is up to three bytes, a pair of them four: a line that fits by its length may not fit by its bytes.
test('a short line of wide characters that starts near the end of the buffer is whole', async () => {
  // Nothing is written before the buffer is a quarter full, and a line of its own may fill most of the rest.
  for (const width of [32_000, 32_700, 32_760])
    for (const size of [32_000, 33_000, 43_000, 43_500]) {
      const { log, path } = open()
      const events = [
        resultEvent('first', { output: 'y'.repeat(width) }),
        resultEvent('second', { output: '€'.repeat(size) }),
      ]
      log.append(startEvent())
      log.flush()
      for (const event of events) log.append(event)
      await log.close()
      expect(lines(path).slice(1)).toEqual(events.map((event) => JSON.stringify(event)))
    }
})

test.each(['ü', '€', '👍', 'a€', 'x👍ü'])('lines of %j are whole wherever the buffer ends', async (piece) => {
  const { log, path, announced } = open()
  const events: RunEvent[] = [startEvent()]
  for (const [index, size] of [10, 9_000, 20_000, 43_000, 43_600, 43_690, 43_700, 65_000, 131_071, 7].entries())
    for (let shift = 0; shift < 4; shift += 1) {
      const output = 'y'.repeat(shift) + piece.repeat(Math.ceil(size / piece.length))
      events.push(resultEvent(`T${index}-${shift}`, { output }))
    }
  for (const event of events) log.append(event)
  await log.close()
  expect(lines(path)).toEqual(events.map((event) => JSON.stringify(event)))
  expect(announced).toHaveLength(events.length)
})

test('the summary is written over in place, and a secret in the new one is hidden', async () => {
  const { log, path } = open(() => {}, { MY_TOKEN: 'hush-hush-hush' })
  const events = wholeRun([resultEvent('T1'), failedEvent('T2', 'no')])
  for (const event of events) log.append(event)
  log.flush()
  const summary = events.at(-1) as SummaryEvent
  log.replaceLast({ ...summary, exit_code: 3, report_errors: ['cannot write hush-hush-hush.html'] })
  expect(await log.check()).toBeUndefined()
  await log.close()
  expect(lines(path).slice(0, -1)).toEqual(events.slice(0, -1).map((event) => JSON.stringify(event)))
  expect(JSON.parse(lines(path).at(-1) ?? '')).toMatchObject({
    exit_code: 3,
    report_errors: ['cannot write [SECRET].html'],
  })
})

test('what is read back is what was written; a file that was changed is not read', async () => {
  const { log, path } = open()
  const events = wholeRun([resultEvent('T1'), resultEvent('T2')])
  for (const event of events) log.append(event)
  log.flush()
  const read = async (): Promise<unknown[]> => {
    const found: unknown[] = []
    for await (const event of log.recording()?.events() ?? []) found.push(event)
    return found
  }
  expect(await read()).toEqual(events)
  for await (const event of log.recording()?.events() ?? []) if (event.type === 'start') break
  expect(await read()).toEqual(events)
  const text = readFileSync(path, 'utf8')
  writeFileSync(openSync(path, 'r+'), text.replace('"T2"', '"T9"'))
  await expect(read()).rejects.toThrow('o.jsonl was changed by something other than this run')
  expect(await log.check()).toEqual({ lost: true, message: expect.stringContaining('was changed by') })
  writeFileSync(openSync(path, 'r+'), text)
  expect(await log.check()).toBeUndefined()
  await log.close()
})
