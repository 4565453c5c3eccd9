// `test_run`: an orchestrator at work in a workspace, with scripted, recorded or real answers.
import * as v from 'valibot'
import { defined } from '../base/defined.js'
import { integerBetween, numberBetween, object, text, texts } from '../model/case-schema-base.js'
import { about, anyMap, optional } from '../model/schema-parts.js'
import { isKind } from '../model/session.js'
import { DEFAULT_MAX_RUNTIME_SECS } from '../orchestrator/config/config.js'
import { openWorkspace, type Workspace } from '../workspaces/workspace.js'
import { findCassette } from './cassettes.js'
import type { ToolContext } from './context.js'
import { defineTool } from './define-tool.js'
import { mapOf, name, nonEmpty, workspaceId } from './parameters.js'
import { retriedEntries, retryFacts, retryParameter, withRetry, type Failure } from './retry.js'
import { shaped } from './shaped.js'
import { loopConfig, runInWorkspace, type RanInWorkspace, type WorkspaceRun } from './run-in-workspace.js'
import { keepRetries, lastSession } from './runs.js'

const MAX_SECONDS = 86_400
/** What an answer shows; assertions see all of it. */
const MAX_SHOWN = 64 * 1024

const BACKENDS =
  'mock (default: scripted), replay (a cassette), a coding agent (claude, gemini, codex, opencode, copilot, amp, kiro, custom), or ralph, an orchestrator program with a loop of its own'

export const limitEntries = {
  max_iterations: optional(about(integerBetween(1, 10_000), 'Most turns of hats.')),
  max_runtime_secs: optional(about(integerBetween(1, MAX_SECONDS), 'Time limit; default: 300.')),
  max_tokens: optional(about(integerBetween(1, 1_000_000_000), 'Token limit of the run.')),
  max_cost: optional(about(numberBetween(0, 1_000_000), 'Cost limit of the run, in dollars.')),
}

export const backendEnv = () => about(mapOf(text(), 'names and texts'), 'Environment variables for backend programs.')

export const mockResponses = () =>
  about(
    v.array(v.union([text(), shaped(anyMap(), 'mock_response')]), '{field} must be a list of responses, found {found}'),
    'Scripted answers, in order. hat and trigger_pattern select who gets one; files (path: content) are written first. In output, <event topic="build.done">text</event> publishes an event and LOOP_COMPLETE ends the run.',
  )

export const allowBackends = () =>
  about(texts(), 'With scripted answers: backends to start for hats that name them; default: none.')

export const onExhausted = () =>
  about(
    v.picklist(['error', 'stop'], '{field} must be error or stop, found {found}'),
    'When scripted or recorded answers run out: error (default), or stop with exit code 0.',
  )

export function isLiveBackend({
  backend,
  allow_backends = [],
}: {
  backend?: string | undefined
  allow_backends?: string[] | undefined
}): boolean {
  return (backend !== undefined && backend !== 'mock' && backend !== 'replay') || allow_backends.length > 0
}

export const ranEntries = {
  run_id: v.string(),
  exit_code: v.number(),
  termination_reason: v.string(),
  message: optional(v.string()),
  iterations: v.number(),
  elapsed_secs: v.number(),
  session_file: v.string(),
  events_count: v.number(),
  hats: v.array(v.string()),
  stdout: about(v.string(), 'What hats said, in order; only the end if there is too much.'),
  stderr: v.string(),
  tokens: v.number(),
  cost_dollars: optional(about(v.number(), 'Absent: unknown, which is not 0.')),
  mock_responses_consumed: optional(v.number()),
  mock_responses_remaining: optional(v.number()),
  warnings: optional(v.array(v.string())),
  ...retriedEntries,
}

export const testRun = defineTool({
  name: 'test_run',
  title: 'Run an orchestrator',
  description:
    'Runs an orchestrator (hats: roles that hand each other work through events) in a workspace and records its session. Answers are scripted by default: no network, no cost. A second run continues where the first left off.',
  input: object({
    workspace_id: workspaceId(),
    task: about(nonEmpty(), 'The task.'),
    backend: optional(about(text(), `Who plays the hats: ${BACKENDS}.`)),
    ...limitEntries,
    env: optional(backendEnv()),
    mock_responses: optional(mockResponses()),
    allow_backends: optional(allowBackends()),
    on_exhausted: optional(onExhausted()),
    cassette_name: optional(about(name(), 'With backend replay: the cassette to answer from, strictly.')),
    retry: optional(retryParameter()),
  }),
  output: v.object({ ...ranEntries, backend: v.string() }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  isLive: isLiveBackend,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const { cassette_name } = input
    const cassette = cassette_name === undefined ? undefined : await findCassette(workspace, cassette_name, context)
    const run: WorkspaceRun = {
      tool: 'test_run',
      task: input.task,
      backend: input.backend ?? (cassette ? 'replay' : undefined),
      limits: limitsOf(input),
      restore: false,
      ...defined({
        env: input.env,
        mock_responses: input.mock_responses,
        allow_backends: input.allow_backends,
        on_exhausted: input.on_exhausted,
      }),
      ...(cassette && { recording: { mode: 'replay' as const, path: cassette.path } }),
    }
    const ran = await retried(workspace, run, input.retry, context)
    return { ...shownRun(ran), backend: ran.backend, ...retryFacts(ran) }
  },
})

export function limitsOf({
  max_iterations,
  max_runtime_secs,
  max_tokens,
  max_cost,
}: {
  max_iterations?: number
  max_runtime_secs?: number
  max_tokens?: number
  max_cost?: number
}): WorkspaceRun['limits'] {
  return defined({ max_iterations, max_runtime_secs, max_tokens, max_cost })
}

type RetryOf = Parameters<typeof withRetry>[0]

export async function retried(
  workspace: Workspace,
  run: WorkspaceRun,
  retry: RetryOf,
  context: ToolContext,
  before: () => void = () => {},
) {
  let failure: Failure | undefined
  // A scripted attempt continues after the answers of the one before, so that it can succeed.
  const scripted = retry && run.mock_responses !== undefined ? {} : undefined
  const ran = await withRetry(
    retry,
    context,
    async (attempt) => {
      before()
      const ran = await runInWorkspace(workspace, { ...run, scripted, restore: run.restore || attempt > 1 }, context)
      failure = await failureOf(workspace, ran)
      return ran
    },
    ({ termination_reason, message }) => {
      if (failure === undefined) return undefined
      if (failure === 'timeout') return { failure, error: `timeout after ${secondsOf(workspace, run)}s` }
      return { failure, error: message === undefined ? termination_reason : `${termination_reason}: ${message}` }
    },
  )
  keepRetries(workspace, { ...context.redactor.value(retryFacts(ran)), run_id: ran.run_id })
  return ran
}

function secondsOf(workspace: Workspace, { limits }: WorkspaceRun): number {
  return limits.max_runtime_secs ?? loopConfig(workspace).max_runtime_secs ?? DEFAULT_MAX_RUNTIME_SECS
}

/** Reaching a limit may be what is tested; only transient failures count here. */
async function failureOf(workspace: Workspace, ran: RanInWorkspace): Promise<Failure | undefined> {
  if (ran.termination_reason === 'MaxRuntime') return 'timeout'
  if (ran.termination_reason !== 'ConsecutiveFailures') return undefined
  const { records } = await lastSession(workspace)
  const errors = records.flatMap((record) => (isKind(record, 'backend.call') ? [record.data.error ?? ''] : []))
  const said = [...errors, ran.stderr].join('\n')
  return /rate.?limit|\b429\b|overloaded|too many requests/i.test(said) ? 'rate_limit' : 'backend_failure'
}

/** What an answer shows about a run. */
export function shownRun(ran: RanInWorkspace) {
  const { run_id, exit_code, termination_reason, message, iterations, elapsed_secs, session_file, events_count } = ran
  const { hats, stdout, stderr, tokens, cost_dollars, mock_responses_consumed, mock_responses_remaining } = ran
  return {
    run_id,
    exit_code,
    termination_reason,
    iterations,
    elapsed_secs,
    session_file,
    events_count,
    hats,
    stdout: endOf(stdout),
    stderr: endOf(stderr),
    tokens,
    ...defined({ message, cost_dollars, mock_responses_consumed, mock_responses_remaining }),
    ...(ran.warnings.length > 0 && { warnings: ran.warnings }),
  }
}

function endOf(output: string): string {
  return output.length > MAX_SHOWN ? `…${output.slice(-MAX_SHOWN)}` : output
}
