// Pass rates that rest on a judge, with the judge's own error in their intervals.
import { defined } from '../../base/defined.js'
import type { Licence } from '../../model/licence.js'
import {
  rateByLabels,
  rateByLicence,
  type JudgedByLabels,
  type LabelMethod,
} from '../../pipeline/fold/judged/corrected-rate.js'
import { countOf, labelledRate } from '../../pipeline/fold/statistics/judged-rate.js'
import { wilson, type Interval } from '../../pipeline/fold/statistics/intervals.js'
import { WEAK_JUDGE } from '../../pipeline/fold/statistics/rogan-gladen.js'
import type { LabelFile } from './labels.js'
import { sampleSize } from './sample.js'
import type { JudgeTally } from './tally.js'

export interface JudgedRate {
  judge: string
  model?: string
  hash: string
  criterion: unknown
  variant?: string
  /** As the judge says: its own error is not in it. */
  observed: { rate: number; count: number; interval: Interval }
  corrected?: JudgedByLabels
  /** What to know about it, in sentences. */
  notes: string[]
}

/** `run_id`: labels of another run were drawn from that one. */
export function judgedRateOf(
  tally: JudgeTally,
  run_id: string,
  file: LabelFile | undefined,
  licence: Licence | undefined,
): JudgedRate {
  const { judge, criterion, variant, judged, labels } = tally
  const rate = judged.count === 0 ? 0 : judged.passed / judged.count
  const found: JudgedRate = {
    judge: judge.id,
    ...defined({ model: judge.model, variant }),
    hash: judge.hash,
    criterion,
    observed: { rate, count: judged.count, interval: wilson(judged.passed, judged.count) },
    notes: [],
  }
  const labelled = countOf(labels)
  const method = methodOf(file, judge.hash, run_id)
  if (method !== undefined && labelled >= 2) {
    found.corrected = rateByLabels(judged, labels, method)
    return found
  }
  if (labelled > 0) found.notes.push('the labels were not drawn from this run: they cannot speak for all of it')
  if (licence) carry(found, tally, licence)
  else found.notes.push('no labels and no licence: how often the judge is wrong is unknown')
  return found
}

/** Labels of this very run, as they were drawn; undefined: there are none. */
export function methodOf(file: LabelFile | undefined, hash: string, run_id: string): LabelMethod | undefined {
  const draws = file?.draws.filter((draw) => draw.judge.hash === hash && draw.run_id === run_id) ?? []
  if (draws.length === 0) return undefined
  return draws.every(({ method }) => method === 'uniform') ? 'labels' : 'labels_by_verdict'
}

function carry(found: JudgedRate, { judged }: JudgeTally, { labels }: Licence): void {
  const carried = rateByLicence(judged, labels)
  if ('refused' in carried) {
    found.notes.push(`the licence cannot correct it: ${carried.refused}`)
    return
  }
  found.corrected = carried
  const sensitivity = labels.both_pass / (labels.both_pass + labels.people_pass_only)
  const specificity = labels.both_fail / (labels.both_fail + labels.judge_pass_only)
  if (sensitivity + specificity < WEAK_JUDGE) found.notes.push('the judge is weak: its corrected rate says little')
  const half = (carried.interval.high - carried.interval.low) / 2
  const afresh = labelledRate(labels, { passed: 0, count: 0 }).interval
  if (half > (afresh.high - afresh.low) / 2) {
    const needed = sampleSize(half, judged.count)
    found.notes.push(`labelling ${needed} answers of this run would give a narrower interval (viva label)`)
  }
}

/** How many answers to label next in each group of the judge's verdicts, so that the interval narrows most. */
export function nextByVerdict({ labels, judged }: JudgeTally, count: number): { passed: number; failed: number } {
  const spread = (pass: number, fail: number): number => {
    const rate = (pass + 1) / (pass + fail + 2)
    return Math.sqrt(rate * (1 - rate))
  }
  const left = {
    passed: judged.passed - labels.both_pass - labels.judge_pass_only,
    failed: judged.count - judged.passed - labels.people_pass_only - labels.both_fail,
  }
  const pull = {
    passed: judged.passed * spread(labels.both_pass, labels.judge_pass_only),
    failed: (judged.count - judged.passed) * spread(labels.people_pass_only, labels.both_fail),
  }
  const all = countOf(labels) + count
  const share = pull.passed + pull.failed === 0 ? 0.5 : pull.passed / (pull.passed + pull.failed)
  const wanted = Math.round(all * share) - labels.both_pass - labels.judge_pass_only
  const passed = Math.min(left.passed, Math.max(count - left.failed, Math.min(count, Math.max(0, wanted))))
  return { passed, failed: Math.min(left.failed, count - passed) }
}
