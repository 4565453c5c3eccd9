// What a report lists, one at a time: results, or with `--runs` the stability of each case.
import type { ResultEvent, StabilityEvent, StartEvent } from '../../model/event.js'
import { notShownText } from '../../model/not-shown.js'
import { isNotShown, type CaseStatus, type ListedStatus } from '../../model/status.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import type { Overview } from './overview.js'
import type { Recording } from './recording.js'
import { statusOfRuns } from '../fold/run-rule.js'
import { stabilityStatus } from '../../model/case-status.js'
import { createStabilityFold, type StabilityFold } from '../fold/stability.js'
import { formatPercent } from '../../base/format.js'

export type CaseEvent = ResultEvent | StabilityEvent

export async function* eachCase(recording: Recording, overview: Overview): AsyncGenerator<CaseEvent> {
  if (!overview.repeated) {
    for await (const event of recording.events()) if (event.type === 'result') yield event
    return
  }
  const folds = new Map<CaseKey, StabilityFold>()
  for await (const event of recording.events()) {
    if (event.type === 'stability') yield event
    else if (event.type === 'result') {
      const key = caseKey(event)
      if (overview.unsettled.has(key)) foldFor(folds, key, overview).add(event)
    }
  }
  for (const fold of folds.values()) {
    if (statusOfRuns(fold.counts(), overview.rule) !== 'not_run') yield fold.event()
  }
}

/** First those that are not green, then the others; each pass reads the recording again rather than keeping it. */
export async function* failuresFirst(recording: Recording, overview: Overview): AsyncGenerator<CaseEvent> {
  const notGreen = (event: CaseEvent): boolean => isNotGreen(listedStatus(event, overview))
  if (overview.listed.not_green > 0) {
    for await (const event of eachCase(recording, overview)) if (notGreen(event)) yield event
  }
  for await (const event of eachCase(recording, overview)) if (!notGreen(event)) yield event
}

export function caseStatus(event: CaseEvent, overview: Overview): CaseStatus {
  return event.type === 'result' ? event.status : stabilityStatus(event, overview.rule.min_pass_rate)
}

/** Like `caseStatus`, with the skipped cases that nobody chose to skip apart. */
export function listedStatus(event: CaseEvent, overview: Overview): ListedStatus {
  const status = caseStatus(event, overview)
  return status === 'skipped' && isNotShown(event) ? 'not_shown' : status
}

/** Failed, undetermined or not shown: whatever fails the run. */
export function isNotGreen(status: ListedStatus): boolean {
  return status === 'failed' || status === 'undetermined' || status === 'not_shown'
}

/** The function's name; with several files, preceded by its module, since two files may share a name. */
export function scriptTitle(event: CaseEvent, start: StartEvent): string {
  const name = event.name ?? event.id
  const several = start.script_path?.includes(', ') ?? false
  return several && event.id.endsWith(`.${name}`) ? event.id.replace(/^scripts\./, '') : name
}

/** What CI systems file a case under: its agent or script; with several variants, that variant's agent and name. */
export function suiteOf({ variant }: CaseEvent, { script, input, mode, agent_id, variants }: StartEvent): string[] {
  if (mode === 'script_test') return [script ?? input]
  const own = variants?.find(({ name }) => name === variant)
  return own ? [...new Set([own.agent_id, own.name])] : [agent_id]
}

/** The one line that says why a case did not pass. */
export function caseError(event: CaseEvent, overview: Overview): string {
  if (isNotShown(event)) return `not shown: ${notShownText(event)}`
  if (event.type === 'result') return event.error ?? event.assertion_errors?.[0] ?? firstFailure(event) ?? 'failed'
  return `${describeRate(event, overview)}${event.error === undefined ? '' : `: ${event.error}`}`
}

export function caseDuration(event: CaseEvent): number {
  return event.type === 'result' ? event.duration_ms : event.avg_duration_ms * event.runs
}

export function describeRate(event: StabilityEvent, overview: Overview): string {
  const seen = `${event.passed} of ${event.runs} runs passed (${formatPercent(event.pass_rate)})`
  const needed = event.threshold === undefined ? overview.rule.min_pass_rate : event.threshold * 100
  switch (caseStatus(event, overview)) {
    case 'undetermined':
      return `${seen}, undetermined against ${formatPercent(needed)}`
    case 'failed':
      return `${seen}, ${formatPercent(needed)} needed`
    case 'passed':
    case 'skipped':
      return seen
  }
}

function firstFailure(event: ResultEvent): string | undefined {
  const all = [...(event.assertions ?? []), ...(event.final_assertions ?? [])]
  const failed = all.find((assertion) => !assertion.passed)
  return failed?.error ?? failed?.message
}

function foldFor(folds: Map<CaseKey, StabilityFold>, key: CaseKey, overview: Overview): StabilityFold {
  const known = folds.get(key)
  if (known) return known
  const fold = createStabilityFold(overview.rule)
  folds.set(key, fold)
  return fold
}
