// `explain_failure`: why cases of a run did not pass, from what was recorded.
import * as v from 'valibot'
import { defined } from '../../base/defined.js'
import { pathSeenFrom } from '../../files/inside.js'
import { integerBetween, object } from '../../model/case-schema-base.js'
import { about, optional } from '../../model/schema-parts.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { caseError, isNotGreen } from '../../pipeline/report/cases.js'
import { PARTIES } from '../../pipeline/report/blame/party.js'
import { explainRun, type ExplainedCase } from '../../pipeline/report/explain/explain-run.js'
import { explanationText } from '../../pipeline/report/explain/explain-text.js'
import { CERTAINTIES } from '../../pipeline/report/explain/explanation.js'
import { markdownCase } from '../../pipeline/report/markdown-case.js'
import type { Overview } from '../../pipeline/report/overview.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import { asTool } from './as-tool.js'
import { findRun } from './find-run.js'

const suspect = {
  party: about(v.picklist(PARTIES), 'Who most likely failed.'),
  confidence: about(v.number(), 'From 0 to 1.'),
  why: v.string(),
}

const blame = v.object({
  ...suspect,
  rule: v.string(),
  evidence: optional(about(v.string(), 'What was said or recorded, word for word.')),
  step: optional(
    about(
      v.object({
        at: v.string(),
        what: v.string(),
        why: v.string(),
        rule: v.string(),
        confidence: optional(v.number()),
      }),
      'Where the agent first went wrong.',
    ),
  ),
  others: optional(about(v.array(v.object(suspect)), 'Other parties that something speaks against.')),
})

const failure = v.object({
  id: v.string(),
  status: v.string(),
  headline: about(v.string(), 'The first thing that went wrong.'),
  rule: v.string(),
  certainty: about(v.picklist(CERTAINTIES), 'Of the cause: never act on one that is not certain without a look.'),
  cause: optional(v.string()),
  first_wrong: optional(v.string()),
  expected: optional(v.string()),
  actual: optional(v.string()),
  try: v.array(v.string()),
  blame: optional(blame),
  text: about(v.string(), 'All of that, as viva explain prints it.'),
  error: v.string(),
  error_kind: optional(v.string()),
  where: optional(v.string()),
  report: about(v.string(), 'Input, output, tool calls and every assertion, as Markdown.'),
})

export const explainFailure = asTool(
  defineTool({
    name: 'explain_failure',
    title: 'Explain a failure',
    description:
      'Explains why cases of a run of viva test did not pass: the error, each assertion, what was asked and answered, and what to do next.',
    input: object({
      run: optional(about(nonEmpty(), 'Event file, run_id, or "latest"; default: "latest".')),
      case_id: optional(about(nonEmpty(), 'Only this case, even if it passed. Default: those that did not pass.')),
      limit: optional(about(integerBetween(1, 50), 'Most cases to explain; default: 3.')),
    }),
    output: v.object({
      file: v.string(),
      run_id: v.string(),
      agent_id: v.string(),
      complete: about(v.boolean(), 'False: the run was cut off or is still going on, and its counts are not final.'),
      total: v.number(),
      not_passed: v.number(),
      failures: v.array(failure),
      others: about(v.array(v.string()), 'Ids of those that are not explained here.'),
      run_errors: v.array(v.string()),
    }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    isLive: () => false,
    handler: async ({ run = 'latest', case_id, limit = 3 }, context) => {
      const project = requireProject(context)
      const path = await findRun(project, run)
      const { overview, cases, others } = await explainRun(recordingOf(path), { case_id, limit })
      const { start, complete, listed, stray, disagreement } = overview
      return {
        file: pathSeenFrom(project, path),
        run_id: start.run_id,
        agent_id: start.agent_id,
        complete,
        total: listed.total,
        not_passed: listed.not_green,
        failures: cases.map((item) => described(item, overview)),
        others,
        run_errors: [...stray.map(({ message }) => message), ...(disagreement === undefined ? [] : [disagreement])],
      }
    },
  }),
)

function described({ event, explanation }: ExplainedCase, overview: Overview): v.InferOutput<typeof failure> {
  const { id, status, headline, rule, certainty, cause, first_wrong, expected, actual, where } = explanation
  return defined({
    id,
    status,
    headline,
    rule,
    certainty,
    cause,
    first_wrong,
    expected,
    actual,
    try: explanation.try,
    blame: explanation.blame,
    text: explanationText(explanation),
    error: isNotGreen(status) ? caseError(event, overview) : '',
    error_kind: event.error_kind,
    where,
    report: markdownCase(event, overview),
  })
}
