// `compare_runs`: what changed between two runs, and whether it is more than chance.
import * as v from 'valibot'
import { pathSeenFrom } from '../../files/inside.js'
import { object } from '../../model/case-schema-base.js'
import { about, optional } from '../../model/schema-parts.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { compareRuns } from '../../pipeline/report/compare/compare.js'
import { comparisonText } from '../../pipeline/report/compare/formats.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import { asTool } from './as-tool.js'
import { findRun } from './find-run.js'

const changes = v.array(
  v.object({ id: v.string(), before: v.string(), after: v.string(), error: optional(v.string()) }),
)
const side = v.object({
  file: v.string(),
  run_id: v.string(),
  total: v.number(),
  passed: v.number(),
  failed: v.number(),
})

export const compareRunsTool = asTool(
  defineTool({
    name: 'compare_runs',
    title: 'Compare two runs',
    description:
      'Reports what changed between two runs of viva test and whether it is more than chance. verdict cannot_compare means that nothing can be concluded.',
    input: object({
      before: about(nonEmpty(), 'The old run: event file, run_id, or "latest".'),
      after: about(nonEmpty(), 'The new run.'),
    }),
    output: v.object({
      verdict: v.picklist(['regression', 'no_regression', 'cannot_compare']),
      reasons: v.array(v.string()),
      changed_assertions: about(
        v.array(v.object({ id: v.string(), removed: v.array(v.string()), added: v.array(v.string()) })),
        'Cases whose assertions were removed or changed: the second run is another test, whatever the verdict.',
      ),
      notes: v.array(v.string()),
      before: side,
      after: side,
      newly_failing: changes,
      newly_passing: changes,
      missing: about(v.array(v.string()), 'Passed before, but nothing shows that they still do.'),
      changed_output: v.number(),
      text: v.string(),
    }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    isLive: () => false,
    handler: async ({ before, after }, context) => {
      const project = requireProject(context)
      const files = { before: await findRun(project, before), after: await findRun(project, after) }
      const { comparison } = await compareRuns(recordingOf(files.before), recordingOf(files.after))
      const { cannot_compare, regression, reasons, notes, newly_failing, newly_passing, cases } = comparison
      const sideOf = (which: 'before' | 'after') => {
        const { run_id, total, passed, failed } = comparison[which]
        return { file: pathSeenFrom(project, files[which]), run_id, total, passed, failed }
      }
      return {
        verdict: cannot_compare ? 'cannot_compare' : regression ? 'regression' : 'no_regression',
        reasons: cannot_compare ?? reasons,
        changed_assertions: comparison.changed_assertions.cases,
        notes,
        before: sideOf('before'),
        after: sideOf('after'),
        newly_failing: newly_failing.cases.map(changeOf),
        newly_passing: newly_passing.cases.map(changeOf),
        missing: cases.missing.ids,
        changed_output: comparison.changed_output.count,
        text: comparisonText(comparison, 'markdown'),
      } as const
    },
  }),
)

function changeOf({ id, before, after, error }: { id: string; before: string; after: string; error?: string }) {
  return { id, before, after, ...(error !== undefined && { error }) }
}
