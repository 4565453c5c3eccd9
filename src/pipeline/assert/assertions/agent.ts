// `agent`: another agent judges the answer against criteria.
import * as v from 'valibot'
import { defined } from '../../../base/defined.js'
import type { AssertionResult, AssertServices } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import { doubtOptions } from '../closed-object.js'
import { defineAssertion, SpecError, type Verdict } from '../define-assertion.js'
import { askJudge, JUDGE_OPTIONS, judgeEntries, sees } from '../judge/ask.js'
import { controlEntries, requireControls } from '../judge/controls.js'
import { identified } from '../judge/identified.js'
import { parseVerdict, UnusableAnswer, type Examined, type JudgeVerdict } from '../judge/verdict.js'
import { messageOf } from '../../../base/message-of.js'
import { isPresent } from '../../../base/record.js'

export const agent = defineAssertion({
  type: 'agent',
  summary:
    'A validator agent says whether the answer meets the criteria; `votes` asks several times, the majority decides',
  example: { type: 'agent', use: 'agents:workers.test.validator', value: 'Is helpful and polite', threshold: 0.7 },
  on: 'helper',
  schema: v.object({
    ...judgeEntries,
    ...controlEntries,
    value: v.optional(v.unknown()),
    threshold: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be above 0: every score reaches 0'))),
    votes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(25))),
  }),

  compile(spec, context) {
    const { field } = context
    doubtOptions(spec.options, JUDGE_OPTIONS, context)
    const criteria = spec.value ?? spec.options?.metadata?.['criteria']
    if (isPresent(criteria) && saysNothing(criteria)) throw noCriteria(spec, field)
    // A custom validator may know its criteria; the built-in judge knows none.
    if (criteria === undefined && spec.use === undefined) {
      throw new SpecError(`${field}.value`, 'is missing: the criteria to judge by')
    }
    const { votes = 1, threshold, controls = {} } = spec
    const parse = (answer: unknown, examined: Examined): JudgeVerdict =>
      requireInScale(parseVerdict(answer, examined), threshold, answer)
    const question = { type: 'agent', criteria, ...defined({ threshold, votes: spec.votes }), ...sees(spec) }
    const judge = async (evidence: Evidence, services: AssertServices): Promise<Verdict> => {
      const ask = async (output: unknown) => {
        const judged = { ...evidence, output }
        const { said, asked } = await askJudge({ spec, criteria, evidence: judged, services, parse })
        return { ...toVerdict(said, threshold), ...(asked > 1 && { asked }) }
      }
      await requireControls(controls, async (output) => (await ask(output)).passed)
      if (votes === 1) return ask(evidence.output)
      const cast: Verdict[] = []
      for (let vote = 0; vote < votes; vote++) cast.push(await ask(evidence.output).catch(noVerdict))
      return majority(cast)
    }
    return (evidence, services) => identified(spec, question, services, () => judge(evidence, services))
  },
})

function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.values(value).every(saysNothing)
}

/** A judge without criteria passes nearly everything. */
function noCriteria({ value, use }: { value?: unknown; use?: unknown }, field: string): SpecError {
  const place = value === undefined || value === null ? 'options.metadata.criteria' : 'value'
  const otherwise = use === undefined ? '' : ', or leave it out if the validator knows its own'
  return new SpecError(`${field}.${place}`, `is empty: write the criteria to judge by${otherwise}`)
}

function toVerdict({ passed, score, reason }: JudgeVerdict, threshold: number | undefined): Verdict {
  if (threshold !== undefined && score === undefined)
    throw new Error('the validator gave no score to compare with the threshold')
  const isHigh = threshold === undefined || (score ?? 0) >= threshold
  const low = passed && !isHigh ? `score ${score} is below ${threshold}${reason ? `: ${reason}` : ''}` : undefined
  const message = low ?? reason ?? (passed ? undefined : 'the validator says it does not pass')
  return {
    passed: passed && isHigh,
    ...(message !== undefined && { message }),
    ...(score !== undefined && { score }),
  }
}

/** Scores range from 0 to 1. A threshold above 1 says that this validator has its own scale. */
function requireInScale(verdict: JudgeVerdict, threshold: number | undefined, answer: unknown): JudgeVerdict {
  const { score } = verdict
  const hasOwnScale = threshold !== undefined && threshold > 1
  if (score === undefined || (score >= 0 && (hasOwnScale || score <= 1))) return verdict
  const scale = hasOwnScale ? 'from 0 up' : 'from 0 to 1'
  throw new UnusableAnswer(`the validator gave the score ${score}, outside the scale ${scale}`, answer)
}

function noVerdict(error: unknown): Verdict {
  return { passed: false, error: messageOf(error), error_kind: 'validator' }
}

/** More than half of all votes asked for. A vote that failed counts for neither side, and always counts in the total. */
function majority(cast: Verdict[]): Verdict {
  const passed = cast.filter((vote) => vote.passed).length
  const failed = cast.filter((vote) => !vote.passed && vote.error === undefined).length
  const parts = cast.map((vote): AssertionResult => ({ type: 'agent', ...vote }))
  const scores = cast.flatMap((vote) => (vote.score === undefined ? [] : [vote.score]))
  const score = scores.length > 0 ? { score: scores.reduce((sum, each) => sum + each, 0) / scores.length } : {}
  const split = `${passed} of ${cast.length} votes passed`
  if (passed * 2 > cast.length) return { passed: true, message: split, parts, ...score }
  if (failed * 2 > cast.length) {
    const reason = cast.find((vote) => !vote.passed && vote.error === undefined)?.message
    return { passed: false, message: reason === undefined ? split : `${split}: ${reason}`, parts, ...score }
  }
  const error = cast.find((vote) => vote.error !== undefined)?.error
  const why =
    error === undefined ? 'a tie, and no verdict' : `${cast.length - passed - failed} gave no verdict: ${error}`
  return {
    passed: false,
    error: `${split}, ${why}`,
    error_kind: 'validator',
    parts,
    ...score,
  }
}
