import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { followFile, type Followed } from './follow.js'

const folder = mkdtempSync(join(tmpdir(), 'viva-follow-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newFile(text: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'run.jsonl')
  writeFileSync(path, text)
  return path
}

/** Reads until idle. */
async function readToIdle(steps: AsyncGenerator<Followed>): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const { value, done } = await steps.next()
    if (done || value.kind === 'idle') return found
    if (value.kind === 'reset') found.push('reset')
    else found.push(...value.lines.map((line) => `${line.at}:${line.text}`))
  }
}

test('a growing file is followed, and half a line waits for its end', async () => {
  const path = newFile('one\ntwo\nthr')
  const stop = new AbortController()
  const steps = followFile(path, stop.signal)
  expect(await readToIdle(steps)).toEqual(['0:one', '4:two'])
  appendFileSync(path, 'ee\nfö')
  expect(await readUntil(steps, 1)).toEqual(['8:three'])
  appendFileSync(path, 'ur\n')
  expect(await readUntil(steps, 1)).toEqual(['14:föur'])
  stop.abort()
  await steps.return(undefined)
})

test('a file that was cut starts anew', async () => {
  const path = newFile('one\ntwo\n')
  const stop = new AbortController()
  const steps = followFile(path, stop.signal)
  await readToIdle(steps)
  truncateSync(path, 0)
  expect(await readUntil(steps, 1)).toEqual(['reset'])
  appendFileSync(path, 'new\n')
  expect(await readUntil(steps, 1)).toEqual(['0:new'])
  stop.abort()
  await steps.return(undefined)
})

test('whoever goes away ends the wait', async () => {
  const stop = new AbortController()
  const steps = followFile(newFile(''), stop.signal)
  await readToIdle(steps)
  const waiting = steps.next()
  stop.abort()
  expect((await waiting).done).toBe(true)
})

test('a line longer than a block comes whole', async () => {
  const long = 'x'.repeat(700_000)
  const stop = new AbortController()
  const steps = followFile(newFile(`${long}\nend\n`), stop.signal)
  expect((await readToIdle(steps)).map((line) => line.length)).toEqual([long.length + 2, 'end'.length + 7])
  stop.abort()
  await steps.return(undefined)
})

/** The system may tell of one write in several steps; idle steps in between say nothing new. */
async function readUntil(steps: AsyncGenerator<Followed>, count: number): Promise<string[]> {
  const found: string[] = []
  while (found.length < count) found.push(...(await readToIdle(steps)))
  return found
}
