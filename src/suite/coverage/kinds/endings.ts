// Ways to end: of an answer, or of an orchestrator run.
import { findReason, TERMINATION_EXIT_CODES } from '../../../model/termination.js'
import type { SurfaceKind, Place } from '../kind.js'
import { briefly } from '../schema-places.js'
import type { Answer } from '../seen.js'
import type { SurfaceTool } from '../surface.js'

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
  places: ({ lists, tools }, { reportsRefusals, isOrchestrator }) => {
    if (lists.endings)
      return lists.endings.map(
        (name) => [...PLACES, ...FAULTS].find((place) => place.name === name) ?? asWritten(name, isOrchestrator),
      )
    if (isOrchestrator) return undefined
    return PLACES.filter(({ name }) => name !== REFUSED || reportsRefusals).map((place) =>
      place.name === ASKED_BACK ? askedBack(place, tools) : place,
    )
  },
  *reached({ answers, result }) {
    const { session } = result
    if (session) {
      if (session.termination_reason !== undefined) yield session.termination_reason
      return
    }
    for (const answer of answers) yield* endingOf(answer)
  },
}

function* endingOf({ error_kind, refusal, awaiting_input, finish_reason, output }: Answer): Generator<string> {
  // A refusal that no assertion expects fails its case as an error of the agent.
  if (refusal === true) yield REFUSED
  else if (error_kind === 'timeout') yield TIMED_OUT
  else if (error_kind === 'agent' || error_kind === 'crashed') yield FAILED
  // What went wrong elsewhere says nothing about the agent.
  else if (error_kind !== undefined && error_kind !== 'assertion') return
  else if (awaiting_input === true) yield ASKED_BACK
  else if (finish_reason === 'length') yield CUT_OFF
  else if (output !== undefined) yield ANSWERED
}

/** With something that cannot be done without knowing more. */
function askedBack(place: Place, tools: readonly SurfaceTool[] = []): Place {
  const needy = tools.find((tool) => tool.arguments?.some(({ required }) => required))
  if (!needy || !place.aim) return place
  const missing = needy.arguments?.filter(({ required }) => required).map(briefly)
  return { ...place, aim: { ...place.aim, about: { tool: needy.name, description: needy.description, missing } } }
}

/** How a loop ends badly is up to its hats: what a user says does not bring it about. */
function asWritten(name: string, isOrchestrator: boolean): Place {
  if (isOrchestrator && TERMINATION_EXIT_CODES[findReason(name) ?? 'Error'] !== 0)
    return { name, hint: 'options.mock_responses of a case can play hats that bring it about' }
  return { name, aim: { wanted: 'The agent ends this way.', about: { ending: name } } }
}
