// The runs that the server offers, and which of them is being viewed.
import { batch, signal } from '@preact/signals'
import type { RunsMessage } from '../../../model/live-message.js'
import { parseHash } from './address.js'
import { FAILURES_FIRST, NO_FILTER } from './filter.js'
import { openLive } from './live.js'
import { closeCase, followAddress } from './navigate.js'
import { messages, Refused } from './server.js'
import { createSink, filter, sort, source, sourceState, viewed } from './store.js'

export const offered = signal<RunsMessage | undefined>(undefined)
/** Set when the server cannot be reached or does not know us. */
export const trouble = signal<'lost' | 'refused' | undefined>(undefined)

export async function followRuns(): Promise<void> {
  const wanted = parseHash(location.hash).viewed
  try {
    for await (const message of messages<RunsMessage>('/api/runs', {}, new AbortController().signal)) {
      const first = offered.value === undefined
      offered.value = message
      const open = message.single ? message.runs[0] : first && message.runs.find((run) => run.id === wanted)
      if (open && source.value === undefined) viewRun(open.id)
    }
    trouble.value = 'lost'
  } catch (error) {
    trouble.value = error instanceof Refused ? 'refused' : 'lost'
  }
}

export function viewRun(id: string): void {
  const sink = createSink()
  sink.reset()
  sourceState.value = 'loading'
  // The one run that there is needs no name in the address.
  viewed.value = offered.value?.single ? undefined : id
  source.value = openLive(id)
  source.value.open(sink)
  followAddress()
}

export function leaveRun(): void {
  source.value?.close()
  batch(() => {
    source.value = undefined
    viewed.value = undefined
    filter.value = NO_FILTER
    sort.value = FAILURES_FIRST
  })
  closeCase()
}
