// What the tests of faults share: many cases, the checker of event files, waiting without guessing how long.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../src/model/event.js'
import { expectKnownEvent } from '../support/event-schema.js'

export const AGENTS = fileURLToPath(new URL('../fixtures/agents/', import.meta.url))

/** Cases that ask for their own id. */
export function manyCases(count: number, over: object = {}): object[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `T${String(index + 1).padStart(5, '0')}`
    return { id, input: id, assert: { type: 'contains', value: id }, ...over }
  })
}

export interface RunFile {
  events: RunEvent[]
  start: StartEvent | undefined
  results: ResultEvent[]
  summary: SummaryEvent | undefined
  /** The last line has no end: a kill came while it was written. */
  torn: boolean
}

export function readRun(path: string): RunFile {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const events = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RunEvent)
  for (const event of events) expectKnownEvent(event)
  return {
    events,
    start: events.find((event) => event.type === 'start'),
    results: events.filter((event) => event.type === 'result'),
    summary: events.find((event) => event.type === 'summary'),
    torn: rest !== '',
  }
}

/** Every line parses, one result per case and run, the counts agree, the summary is last. */
export function checkRun(path: string, { tornOk = false, complete = false } = {}): RunFile {
  const run = readRun(path)
  if (!tornOk) expect(run.torn).toBe(false)
  if (run.events.length > 0) expect(run.events[0]?.type).toBe('start')
  expect(run.events.filter((event) => event.type === 'start').length).toBeLessThanOrEqual(1)
  const keys = run.results.map((result) => `${result.id}#${result.run}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(run.results.filter(({ duration_ms: ms }) => !(ms >= 0 && Number.isInteger(ms)))).toEqual([])
  const summaries = run.events.filter((event) => event.type === 'summary')
  expect(summaries.length).toBeLessThanOrEqual(1)
  if (summaries.length > 0) expect(run.events.at(-1)?.type).toBe('summary')
  if (complete) expect(run.summary).toBeDefined()
  if (run.summary) checkCounts(run, run.summary)
  return run
}

function checkCounts({ start, results, events }: RunFile, summary: SummaryEvent): void {
  const { passed, failed, skipped, undetermined = 0, not_run } = summary
  expect(passed + failed + skipped + undetermined + not_run).toBe(summary.total)
  expect(summary.total).toBe(start?.total_cases)
  if (start?.runs_per_case === 1) {
    const count = (status: string) => results.filter((result) => result.status === status).length
    expect([summary.passed, summary.failed, summary.skipped]).toEqual(['passed', 'failed', 'skipped'].map(count))
    return
  }
  expect(summary.total_runs).toBe(results.filter((result) => !result.skip).length)
  const complete = new Set(events.flatMap((event) => (event.type === 'stability' ? [event.id] : [])))
  if (not_run === 0) expect(complete.size).toBe(summary.total)
}

/** Polls: for what has no event to wait for. The limit is generous and only there to end a broken test. */
export async function until(condition: () => boolean, what: string, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Command lines of living processes that carry the mark of the Viva with this process id. */
export function markedBy(pid: number | undefined): string[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const marker = /VIVA_RUN_MARKER=([^\0]*)/.exec(readProc(entry, 'environ'))?.[1] ?? ''
    if (!marker.split(',').some((owner) => owner.includes(`.${pid}.`))) return []
    const state = readProc(entry, 'stat').replace(/^.*\) /s, '')[0]
    return state === undefined || state === 'Z' || state === 'X'
      ? []
      : [readProc(entry, 'cmdline').replaceAll('\0', ' ')]
  })
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'latin1')
  } catch {
    return ''
  }
}

export function linesOf(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/** Ids of cases as the console names them. */
export function shownIds(stdout: string): string[] {
  return [...stdout.matchAll(/\[(T\d+)\]/g)].map((match) => match[1] ?? '')
}

/** A report without what differs between two runs of the same: times, durations, the id of the run, where it was run. */
export function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
    .replaceAll(/run-[0-9a-z]+-[0-9a-f]{8}/g, '<run>')
    .replaceAll(/"(\w*(?:_ms|duration|duration_secs))":\s*-?[\d.e+-]+/g, '"$1":0')
    .replaceAll(/\b\d+(?:\.\d+)?(?:ms|s|m|h)\b(?:\d+(?:\.\d+)?s)?/g, '<span>')
    .replaceAll(/ +\|/g, ' |')
}
