// Where an agent first went wrong, in words.
import { asText, preview } from '../../../base/text.js'
import type { AssertionResult } from '../../../model/assertion.js'
import { isJudge } from '../step-words.js'
import { agentSteps, type PlacedStep } from './agent-steps.js'
import type { BlameFacts } from './blame-rule.js'
import type { WrongClaim } from './context.js'
import { firstBadStep, type StepRuleId } from './first-bad-step.js'
import type { WrongStep } from './party.js'

/** Nothing if there is only one step that could be wrong. */
export function wrongStep({ result, wrong, seen: { passing, claim } }: BlameFacts): WrongStep | undefined {
  const steps = agentSteps(result)
  const own = steps.filter(({ kind }) => kind === 'acts' || kind === 'says')
  // Calls that nobody reported may back what was said.
  const isBlind = result.tool_evidence !== undefined && !own.some(({ kind }) => kind === 'acts')
  if (own.length < 2 || isBlind) return undefined
  const step = ruledStep(steps, wrong.assertion, passing)
  // What the record shows is the same wherever it is told; claims are not looked for on the console.
  if (claim && (step === undefined || step.confidence !== undefined)) return claimStep(claim)
  // It names the sentence itself; another reason beside it would be a wrong one.
  return wrong.assertion?.type === 'claims' ? undefined : step
}

function ruledStep(
  steps: readonly PlacedStep[],
  assertion: AssertionResult | undefined,
  passing: readonly string[] | undefined,
): WrongStep | undefined {
  const found = firstBadStep(steps, passing)
  const step = found === undefined ? undefined : steps[found.at]
  if (found === undefined || step === undefined) return undefined
  const { rule } = found
  if (rule === 'unused-result' && !hadIt(assertion, steps)) return undefined
  // Of a single call, that it was the first says nothing.
  if (rule === 'first-act' && steps.filter(({ kind }) => kind === 'acts').length < 2) return undefined
  const confidence = MEASURED[rule]
  return {
    at: placeOf(steps, found.at),
    what: preview(step.text, 200),
    why: WHY[rule],
    rule,
    ...(confidence !== undefined && { confidence }),
  }
}

/** Unused results explain a missing text only if it was in them; what a judge missed may have been. */
function hadIt(assertion: AssertionResult | undefined, steps: readonly PlacedStep[]): boolean {
  if (assertion === undefined || isJudge(assertion.type)) return true
  const wanted = asText(assertion.expected ?? assertion.value).toLowerCase()
  return wanted !== '' && steps.some(({ kind, text }) => kind === 'sees' && text.toLowerCase().includes(wanted))
}

function claimStep({ text, turn, isContradicted, evidence }: WrongClaim): WrongStep {
  return {
    at: turn === undefined ? 'answer' : `turn ${turn}, answer`,
    what: preview(text, 200),
    why: isContradicted
      ? `contradicted by ${preview(evidence ?? 'the record', 200)}`
      : 'no call shows that it was done',
    rule: 'unbacked',
  }
}

/** On the shipped half of Who&When: `bench/blame/`. */
const MEASURED: Partial<Record<StepRuleId, number>> = { unbacked: 0.5, 'first-act': 0.4 }

const WHY: Record<StepRuleId, string> = {
  diverges: 'here it parts from a run of the same case that passed',
  unbacked: 'nothing that it had seen backs this',
  'ignored-error': 'the call before it failed, and it went on as if it had not',
  repeated: 'it made the same call once more',
  'unused-result': 'it uses nothing of what its calls returned',
  'first-act': 'all that follows rests on it; nothing points to a later step',
}

function placeOf(steps: readonly PlacedStep[], at: number): string {
  const step = steps[at]
  const turn = step?.turn === undefined ? '' : `turn ${step.turn}, `
  if (step?.kind !== 'acts') return `${turn}answer`
  const calls = steps.slice(0, at + 1).filter((other) => other.kind === 'acts' && other.turn === step.turn)
  return `${turn}call ${calls.length}`
}
