// `list_runs`: the runs of the project, newest first.
import * as v from 'valibot'
import { pathSeenFrom } from '../../files/inside.js'
import { integerBetween, object, text } from '../../model/case-schema-base.js'
import { about, optional } from '../../model/schema-parts.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { asTool } from './as-tool.js'
import { findRuns } from './find-run.js'

const count = () => optional(v.number())

export const listRunsTool = asTool(
  defineTool({
    name: 'list_runs',
    title: 'List runs',
    description:
      'Lists runs of viva test in the project, newest first, with their counts. A run without exit_code was cut off or is still running.',
    input: object({
      folder: optional(about(text(), 'Only below this folder of the project.')),
      limit: optional(about(integerBetween(1, 200), 'Default: 20.')),
      offset: optional(about(integerBetween(0, 100_000), 'Newest runs to skip; default: 0.')),
    }),
    output: v.object({
      runs: v.array(
        v.object({
          file: v.string(),
          run_id: v.string(),
          timestamp: v.string(),
          agent_id: v.string(),
          input: v.string(),
          total: count(),
          passed: count(),
          failed: count(),
          skipped: count(),
          not_shown: count(),
          undetermined: count(),
          duration_ms: count(),
          cost_dollars: count(),
          exit_code: count(),
        }),
      ),
      total: v.number(),
      truncated: v.boolean(),
    }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    isLive: () => false,
    handler: async ({ folder, limit = 20, offset = 0 }, context) => {
      const project = requireProject(context)
      const all = await findRuns(project, folder)
      const runs = all.slice(offset, offset + limit).map(({ entry, path }) => {
        const { id: _id, mode: _mode, connector: _connector, ...facts } = entry
        return { ...facts, file: pathSeenFrom(project, path) }
      })
      return { runs, total: all.length, truncated: offset + runs.length < all.length }
    },
  }),
)
