// `test_replay`: a recorded run again, from where it began, without its backend.
import * as v from 'valibot'
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { flag, object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { isRecord } from '../base/record.js'
import { readState } from '../workspaces/state.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { findCassette, iterationsOf, readFound, redactionsParameter } from './cassettes.js'
import { defineTool } from './define-tool.js'
import { mapOf, name, nonEmpty, workspaceId } from './parameters.js'
import { runInWorkspace } from './run-in-workspace.js'
import { limitEntries, limitsOf, onExhausted, ranEntries, shownRun } from './test-run.js'

export const testReplay = defineTool({
  name: 'test_replay',
  title: 'Replay a recording',
  description:
    'Reruns the task from the state after test_setup, answering from a cassette: no backend, no network, no cost. A prompt that differs from the recorded one is an error.',
  input: object({
    workspace_id: workspaceId(),
    cassette_name: about(name(), 'A cassette of the workspace or project.'),
    task: about(nonEmpty(), 'The recorded task.'),
    strict: optional(
      about(flag(), 'Prompts must match the recorded ones; false: match by position alone; default: true.'),
    ),
    allow_passthrough: optional(
      about(flag(), 'Call the recorded backend if the cassette has no answer; default: false.'),
    ),
    on_exhausted: optional(onExhausted()),
    ...limitEntries,
    env: optional(about(mapOf(text(), 'names and strings'), 'Environment variables for that backend.')),
    redactions: optional(redactionsParameter()),
  }),
  output: v.object({
    interactions_replayed: v.number(),
    interactions_passthrough: v.number(),
    passed_through: optional(
      about(
        v.array(v.object({ hat: v.string(), prompt_hash: v.string() })),
        'The calls that the cassette had no answer to.',
      ),
    ),
    interactions_unused: v.number(),
    backend: v.string(),
    ...ranEntries,
  }),
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  isLive: ({ allow_passthrough }) => allow_passthrough === true,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const { cassette_name, strict = true, allow_passthrough = false } = input
    const found = await findCassette(workspace, cassette_name, context)
    const cassette = readFound(found)
    const known = readState(workspace.state, join('patterns', `${cassette_name}.json`))
    const passed_through: Array<{ hat: string; prompt_hash: string }> = []
    const ran = await runInWorkspace(
      workspace,
      {
        tool: 'test_replay',
        task: input.task,
        backend: allow_passthrough ? cassette.backend : 'replay',
        limits: { max_iterations: iterationsOf(cassette, allow_passthrough), ...limitsOf(input) },
        restore: true,
        ...defined({ env: input.env, on_exhausted: input.on_exhausted }),
        recording: {
          mode: 'replay',
          path: found.path,
          strict,
          on_missing: allow_passthrough ? 'live' : 'error',
          patterns: {
            ...context.config.redactions?.patterns,
            ...(isRecord(known) ? (known as Record<string, string | boolean>) : {}),
            ...input.redactions?.patterns,
          },
          onLive: (call) => passed_through.push(call),
        },
      },
      context,
    )
    return {
      ...shownRun(ran),
      backend: ran.backend,
      interactions_replayed: ran.recording?.replayed ?? 0,
      interactions_passthrough: ran.recording?.passed_through ?? 0,
      interactions_unused: ran.recording?.unused ?? 0,
      ...(passed_through.length > 0 && { passed_through }),
    }
  },
})
