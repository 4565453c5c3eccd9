// Follows the events of a run: counts, stability per case, the limits, and at the end the one summary with the exit code.
import type { ResultEvent, RunEvent, StabilityEvent, SummaryEvent } from '../model/event.js'
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import { createStabilityFold, type StabilityFold } from '../pipeline/fold/stability.js'
import { createSummaryFold } from '../pipeline/fold/summary.js'
import { caseKey, type CaseKey } from '../model/run-key.js'
import { defined } from '../base/defined.js'
import type { SummaryPart } from '../interceptors/interceptor.js'
import { createBrake, type Brake, type Limit } from './brake.js'
import { createBudget } from './budget.js'
import type { GoOn } from '../model/plan.js'
import { mostRuns } from '../pipeline/fold/decide/decide-change.js'
import { PRACTICAL } from '../pipeline/fold/statistics/practical.js'
import type { Prepared } from './prepare.js'
import { createStopAfter, type StopAfter } from './stop-after.js'
import type { Tested } from './unit/tested.js'
import { createUnseenCalls } from './unseen-calls.js'

export interface Tracker {
  /** Takes an event; returns what follows from it: the stability of a case whose runs are complete. */
  add(event: RunEvent): StabilityEvent | undefined
  /** With `--runs auto`: whether the case is still undecided. */
  needsAnother(key: CaseKey): boolean
  /** All cases have had that many runs: do they need more to be compared? */
  needsMore: GoOn
  /** All have had their last: what is known about the cases. */
  settle(): StabilityEvent[]
  brake: Brake
  /** The cases that `--stop-after` kept from running. */
  notRun(): Promise<string[]>
  summary(end: {
    interrupted: StopSignal | undefined
    report_errors: string[]
    damage: string | undefined
    found: SummaryPart
    not_run_ids: string[]
    now: Date
  }): SummaryEvent
}

export interface TrackerInit {
  prepared: Prepared
  run_id: string
}

/** With `--runs auto`: after this many runs without a verdict, more would not help. */
const LOST_RUNS = 5
/** And between two variants: after that many rounds in which no case had a verdict in both. */
const LOST_ROUNDS = 3

export function createTracker({ prepared, run_id }: TrackerInit): Tracker {
  const { options, work } = prepared
  const elapsed_ms = prepared.interrupted?.elapsed_ms ?? 0
  const { runs, min_pass_rate, confidence, threshold, max_runs } = options
  const { clock } = prepared.io
  const started = clock.now()
  const variants = variantNames(prepared)
  const { decide, practical = PRACTICAL } = prepared
  const fold = createSummaryFold({
    run_id,
    runs,
    min_pass_rate,
    confidence,
    threshold,
    gates: { ...options, ...(decide && defined({ fail_on: decide.fail_on, changed_cases: decide.changed_cases })) },
    variants,
    practical,
    decide: decide?.rule,
  })
  // A fixed number is one look, when all is done.
  let decidedAfter = runs === 'auto' ? undefined : runs
  const open = new Map<CaseKey, StabilityFold>()
  const stopAfter =
    options.stop_after === undefined ? undefined : createStopAfter({ stop_after: options.stop_after, runs, variants })
  const brake = openBrake(prepared, stopAfter)
  const unseenCalls = createUnseenCalls(work.mode === 'agent' ? work.tested : [])

  const isComplete = (runsOfCase: StabilityFold): boolean => {
    if (runs !== 'auto') return runsOfCase.runs >= runs
    if (decide) return false
    const lost = runsOfCase.passes + runsOfCase.fails === 0 && runsOfCase.runs >= LOST_RUNS
    return lost || runsOfCase.runs >= max_runs || runsOfCase.decision() !== 'continue'
  }

  const addRun = (result: ResultEvent): StabilityEvent | undefined => {
    const key = caseKey(result)
    let runsOfCase = open.get(key)
    if (!runsOfCase) {
      runsOfCase = createStabilityFold(
        decide && runs === 'auto'
          ? { runs: max_runs, min_pass_rate, confidence, threshold, keep_outputs: false }
          : { runs, min_pass_rate, confidence, threshold, max_runs },
      )
      open.set(key, runsOfCase)
    }
    runsOfCase.add(result)
    // A case that its author skips is planned once, whatever `--runs` says.
    return result.skip || isComplete(runsOfCase) ? settleCase(key, runsOfCase) : undefined
  }

  const settleCase = (key: CaseKey, runsOfCase: StabilityFold): StabilityEvent => {
    open.delete(key)
    const stability = runsOfCase.event()
    fold.add(stability)
    brake.add(stability)
    return stability
  }

  return {
    add: (event) => {
      prepared.interceptors.add(event)
      if (event.type === 'stability') return undefined
      fold.add(event)
      if (event.type === 'start') brake.add(event)
      if (event.type !== 'result') return undefined
      brake.add(event)
      unseenCalls.add(event)
      return runs === 1 ? undefined : addRun(event)
    },
    needsAnother: (key) => open.has(key),
    needsMore: (count) => {
      // A round in which calls were withheld was not a whole one.
      decidedAfter = prepared.project.stoppedEndpoints() === undefined ? count : undefined
      const decision = decidedAfter === undefined ? undefined : fold.decision(count)
      if (!decide || !decision || decision.verdict !== 'undecided' || decision.breaks) return false
      if (count >= mostRuns(decide.rule) || (decision.cases === 0 && count >= LOST_ROUNDS)) return false
      return !brake.endsRound()
    },
    settle: () => [...open].map(([key, runsOfCase]) => settleCase(key, runsOfCase)),
    brake,
    notRun: async () => (brake.stopped() === undefined ? [] : ((await stopAfter?.notRun(work.planned())) ?? [])),
    summary: ({ interrupted, report_errors, damage, found, not_run_ids, now }) => {
      for (const warning of unseenCalls.warnings()) prepared.warn(warning)
      return fold.summary(
        defined({
          total_cases: work.total,
          duration_ms: Math.round(elapsed_ms + clock.now() - started),
          timestamp: now.toISOString(),
          stopped: stoppedBy(brake, prepared),
          not_run_ids: not_run_ids.length > 0 ? not_run_ids : undefined,
          decided_after: runs === 'auto' || stoppedBy(brake, prepared) === undefined ? decidedAfter : undefined,
          interrupted,
          report_errors,
          damage,
          ...found,
        }),
      )
    },
  }
}

/** Undefined if there is only one. */
function variantNames({ work }: Prepared): string[] | undefined {
  if (work.mode !== 'agent' || work.tested.length < 2) return undefined
  return work.tested.map(({ spec }) => spec.name)
}

/** What kept cases from being run. */
function stoppedBy(brake: Brake, { project }: Prepared): string | undefined {
  const reasons = [brake.stopped(), project.stoppedEndpoints()].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

function openBrake(prepared: Prepared, stopAfter: StopAfter | undefined): Brake {
  const { work } = prepared
  const limits = [openBudget(prepared), stopAfter].filter((limit) => limit !== undefined)
  return createBrake(limits, work.mode === 'agent' && work.tested.length > 1)
}

function openBudget({ options: { max_cost }, work, warn }: Prepared): Limit | undefined {
  if (max_cost === undefined) return undefined
  if (work.mode === 'agent') return createBudget({ max_cost, priceName: work.tested.map(priceNameOf).join(', '), warn })
  warn('--max-cost does not apply to script tests: what they call is not counted')
  return undefined
}

/** A connector's price is under its id, any other agent's under what `-n` calls it. */
function priceNameOf({ spec, agent }: Tested): string {
  return spec.connector ?? agent.connector ?? agent.id
}
