// Folds the runs of one case into its `stability` event: the seeds' numbers, and what few runs can really show.
import type { ResultEvent, RunDetail, StabilityEvent } from '../../model/event.js'
import { defined } from '../../base/defined.js'
import { confidenceSequence, type AutoDecision } from './auto-runs.js'
import { BROKEN_BELOW, labelOf, TOO_FEW } from './label.js'
import { outputKey } from './output-key.js'
import { hasVerdict, isNotShown, isWithheld, type ErrorKind, type SkippedBy } from '../../model/status.js'
import { stabilityStatus } from '../../model/case-status.js'
import type { StabilityLabel } from '../../model/stability-label.js'
import { decisionOf, type RunCounts, type RunRule } from './run-rule.js'
import { wilson, type Interval } from './statistics/intervals.js'
import { zOf } from './statistics/normal.js'
import { passAtK, passHatK } from './statistics/pass-k.js'
import { quantileOfSorted } from '../../base/quantile.js'

export interface StabilityInit extends Partial<RunRule> {
  runs: number | 'auto'
  /** With `auto`: the most runs a case gets. */
  max_runs?: number
  /** Not if all cases stay open until the end. */
  keep_outputs?: boolean
}

const KS = [1, 2, 3, 5, 10, 20, 30]

export class StabilityFold {
  /** Runs that reached a verdict, or that the agent kept from one; the others were lost to infrastructure, simulator or judge. */
  passes = 0
  fails = 0
  private readonly init: StabilityInit
  private readonly rule: RunRule
  /** As fractions, the way the statistics need them. */
  private readonly confidence: number
  private readonly threshold: number
  private readonly details: RunDetail[] = []
  private first: Kept | undefined
  private firstBad: Kept | undefined
  private skipped = 0
  private withheld = 0
  private isNotShown = false

  constructor(init: StabilityInit) {
    this.init = init
    this.rule = {
      runs: init.runs,
      min_pass_rate: init.min_pass_rate ?? 100,
      threshold: init.threshold ?? 80,
      confidence: init.confidence ?? 95,
    }
    this.confidence = this.rule.confidence / 100
    this.threshold = this.rule.threshold / 100
  }

  get runs(): number {
    return this.details.length
  }

  add(result: ResultEvent): void {
    this.first ??= kept(result)
    if (result.status !== 'passed') this.firstBad ??= kept(result)
    if (result.status === 'skipped') this.skipped++
    if (isWithheld(result)) this.withheld++
    if (isNotShown(result)) this.isNotShown = true
    if (result.status === 'passed') this.passes++
    else if (hasVerdict(result) || isWithheld(result)) this.fails++
    this.details.push(runDetail(result, this.init.keep_outputs !== false))
  }

  /** With `--runs auto`: is another run needed, or what is known? */
  decision(): AutoDecision {
    return decisionOf({ passed: this.passes, failed: this.fails }, this.rule)
  }

  counts(): RunCounts {
    const { passes: passed, fails, skipped, withheld } = this
    const lost = this.runs - passed - fails - (skipped - withheld)
    return { passed, failed: fails - withheld, lost, skipped, withheld }
  }

  event(): StabilityEvent {
    const details = this.details.toSorted((a, b) => a.run - b.run)
    const runs = details.length
    const passed = details.filter((detail) => detail.status === 'passed').length
    const verdicts = this.passes + this.fails
    const interval = this.interval()
    const label = this.label(interval)
    const durations = details.map((detail) => detail.duration_ms)
    const costs = details.flatMap((detail) => (detail.cost_dollars === undefined ? [] : [detail.cost_dollars]))
    const event: StabilityEvent = defined({
      type: 'stability' as const,
      id: this.first?.id ?? '',
      variant: this.first?.variant,
      name: this.first?.name,
      runs,
      passed,
      failed: runs - passed,
      pass_rate: runs === 0 ? 0 : (passed / runs) * 100,
      consistency: runs === 0 ? 0 : Math.max(passed, runs - passed - this.skipped, this.skipped) / runs,
      stable: runs > 0 && passed === runs,
      classification: classify(runs === 0 ? 0 : (passed / runs) * 100),
      ...durationFields(durations),
      verdict_runs: verdicts,
      error_rate: runs === 0 ? 0 : (runs - verdicts) / runs,
      interval: verdicts === 0 ? undefined : { ...interval, confidence: this.confidence },
      label,
      runs_needed: label === TOO_FEW && this.init.runs !== 'auto' ? this.runsNeeded() : undefined,
      output_agreement: outputAgreement(details),
      pass_hat_k: forEachK(runs, (k) => passHatK(this.passes, verdicts, k)),
      pass_at_k: forEachK(runs, (k) => passAtK(this.passes, verdicts, k)),
      cost_per_run: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
      ...this.autoFields(),
      ...this.caseFields(),
      run_details: details,
    })
    return this.judge(event)
  }

  /** With `auto` the runs end when they show enough; an interval for a number fixed in advance would then promise too much. */
  private interval(): Interval {
    const { passes, fails, confidence } = this
    return this.init.runs === 'auto'
      ? confidenceSequence(passes, fails, confidence)
      : wilson(passes, passes + fails, confidence)
  }

  /** What the interval shows; none if it was enough to decide, and not for more. */
  private label(interval: Interval): StabilityLabel | undefined {
    const label = labelOf(this.passes, this.fails, interval, this.threshold)
    return label === TOO_FEW && this.init.runs === 'auto' && this.decision() === 'below' ? undefined : label
  }

  private judge(event: StabilityEvent): StabilityEvent {
    if (this.skipped === this.runs && this.first?.skip_reason !== undefined) event.skip_reason = this.first.skip_reason
    if (this.skipped === this.runs && this.first?.skipped_by !== undefined)
      event.skipped_by = this.isNotShown ? 'not_shown' : this.first.skipped_by
    if (this.init.runs === 'auto' || this.init.min_pass_rate !== undefined || this.skipped === this.runs) {
      event.status = stabilityStatus(event, this.rule.min_pass_rate)
    }
    return event
  }

  private autoFields(): Partial<StabilityEvent> {
    if (this.init.runs !== 'auto' || this.skipped === this.runs) return {}
    const decision = this.decision()
    return defined({
      decision: decision === 'continue' ? ('undetermined' as const) : decision,
      threshold: this.threshold,
      runs_saved: this.init.max_runs === undefined ? undefined : Math.max(0, this.init.max_runs - this.details.length),
    })
  }

  private caseFields(): Partial<StabilityEvent> {
    return defined({
      error: this.firstBad && whyBad(this.firstBad),
      error_kind: this.firstBad?.status === 'failed' ? (this.firstBad.error_kind ?? 'assertion') : undefined,
      input: this.first?.input,
      expected: this.first?.expected,
      asked: this.first?.asked,
      judged: this.first?.judged,
      // From a failed run: only those say where they are defined.
      file: (this.firstBad ?? this.first)?.file,
      line: (this.firstBad ?? this.first)?.line,
      tags: this.first?.tags,
    })
  }

  /** All alike so far: how many more of the same until the interval says stable or broken. */
  private runsNeeded(): number | undefined {
    const z = zOf(this.confidence)
    const odds = this.fails > 0 ? (1 - BROKEN_BELOW) / BROKEN_BELOW : this.threshold / (1 - this.threshold)
    // No number of passes shows a rate of 100%.
    if (!Number.isFinite(odds)) return undefined
    return Math.max(1, Math.ceil(odds * z * z) - this.passes - this.fails)
  }
}

export function createStabilityFold(init: StabilityInit): StabilityFold {
  return new StabilityFold(init)
}

export function classify(passRate: number): StabilityEvent['classification'] {
  if (passRate >= 100) return 'stable'
  if (passRate >= 80) return 'mostly_stable'
  if (passRate >= 50) return 'unstable'
  return 'highly_unstable'
}

/** Answers and conversations are long, and may be many. */
function kept({ id, variant, name, status, error, error_kind, ...rest }: ResultEvent): Kept {
  const { input, expected, asked, judged, file, line, tags, skip_reason, skipped_by } = rest
  return {
    id,
    variant,
    name,
    status,
    error,
    error_kind,
    input,
    expected,
    asked,
    judged,
    file,
    line,
    tags,
    skip_reason,
    skipped_by,
  }
}

function whyBad(run: Kept): string | undefined {
  return run.error ?? (isNotShown(run) ? `not shown: ${run.skip_reason ?? 'skipped'}` : undefined)
}

type Kept = Partial<Record<'variant' | 'name' | 'error' | 'file' | 'skip_reason', string | undefined>> &
  Pick<ResultEvent, 'id' | 'status'> & {
    error_kind?: ErrorKind | undefined
    input?: unknown
    expected?: unknown
    asked?: string | undefined
    judged?: string | undefined
    line?: number | undefined
    tags?: string[] | undefined
    skipped_by?: SkippedBy | undefined
  }

function runDetail(result: ResultEvent, withOutput: boolean): RunDetail {
  return defined({
    run: result.run,
    status: result.status,
    duration_ms: result.duration_ms,
    output: withOutput ? result.output : undefined,
    error: result.error ?? result.skip_reason,
    error_kind: result.error_kind,
    cost_dollars: result.cost_dollars,
  })
}

function durationFields(durations: number[]) {
  const runs = Math.max(1, durations.length)
  const sorted = durations.toSorted((a, b) => a - b)
  const average = durations.reduce((sum, duration) => sum + duration, 0) / runs
  const squares = durations.reduce((sum, duration) => sum + (duration - average) ** 2, 0)
  return {
    avg_duration_ms: average,
    min_duration_ms: sorted[0] ?? 0,
    max_duration_ms: sorted.at(-1) ?? 0,
    std_deviation_ms: Math.sqrt(squares / runs),
    p50_duration_ms: quantileOfSorted(sorted, 0.5),
    p95_duration_ms: quantileOfSorted(sorted, 0.95),
  }
}

/** The share of pairs of runs with the same output; null if fewer than two runs had one. */
function outputAgreement(details: RunDetail[]): number | null {
  const seen = new Map<string, number>()
  let runs = 0
  for (const detail of details) {
    if (detail.output === undefined) continue
    const key = outputKey(detail.output)
    seen.set(key, (seen.get(key) ?? 0) + 1)
    runs++
  }
  if (runs < 2) return null
  let same = 0
  for (const times of seen.values()) same += times * (times - 1)
  return same / (runs * (runs - 1))
}

function forEachK(runs: number, estimate: (k: number) => number | null): Record<string, number | null> {
  return Object.fromEntries(KS.filter((k) => k <= runs).map((k) => [String(k), estimate(k)]))
}
