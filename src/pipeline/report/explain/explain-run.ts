// The cases of a recorded run that did not pass, explained one by one.
import { suggest } from '../../../base/suggest.js'
import { UserError } from '../../../errors.js'
import type { ResultEvent, StabilityEvent } from '../../../model/event.js'
import { caseKey, type CaseKey } from '../../../model/run-key.js'
import { isNotShown } from '../../../model/status.js'
import type { BlameContext, WrongClaim } from '../blame/context.js'
import { createSeenRuns, type SeenRunsFold } from '../blame/seen-runs.js'
import { eachCase, isNotGreen, listedStatus, type CaseEvent } from '../cases.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'
import { explainResult, explainRuns } from './explain.js'
import type { Explanation } from './explanation.js'

export interface ExplainedCase {
  event: CaseEvent
  explanation: Explanation
}

export interface ExplainedRun {
  overview: Overview
  cases: ExplainedCase[]
  /** Ids of those that did not pass and are not explained here: the first ones. */
  others: string[]
}

const MOST_OTHERS = 200
const MOST_IDS = 1_000

/** `case_id`: only this one, even if it passed. */
export async function explainRun(
  recording: Recording,
  { case_id, limit }: { case_id?: string | undefined; limit: number },
): Promise<ExplainedRun> {
  const overview = await readOverview(recording)
  const events: CaseEvent[] = []
  const others: string[] = []
  const ids: string[] = []
  for await (const event of eachCase(recording, overview)) {
    if (ids.length < MOST_IDS) ids.push(event.id)
    if (case_id === undefined ? !isNotGreen(listedStatus(event, overview)) : !isCalled(event, case_id)) continue
    if (events.length < limit) events.push(event)
    else if (others.length < MOST_OTHERS) others.push(event.id)
  }
  if (case_id !== undefined && events.length === 0) throw noCase(case_id, ids)
  const runs = await otherRuns(recording, events)
  const { wrongClaim } = await import('../blame/wrong-claim.js')
  const cases = events.map((event) => ({
    event,
    explanation: explain(event, runs.get(caseKey(event)), overview, wrongClaim),
  }))
  return { overview, cases, others }
}

/** Tests in scripts are known by the name of their function, too. */
function isCalled({ id, name }: CaseEvent, wanted: string): boolean {
  return id === wanted || (name === wanted && id.endsWith(`.${wanted}`))
}

function explain(
  event: CaseEvent,
  runs: RunsOfCase | undefined,
  overview: Overview,
  claimIn: (result: ResultEvent) => WrongClaim | undefined,
): Explanation {
  const shown = event.type === 'result' ? event : runs?.bad
  const claim = shown && claimIn(shown)
  const context: BlameContext = { ...runs?.fold.seen(), ...(claim && { claim }) }
  const status = listedStatus(event, overview)
  if (event.type === 'stability') {
    if (isNotGreen(status)) return explainRuns(event, runs?.bad, status, context)
    return passed(event, status)
  }
  return isNotGreen(status) ? explainResult(event, context) : passed(event, status)
}

function passed({ id, name, variant }: CaseEvent, status: Explanation['status']): Explanation {
  return {
    id,
    ...(name !== undefined && { name }),
    ...(variant !== undefined && { variant }),
    status,
    headline: status === 'skipped' ? 'it was skipped, as its author wants' : 'it passed: there is nothing to explain',
    rule: status,
    certainty: 'certain',
    try: [],
  }
}

interface RunsOfCase {
  /** The first run that did not pass. */
  bad?: ResultEvent
  fold: SeenRunsFold
}

/** With repetitions: what all runs of these cases have shown. */
async function otherRuns(recording: Recording, events: CaseEvent[]): Promise<Map<CaseKey, RunsOfCase>> {
  const repeated = events.filter((event): event is StabilityEvent => event.type === 'stability')
  const found = new Map<CaseKey, RunsOfCase>(repeated.map((event) => [caseKey(event), { fold: createSeenRuns() }]))
  if (found.size === 0) return found
  for await (const event of recording.events()) {
    const runs = event.type === 'result' ? found.get(caseKey(event)) : undefined
    if (event.type !== 'result' || runs === undefined) continue
    runs.fold.add(event)
    if (event.status === 'failed' || isNotShown(event)) runs.bad ??= event
  }
  return found
}

function noCase(id: string, ids: string[]): UserError {
  const near = suggest(id, ids)
  return new UserError({
    code: 'NO_CASE',
    message: `the run has no case "${id}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint:
      ids.length === 0
        ? 'the run has no results yet'
        : `its cases: ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ' …' : ''}`,
  })
}
