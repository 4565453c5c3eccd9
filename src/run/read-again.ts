// The earlier part of a resumed run, followed again.
import type { StabilityEvent } from '../model/event.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { FileRecording } from '../pipeline/record/read-events.js'
import { caseKey, type CaseKey } from '../model/run-key.js'
import type { Tracker } from './tracker.js'

/** Returns what was missing because of the kill: statistics of cases whose runs are all there. */
export async function readAgain(
  recording: FileRecording,
  tracker: Tracker,
  sinks: readonly EventSink[],
): Promise<StabilityEvent[]> {
  const missing = new Map<CaseKey, StabilityEvent>()
  for await (const event of recording.events()) {
    for (const sink of sinks) sink.recall?.(event)
    const stability = tracker.add(event)
    if (stability) missing.set(caseKey(stability), stability)
    if (event.type === 'stability') missing.delete(caseKey(event))
  }
  return [...missing.values()]
}
