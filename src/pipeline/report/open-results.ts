// Opens what `viva extract` takes: an event file, or a JSON report turned back into the events it was made of.
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { UserError } from '../../errors.js'
import {
  EVENT_FORMAT,
  type ResultEvent,
  type RunEvent,
  type StabilityEvent,
  type StartEvent,
} from '../../model/event.js'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import type { Recording } from './recording.js'

export async function openResults(path: string): Promise<Recording> {
  const info = await stat(path).catch(() => undefined)
  if (!info?.isFile()) throw notResults(path, info ? 'it is not a file' : 'no such file')
  if (!path.toLowerCase().endsWith('.json')) return { events: () => readLines(path) }
  const events = eventsOf(await readJson(path), path)
  return {
    async *events() {
      yield* events
    },
  }
}

async function* readLines(path: string): AsyncGenerator<RunEvent> {
  // One line is held back: only the last may be torn.
  let torn: number | undefined
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number++
    if (line.trim() === '') continue
    if (torn !== undefined) throw notResults(`${path}:${torn}`, 'this line is not an event')
    const event = parseEvent(line)
    if (event) yield event
    else torn = number
  }
  if (number > 0 && torn === 1) throw notResults(path, 'it holds no events')
}

function parseEvent(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && typeof value['type'] === 'string' ? (value as unknown as RunEvent) : undefined
  } catch {
    return undefined
  }
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notResults(path, messageOf(error))
  }
}

function eventsOf(document: unknown, path: string): RunEvent[] {
  const results = isRecord(document) ? document['results'] : undefined
  if (!isRecord(document) || !Array.isArray(results)) throw notResults(path, 'it has no "results" list')
  const skipped = Array.isArray(document['skipped']) ? document['skipped'] : []
  const listed: unknown[] = [...results, ...skipped]
  return [startOf(document), ...listed.flatMap((item) => (isRecord(item) ? [caseOf(item)] : []))]
}

function startOf(document: Record<string, unknown>): StartEvent {
  const summary = isRecord(document['summary']) ? document['summary'] : {}
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {}
  const runs = summary['runs_per_case']
  return {
    type: 'start',
    format: EVENT_FORMAT,
    timestamp: textOf(metadata['started_at']),
    run_id: textOf(metadata['run_id']),
    mode: document['type'] === 'script_test' ? 'script_test' : 'agent',
    agent_id: textOf(summary['agent_id']),
    input: textOf(metadata['input'] ?? document['script']),
    runs_per_case: typeof runs === 'number' || runs === 'auto' ? runs : 1,
    environment: {
      user_id: '',
      team_id: '',
      locale: '',
      ...(isRecord(document['environment']) ? document['environment'] : {}),
    },
    options: {},
    version: textOf(metadata['version']),
  }
}

function caseOf(item: Record<string, unknown>): RunEvent {
  const known = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  const id = textOf(item['id'] ?? item['name'])
  if (Array.isArray(item['run_details'])) return { ...known, type: 'stability', id } as unknown as StabilityEvent
  return {
    run: 1,
    duration_ms: 0,
    status: 'failed',
    run_id: '',
    ...known,
    type: 'result',
    id,
  } as unknown as ResultEvent
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function notResults(path: string, reason: string): UserError {
  return new UserError({
    code: 'NOT_RESULTS',
    message: `cannot read results from ${path}: ${reason}`,
    hint: 'give the .jsonl file that viva test wrote, or a report made with -o report.json',
  })
}
