// A judge's verdict with who gave it, and whether it counts.
import type { JudgeQuestionSpec } from '../../../model/judge.js'
import type { AssertServices, Verdict } from '../define-assertion.js'
import { defined } from '../../../base/defined.js'
import type { JudgeSpec } from './ask.js'

export async function identified(
  { use, options }: JudgeSpec,
  question: JudgeQuestionSpec,
  services: AssertServices,
  ask: () => Promise<Verdict>,
): Promise<Verdict> {
  const { metadata, connector } = options ?? {}
  const by = await services.identifyJudge?.(defined({ use, connector }), { ...question, ...defined({ metadata }) })
  if (!by) return ask()
  // An error of a judge that only advises is advice, too.
  const verdict = by.advice ? await ask().catch(noVerdict) : await ask()
  return { ...verdict, ...by }
}

function noVerdict(error: unknown): Verdict {
  return { passed: false, error: error instanceof Error ? error.message : String(error), error_kind: 'validator' }
}
