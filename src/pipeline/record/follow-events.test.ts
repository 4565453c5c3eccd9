import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { failedEvent, resultEvent, startEvent, wholeRun } from '../../../test/support/events.js'
import type { RunEvent } from '../../model/event.js'
import { followEvents, type Followed } from './follow-events.js'

const folder = mkdtempSync(join(tmpdir(), 'viva-follow-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newFile(text: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'run.jsonl')
  writeFileSync(path, text)
  return path
}

function line(event: RunEvent): string {
  return `${JSON.stringify(event)}\n`
}

const START = line(startEvent())

/** Reads until idle. */
async function readToIdle(steps: AsyncGenerator<Followed>): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const { value, done } = await steps.next()
    if (done || value.kind === 'idle') return found
    if (value.kind === 'reset') found.push('reset')
    else if (value.kind === 'problem') found.push(value.message.replace(/^.*\.jsonl:/, ''))
    else found.push(...value.events.map(({ event, at }) => `${at} ${'id' in event ? event.id : event.type}`))
  }
}

/** The system may report one write in several steps; idle steps in between say nothing new. */
async function readUntil(steps: AsyncGenerator<Followed>, count: number): Promise<string[]> {
  const found: string[] = []
  while (found.length < count) found.push(...(await readToIdle(steps)))
  return found
}

async function follow(path: string, check: (steps: AsyncGenerator<Followed>) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const steps = followEvents(path, stop.signal)
  try {
    await check(steps)
  } finally {
    stop.abort()
    await steps.return(undefined)
  }
}

test('a growing file is followed, and half a line waits for its end', async () => {
  const first = line(resultEvent('föur'))
  const path = newFile(START + first.slice(0, 40))
  await follow(path, async (steps) => {
    expect(await readToIdle(steps)).toEqual(['0 start'])
    appendFileSync(path, first.slice(40))
    expect(await readUntil(steps, 1)).toEqual([`${START.length} föur`])
    appendFileSync(path, line(resultEvent('T2')))
    expect(await readUntil(steps, 1)).toEqual([`${START.length + Buffer.byteLength(first)} T2`])
  })
})

test('a file that was cut starts again', async () => {
  const path = newFile(START + line(resultEvent('T1')))
  await follow(path, async (steps) => {
    await readToIdle(steps)
    truncateSync(path, 0)
    expect(await readUntil(steps, 1)).toEqual(['reset'])
    appendFileSync(path, START)
    expect(await readUntil(steps, 1)).toEqual(['0 start'])
  })
})

test('so does a file whose last line was written over by a longer one', async () => {
  const [start, ...rest] = wholeRun([resultEvent('T1')])
  const summary = rest.at(-1)
  if (!start || summary?.type !== 'summary') throw new Error('no whole run')
  const before = [start, ...rest.slice(0, -1)].map(line).join('')
  const path = newFile(before + line(summary))
  await follow(path, async (steps) => {
    await readToIdle(steps)
    writeFileSync(path, before + line({ ...summary, exit_code: 3, report_errors: ['x'.repeat(200)] }))
    const seen = await readUntil(steps, 2)
    expect(seen[0]).toBe('reset')
    expect(seen.join()).not.toContain('not an event')
  })
})

test('a damaged, doubled or strange line is named, and the next one is read', async () => {
  const good = line(failedEvent('T1', 'wrong'))
  const path = newFile(`${START}{oops\n${good}${good}{"type":"of the future"}\n${line(resultEvent('T2'))}`)
  await follow(path, async (steps) => {
    expect(await readToIdle(steps)).toEqual([
      '0 start',
      '2: this line is not an event',
      `${START.length + 6} T1`,
      '4: a second result of "T1", run 1 (the first is on line 3)',
      expect.stringMatching(/ T2$/),
    ])
  })
})

test('a file that is something else says so, but not for each of its lines', async () => {
  await follow(newFile('x\n'.repeat(1000)), async (steps) => {
    const problems = await readToIdle(steps)
    expect(problems[0]).toBe('1: not a run file (no start record)')
    expect(problems).toHaveLength(20)
  })
})

test('a reader that goes away ends the wait', async () => {
  const stop = new AbortController()
  const steps = followEvents(newFile(''), stop.signal)
  await readToIdle(steps)
  const waiting = steps.next()
  stop.abort()
  expect((await waiting).done).toBe(true)
})

test('a line longer than a block comes whole', async () => {
  const long = line(resultEvent('T1', { output: 'x'.repeat(700_000) }))
  await follow(newFile(START + long + line(resultEvent('T2'))), async (steps) => {
    expect(await readToIdle(steps)).toEqual(['0 start', `${START.length} T1`, `${START.length + long.length} T2`])
  })
})
