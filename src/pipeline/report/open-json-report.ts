// A JSON report turned back into the events it was made from.
import { readFile } from 'node:fs/promises'
import { defined } from '../../base/defined.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { UserError } from '../../errors.js'
import { EVENT_FORMATS, type RunEvent } from '../../model/event.js'
import { parseEvent } from '../../model/parse-event.js'
import type { Recording } from './recording.js'

export async function openJsonReport(path: string): Promise<Recording> {
  const events = eventsOf(await readJson(path), path)
  return {
    async *events() {
      yield* events
    },
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw notResults(path, messageOf(error))
  }
}

function eventsOf(document: unknown, path: string): RunEvent[] {
  const results = isRecord(document) ? document['results'] : undefined
  if (!isRecord(document) || !Array.isArray(results)) throw notResults(path, 'it has no "results" list')
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {}
  const { format = 1 } = metadata
  if (!EVENT_FORMATS.some((known) => known === format))
    throw notResults(path, `it is written in format ${String(format)}`)
  const skipped: unknown[] = Array.isArray(document['skipped']) ? document['skipped'] : []
  const items: unknown[] = [...results, ...skipped]
  return [startOf(document), ...items].map((item, index) => {
    const parsed = parseEvent(index === 0 ? item : caseOf(item))
    if (parsed.kind === 'event') return parsed.event
    const problem = parsed.kind === 'bad' ? parsed.problem : 'is not an object'
    throw notResults(path, index === 0 ? problem : `results[${index - 1}]: ${problem}`)
  })
}

function startOf(document: Record<string, unknown>): Record<string, unknown> {
  const summary = isRecord(document['summary']) ? document['summary'] : {}
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {}
  return defined({
    type: 'start',
    timestamp: metadata['started_at'],
    run_id: metadata['run_id'],
    mode: document['type'] === 'script_test' ? 'script_test' : 'agent',
    agent_id: summary['agent_id'],
    input: metadata['input'] ?? document['script'],
    runs_per_case: summary['runs_per_case'],
    environment: document['environment'],
    version: metadata['version'],
    format: metadata['format'],
    variants: metadata['variants'],
  })
}

function caseOf(item: unknown): unknown {
  if (!isRecord(item)) return undefined
  const known = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
  const id = item['id'] ?? item['name']
  const isStability = Array.isArray(item['run_details'])
  return isStability ? { ...known, type: 'stability', id } : { status: 'failed', ...known, type: 'result', id }
}

function notResults(path: string, reason: string): UserError {
  return new UserError({
    code: 'NOT_RESULTS',
    message: `cannot read results from ${path}: ${reason}`,
    hint: 'give the .jsonl file that viva test wrote, or a report made with -o report.json',
  })
}
