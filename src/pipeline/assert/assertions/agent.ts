// `agent`: another agent judges the answer against criteria.
import * as v from 'valibot'
import type { AssertionResult } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import { defineAssertion, SpecError, type AssertServices, type Verdict } from '../define-assertion.js'
import { askJudge, judgeEntries, type JudgeSpec } from '../judge/ask.js'
import { parseVerdict } from '../judge/verdict.js'

export const agent = defineAssertion({
  type: 'agent',
  summary:
    'A validator agent says whether the answer meets the criteria; `votes` asks several times, the majority decides',
  example: { type: 'agent', use: 'agents:workers.test.validator', value: 'Is helpful and polite', threshold: 0.7 },
  on: 'helper',
  schema: v.object({
    ...judgeEntries,
    value: v.optional(v.unknown()),
    threshold: v.optional(v.pipe(v.number(), v.finite())),
    votes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(25))),
  }),

  compile(spec, { field }) {
    const criteria = spec.value ?? spec.options?.metadata?.['criteria']
    // A validator of one's own may know its criteria; the ready-made judge knows none.
    if (criteria === undefined && spec.use === undefined) {
      throw new SpecError(`${field}.value`, 'is missing: the criteria to judge by')
    }
    const { votes = 1, threshold } = spec
    return async (evidence, services) => {
      const cast: Verdict[] = []
      for (let vote = 0; vote < votes; vote++) cast.push(await castVote(spec, criteria, threshold, evidence, services))
      return votes === 1 && cast[0] ? cast[0] : majority(cast)
    }
  },
})

async function castVote(
  spec: JudgeSpec,
  criteria: unknown,
  threshold: number | undefined,
  evidence: Evidence,
  services: AssertServices,
): Promise<Verdict> {
  try {
    const { passed, score, reason } = parseVerdict(await askJudge(spec, { criteria }, evidence, services))
    if (threshold !== undefined && score === undefined)
      return validatorError('gave no score to compare with the threshold')
    const isHigh = threshold === undefined || (score ?? 0) >= threshold
    const message = passed && !isHigh ? `score ${score} is below ${threshold}${reason ? `: ${reason}` : ''}` : reason
    return {
      passed: passed && isHigh,
      ...(message !== undefined && { message }),
      ...(message === undefined && !passed && { message: 'the validator says it does not pass' }),
      ...(score !== undefined && { score }),
    }
  } catch (error) {
    return validatorError(error instanceof Error ? error.message : String(error))
  }
}

function validatorError(problem: string): Verdict {
  return { passed: false, error: `validator error: ${problem}`, error_kind: 'validator' }
}

/** More than half of all votes asked for. A vote that failed counts for neither side, and is never left out of the count. */
function majority(cast: Verdict[]): Verdict {
  const passed = cast.filter((vote) => vote.passed).length
  const failed = cast.filter((vote) => !vote.passed && vote.error === undefined).length
  const parts = cast.map((vote): AssertionResult => ({ type: 'agent', ...vote }))
  const scores = cast.flatMap((vote) => (vote.score === undefined ? [] : [vote.score]))
  const score = scores.length > 0 ? { score: scores.reduce((sum, each) => sum + each, 0) / scores.length } : {}
  const split = `${passed} of ${cast.length} votes passed`
  if (passed * 2 > cast.length) return { passed: true, message: split, parts, ...score }
  if (failed * 2 >= cast.length) {
    const reason = cast.find((vote) => !vote.passed && vote.error === undefined)?.message
    return { passed: false, message: reason === undefined ? split : `${split}: ${reason}`, parts, ...score }
  }
  const error = cast.find((vote) => vote.error !== undefined)?.error ?? 'no majority'
  return {
    passed: false,
    error: `${split}, ${cast.length - passed - failed} gave no verdict: ${error}`,
    error_kind: 'validator',
    parts,
    ...score,
  }
}
