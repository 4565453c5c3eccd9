// Asks a judge once, with whatever the assertion says about whom to ask and how.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import type { AssertServices } from '../define-assertion.js'
import { judgeRequest } from './prompt.js'

export const DEFAULT_JUDGE = 'viva.judge'

/** Fields shared by the assertions that ask a judge. */
export const judgeEntries = {
  use: v.optional(v.pipe(v.string(), v.nonEmpty())),
  options: v.optional(
    v.looseObject({ connector: v.optional(v.string()), metadata: v.optional(v.record(v.string(), v.unknown())) }),
  ),
}

export interface JudgeSpec {
  use?: string | undefined
  options?: { connector?: string | undefined; metadata?: Record<string, unknown> | undefined } | undefined
}

export function askJudge(
  spec: JudgeSpec,
  question: { criteria: unknown; rubric?: Record<string, string> },
  evidence: Evidence,
  services: AssertServices,
): Promise<unknown> {
  const { output, input, case_id } = evidence
  const { connector, metadata } = spec.options ?? {}
  const { criteria, rubric } = question
  const message = judgeRequest({
    case_id,
    output,
    input,
    criteria,
    ...(rubric && { rubric }),
    ...(metadata && { metadata }),
  })
  return services.judge({
    use: spec.use ?? DEFAULT_JUDGE,
    ...message,
    output,
    input,
    criteria,
    ...(connector !== undefined && { connector }),
    case_id,
    signal: services.signal,
  })
}
