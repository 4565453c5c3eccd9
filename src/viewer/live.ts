// A run as a stream of messages: rows instead of whole results, so that a page opened late has all of them immediately.
import type { CaseStartEvent, ErrorEvent, ResultEvent, RunEvent, StabilityEvent, SummaryEvent } from '../model/event.js'
import type { LiveMessage } from '../model/live-message.js'
import { caseTitle } from '../model/run-key.js'
import { packRow } from '../model/result-row.js'
import { withoutOutputs } from '../pipeline/report/html/cap.js'
import { followEvents } from '../pipeline/record/follow-events.js'

/** Ends when the run's summary was read, or when the reader goes away. */
export async function* liveMessages(
  path: string,
  signal: AbortSignal,
  correct: (summary: SummaryEvent) => Promise<SummaryEvent>,
): AsyncGenerator<LiveMessage> {
  let running = new Set<string>()
  let ended = false
  let told = ''
  for await (const step of followEvents(path, signal)) {
    if (step.kind === 'reset') {
      running = new Set()
      ended = false
      yield { type: 'reset' }
    } else if (step.kind === 'problem') {
      yield { type: 'error', event: short({ type: 'error', where: 'event file', message: step.message }) }
    } else if (step.kind === 'events') {
      for (const message of messagesOf(step.events, running)) {
        // A resumed run continues after the summary of the first part.
        ended = message.type === 'summary' ? true : message.type === 'rows' ? false : ended
        yield message.type === 'summary' ? { ...message, event: await correct(message.event) } : message
      }
    } else {
      const ids = [...running].slice(0, 200)
      if (ids.join() !== told) yield { type: 'running', ids }
      told = ids.join()
      yield { type: ended ? 'ended' : 'idle' }
    }
  }
}

const BATCH = 400

function* messagesOf(events: Array<{ event: RunEvent; at: number }>, running: Set<string>): Generator<LiveMessage> {
  let rows: Extract<LiveMessage, { type: 'rows' }> = { type: 'rows', rows: [], at: [] }
  let stability: StabilityEvent[] = []
  for (const { event, at } of events) {
    if (event.type === 'result') {
      running.delete(keyOf(event))
      rows.rows.push(packRow(event))
      rows.at.push(at)
      if (rows.rows.length >= BATCH) {
        yield rows
        rows = { type: 'rows', rows: [], at: [] }
      }
    } else if (event.type === 'case_start') running.add(keyOf(event))
    else if (event.type === 'stability') stability.push(withoutOutputs(event))
    else if (event.type === 'start') yield { type: 'start', event }
    else if (event.type === 'prompt') yield { type: 'prompt', event }
    else if (event.type === 'error') yield { type: 'error', event: short(event) }
    else if (event.type === 'summary') {
      if (rows.rows.length > 0) yield rows
      rows = { type: 'rows', rows: [], at: [] }
      running.clear()
      yield { type: 'summary', event }
    }
  }
  if (rows.rows.length > 0) yield rows
  if (stability.length > 0) yield { type: 'stability', events: stability }
  stability = []
}

function keyOf(event: CaseStartEvent | ResultEvent): string {
  return event.run > 1 ? `${caseTitle(event)} (run ${event.run})` : caseTitle(event)
}

function short(event: ErrorEvent): ErrorEvent {
  return { ...event, message: event.message.slice(0, 4000) }
}
