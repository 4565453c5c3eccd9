// `rubric`: a judge rates the answer from 1 to 5.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import { doubtOptions } from '../closed-object.js'
import { defineAssertion, SpecError, type AssertServices, type Verdict } from '../define-assertion.js'
import { askJudge, JUDGE_OPTIONS, judgeEntries, sees } from '../judge/ask.js'
import { controlEntries, requireControls } from '../judge/controls.js'
import { identified } from '../judge/identified.js'
import { parseRating, type Examined } from '../judge/verdict.js'

const DEFAULT_THRESHOLD = 3

export const rubric = defineAssertion({
  type: 'rubric',
  summary:
    'A judge rates the answer from 1 to 5 by a rubric; it passes from the threshold on (3 unless given). The judge answers `{"reasoning": "…", "score": 4}`',
  example: {
    type: 'rubric',
    criterion: 'The plan is complete and in a sensible order',
    rubric: { 1: 'No plan', 3: 'Steps are there, some out of order', 5: 'Complete and ordered' },
    threshold: 4,
  },
  on: 'helper',
  schema: v.object({
    ...judgeEntries,
    ...controlEntries,
    criterion: v.pipe(v.string(), v.regex(/\S/, 'is empty: write the criterion to judge by')),
    rubric: v.optional(v.record(v.string(), v.string())),
    threshold: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
  }),

  compile(spec, context) {
    const { field } = context
    doubtOptions(spec.options, JUDGE_OPTIONS, context)
    const levels = spec.rubric ?? {}
    const unknown = Object.keys(levels).find((level) => !/^[1-5]$/.test(level))
    if (unknown !== undefined) throw new SpecError(`${field}.rubric.${unknown}`, 'is not a level: levels are 1 to 5')
    const { criterion, threshold = DEFAULT_THRESHOLD, controls = {} } = spec
    if (threshold <= 1) throw new SpecError(`${field}.threshold`, '1 is the lowest possible score: it cannot fail')
    const judge = async (evidence: Evidence, services: AssertServices): Promise<Verdict> => {
      const rate = (output: unknown) => {
        const judged = { ...evidence, output }
        const parse = (answer: unknown, examined: Examined) => parseRating(answer, threshold, examined)
        return askJudge({ spec, criteria: criterion, rubric: levels, evidence: judged, services, parse })
      }
      await requireControls(controls, async (output) => (await rate(output)).said.score >= threshold)
      const { said, asked } = await rate(evidence.output)
      const { score, reasoning } = said
      const again = asked > 1 && { asked }
      if (score >= threshold) return { passed: true, score, message: reasoning, ...again }
      return {
        passed: false,
        score,
        message: `score ${score} is below ${threshold}: ${reasoning}`,
        expected: threshold,
        actual: score,
        ...again,
      }
    }
    const question = { type: 'rubric', criteria: criterion, rubric: levels, threshold, ...sees(spec) }
    return (evidence, services) => identified(spec, question, services, () => judge(evidence, services))
  },
})
