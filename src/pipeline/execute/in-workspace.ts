// An attempt at a case in its own workspace.
import { messageOf } from '../../base/message-of.js'
import type { Agent } from '../../model/agent.js'
import type { CaseWorkspace, OpenCaseWorkspace, WorkspaceSpec } from '../../model/workspace.js'
import type { ConversationResult } from './conversation/contract.js'
import type { Deadline } from './deadline.js'

export interface InWorkspace {
  spec: WorkspaceSpec
  agent: Agent
  chatId: string
  deadline: Deadline
  open: OpenCaseWorkspace
  /** Workspaces of failed attempts are kept for a person to look at. */
  keepFailed: boolean
}

/** A workspace that cannot be created, or is not used, is a mistake of the case and not a verdict on the agent. */
export async function inWorkspace(
  { spec, agent, chatId, deadline, open, keepFailed }: InWorkspace,
  converse: (workspace: CaseWorkspace) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  if (agent.workspaces === undefined) return mistake(notUsedBy(agent))
  let workspace: CaseWorkspace
  try {
    workspace = await open(spec, agent.workspaces)
  } catch (error) {
    return mistake(`the workspace could not be created: ${messageOf(error)}`, error)
  }
  const stop = workspace.watch((error) => deadline.end(error))
  let result: ConversationResult | undefined
  try {
    result = await converse(workspace)
    const tooLarge = await stop()
    if (tooLarge) fail(result, `agent error: ${tooLarge.message}`)
    if (agent.workspaces === 'folder' && isForOrchestrator(spec)) addWarning(result, UNUSED_CONFIG)
    return result
  } finally {
    // A process is returned where it was reserved.
    if (!agent.reserve) await agent.release?.(chatId)
    await stop()
    await end(workspace, keepFailed && result?.status === 'failed', result)
  }
}

const UNUSED_CONFIG = 'workspace.config is for an orchestrator: this agent does not see it'

/** Assertions know where the scratchpad is, whatever the agent is. */
function isForOrchestrator({ config = {} }: WorkspaceSpec): boolean {
  const { core, ...rest } = config
  const { scratchpad: _scratchpad, ...other } = (core ?? {}) as Record<string, unknown>
  return Object.keys(rest).length > 0 || Object.keys(other).length > 0
}

function notUsedBy({ id }: Agent): string {
  return `the case has a workspace, but ${id} cannot work in one: only programs (exec:, acp:, mcp:), modules and packages can`
}

async function end(workspace: CaseWorkspace, keep: boolean, result: ConversationResult | undefined): Promise<void> {
  try {
    await workspace.close(keep)
    if (!keep || !result) return
    result.workspace = workspace.path
    addWarning(result, `the workspace is kept: ${workspace.path}`)
  } catch (error) {
    if (result) addWarning(result, `the workspace ${workspace.path} could not be removed: ${messageOf(error)}`)
  }
}

function addWarning(result: ConversationResult, text: string): void {
  result.warnings = [...(result.warnings ?? []), text]
}

function mistake(error: string, cause?: unknown): ConversationResult {
  return { status: 'failed', error, error_kind: 'input', cause }
}

function fail(result: ConversationResult, error: string): void {
  if (result.status === 'passed') Object.assign(result, { status: 'failed', error, error_kind: 'agent' })
}
