// `test_diff`: what changed between two snapshots, or since one.
import * as v from 'valibot'
import { join } from 'node:path'
import { isRecord } from '../base/record.js'
import { object } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { diffFiles } from '../workspaces/diff.js'
import { currentFiles, readSnapshotFiles, type KeptFiles } from '../workspaces/snapshots.js'
import { readState } from '../workspaces/state.js'
import { openWorkspace, type Workspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { name, workspaceId } from './parameters.js'

const CURRENT = 'current'

export const testDiff = defineTool({
  name: 'test_diff',
  title: 'Compare snapshots',
  description: 'Compares two snapshots of a workspace, or one with the current files, line by line.',
  input: object({
    workspace_id: workspaceId(),
    baseline: about(name(), 'A snapshot, or initial: what test_setup created.'),
    compare_to: optional(about(name(), 'Another snapshot, or current (default).')),
  }),
  output: v.object({
    changed_files: v.array(v.string()),
    added_files: v.array(v.string()),
    deleted_files: v.array(v.string()),
    diffs: v.record(
      v.string(),
      v.object({
        additions: v.number(),
        deletions: v.number(),
        hunks: v.array(
          v.object({
            start: v.number(),
            end: v.number(),
            old_start: v.number(),
            old_end: v.number(),
            content: v.string(),
          }),
        ),
        replaced: optional(about(v.literal(true), 'Not text, or too different to be compared line by line.')),
      }),
    ),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  isLive: () => false,
  handler: async ({ workspace_id, baseline, compare_to = CURRENT }, { place }) => {
    const workspace = openWorkspace(place, workspace_id)
    const [before, after] = [
      await filesOf(workspace, baseline, compare_to),
      await filesOf(workspace, compare_to, baseline),
    ]
    return diffFiles(before, after)
  },
})

/** The current state is read through the globs of the snapshot it is compared with. */
async function filesOf(workspace: Workspace, id: string, other: string): Promise<KeptFiles> {
  if (id !== CURRENT) return readSnapshotFiles(workspace, id)
  const selection = readState(workspace.state, join('selections', `${other}.json`))
  return currentFiles(workspace, isRecord(selection) ? selection : {})
}
