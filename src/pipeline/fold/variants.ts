// Folds the results of several variants into a row each: rate, time, cost, and the distance from the baseline.
import { defined } from '../../base/defined.js'
import { quantileOfSorted } from '../../base/quantile.js'
import { percentOf } from '../../base/round-off.js'
import type { ResultEvent, StabilityEvent, SummaryEvent, VariantSummary } from '../../model/event.js'
import type { Usage } from '../../model/message.js'
import { hasVerdict } from '../../model/status.js'
import { addUsage } from '../../model/usage.js'
import { CaseSides } from './case-sides.js'
import type { JudgedSide } from './judged/judged-fold.js'
import { variantClaims, type Distance } from './decide/variant-claims.js'
import { wilson } from './statistics/intervals.js'
import type { Rate } from './statistics/stratified.js'

/** Counts of one variant, as if it were a run of its own. */
export interface VariantCounts {
  add(event: ResultEvent | StabilityEvent): void
  counts(total: number | undefined): SummaryEvent
  readonly judged: JudgedSide
}

export interface VariantsInit {
  /** The baseline first. */
  names: readonly string[]
  /** Time, cost and behaviour are compared too: the percent and points that matter. */
  practical: number | undefined
  /** Single cases are compared with the baseline too: by all runs, or by as many as every case has. */
  single: { runs?: number } | undefined
  open(): VariantCounts
}

export class VariantsFold {
  readonly #names: readonly string[]
  readonly #practical: number | undefined
  readonly #counts: VariantCounts[]
  readonly #durations: number[][]
  /** Skills, of a skill under test. */
  readonly #offered: Array<Set<string>> = []
  /** Spent on cases that are not compared. */
  readonly #apart: Array<{ usage?: Usage; cost?: number }> = []
  readonly #single: VariantsInit['single']
  readonly sides: CaseSides

  constructor({ names, practical, single, open }: VariantsInit) {
    this.#names = names
    this.#practical = practical
    this.#counts = names.map(open)
    this.#durations = names.map(() => [])
    this.#single = single
    this.sides = new CaseSides(names.length, practical !== undefined, single?.runs)
  }

  add(event: ResultEvent | StabilityEvent): void {
    const at = this.#names.indexOf(event.variant ?? '')
    this.#counts[at]?.add(event)
    if (event.type !== 'result') return
    this.sides.add(event, at)
    if (event.skills?.tested !== undefined) this.#offer(event.skills.offered, at)
    if (event.uncompared) return this.#spend(event, at)
    if (hasVerdict(event)) this.#durations[at]?.push(event.duration_ms)
  }

  #offer(names: readonly string[] | undefined, at: number): void {
    if (!names) return
    const own = (this.#offered[at] ??= new Set())
    for (const name of names) if (own.size < MOST_OFFERED) own.add(name)
  }

  /** What was spent on cases that only one variant has would make it look dear. */
  #spend({ usage, cost_dollars }: ResultEvent, at: number): void {
    const own = (this.#apart[at] ??= {})
    if (usage) own.usage = addUsage(own.usage, usage)
    if (cost_dollars !== undefined) own.cost = (own.cost ?? 0) + cost_dollars
  }

  /** What rests on judges. */
  judged(at: number): JudgedSide | undefined {
    return this.#counts[at]?.judged
  }

  /** `total`: cases of each variant. */
  rows(total: number | undefined): VariantSummary[] {
    const rated = this.#names.map((name, at) => {
      const [cases, all] = [this.sides.rates(at), this.sides.allRates(at)]
      const lost = runsOf(all) - runsOf(cases)
      const single = this.#single ? this.sides.firstRates(at) : []
      return { name, cases, lost, all: lost > 0 ? all : undefined, single, judged: this.judged(at) }
    })
    const { against, ranked } = variantClaims(rated)
    const ids = this.sides.ids()
    return rated.map((own, at) => {
      const { name, lost } = own
      const { passed, failed, skipped, not_shown, not_run, undetermined, flaky, retried, ...rest } = this.#countsOf(
        at,
        total,
      )
      const { failed_ids, failed_ids_omitted, usage, cost_dollars, cost_estimated } = rest
      const durations = Float64Array.from(this.#durations[at] ?? []).toSorted()
      return defined({
        name,
        total: rest.total,
        passed,
        failed,
        skipped,
        not_shown,
        not_run,
        undetermined,
        flaky,
        retried,
        failed_ids,
        failed_ids_omitted,
        ...rateOf(own.cases),
        corrected: rest.corrected,
        choices: rest.choices,
        skills_offered: this.#offered[at] && [...this.#offered[at]].toSorted(),
        lost: lost > 0 ? lost : undefined,
        p50_duration_ms: durations.length === 0 ? undefined : quantileOfSorted(durations, 0.5),
        p95_duration_ms: durations.length === 0 ? undefined : quantileOfSorted(durations, 0.95),
        ...this.#compared(at, usage, cost_dollars),
        cost_estimated,
        difference: this.#differenceOf(against[at - 1], ids),
        ...(at > 0 && this.#practical !== undefined && this.sides.changes(0, at, this.#practical)),
        best: rated.length > 2 ? ranked[at]?.best : undefined,
      })
    })
  }

  #compared(
    at: number,
    usage: Usage | undefined,
    cost: number | undefined,
  ): Pick<VariantSummary, 'usage' | 'cost_dollars'> {
    const apart = this.#apart[at]
    if (!apart) return defined({ usage, cost_dollars: cost })
    const hasCompared = (this.#durations[at]?.length ?? 0) > 0
    return defined({
      usage: usage && apart.usage && hasCompared ? lessUsage(usage, apart.usage) : hasCompared ? usage : undefined,
      cost_dollars: cost === undefined || !hasCompared ? undefined : cost - (apart.cost ?? 0),
    })
  }

  /** `found`: none for the baseline. */
  #differenceOf(found: Distance | undefined, ids: readonly string[]): VariantSummary['difference'] {
    if (!found || found.cases === 0) return undefined
    const { difference, interval, p_value, cases, as_judged } = found
    const changed = found.changed.map(({ index, ...change }) => ({ id: ids[index] ?? '', ...change }))
    const fell = changed.filter(({ before, after }) => after < before)
    const rose = changed.filter(({ before, after }) => after > before)
    return defined({
      points: difference,
      ...interval,
      confidence: CONFIDENCE,
      p_value,
      cases,
      as_judged,
      fell: fell.length > 0 ? fell : undefined,
      rose: rose.length > 0 ? rose : undefined,
      first_runs: this.#single?.runs,
    })
  }

  #countsOf(at: number, total: number | undefined): SummaryEvent {
    const counts = this.#counts[at]
    if (!counts) throw new Error(`no variant ${at}`)
    return counts.counts(total)
  }
}

const CONFIDENCE = 0.95
const MOST_OFFERED = 1_000

function lessUsage(all: Usage, part: Usage): Usage {
  const { input_tokens, output_tokens, total_tokens } = part
  return {
    input_tokens: all.input_tokens - input_tokens,
    output_tokens: all.output_tokens - output_tokens,
    total_tokens: all.total_tokens - total_tokens,
  }
}

/** All cases count equally; that many runs, spread evenly over the cases, would be as precise as the actual ones. */
function rateOf(cases: readonly Rate[]): Pick<VariantSummary, 'pass_rate' | 'interval'> {
  const rated = cases.filter(({ runs }) => runs > 0)
  if (rated.length === 0) return {}
  const rate = rated.reduce((sum, { hits, runs }) => sum + hits / runs, 0) / rated.length
  const runs = rated.length ** 2 / rated.reduce((sum, each) => sum + 1 / each.runs, 0)
  const { low, high } = wilson(rate * runs, runs, CONFIDENCE)
  return {
    pass_rate: percentOf(rate),
    interval: { low: percentOf(low), high: percentOf(high), confidence: CONFIDENCE },
  }
}

function runsOf(cases: readonly Rate[]): number {
  return cases.reduce((sum, { runs }) => sum + runs, 0)
}
