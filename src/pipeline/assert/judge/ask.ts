// Asks a judge once, with whatever the assertion says about whom to ask and how.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import type { AssertServices } from '../define-assertion.js'
import { judgeMessage } from './prompt.js'

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
  const { text, data } = judgeMessage({
    case_id,
    output,
    input,
    criteria,
    ...(rubric && { rubric }),
    ...(metadata && { metadata }),
  })
  return services.judge({
    role: 'validator',
    ...(spec.use !== undefined && { use: spec.use }),
    test_id: case_id,
    data,
    text,
    ...(connector !== undefined && { options: { connector } }),
    signal: services.signal,
  })
}
