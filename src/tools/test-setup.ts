// `test_setup`: an isolated folder to test in.
import * as v from 'valibot'
import { object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { parseLoopConfig } from '../orchestrator/config/read-config.js'
import { createWorkspace } from '../workspaces/create.js'
import { defineTool } from './define-tool.js'
import { mapOf, name } from './parameters.js'

export const testSetup = defineTool({
  name: 'test_setup',
  title: 'Set up a workspace',
  description:
    'Creates an isolated workspace with initial files, without running anything. The other tools refer to it by workspace_id.',
  input: object({
    workspace_id: about(name(), 'An unused name: letters, digits, ".", "_", "-", at most 64.'),
    fixtures: optional(about(mapOf(text(), 'paths and strings'), 'Files to create: path in the workspace → content.')),
    config: optional(
      about(
        mapOf(v.unknown(), 'settings'),
        'The orchestrator, as in viva.yml: hats (roles, e.g. {"planner": {"triggers": ["task.start"], "publishes": ["build.task"], "instructions": "…"}}), event_loop (limits, completion_promise), core, cli. Default: a planner and a builder.',
      ),
    ),
    scratchpad: optional(about(text(), 'Initial content of .agent/scratchpad.md.')),
  }),
  output: v.object({
    workspace_path: v.string(),
    workspace_id: v.string(),
    created_files: v.array(v.string()),
    active_files: optional(about(v.array(v.string()), 'Those that an agent may take for its configuration, or run.')),
    warnings: optional(v.array(v.string())),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  isLive: () => false,
  handler: async ({ workspace_id, fixtures, config, scratchpad }, { place }) => {
    const warnings: string[] = []
    if (config) parseLoopConfig(config, 'config', (warning) => warnings.push(warning))
    const spec = {
      ...(fixtures && { fixtures }),
      ...(config && { config }),
      ...(scratchpad !== undefined && { scratchpad }),
    }
    const { workspace, created_files, active_files } = await createWorkspace(place, workspace_id, spec)
    if (active_files.length > 0)
      warnings.push(`an agent may take these for its configuration, or run them: ${active_files.join(', ')}`)
    return {
      workspace_path: workspace.path,
      workspace_id: workspace.id,
      created_files,
      ...(active_files.length > 0 && { active_files }),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})
