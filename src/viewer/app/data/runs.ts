// The runs that the server offers, and which of them is being viewed.
import { signal } from '@preact/signals'
import type { RunsMessage } from '../../../model/live-message.js'
import { openLive } from './live.js'
import { closeCase, followAddress } from './navigate.js'
import { messages, Refused } from './server.js'
import { createSink, filter, source, sourceState } from './store.js'
import { NO_FILTER } from './filter.js'

export const offered = signal<RunsMessage | undefined>(undefined)
export const viewed = signal<string | undefined>(undefined)
/** Set when the server cannot be reached or does not know us. */
export const trouble = signal<'lost' | 'refused' | undefined>(undefined)

export async function followRuns(): Promise<void> {
  try {
    for await (const message of messages<RunsMessage>('/api/runs', {}, new AbortController().signal)) {
      offered.value = message
      const only = message.single ? message.runs[0] : undefined
      if (only && viewed.value === undefined) viewRun(only.id)
    }
    trouble.value = 'lost'
  } catch (error) {
    trouble.value = error instanceof Refused ? 'refused' : 'lost'
  }
}

export function viewRun(id: string): void {
  const sink = createSink()
  sink.reset()
  filter.value = NO_FILTER
  sourceState.value = 'loading'
  viewed.value = id
  source.value = openLive(id)
  source.value.open(sink)
  followAddress()
}

export function leaveRun(): void {
  source.value?.close()
  source.value = undefined
  viewed.value = undefined
  closeCase()
}
