// Follows the events of a run: counts, stability per case, the budget, and at the end the one summary with the exit code.
import type { ResultEvent, RunEvent, StabilityEvent, SummaryEvent } from '../model/event.js'
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import { createStabilityFold, type StabilityFold } from '../pipeline/fold/stability.js'
import { createSummaryFold } from '../pipeline/fold/summary.js'
import { caseKey, type CaseKey } from '../model/run-key.js'
import { defined } from '../base/defined.js'
import { createBudget, type Budget } from './budget.js'
import type { Prepared } from './prepare.js'
import type { Tested } from './unit/tested.js'

export interface Tracker {
  /** Takes an event; gives what follows from it: the stability of a case whose runs are complete. */
  add(event: RunEvent): StabilityEvent | undefined
  /** With `--runs auto`: whether the case is still undecided. */
  needsAnother(key: CaseKey): boolean
  budget: Budget
  summary(end: {
    interrupted: StopSignal | undefined
    report_errors: string[]
    damage: string | undefined
    snapshots: SummaryEvent['snapshots']
    recording: SummaryEvent['recording']
    now: Date
  }): SummaryEvent
}

export interface TrackerInit {
  prepared: Prepared
  run_id: string
}

/** With `--runs auto`: after this many runs without a verdict, more would not help. */
const LOST_RUNS = 5

export function createTracker({ prepared, run_id }: TrackerInit): Tracker {
  const { options, work } = prepared
  const elapsed_ms = prepared.interrupted?.elapsed_ms ?? 0
  const { runs, min_pass_rate, confidence, threshold, max_runs } = options
  const { clock } = prepared.io
  const started = clock.now()
  const variants = variantNames(prepared)
  const fold = createSummaryFold({ run_id, runs, min_pass_rate, confidence, threshold, gates: options, variants })
  const open = new Map<CaseKey, StabilityFold>()
  const budget = openBudget(prepared)

  const isComplete = (runsOfCase: StabilityFold): boolean => {
    if (runs !== 'auto') return runsOfCase.runs >= runs
    const lost = runsOfCase.passes + runsOfCase.fails === 0 && runsOfCase.runs >= LOST_RUNS
    return lost || runsOfCase.runs >= max_runs || runsOfCase.decision() !== 'continue'
  }

  const addRun = (result: ResultEvent): StabilityEvent | undefined => {
    const key = caseKey(result)
    let runsOfCase = open.get(key)
    if (!runsOfCase) {
      runsOfCase = createStabilityFold({ runs, min_pass_rate, confidence, threshold, max_runs })
      open.set(key, runsOfCase)
    }
    runsOfCase.add(result)
    // What its author skips is planned once, whatever `--runs` says.
    if (!result.skip && !isComplete(runsOfCase)) return undefined
    open.delete(key)
    const stability = runsOfCase.event()
    fold.add(stability)
    return stability
  }

  return {
    add: (event) => {
      if (event.type === 'stability') return undefined
      fold.add(event)
      if (event.type === 'start') budget.add(event)
      if (event.type !== 'result') return undefined
      budget.add(event)
      prepared.snapshots.add(event)
      prepared.recordings?.add(event)
      return runs === 1 ? undefined : addRun(event)
    },
    needsAnother: (key) => open.has(key),
    budget,
    summary: ({ interrupted, report_errors, damage, snapshots, recording, now }) =>
      fold.summary(
        defined({
          total_cases: work.total,
          duration_ms: Math.round(elapsed_ms + clock.now() - started),
          timestamp: now.toISOString(),
          stopped: stoppedBy(budget, prepared),
          interrupted,
          report_errors,
          damage,
          snapshots,
          recording,
          chaos: prepared.chaos ? true : undefined,
        }),
      ),
  }
}

/** Undefined where there is only one. */
function variantNames({ work }: Prepared): string[] | undefined {
  if (work.mode !== 'agent' || work.tested.length < 2) return undefined
  return work.tested.map(({ spec }) => spec.name)
}

/** What kept cases from being run. */
function stoppedBy(budget: Budget, { project }: Prepared): string | undefined {
  const reasons = [budget.stopped(), project.stoppedEndpoints()].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

function openBudget({ options: { max_cost }, work, warn }: Prepared): Budget {
  if (work.mode === 'agent') {
    const priceName = work.tested.map(priceNameOf).join(', ')
    return createBudget({ max_cost, priceName, several: work.tested.length > 1, warn })
  }
  if (max_cost !== undefined) warn('--max-cost does not hold for script tests: what they call is not counted')
  return createBudget({ max_cost: undefined, priceName: '', several: false, warn })
}

/** A connector has its price by its id, any other agent by how `-n` names it. */
function priceNameOf({ spec, agent }: Tested): string {
  return spec.connector ?? agent.connector ?? agent.id
}
