// Folds the events of a run, one at a time, into its summary. The runner and every report use this one fold.
import type { ResultEvent, RunEvent, StabilityEvent, SummaryEvent, VariantSummary } from '../../model/event.js'
import { isAdviceOnly } from '../../model/advice-only.js'
import { addHelperCosts, type HelperCost } from '../../model/helper-cost.js'
import type { Usage } from '../../model/message.js'
import { isLeftOut, isNotShown, isWithheld, type CaseStatus, type ErrorKind } from '../../model/status.js'
import { addUsage } from '../../model/usage.js'
import { defined } from '../../base/defined.js'
import { show } from '../../base/text.js'
import { fewestRuns } from './auto-runs.js'
import { exitCodeOf, type Gates, type RunEnd, type StopSignal } from './exit-code.js'
import { statusOfRuns, type RunCounts, type RunRule } from './run-rule.js'
import { stabilityStatus } from '../../model/case-status.js'
import { causeOf, suggestionFor, type Cause } from './suggestion.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import { changeReasons } from './decide/change-reasons.js'
import { decideChange, type ChangeDecision, type DecisionRule } from './decide/decide-change.js'
import { correctedSummary } from './judged/corrected-side.js'
import { correctionOf } from './judged/correct-difference.js'
import { ChoicesFold } from './choices.js'
import { ContractFold } from './contract.js'
import { JudgedFold, type JudgedSide, type JudgedSource } from './judged/judged-fold.js'
import { VariantsFold } from './variants.js'

export interface SummaryInit extends Partial<RunRule> {
  run_id: string
  runs: number | 'auto'
  gates?: Gates
  /** If there are several, the baseline first. */
  variants?: readonly string[] | undefined
  /** Their time, cost and behaviour are compared: the percent and points from which a difference matters. */
  practical?: number | undefined
  /** Decides whether the second of two is worse than the first. */
  decide?: DecisionRule | undefined
  /** What is known about the judges of a finished run beside its file. */
  judged?: JudgedSource | undefined
}

/** What only the runner knows. */
export interface SummaryEnd {
  duration_ms: number
  timestamp: string
  /** Selected cases of each variant; the number without a result follows from it. */
  total_cases?: number
  interrupted?: StopSignal
  /** Reports that could not be written. */
  report_errors?: string[]
  /** What happened to the event file, so that its results prove nothing. */
  damage?: string
  /** Why no more cases were started although nothing went wrong: the budget. */
  stopped?: string
  /** The first of those without a result, if they are known. */
  not_run_ids?: string[]
  snapshots?: SummaryEvent['snapshots']
  recording?: SummaryEvent['recording']
  /** With `--chaos`: no fault at all is no test of faults. */
  chaos?: boolean
  /** Runs of each case after which it was decided whether the second variant is worse. */
  decided_after?: number
}

const LISTED_IDS = 1_000
const SMALLEST_IDS = 20

const NO_FAULT =
  '--chaos put no fault into any call, so the run says nothing about faults: raise rate, or use another seed'

export class SummaryFold {
  private passed = 0
  private failed = 0
  private skipped = 0
  /** Not for this variant. */
  private leftOut = 0
  private notShown = 0
  private notShownIds: string[] = []
  private undetermined = 0
  private readonly init: SummaryInit
  private readonly rule: RunRule
  private failedIds: string[] = []
  private undeterminedIds: string[] = []
  private flaky = 0
  private flakyIds: string[] = []
  private retried = 0
  private retriedIds: string[] = []
  private vacuous = 0
  private vacuousIds: string[] = []
  private adviceOnly = 0
  private adviceOnlyIds: string[] = []
  private byKind: Partial<Record<ErrorKind, number>> = {}
  private byCause: Partial<Record<Cause, number>> = {}
  private usage: Usage | undefined
  private cost: number | undefined
  private isEstimated: true | undefined
  private helpers: HelperCost[] | undefined
  private turns: number | undefined
  private lateErrors = 0
  private faults = 0
  private without: Set<string> | undefined
  private reportErrors: string[] = []
  private totalRuns = 0
  private rates = 0
  private stableCases = 0
  private unstableCases = 0
  private runsSaved: number | undefined
  /** With `--runs`: cases whose `stability` event has not come yet. */
  private readonly open = new Map<CaseKey, OpenCase>()
  private readonly choices = new ChoicesFold()
  private readonly contract = new ContractFold()
  private readonly variants: VariantsFold | undefined
  /** What rests on judges. */
  readonly judged: JudgedSide & Pick<JudgedFold, 'add'>
  /** The first case whose `stability` event does not count its results. */
  private contradicted: string | undefined

  constructor(init: SummaryInit) {
    this.init = init
    this.judged = new JudgedFold(init.judged)
    const { runs, min_pass_rate = 100, threshold = 80, confidence = 95 } = init
    this.rule = { runs, min_pass_rate, threshold, confidence }
    const { variants: names, practical, decide: whole, ...each } = init
    const first = runs === 'auto' ? { runs: fewestRuns(threshold / 100, confidence / 100) } : {}
    // `viva diff` has a claim of its own about them.
    const single = whole ? undefined : first
    this.variants = names && new VariantsFold({ names, practical, single, open: () => new SummaryFold(each) })
  }

  get repeated(): boolean {
    return this.init.runs !== 1
  }

  add(event: RunEvent): void {
    switch (event.type) {
      case 'result':
        this.variants?.add(event)
        return this.addResult(event)
      case 'stability':
        this.variants?.add(event)
        return this.addStability(event)
      case 'error':
        if (event.where.startsWith('report')) this.reportErrors.push(event.message)
        else this.lateErrors++
        return
      case 'start':
        return this.addHelpers(event.helpers)
      case 'case_start':
      case 'log':
      case 'prompt':
      case 'orchestrator':
      case 'summary':
    }
  }

  /** After this many runs of each case; undefined if there is nothing to decide. */
  decision(runs: number): ChangeDecision | undefined {
    const { decide } = this.init
    if (!decide || !this.variants) return undefined
    const correction = correctionOf(this.variants.judged(0), this.variants.judged(1))
    return decideChange(this.variants.sides.pairs(0, 1), runs, decide, correction)
  }

  /** Counted again, the results must match what the run counted while it wrote them: what differs, in words. */
  disagreement(recorded: SummaryEvent | undefined, folded: SummaryEvent): string | undefined {
    if (this.contradicted !== undefined)
      return `the statistics of ${show(this.contradicted, 80)} are not those of its runs: lines are missing or were changed`
    const [said, found] = [recorded ?? folded, folded].map(countsText)
    return said === found
      ? undefined
      : `the summary says ${said}, the results ${found}: lines are missing or were changed`
  }

  /** Like `summary`, from what is known before the end of the run. */
  counts(total_cases: number | undefined): SummaryEvent {
    return this.summary(defined({ duration_ms: 0, timestamp: '', total_cases }))
  }

  summary(end: SummaryEnd): SummaryEvent {
    const unfinished = this.settleOpen()
    const { passed, failed, skipped, undetermined } = this
    const settled = passed + failed + skipped + undetermined
    const variants = this.variants?.rows(end.total_cases)
    const total = end.total_cases === undefined ? undefined : end.total_cases * (variants?.length ?? 1)
    const notRun = total === undefined ? unfinished : Math.max(0, total - settled - this.leftOut)
    const reportErrors = [...this.reportErrors, ...(end.report_errors ?? [])]
    const errors = reportErrors.map((error) => `report not written: ${error}`)
    if (end.chaos && this.faults === 0 && this.totalRuns > 0) errors.push(NO_FAULT)
    const { decide } = this.init
    const decision = decide && isWhole(end, notRun) ? this.decision(end.decided_after ?? 0) : undefined
    const change =
      decide &&
      changeReasons(decision, { ...this.init, decide }, variants?.[1], this.variants?.sides.noLongerShown(0, 1))
    const verdict = exitCodeOf(
      defined({
        ...gated(
          {
            passed,
            failed,
            undetermined,
            skipped,
            not_shown: this.notShown,
            not_run: notRun,
            flaky: this.flaky,
            retried: this.retried,
          },
          variants,
          this.init.gates,
        ),
        vacuous: this.vacuous,
        advice_only: this.adviceOnly,
        late_errors: this.lateErrors,
        stopped: end.stopped,
        errors: [...(change?.troubles ?? []), ...errors],
        change: change?.failures,
        damage: end.damage,
        interrupted: end.interrupted,
      }),
      this.init.gates,
    )
    return defined({
      type: 'summary' as const,
      run_id: this.init.run_id,
      timestamp: end.timestamp,
      total: settled + notRun,
      passed,
      failed,
      skipped,
      not_shown: this.notShown > 0 ? this.notShown : undefined,
      not_shown_ids: this.notShown > 0 ? this.notShownIds : undefined,
      not_run: notRun,
      not_run_ids: notRun > 0 ? end.not_run_ids : undefined,
      undetermined: undetermined > 0 ? undetermined : undefined,
      undetermined_ids: undetermined > 0 ? this.undeterminedIds : undefined,
      flaky: this.flaky > 0 ? this.flaky : undefined,
      flaky_ids: this.flaky > 0 ? this.flakyIds : undefined,
      retried: this.retried > 0 ? this.retried : undefined,
      retried_ids: this.retried > 0 ? this.retriedIds : undefined,
      vacuous: this.vacuous > 0 ? this.vacuous : undefined,
      vacuous_ids: this.vacuous > 0 ? this.vacuousIds : undefined,
      advice_only: this.adviceOnly > 0 ? this.adviceOnly : undefined,
      advice_only_ids: this.adviceOnly > 0 ? this.adviceOnlyIds : undefined,
      duration_ms: end.duration_ms,
      // An agent that asks back must not raise it.
      pass_rate: percent(passed, passed + failed + undetermined + this.notShown),
      corrected: correctedSummary(this.judged),
      choices: this.choices.summary(),
      contract: this.contract.summary(),
      usage: this.usage,
      cost_dollars: this.cost,
      cost_estimated: this.isEstimated,
      helpers: this.helpers,
      failed_ids: this.failedIds,
      failed_ids_omitted: failed > LISTED_IDS && this.failedIds.length === LISTED_IDS ? failed - LISTED_IDS : undefined,
      suggestion: suggestionFor(this.byCause),
      by_error_kind: this.byKind,
      interrupted: end.interrupted ? true : undefined,
      errors: this.lateErrors > 0 ? this.lateErrors : undefined,
      report_errors: reportErrors.length > 0 ? reportErrors : undefined,
      ...this.repeatedFields(settled + notRun),
      total_turns: this.turns,
      variants,
      decision: decision && decide ? { ...decision, rule: ruleData(decide) } : undefined,
      exit_code: verdict.exit_code,
      reasons: verdict.reasons.length > 0 ? verdict.reasons : undefined,
      snapshots: notRun > 0 ? ofPart(end.snapshots) : end.snapshots,
      recording: end.recording,
      without: this.without && [...this.without].toSorted(),
      faults: end.chaos || this.faults > 0 ? this.faults : undefined,
    })
  }

  private addResult(result: ResultEvent): void {
    // A case that its author skips never begins.
    if (!result.skip) this.totalRuns++
    this.judged.add(result)
    this.choices.add(result)
    this.contract.add(result)
    this.faults += result.faults?.length ?? 0
    if (result.vacuous !== undefined) {
      this.vacuous++
      this.listSmallest(this.vacuousIds, result.id)
    }
    if (result.run === 1 && isAdviceOnly(result)) {
      this.adviceOnly++
      this.listSmallest(this.adviceOnlyIds, result.id)
    }
    for (const feature of result.without ?? []) (this.without ??= new Set()).add(feature)
    if (result.usage) this.usage = addUsage(this.usage, result.usage)
    if (result.cost_dollars !== undefined) this.cost = (this.cost ?? 0) + result.cost_dollars
    if (result.cost_estimated) this.isEstimated = true
    this.addHelpers(result.helpers)
    if (result.total_turns !== undefined) this.turns = (this.turns ?? 0) + result.total_turns
    if (!this.repeated) return this.settle(result.id, result.status, result)
    const key = caseKey(result)
    const open = this.open.get(key)
    if (open) countRun(open, result)
    else this.open.set(key, countRun({ id: result.id, passed: 0, failed: 0, lost: 0, skipped: 0 }, result))
  }

  private addHelpers(helpers: HelperCost[] | undefined): void {
    if (helpers) this.helpers = addHelperCosts(this.helpers, helpers)
  }

  private addStability(event: StabilityEvent): void {
    const key = caseKey(event)
    const runs = this.open.get(key)
    this.open.delete(key)
    if (runs && (runs.passed !== event.passed || runsOf(runs) !== event.runs)) this.contradicted ??= event.id
    const status = stabilityStatus(event, this.rule.min_pass_rate)
    if (status !== 'skipped' || isNotShown(event)) this.addRate(event.pass_rate)
    if (event.runs_saved !== undefined) this.runsSaved = (this.runsSaved ?? 0) + event.runs_saved
    const mixed = event.passed > 0 && event.passed < event.runs
    this.settle(event.id, status, {
      ...event,
      ...(runs?.skip && { skip: true }),
      flaky: mixed || runs?.flaky === true,
      ...(runs?.api_retries && { api_retries: runs.api_retries }),
    })
  }

  private settle(id: string, status: CaseStatus, why: Why): void {
    switch (status) {
      case 'passed':
        this.passed++
        if (why.api_retries) {
          this.retried++
          this.list(this.retriedIds, id)
        }
        if (!why.flaky) return
        this.flaky++
        return this.list(this.flakyIds, id)
      case 'skipped':
        if (isLeftOut(why)) return void this.leftOut++
        this.skipped++
        if (!isNotShown(why)) return
        this.notShown++
        this.countCause(causeOfSkip(why))
        return this.list(this.notShownIds, id)
      case 'undetermined':
        this.undetermined++
        this.countCause('undetermined')
        return this.list(this.undeterminedIds, id)
      case 'failed': {
        this.failed++
        const kind = why.error_kind ?? 'assertion'
        this.byKind[kind] = (this.byKind[kind] ?? 0) + 1
        this.countCause(causeOf(kind, why.error, why.flaky))
        return this.list(this.failedIds, id)
      }
    }
  }

  /** Once, however many variants there are. */
  /** The same few whatever the order in which cases end. */
  private listSmallest(ids: string[], id: string): void {
    ids.push(id)
    ids.sort()
    ids.length = Math.min(ids.length, SMALLEST_IDS)
  }

  private list(ids: string[], id: string): void {
    if (ids.length < LISTED_IDS && !(this.variants && ids.includes(id))) ids.push(id)
  }

  private countCause(cause: Cause): void {
    this.byCause[cause] = (this.byCause[cause] ?? 0) + 1
  }

  /** Cases of a `--runs` that was cut short: reported when complete, already failed or decided, else still to be run. */
  private settleOpen(): number {
    let unfinished = 0
    for (const open of this.open.values()) {
      const status = statusOfRuns(open, this.rule)
      if (status === 'not_run') {
        unfinished++
        continue
      }
      if (status !== 'skipped' || isNotShown(open)) this.addRate(percent(open.passed, runsOf(open)))
      this.settle(open.id, status, { ...open, flaky: open.flaky === true || open.passed > 0 })
    }
    this.open.clear()
    return unfinished
  }

  private addRate(rate: number): void {
    this.rates += rate
    if (rate === 100) this.stableCases++
    else this.unstableCases++
  }

  private repeatedFields(total: number): Partial<SummaryEvent> {
    if (!this.repeated) return {}
    const rated = this.stableCases + this.unstableCases
    return defined({
      total_cases: total,
      total_runs: this.totalRuns,
      runs_per_case: this.init.runs,
      overall_pass_rate: rated === 0 ? 0 : this.rates / rated,
      stable_cases: this.stableCases,
      unstable_cases: this.unstableCases,
      runs_saved: this.runsSaved,
    })
  }
}

export function createSummaryFold(init: SummaryInit): SummaryFold {
  return new SummaryFold(init)
}

/** With several runs, of the first that failed. */
interface Why {
  error_kind?: ErrorKind
  error?: string
  /** Passed after a retry, or in only some of its runs. */
  flaky?: boolean
  /** Calls that were repeated. */
  api_retries?: number
  skipped_by?: ResultEvent['skipped_by']
  /** Never started. */
  skip?: boolean
}

function causeOfSkip({ skip, error_kind, error }: Why): Cause {
  if (skip) return 'lost_in_import'
  return error_kind ? causeOf(error_kind, error) : 'missing_input'
}

interface OpenCase extends Why, RunCounts {
  id: string
}

function runsOf({ passed, failed, lost, skipped }: RunCounts): number {
  return passed + failed + lost + skipped
}

function countsText({ passed, failed, skipped }: SummaryEvent): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function countRun(open: OpenCase, result: ResultEvent): OpenCase {
  open[isLost(result) ? 'lost' : result.status]++
  if (isWithheld(result)) open.withheld = (open.withheld ?? 0) + 1
  if (result.skipped_by && !isNotShown(open)) open.skipped_by = result.skipped_by
  if (result.skip) open.skip = true
  if (result.flaky && result.status === 'passed') open.flaky = true
  if (result.api_retries) open.api_retries = (open.api_retries ?? 0) + result.api_retries
  if (result.status === 'failed' && open.error_kind === undefined)
    Object.assign(open, { error_kind: result.error_kind ?? 'assertion', error: result.error })
  return open
}

/** A run cut short decides nothing: the cases it reached are not those that were asked for. */
function isWhole({ interrupted, damage, decided_after }: SummaryEnd, notRun: number): boolean {
  return notRun === 0 && decided_after !== undefined && (interrupted ?? damage) === undefined
}

function ruleData({ looks, ...rule }: DecisionRule): NonNullable<SummaryEvent['decision']>['rule'] {
  return { ...rule, looks: [...looks] }
}

type Gated = Pick<
  RunEnd,
  'passed' | 'failed' | 'undetermined' | 'skipped' | 'not_shown' | 'not_run' | 'flaky' | 'retried' | 'silent'
>

/** What the exit code is computed from: all variants, the baseline alone, all but the baseline, or none of them. */
function gated(all: Gated, variants: VariantSummary[] | undefined, gates: Gates | undefined): Gated {
  const [baseline] = variants ?? []
  if (!baseline || gates?.gate === undefined || gates.gate === 'any')
    return { ...all, silent: silentOf(variants ?? []) }
  if (gates.gate === 'none')
    return { ...all, failed: 0, undetermined: 0, not_run: 0, flaky: 0, retried: 0, skipped: 0, not_shown: 0 }
  if (gates.gate === 'others') return othersOf(all, variants ?? [])
  const { passed, failed, skipped, not_shown = 0, not_run, undetermined = 0, flaky = 0, retried = 0 } = baseline
  return { passed, failed, undetermined, skipped, not_shown, not_run, flaky, retried }
}

/** What the baseline fails does not count; what it could not even try leaves nothing to compare with. */
function othersOf(all: Gated, [baseline, ...others]: VariantSummary[]): Gated {
  const sum = (read: (row: VariantSummary) => number | undefined): number =>
    others.reduce((total, row) => total + (read(row) ?? 0), 0)
  return {
    passed: sum((row) => row.passed),
    failed: sum((row) => row.failed) + (baseline?.lost ?? 0),
    undetermined: sum((row) => row.undetermined),
    skipped: sum((row) => row.skipped),
    not_shown: sum((row) => row.not_shown),
    not_run: all.not_run,
    flaky: sum((row) => row.flaky),
    retried: sum((row) => row.retried),
    silent: silentOf(others),
  }
}

/** A variant that was only skipped has shown nothing, whatever the others have. */
function silentOf(variants: VariantSummary[]): string[] {
  return variants
    .filter(({ passed, failed, skipped, undetermined = 0 }) => passed + failed + undetermined === 0 && skipped > 0)
    .map(({ name }) => name)
}

/** Cases that did not run may still need the snapshots that were not read. */
function ofPart(snapshots: SummaryEvent['snapshots']): SummaryEvent['snapshots'] {
  const { obsolete: _unread, ...counted } = snapshots ?? {}
  return Object.keys(counted).length > 0 ? counted : undefined
}

function isLost({ status, error_kind = 'assertion' }: ResultEvent): boolean {
  return status === 'failed' && error_kind !== 'assertion'
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}
