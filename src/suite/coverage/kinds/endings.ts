// Ways to end: of an answer, or of an orchestrator run.
import type { SurfaceKind, Place } from '../kind.js'
import type { Answer } from '../seen.js'

const ANSWERED = 'answered'
const ASKED_BACK = 'asked back'
const REFUSED = 'refused'
const CUT_OFF = 'cut off'
const FAILED = 'failed'
const TIMED_OUT = 'timed out'

/** What every agent may come to. Failures are counted where they are seen: nobody promises them. */
const PLACES: Place[] = [
  { name: ANSWERED, aim: { wanted: 'The agent answers.' } },
  { name: ASKED_BACK, aim: { wanted: 'The agent asks the user back, since it lacks something it needs.' } },
  { name: REFUSED, aim: { wanted: 'The agent refuses.' } },
]

const WITH_CHAOS = 'viva test --chaos injects such faults'
const FAULTS: Place[] = [
  { name: FAILED, hint: WITH_CHAOS },
  { name: TIMED_OUT, hint: WITH_CHAOS },
]

export const endings: SurfaceKind = {
  name: 'endings',
  title: 'Ways to end',
  never: 'no run ended this way',
  places: ({ lists }, { reportsRefusals, isOrchestrator }) => {
    if (lists.endings)
      return lists.endings.map(
        (name) => [...PLACES, ...FAULTS].find((place) => place.name === name) ?? asWritten(name, isOrchestrator),
      )
    return isOrchestrator ? undefined : PLACES.filter(({ name }) => name !== REFUSED || reportsRefusals)
  },
  *reached({ answers, result }) {
    const { session } = result
    if (session) {
      if (session.termination_reason !== undefined) yield session.termination_reason
      return
    }
    if (result.status === 'skipped' && result.turns === undefined) return
    for (const answer of answers) yield* endingOf(answer)
  },
}

function* endingOf({ error_kind, refusal, awaiting_input, finish_reason, output }: Answer): Generator<string> {
  if (error_kind === 'timeout') yield TIMED_OUT
  else if (error_kind === 'agent' || error_kind === 'crashed') yield FAILED
  // What went wrong elsewhere says nothing about the agent.
  else if (error_kind !== undefined && error_kind !== 'assertion') return
  else if (refusal === true) yield REFUSED
  else if (awaiting_input === true) yield ASKED_BACK
  else if (finish_reason === 'length') yield CUT_OFF
  else if (output !== undefined) yield ANSWERED
}

function asWritten(name: string, isOrchestrator: boolean): Place {
  return {
    name,
    aim: {
      wanted: isOrchestrator ? 'The loop ends for this reason.' : 'The agent ends this way.',
      about: { ending: name },
    },
  }
}
