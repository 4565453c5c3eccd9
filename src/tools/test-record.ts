// `test_record`: a run whose prompts and answers are kept, to be played back.
import * as v from 'valibot'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { flag, object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { createAnswerRedaction } from '../recordings/answer-redaction.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { writeState } from '../workspaces/state.js'
import { cassetteFile, keepCassette, recordRedactions } from './cassettes.js'
import { requireProject } from './context.js'
import { defineTool } from './define-tool.js'
import { name, nonEmpty, workspaceId } from './parameters.js'
import { retryFacts, retryParameter } from './retry.js'
import {
  allowBackends,
  backendEnv,
  limitEntries,
  limitsOf,
  mockResponses,
  ranEntries,
  retried,
  shownRun,
} from './test-run.js'

const DEFAULT_ITERATIONS = 10

export const testRecord = defineTool({
  name: 'test_record',
  title: 'Record a run',
  description:
    'Runs an orchestrator with a real backend and records prompts, answers and written files in a cassette for test_replay. Secrets, times, ids and paths are replaced.',
  input: object({
    workspace_id: workspaceId(),
    cassette_name: about(name(), 'Name of the cassette.'),
    task: about(nonEmpty(), 'The task.'),
    backend: about(text(), 'A coding agent as in test_run; mock to try it out.'),
    ...limitEntries,
    env: optional(backendEnv()),
    mock_responses: optional(mockResponses()),
    allow_backends: optional(allowBackends()),
    redactions: optional(recordRedactions()),
    save: optional(about(flag(), 'Also save it in the project as cassettes/<name>.yaml; default: false.')),
    retry: optional(retryParameter()),
  }),
  output: v.object({
    cassette_path: v.string(),
    saved_path: optional(v.string()),
    cassette_name: v.string(),
    interactions: v.number(),
    total_tokens: v.number(),
    duration_secs: v.number(),
    backend: v.string(),
    ...ranEntries,
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  isLive: ({ backend, allow_backends = [] }) => backend !== 'mock' || allow_backends.length > 0,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const { cassette_name, redactions } = input
    if (input.save === true) requireProject(context)
    const path = join(workspace.state, 'recording', `${cassette_name}.yaml`)
    const patterns = { ...context.config.redactions?.patterns, ...redactions?.patterns }
    const hide = createAnswerRedaction(redactions?.paths ?? [])
    const ran = await retried(
      workspace,
      {
        tool: 'test_record',
        task: input.task,
        backend: input.backend,
        limits: { max_iterations: DEFAULT_ITERATIONS, ...limitsOf(input) },
        restore: false,
        ...defined({
          env: input.env,
          mock_responses: input.mock_responses,
          allow_backends: input.allow_backends,
        }),
        recording: { mode: 'record', path, patterns, hide: hide.apply },
      },
      input.retry,
      context,
      // Created from scratch: an earlier recording with that name is not part of this one.
      () => rmSync(path, { force: true }),
    )
    const kept = await keepCassette(workspace, path, cassette_name, input.save === true, context)
    writeState(workspace.state, join('patterns', `${cassette_name}.json`), patterns)
    return {
      ...shownRun({ ...ran, warnings: [...ran.warnings, ...hide.unused()] }),
      ...retryFacts(ran),
      backend: ran.backend,
      cassette_path: join(workspace.path, cassetteFile(cassette_name)),
      ...defined(kept),
      cassette_name,
      interactions: ran.recording?.recorded ?? 0,
      total_tokens: ran.tokens,
      duration_secs: ran.elapsed_secs,
    }
  },
})
