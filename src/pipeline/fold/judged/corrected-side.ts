// The pass rate of a run with the error of its judges in it: what rests on no judge as it is, the rest corrected.
import { defined } from '../../../base/defined.js'
import { percentOf } from '../../../base/round-off.js'
import type { CorrectedSummary } from '../../../model/event.js'
import { agreementOf } from '../statistics/agreement.js'
import { wilson } from '../statistics/intervals.js'
import { countOf, type CorrectedRate, type LabelCounts } from '../statistics/judged-rate.js'
import { rateByLabels, rateByLicence, type JudgedByLabels } from './corrected-rate.js'
import type { JudgedGroup, JudgedSide } from './judged-fold.js'

/** Fewer labels say too little about a judge to correct a whole run by. */
const FEWEST_LABELS = 20

const CONFIDENCE = 0.95

export interface CorrectedGroup {
  key: string
  group: JudgedGroup
  found: JudgedByLabels
  /** Those that it was corrected by. */
  labels: LabelCounts
  /** Of all results with a verdict. */
  share: number
}

/** The groups whose judge has labels or a licence that can correct it. */
export function correctedGroups({ all, groups }: JudgedSide): CorrectedGroup[] {
  return [...groups].flatMap(([key, group]) => {
    const by = correctionsOf(group)
    return by ? [{ key, group, ...by, share: group.judged.count / all.count }] : []
  })
}

function correctionsOf({
  judged,
  labels,
  method,
  licence,
}: JudgedGroup): Pick<CorrectedGroup, 'found' | 'labels'> | undefined {
  if (method && countOf(labels) >= FEWEST_LABELS) return { found: rateByLabels(judged, labels, method), labels }
  if (!licence) return undefined
  const found = rateByLicence(judged, licence)
  return 'refused' in found ? undefined : { found, labels: licence }
}

/** For a summary, in percent; undefined if nothing corrects it. */
export function correctedSummary(side: JudgedSide): CorrectedSummary | undefined {
  const corrected = correctedGroups(side)
  if (corrected.length === 0) return undefined
  const { rate, interval } = combined([plainPart(side, corrected), ...corrected.map(partOf)])
  const uncorrected = [...side.groups.values()].reduce((sum, { judged }) => sum + judged.count, side.several)
  const asJudged = uncorrected - corrected.reduce((sum, { group }) => sum + group.judged.count, 0)
  return defined({
    pass_rate: percentOf(rate),
    low: percentOf(interval.low),
    high: percentOf(interval.high),
    confidence: CONFIDENCE,
    runs: side.all.count,
    as_judged: asJudged > 0 ? asJudged : undefined,
    judges: corrected.map(judgeRow),
  })
}

function judgeRow({ group, found, labels }: CorrectedGroup): CorrectedSummary['judges'][number] {
  const { judge, criterion, judged } = group
  const { false_passes, false_failures } = agreementOf(labels)
  return defined({
    judge: judge.id,
    model: judge.model,
    hash: judge.hash,
    criterion,
    runs: judged.count,
    as_judged: percentOf(judged.passed / judged.count),
    pass_rate: percentOf(found.rate),
    low: percentOf(found.interval.low),
    high: percentOf(found.interval.high),
    method: found.method,
    labels: found.labels,
    false_passes: false_passes && percentOf(false_passes.value),
    false_failures: false_failures && percentOf(false_failures.value),
  })
}

interface Part extends CorrectedRate {
  share: number
}

function partOf({ found, share }: CorrectedGroup): Part {
  return { ...found, share }
}

/** What no correction touches. */
function plainPart({ all }: JudgedSide, corrected: readonly CorrectedGroup[]): Part {
  const passed = corrected.reduce((left, { group }) => left - group.judged.passed, all.passed)
  const count = corrected.reduce((left, { group }) => left - group.judged.count, all.count)
  return { share: count / all.count, rate: count === 0 ? 0 : passed / count, interval: wilson(passed, count) }
}

/** A weighted mean of independent rates (Zou and Donner's method of variance estimates recovery). */
function combined(parts: readonly Part[]): CorrectedRate {
  const rate = parts.reduce((sum, part) => sum + part.share * part.rate, 0)
  const below = Math.hypot(...parts.map((part) => part.share * (part.rate - part.interval.low)))
  const above = Math.hypot(...parts.map((part) => part.share * (part.interval.high - part.rate)))
  return { rate, interval: { low: Math.max(0, rate - below), high: Math.min(1, rate + above) } }
}
