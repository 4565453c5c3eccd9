// How good a judge is, by the labels of people, and the licence that follows from it.
import { defined } from '../../base/defined.js'
import type { Licence } from '../../model/licence.js'
import { agreementOf, reasonAgainst, type Agreement, type Measured } from '../../pipeline/fold/statistics/agreement.js'
import { countOf } from '../../pipeline/fold/statistics/judged-rate.js'
import type { JudgeTally } from './tally.js'

export interface JudgeCheck extends JudgeTally {
  agreement: Agreement
  /** Why it gets no licence; absent: it gets one. */
  refused?: string
  stability?: Measured
  probes?: Record<string, Measured>
}

export function checkJudge(tally: JudgeTally): JudgeCheck {
  const agreement = agreementOf(tally.labels)
  const refused =
    countOf(tally.labels) === 0 ? 'none of its answers is labelled pass or fail' : reasonAgainst(agreement)
  return { ...tally, agreement, ...defined({ refused }) }
}

export function licenceOf(check: JudgeCheck, people: string[], date: string): Licence | undefined {
  if (check.refused !== undefined) return undefined
  const { judge, criterion, labels, stability, probes } = check
  const { agreement, chance, kappa, false_passes, false_failures } = check.agreement
  return {
    format: 1,
    hash: judge.hash,
    judge: judge.id,
    ...defined({ model: judge.model }),
    criterion,
    labels,
    people,
    agreement,
    chance,
    kappa,
    ...defined({ false_passes, false_failures, stability, probes }),
    date,
  }
}
