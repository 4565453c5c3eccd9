// An event file as a shard of a run: what it says about itself, and its events in groups that stay together.
import { UserError } from '../errors.js'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../model/event.js'
import { runKey, type RunKey } from '../model/run-key.js'
import { parseShard, type Shard } from '../pipeline/plan/filter.js'
import { readEvents } from '../pipeline/record/read-events.js'

export interface ShardFile {
  path: string
  shard: Shard
  start: StartEvent
  /** Absent: the run was killed, or is still going on. */
  summary?: SummaryEvent
}

/** Undefined for a run that is itself the result of a merge. */
export async function readShard(path: string): Promise<ShardFile | undefined> {
  let start: StartEvent | undefined
  let summary: SummaryEvent | undefined
  for await (const event of readEvents(path)) {
    if (event.type === 'start') start = event
    if (event.type === 'result') summary = undefined
    if (event.type === 'summary') summary = event
  }
  if (!start) throw new Error(`${path}: no start record`)
  if (start.merged_from) return undefined
  const { shard } = start.options
  if (typeof shard !== 'string') throw notAShard(path)
  return { path, start, shard: parseShard(shard), ...(summary && { summary }) }
}

/** What led to a result, the result, and what followed from it. */
export interface EventGroup {
  events: RunEvent[]
  /** Absent: what came after the last result. */
  result?: ResultEvent
  /** Position of its case among all cases. */
  position: number
}

export async function* groupsOf(path: string): AsyncGenerator<EventGroup> {
  const begun = new Map<RunKey, number>()
  let group: EventGroup = { events: [], position: Infinity }
  for await (const event of readEvents(path)) {
    if (event.type === 'start' || event.type === 'summary') continue
    // Its stability, if the case is complete, comes right after a result.
    if (group.result && event.type !== 'stability') {
      yield group
      group = { events: [], position: Infinity }
    }
    group.events.push(event)
    if (event.type === 'case_start' && event.position !== undefined) begun.set(runKey(event), event.position)
    if (event.type !== 'result') continue
    const key = runKey(event)
    group.result = event
    group.position = begun.get(key) ?? Infinity
    begun.delete(key)
  }
  if (group.events.length > 0) yield group
}

function notAShard(path: string): UserError {
  return new UserError({
    code: 'NOT_A_SHARD',
    message: `${path} is not a shard: the run had all its cases`,
    hint: 'give the event files of viva test --shard 1/4 … 4/4; leave this one out',
  })
}
