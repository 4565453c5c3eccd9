// `orchestrator:config.yml`: a loop of hats as an agent. The last user text is the task, what it did is evidence.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defined } from '../../base/defined.js'
import { show } from '../../base/text.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { ModelCall } from '../../model/model-call.js'
import { lastUserText } from '../../model/last-user-text.js'
import { sessionCalls } from '../../model/session-calls.js'
import { sessionEvidence } from '../../model/session-evidence.js'
import type { SessionRecord } from '../../model/session.js'
import { requireBackend } from '../../orchestrator/choose-backend.js'
import type { LoopConfig } from '../../orchestrator/config/config.js'
import { parseLoopConfig, readLoopConfig } from '../../orchestrator/config/read-config.js'
import { requireBackends } from '../../orchestrator/backends/ready.js'
import { runLoop } from '../../orchestrator/run-loop.js'
import type { LoopResult, RunLoopInit } from '../../orchestrator/run-types.js'
import type { Processes } from '../../process/processes.js'
import type { Redactor } from '../../redact/redactor.js'
import type { Clock } from '../../time/clock.js'
import { mockMcpEnv } from './mock-mcp.js'
import { newRunId } from '../../time/new-run-id.js'

export interface OrchestratorContext extends LoopSettings {
  processes: Processes
  pass_env: string[]
}

/** What the loops of a run have in common. */
export interface LoopSettings {
  /** The base of relative paths. */
  cwd: string
  /** Hides secrets and nothing else. */
  secrets(): Redactor
  clock: Clock
  warn(text: string): void
  /** What people should know, once per run. */
  note?: ((text: string) => void) | undefined
  /** Wraps the backends of the hats. */
  wrap?: ((call: ModelCall) => NonNullable<RunLoopInit['wrap']>) | undefined
}

/** `path` is empty: the built-in hats. */
export function createOrchestratorAgent(path: string, context: OrchestratorContext): Agent {
  const { cwd, warn } = context
  const redactor = context.secrets()
  const base = path === '' ? {} : readLoopConfig(resolve(cwd, path), warn).raw
  const configFor = (own: Record<string, unknown> | undefined, warned = warn): LoopConfig =>
    parseLoopConfig({ ...base, ...own }, path === '' ? 'workspace.config' : path, warned)
  return {
    id: `orchestrator:${path}`,
    sees: 'nothing',
    workspaces: 'orchestrator',
    givenTools: 'served',
    async requireSetUp({ options = {}, workspace }) {
      const { backend, hats } = configFor(workspace?.config, () => {})
      if (options['mock_responses'] !== undefined || backend === undefined) return
      const { processes, pass_env, note } = context
      await requireBackends([backend, ...hats.flatMap((hat) => hat.backend ?? [])], {
        cwd: processes.cwd,
        env: {},
        pass_env,
        processes,
        note,
      })
    },
    async send(request) {
      const config = configFor(request.workspaceConfig)
      if (request.workspace !== undefined) return play(request, request.workspace, config, { ...context, redactor })
      const folder = mkdtempSync(join(tmpdir(), 'viva-loop-'))
      try {
        return await play(request, folder, config, { ...context, redactor })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

async function play(
  request: AgentRequest,
  cwd: string,
  config: LoopConfig,
  { redactor, processes, pass_env, clock, warn, note, wrap }: OrchestratorContext & { redactor: Redactor },
): Promise<AgentReply> {
  const { messages, options, call, signal, onChunk } = request
  const { mock_responses, on_exhausted } = options
  const records: SessionRecord[] = []
  const result = await runLoop({
    cwd,
    task: lastUserText(messages),
    config,
    backend: requireBackend({ mock_responses }, config, NO_BACKEND),
    env: { ...request.env, ...mockMcpEnv(request) },
    pass_env,
    run_id: newRunId(),
    redactor,
    processes,
    signal,
    clock,
    warn,
    emit: (record) => void records.push(record),
    onOutput: (text, stdout) => {
      if (stdout) onChunk?.(text)
    },
    ...defined({ mock_responses, note, on_exhausted: onExhausted(on_exhausted), wrap: wrap?.(call) }),
  })
  const reply = replyOf(result, records)
  if (result.error)
    throw new AgentError({ code: 'config', message: result.error.message, partial: reply, retry: false })
  // Whatever ended it says why; what was done by then is kept.
  if (signal.aborted) throw new AgentError({ code: 'stopped', message: 'ended from outside', partial: reply })
  return reply
}

function onExhausted(value: unknown): 'error' | 'stop' | undefined {
  if (value === undefined || value === 'error' || value === 'stop') return value
  throw new UserError({
    code: 'BAD_OPTION',
    message: `options.on_exhausted: expected error or stop, found ${show(value, 40)}`,
    hint: 'error is the default',
  })
}

function replyOf(result: LoopResult, records: SessionRecord[]): AgentReply {
  const { stdout, stderr, exit_code, termination_reason, usage, cost_dollars } = result
  const session = sessionEvidence(records)
  return {
    content: stdout,
    tool_calls: sessionCalls(records),
    ...(session.calls_cut && { tool_evidence: 'partial' as const }),
    finish_reason: termination_reason,
    exit_code,
    stdout,
    stderr,
    session,
    ...defined({ cost_dollars, usage }),
  }
}

const NO_BACKEND = 'give the case options.mock_responses, or name cli.backend in the configuration'
