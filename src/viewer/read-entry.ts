// One line of the list of runs: the start and the end of an event file, without what lies between.
import { open, type FileHandle } from 'node:fs/promises'
import type { StartEvent, SummaryEvent } from '../model/event.js'
import type { RunEntry } from '../model/run-entry.js'
import { defined } from '../base/defined.js'

const EDGE = 64 * 1024

/** Undefined for a file that is no run. */
export async function readEntry(path: string, id: string): Promise<RunEntry | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const start = parse<StartEvent>((await readAt(file, 0)).split('\n', 1)[0], 'start')
    if (!start) return undefined
    const { size } = await file.stat()
    const tail = (await readAt(file, Math.max(0, size - EDGE))).trimEnd().split('\n')
    return entryOf(id, path, start, parse<SummaryEvent>(tail.at(-1), 'summary'))
  } finally {
    await file.close()
  }
}

function entryOf(id: string, path: string, start: StartEvent, summary: SummaryEvent | undefined): RunEntry {
  return defined({
    id,
    file: path.split(/[\\/]/).at(-1) ?? '',
    run_id: start.run_id,
    timestamp: start.timestamp,
    agent_id: start.agent_id,
    mode: start.mode,
    input: start.script ?? start.input,
    connector: start.connector,
    total: summary?.total,
    passed: summary?.passed,
    failed: summary?.failed,
    skipped: summary?.skipped,
    undetermined: summary?.undetermined,
    duration_ms: summary?.duration_ms,
    cost_dollars: summary?.cost_dollars,
    exit_code: summary?.exit_code,
  })
}

async function readAt(file: FileHandle, position: number): Promise<string> {
  const buffer = Buffer.alloc(EDGE)
  const { bytesRead } = await file.read(buffer, 0, EDGE, position)
  return buffer.toString('utf8', 0, bytesRead)
}

function parse<T extends { type: string }>(line: string | undefined, type: T['type']): T | undefined {
  try {
    const value = JSON.parse(line ?? '') as T | null
    return value?.type === type ? value : undefined
  } catch {
    return undefined
  }
}
