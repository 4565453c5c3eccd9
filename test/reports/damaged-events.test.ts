// Whatever is in an event file, a report is made from it or its fault is named. It is never a crash.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../support/any-text.js'
import { UserError } from '../../src/errors.js'
import type { RunEvent } from '../../src/model/event.js'
import { EventSequence } from '../../src/pipeline/record/event-sequence.js'
import { compareRuns } from '../../src/pipeline/report/compare/compare.js'
import { createConsoleText } from '../../src/pipeline/report/console/console.js'
import { REPORTERS } from '../../src/pipeline/report/registry.js'
import { githubAnnotations } from '../../src/pipeline/report/reporters/github.js'
import { recordingOf } from '../support/events.js'
import { textOf } from '../support/golden.js'
import { viva, makeFolder } from '../support/run-cli.js'
import { mixedRun, repeatedRun, scriptRun } from '../support/sample-runs.js'

const SCREEN = { columns: 80, color: false, verbose: true }
const RUNS = [mixedRun(), repeatedRun(), scriptRun()]

test('any value of any event may be changed, removed or moved', async () => {
  const reporters = await Promise.all(REPORTERS.filter(({ name }) => name !== 'html').map((entry) => entry.load()))
  const change = fc.record({
    run: fc.nat(2),
    event: fc.nat(40),
    path: fc.array(fc.nat(30), { maxLength: 6 }),
    value: fc.oneof(fc.constant(REMOVED), fc.constant(SAME_TYPE), fc.jsonValue()),
    text: anyText(),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  })
  let readable = 0
  await fc.assert(
    fc.asyncProperty(change, async (given) => {
      const run = RUNS[given.run] ?? []
      const events = readBack(damage(run, given))
      if (!events) return
      readable++
      const recording = recordingOf(events)
      for (const reporter of reporters) await textOf(reporter(recording, SCREEN))
      await textOf(githubAnnotations(recording))
      await compareRuns(recordingOf(run), recording)
      const { textOf: text } = createConsoleText(SCREEN)
      for (const item of events) text(item)
    }),
    { numRuns: 400 },
  )
  // The reader is not simply strict.
  expect(readable).toBeGreaterThan(100)
})

test('a summary that does not count the results is not believed', async () => {
  const events = mixedRun().filter((event) => event.type !== 'result' || event.id !== 'T002')
  const dir = makeFolder({ 'run.jsonl': events })
  const text = await viva(['report', 'run.jsonl'], { cwd: dir })
  expect(text.stdout).toMatch(/Warning: the summary says .*, the results .*: lines are missing or were changed\n/)
  const junit = await viva(['report', 'run.jsonl', '--format', 'junit'], { cwd: dir })
  expect(junit.stdout).toContain('error outside any test')
})

test.each([
  ['a single run', [], /the summary says 0 passed, 1 failed, 0 skipped, the results 1 passed, 0 failed, 0 skipped/],
  ['several runs', ['--runs', '2'], /the statistics of "T001" are not those of its runs/],
])('a verdict that was changed does not stand when the run is resumed: %s', async (_name, args, message) => {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T001', input: 'hello', assert: { type: 'equals', value: 'bye' } }] })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl', ...args], { cwd })
  expect(run.code).toBe(1)
  const untouched = await viva(['test', '--resume', 'o.jsonl'], { cwd })
  expect(untouched.code).toBe(1)
  const changed = readFileSync(join(cwd, 'o.jsonl'), 'utf8').replaceAll(
    /("type":"result".*?)"status":"failed"/g,
    '$1"status":"passed"',
  )
  writeFileSync(join(cwd, 'o.jsonl'), changed)
  const resumed = await viva(['test', '--resume', 'o.jsonl'], { cwd })
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringMatching(message)])
  expect(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).toBe(changed)
  const text = await viva(['report', 'o.jsonl'], { cwd })
  expect(text.stdout).toMatch(message)
})

test.each([
  ['two runs', (lines: string[]) => [...lines, ...lines], /run\.jsonl:\d+: two runs in one file/],
  [
    'a doubled result',
    ([start = '', ...rest]: string[]) => [start, ...rest.slice(0, 1), ...rest],
    /run\.jsonl:3: a second result of "T001"/,
  ],
  ['no start', (lines: string[]) => lines.slice(1), /run\.jsonl:1: not a run file/],
  [
    'another format',
    (lines: string[]) => lines.map((line) => line.replace('"format":1', '"format":7')),
    /run\.jsonl:1: written in format 7/,
  ],
])('every command names %s', async (_name, change, message) => {
  const lines = mixedRun().map((event) => JSON.stringify(event))
  const dir = makeFolder({ 'run.jsonl': `${change(lines).join('\n')}\n`, 'good.jsonl': `${lines.join('\n')}\n` })
  const commands = [
    ['report', 'run.jsonl'],
    ['report', 'run.jsonl', '-o', 'x.html'],
    ['compare', 'good.jsonl', 'run.jsonl'],
    ['extract', 'run.jsonl', '-o', 'out'],
    ['test', '--resume', 'run.jsonl'],
  ]
  const runs = await Promise.all(commands.map((args) => viva(args, { cwd: dir })))
  for (const [index, run] of runs.entries())
    expect([commands[index], run.code, run.stderr]).toEqual([commands[index], 2, expect.stringMatching(message)])
})

const REMOVED = Symbol('removed')
const SAME_TYPE = Symbol('same type')

interface Change {
  event: number
  path: number[]
  value: unknown
  text: string
  number: number
}

function damage(run: RunEvent[], { event, path, value, text, number }: Change): string[] {
  const events = JSON.parse(JSON.stringify(run)) as RunEvent[]
  let holder = events as unknown as Record<string, unknown>
  let key = String(event % events.length)
  for (const step of path) {
    const inner = holder[key]
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) break
    const keys = Object.keys(inner)
    holder = inner as Record<string, unknown>
    key = keys[step % keys.length] ?? ''
  }
  const before = holder[key]
  if (value === REMOVED) delete holder[key]
  else if (value !== SAME_TYPE) holder[key] = value
  else if (typeof before === 'string') holder[key] = text
  else if (typeof before === 'number') holder[key] = number
  else holder[key] = !before
  return events.filter((item) => item !== undefined).map((item) => JSON.stringify(item))
}

/** Undefined where the reader names a fault. */
function readBack(lines: string[]): RunEvent[] | undefined {
  const sequence = new EventSequence('run.jsonl')
  try {
    const events = lines.map((text) => sequence.next({ text, start: 0, end: 0, complete: true }))
    sequence.end()
    return events.filter((event) => event !== 'skip')
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
