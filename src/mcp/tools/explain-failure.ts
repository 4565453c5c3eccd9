// `explain_failure`: why cases of a run did not pass, from what was recorded.
import * as v from 'valibot'
import { pathSeenFrom } from '../../files/inside.js'
import { suggest } from '../../base/suggest.js'
import { UserError } from '../../errors.js'
import { integerBetween, object } from '../../model/case-schema-base.js'
import type { ErrorKind, ListedStatus } from '../../model/status.js'
import { about, optional } from '../../model/schema-parts.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { caseError, eachCase, isNotGreen, listedStatus, type CaseEvent } from '../../pipeline/report/cases.js'
import { markdownCase } from '../../pipeline/report/markdown-case.js'
import { readOverview, type Overview } from '../../pipeline/report/overview.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import { asTool } from './as-tool.js'
import { findRun } from './find-run.js'

const failure = v.object({
  id: v.string(),
  status: v.string(),
  error: v.string(),
  error_kind: optional(v.string()),
  where: optional(v.string()),
  next_step: v.string(),
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
      limit: optional(about(integerBetween(1, 50), 'How many to explain; default: 3.')),
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
      const recording = recordingOf(path)
      const overview = await readOverview(recording)
      const failures: Array<v.InferOutput<typeof failure>> = []
      const others: string[] = []
      const ids: string[] = []
      for await (const event of eachCase(recording, overview)) {
        if (ids.length < 1_000) ids.push(event.id)
        if (case_id === undefined ? !isNotGreen(listedStatus(event, overview)) : event.id !== case_id) continue
        if (failures.length < limit) failures.push(explain(event, overview))
        else if (others.length < 200) others.push(event.id)
      }
      if (case_id !== undefined && failures.length === 0) throw noCase(case_id, ids)
      const { start, complete, listed, stray, disagreement } = overview
      return {
        file: pathSeenFrom(project, path),
        run_id: start.run_id,
        agent_id: start.agent_id,
        complete,
        total: listed.total,
        not_passed: listed.not_green,
        failures,
        others,
        run_errors: [...stray.map(({ message }) => message), ...(disagreement === undefined ? [] : [disagreement])],
      }
    },
  }),
)

function explain(event: CaseEvent, overview: Overview): v.InferOutput<typeof failure> {
  const status = listedStatus(event, overview)
  const { error_kind, file, line } = event
  return {
    id: event.id,
    status,
    error: isNotGreen(status) ? caseError(event, overview) : '',
    ...(error_kind !== undefined && { error_kind }),
    ...(file !== undefined && { where: line === undefined ? file : `${file}:${line}` }),
    next_step: nextStep(status, error_kind),
    report: markdownCase(event, overview),
  }
}

const NOT_ENOUGH = 'run it more often (--runs, --max-runs): what was seen does not decide'

const MISSING_INPUT =
  'give it what it lacked (turns, a simulator, what the import lost), or set on_missing_input if the skip is meant'

function nextStep(status: ListedStatus, kind: ErrorKind | undefined): string {
  if (!isNotGreen(status)) return 'nothing: it passed or was skipped'
  if (status === 'undetermined') return NOT_ENOUGH
  if (status === 'not_shown' && kind === undefined) return MISSING_INPUT
  if (kind === undefined || kind === 'assertion')
    return 'compare what was answered with the failed assertion: change the agent if the answer is wrong, the case if the expectation is'
  if (kind === 'timeout')
    return 'look where the time went (viva view shows the trace); raise --timeout only if the agent is right to be slow'
  return 'the agent could not be judged: fix the error, then run this case alone with --run'
}

function noCase(id: string, ids: string[]): UserError {
  const near = suggest(id, ids)
  return new UserError({
    code: 'NO_CASE',
    message: `the run has no case "${id}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint:
      ids.length === 0
        ? 'the run has no results yet'
        : `its cases: ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ' …' : ''}`,
  })
}
