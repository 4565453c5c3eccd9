// `test_snapshot`: the current content of the workspace, kept for comparison; approved, it becomes what `snapshot_matches` expects.
import * as v from 'valibot'
import { join } from 'node:path'
import { badArguments } from './bad-arguments.js'
import { UserError } from '../errors.js'
import { flag, object, text, texts } from '../model/case-schema-base.js'
import { redactedPaths } from '../model/config-schema.js'
import { about, optional } from '../model/schema-parts.js'
import { contentsOf, shownFile, takeSnapshot } from '../workspaces/snapshots.js'
import { writeState } from '../workspaces/state.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { requireProject } from './context.js'
import { defineTool } from './define-tool.js'
import { name, workspaceId } from './parameters.js'
import { openSnapshots } from './run-evidence.js'
import { runCount } from './runs.js'
import { snapshotFolder } from './project-folders.js'
import { approveTouched } from './snapshot-guard.js'

export const testSnapshot = defineTool({
  name: 'test_snapshot',
  title: 'Take a snapshot',
  description:
    'Takes a snapshot of the workspace for test_diff. With approve: true also in the project, for the assertion snapshot_matches.',
  input: object({
    workspace_id: workspaceId(),
    snapshot_id: optional(about(name(), 'Its name; default: a number. initial can be retaken until the first run.')),
    include_patterns: optional(
      about(texts(), 'Globs of files to include; default: all but sessions, cassettes and reports.'),
    ),
    exclude_patterns: optional(about(texts(), 'Globs of files to exclude.')),
    approve: optional(about(flag(), 'Also approve it in the project, for snapshot_matches; default: false.')),
    redactions: optional(
      about(
        object({
          patterns: optional(
            about(v.record(v.string(), v.union([text(), flag()])), 'Patterns by name, or built-in ones switched on.'),
          ),
          paths: optional(about(redactedPaths(), "JSONPaths such as $.files['a.txt'].")),
        }),
        'With approve: what may differ, as for snapshot_matches.',
      ),
    ),
  }),
  output: v.object({
    snapshot_id: v.string(),
    files: about(v.record(v.string(), v.string()), 'Path → text; other files by size and hash.'),
    file_count: v.number(),
    total_bytes: v.number(),
    approved_path: optional(v.string()),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  isLive: () => false,
  handler: async (input, context) => {
    const { snapshot_id, include_patterns, exclude_patterns, approve = false, redactions } = input
    const workspace = openWorkspace(context.place, input.workspace_id)
    if (snapshot_id === 'initial' && runCount(workspace.state) > 0) throw tooLate()
    if (approve && snapshot_id === undefined)
      throw badArguments('test_snapshot', 'approve needs a snapshot_id: the name snapshot_matches uses')
    if (approve && (include_patterns || exclude_patterns))
      throw badArguments(
        'test_snapshot',
        'snapshot_matches compares all files, so it would never match a part of them',
        'approve without include_patterns and exclude_patterns; name what may differ in redactions.paths',
      )
    if (approve) requireProject(context)
    if (redactions && !approve) throw badArguments('test_snapshot', 'redactions are used with approve: true alone')
    const whole = snapshot_id === 'initial'
    const taken = await takeSnapshot(workspace, { snapshot_id, include_patterns, exclude_patterns, whole })
    writeState(workspace.state, join('selections', `${taken.snapshot_id}.json`), { include_patterns, exclude_patterns })
    const approved = approve ? approveFiles(contentsOf(taken.files)) : undefined
    return {
      snapshot_id: taken.snapshot_id,
      files: Object.fromEntries(Object.entries(taken.files).map(([path, file]) => [path, shownFile(file)])),
      file_count: taken.file_count,
      total_bytes: taken.total_bytes,
      ...(approved !== undefined && { approved_path: approved }),
    }

    function approveFiles(files: Record<string, unknown>): string {
      const given = { patterns: redactions?.patterns ?? {}, paths: redactions?.paths ?? [] }
      const store = openSnapshots(context, { update: true })
      const outcome = store.compare({ name: taken.snapshot_id, value: { files }, redactions: given })
      if (outcome.state === 'unchecked')
        throw new UserError({ code: 'CANNOT_WATCH', message: `nothing was approved: ${outcome.why}` })
      const file = join('workspace', `${taken.snapshot_id}.snap`)
      approveTouched(workspace, file)
      return join(snapshotFolder(context), file)
    }
  },
})

function tooLate(): UserError {
  return new UserError({
    code: 'BAD_NAME',
    message: 'initial is what the first run began with: it cannot be retaken after a run',
    hint: 'give it another snapshot_id',
  })
}
