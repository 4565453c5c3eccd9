// How far a judge agrees with people, beyond what chance would give.
import { wilson, type Interval } from './intervals.js'
import { countOf, type LabelCounts } from './judged-rate.js'
import { zOf } from './normal.js'

export interface Measured {
  value: number
  interval: Interval
}

export interface Agreement {
  labels: number
  agreement: Measured
  /** What two raters with these rates of passes would agree on by chance. */
  chance: number
  kappa: Measured
  /** Of the answers that people failed, the share the judge passed; undefined if there are none. */
  false_passes?: Measured
  /** Of the answers that people passed, the share the judge failed. */
  false_failures?: Measured
}

export function agreementOf(labels: LabelCounts, confidence = 0.95): Agreement {
  const count = countOf(labels)
  const passes = labels.both_pass + labels.people_pass_only
  const failures = labels.judge_pass_only + labels.both_fail
  const chance = chanceOf(labels)
  return {
    labels: count,
    agreement: measured(labels.both_pass + labels.both_fail, count, confidence),
    chance,
    kappa: kappaOf(labels, confidence),
    ...(failures > 0 && { false_passes: measured(labels.judge_pass_only, failures, confidence) }),
    ...(passes > 0 && { false_failures: measured(labels.people_pass_only, passes, confidence) }),
  }
}

/** Why a judge with this agreement gets no licence; undefined if it gets one. A judge reliably worse than chance gets none. */
export function reasonAgainst({ agreement, chance, kappa }: Agreement): string | undefined {
  if (!(agreement.interval.low > chance)) return 'agreement with people is not reliably above chance'
  if (!(kappa.interval.low > 0)) return 'kappa is not reliably above 0'
  return undefined
}

function measured(part: number, count: number, confidence: number): Measured {
  return { value: count === 0 ? 0 : part / count, interval: wilson(part, count, confidence) }
}

function chanceOf(labels: LabelCounts): number {
  const count = countOf(labels)
  if (count === 0) return 1
  const judge = (labels.both_pass + labels.judge_pass_only) / count
  const people = (labels.both_pass + labels.people_pass_only) / count
  return judge * people + (1 - judge) * (1 - people)
}

/** Cohen's kappa with the standard error of Fleiss, Cohen and Everitt (1969). With one rating alone it is 0 and unknown. */
function kappaOf(labels: LabelCounts, confidence: number): Measured {
  const count = countOf(labels)
  const chance = chanceOf(labels)
  if (count < 2 || chance === 1) return { value: 0, interval: { low: -1, high: 1 } }
  const judge = (labels.both_pass + labels.judge_pass_only) / count
  const people = (labels.both_pass + labels.people_pass_only) / count
  const agreed = (labels.both_pass + labels.both_fail) / count
  const kappa = (agreed - chance) / (1 - chance)
  const diagonal =
    (labels.both_pass / count) * (1 - (judge + people) * (1 - kappa)) ** 2 +
    (labels.both_fail / count) * (1 - (2 - judge - people) * (1 - kappa)) ** 2
  const crossed =
    (1 - kappa) ** 2 *
    ((labels.judge_pass_only / count) * (people + (1 - judge)) ** 2 +
      (labels.people_pass_only / count) * (judge + (1 - people)) ** 2)
  const variance = (diagonal + crossed - (kappa - chance * (1 - kappa)) ** 2) / (count * (1 - chance) ** 2)
  // Perfect agreement has no variance of its own: the interval of the agreement says what so few labels can show.
  const least = (wilson(labels.both_pass + labels.both_fail, count, confidence).low - chance) / (1 - chance)
  const half = zOf(confidence) * Math.sqrt(Math.max(0, variance))
  const low = variance > 1e-12 ? kappa - half : least
  return { value: kappa, interval: { low: Math.max(-1, low), high: Math.min(1, kappa + half) } }
}
