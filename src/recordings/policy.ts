// What a case says about its own recording (`recording: {mode, max_age}`), combined with what the run says.
import { formatDuration, parseAge } from '../base/duration.js'
import type { CaseRecording } from '../model/cassette.js'

/** What happens to a call: answered from the cassette, called and kept, or only called. */
export type LaneMode = 'replay' | 'record' | 'live'

export type OnMissing = 'error' | 'record' | 'live'

export interface CallPolicy {
  mode: LaneMode
  onMissing: OnMissing
}

/** `isRecorded`: the recording holds something for the case. */
export function policyOf(
  own: CaseRecording['mode'],
  run: { lane: LaneMode; onMissing: OnMissing },
  isRecorded: () => boolean,
): CallPolicy {
  const { lane, onMissing } = run
  if (lane === 'live' || own === 'live') return { mode: 'live', onMissing }
  // Recorded once, and from then on only replayed, whatever the run does with other cases.
  if (own === 'replay' && isRecorded()) return { mode: 'replay', onMissing: 'error' }
  if (own === 'record' && onMissing === 'record') return { mode: 'record', onMissing }
  return { mode: lane, onMissing }
}

/** Why what was recorded then is too old now; undefined if it is not. Without a date there is no telling. */
export function tooOld(recorded: string | undefined, maxAge: string | undefined, now: Date): string | undefined {
  if (maxAge === undefined) return undefined
  if (recorded === undefined) return `it is not known when it was recorded, and max_age is ${maxAge}`
  const age = now.getTime() - Date.parse(recorded)
  return age > parseAge(maxAge) ? `recorded ${ageText(age)} ago, and max_age is ${maxAge}` : undefined
}

const DAY = 86_400_000

function ageText(ms: number): string {
  return ms < 2 * DAY ? formatDuration(ms) : `${Math.floor(ms / DAY)} days`
}
