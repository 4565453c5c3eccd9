// `test_cleanup`: removes a workspace and what is known about it.
import * as v from 'valibot'
import { flag, object } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { removeWorkspace } from '../workspaces/remove.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { workspaceId } from './parameters.js'
import { lockRuns } from './runs.js'

export const testCleanup = defineTool({
  name: 'test_cleanup',
  title: 'Remove a workspace',
  description:
    'Deletes a workspace and everything in it. Save reports, cassettes and snapshots first (save: true, approve: true).',
  input: object({
    workspace_id: workspaceId(),
    preserve_session: optional(about(flag(), 'Keep session.jsonl, alone in its folder; default: false.')),
  }),
  output: v.object({ deleted: v.boolean(), preserved_files: v.array(v.string()) }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  isLive: () => false,
  handler: async ({ workspace_id, preserve_session }, { place }) => {
    const unlock = lockRuns(openWorkspace(place, workspace_id))
    try {
      return await removeWorkspace(place, workspace_id, { preserve_session })
    } finally {
      unlock()
    }
  },
})
