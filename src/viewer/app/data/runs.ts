// The runs that the server offers, and which of them is being viewed.
import { batch, signal } from '@preact/signals'
import type { RunsMessage } from '../../../model/live-message.js'
import type { RunEntry } from '../../../model/run-entry.js'
import { parseHash } from './address.js'
import { beforeSource, openSources, type ServedComparison } from './comparison.js'
import { FAILURES_FIRST, NO_FILTER } from './filter.js'
import { followFleet } from './fleet.js'
import { openLive } from './live.js'
import { closeCase, followAddress, writeAddress } from './navigate.js'
import { ask, messages, Refused } from './server.js'
import { comparison, createSink, filter, opened, sort, source, sourceState, viewed, viewedEarlier } from './store.js'

export const offered = signal<RunsMessage | undefined>(undefined)
/** Set when the server cannot be reached or does not know us. */
export const trouble = signal<'lost' | 'refused' | undefined>(undefined)
/** Why two runs could not be compared. */
export const comparisonError = signal('')

export async function followRuns(): Promise<void> {
  const wanted = parseHash(location.hash)
  try {
    for await (const message of messages<RunsMessage>('/api/runs', {}, new AbortController().signal)) {
      const first = offered.value === undefined
      offered.value = message
      if (message.fleet) void followFleet()
      const named = wanted.viewed ?? message.open
      const open = message.single ? message.runs[0] : first && message.runs.find((run) => run.id === named)
      if (!open || source.value !== undefined) continue
      if (message.runs.some((run) => run.id === wanted.earlier)) void viewComparison(wanted.earlier ?? '', open.id)
      else viewRun(open.id)
    }
    trouble.value = 'lost'
  } catch (error) {
    trouble.value = error instanceof Refused ? 'refused' : 'lost'
  }
}

/** Back, Forward, or an address that was typed. */
export function followServedAddress(): void {
  asked += 1
  const wanted = parseHash(location.hash)
  const runs = offered.value?.single ? [] : (offered.value?.runs ?? [])
  const run = runs.find(({ id }) => id === wanted.viewed)?.id
  const earlier = run && runs.find(({ id }) => id === wanted.earlier)?.id
  if (run === viewed.value && earlier === viewedEarlier.value) followAddress()
  else if (run === undefined) {
    closeRun()
    followAddress()
  } else if (earlier === undefined) viewRun(run)
  else void viewComparison(earlier, run)
}

/** Counts what was asked for: an answer that comes late is not shown in place of something newer. */
let asked = 0

export function viewRun(id: string): void {
  asked += 1
  closeRun()
  const sink = createSink()
  sink.reset()
  sourceState.value = 'loading'
  // The one run that there is needs no name in the address.
  viewed.value = offered.value?.single ? undefined : id
  source.value = openLive(id)
  source.value.open(sink)
  followAddress()
  writeAddress()
}

export async function viewComparison(before: string, after: string): Promise<void> {
  comparisonError.value = ''
  asked += 1
  const mine = asked
  const served = await ask('/api/compare', { before, after })
    .then((response) => response.json() as Promise<ServedComparison>)
    .catch((error: unknown): ServedComparison => ({ error: String(error) }))
  if (mine !== asked) return
  closeRun()
  if (!served.overview) {
    comparisonError.value = served.error ?? 'the runs cannot be compared'
    return
  }
  sourceState.value = 'loading'
  openSources(openLive(before), openLive(after), served)
  viewed.value = after
  viewedEarlier.value = before
  followAddress()
  writeAddress()
}

/** Whichever was earlier comes first. */
export function compareTwo(one: RunEntry, other: RunEntry): void {
  const [before, after] = one.timestamp <= other.timestamp ? [one, other] : [other, one]
  void viewComparison(before.id, after.id)
}

export function leaveRun(): void {
  closeRun()
  closeCase()
}

function closeRun(): void {
  source.value?.close()
  beforeSource.value?.close()
  batch(() => {
    source.value = undefined
    beforeSource.value = undefined
    comparison.value = undefined
    viewed.value = undefined
    viewedEarlier.value = undefined
    filter.value = NO_FILTER
    sort.value = FAILURES_FIRST
    opened.value = undefined
  })
}
