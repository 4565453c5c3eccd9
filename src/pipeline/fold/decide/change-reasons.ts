// What a decision does to the exit code: worse fails; sides that could not be compared are trouble, never a success.
import type { VariantSummary } from '../../../model/event.js'
import { describeMoved } from '../behaviour/compare-behaviour.js'
import type { Gates } from '../exit-code.js'
import type { ChangeDecision, DecisionRule } from './decide-change.js'
import { describeDecision, describeFell, describeNotShown } from './describe-decision.js'

export interface ChangeReasons {
  failures: string[]
  troubles: string[]
}

export function changeReasons(
  decision: ChangeDecision | undefined,
  { decide, gates = {} }: { decide: DecisionRule; gates?: Gates },
  after: VariantSummary | undefined,
  noLongerShown: readonly string[] = [],
): ChangeReasons {
  if (!decision) return { failures: [], troubles: ['cannot compare: the run was cut short'] }
  const { fail_on = [], changed_cases } = gates
  const { verdict, needed, fell = [] } = decision
  const said = describeDecision(decision, decide)
  const cannotCompare = verdict === 'undecided' && needed?.what === 'verdicts'
  const drift = after?.behaviour_change?.verdict === 'drift' ? after.behaviour_change : undefined
  const [most] = drift?.moved ?? []
  return {
    failures: [
      ...(changed_cases !== undefined && fail_on.includes('regression')
        ? [`${changed_cases} (--fail-on regression; --allow-changed-cases if that is meant)`]
        : []),
      ...(noLongerShown.length > 0 ? [describeNotShown(noLongerShown)] : []),
      ...(verdict === 'worse' ? [said] : []),
      ...(verdict !== 'worse' && fell.length > 0 && fail_on.includes('regression')
        ? [`${describeFell(fell)} (--fail-on regression)`]
        : []),
      ...(verdict === 'undecided' && !cannotCompare && fail_on.includes('undecided')
        ? [`${said} (--fail-on undecided)`]
        : []),
      ...(drift && fail_on.includes('drift')
        ? [`the behaviour changed${most ? `: ${describeMoved(most)}` : ''} (--fail-on drift)`]
        : []),
    ],
    troubles: cannotCompare ? [said] : [],
  }
}
