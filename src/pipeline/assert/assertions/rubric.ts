// `rubric`: a judge rates the answer from 1 to 5.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import { defineAssertion, SpecError, type AssertServices } from '../define-assertion.js'
import { askJudge, judgeEntries, type JudgeSpec } from '../judge/ask.js'
import { controlEntries, requireControls } from '../judge/controls.js'
import { parseRating, UnusableAnswer, type JudgeRating } from '../judge/verdict.js'

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
    criterion: v.pipe(v.string(), v.nonEmpty()),
    rubric: v.optional(v.record(v.string(), v.string())),
    threshold: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
  }),

  compile(spec, { field }) {
    const levels = spec.rubric ?? {}
    const unknown = Object.keys(levels).find((level) => !/^[1-5]$/.test(level))
    if (unknown !== undefined) throw new SpecError(`${field}.rubric.${unknown}`, 'is not a level: levels are 1 to 5')
    const { criterion, threshold = DEFAULT_THRESHOLD, controls = {} } = spec
    return async (evidence, services) => {
      const question = { criteria: criterion, rubric: levels }
      const rateAnswer = (output: unknown) => rate(spec, question, { ...evidence, output }, services)
      await requireControls(controls, async (output) => (await rateAnswer(output)).score >= threshold)
      const { score, reasoning } = await rateAnswer(evidence.output)
      if (score >= threshold) return { passed: true, score, message: reasoning }
      return {
        passed: false,
        score,
        message: `score ${score} is below ${threshold}: ${reasoning}`,
        expected: threshold,
        actual: score,
      }
    }
  },
})

/** An answer that cannot be used is asked for once more; a second one is an error. */
async function rate(
  spec: JudgeSpec,
  question: { criteria: string; rubric: Record<string, string> },
  evidence: Evidence,
  services: AssertServices,
): Promise<JudgeRating> {
  const ask = async () =>
    parseRating(await askJudge(spec, question, evidence, services), [evidence.output, evidence.input])
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof UnusableAnswer) || services.signal.aborted) throw error
    return ask()
  }
}
