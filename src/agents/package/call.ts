// One call of a package agent: what it works with and what it has gathered.
import type { Agent, AgentRequest, ToolReplacements, TraceStep } from '../../model/agent.js'
import type { Connector, Reasoning } from '../../model/connector.js'
import type { Spent } from '../../model/helper-cost.js'
import type { ModelCall } from '../../model/model-call.js'
import { LogKeeper } from '../../scripts/host/log-keeper.js'
import type { Without } from './hooks.js'
import type { PromptTime } from './prompt-variables.js'
import { createSentText, type SentText } from './sent-text.js'
import type { ToolboxParts } from './tools/toolbox.js'
import type { AgentPackage } from './types.js'

export interface PackageParts extends ToolboxParts, Without {
  connectors: { get(id: string, from?: { agentDir?: string }): Promise<Connector> }
  agent(id: string): Promise<Agent>
  env: Record<string, string | undefined>
  clock(call: ModelCall): PromptTime
  /** Replacements for tools set by tests, by chat, for calls that scripts make meanwhile. */
  replacements: Map<string, ToolReplacements>
  /** What models returned beyond their words and calls, by chat. */
  reasoning: Map<string, Reasoning[]>
}

export interface Call {
  pkg: AgentPackage
  parts: PackageParts
  request: AgentRequest
  trace: TraceStep[]
  said: SentText
  /** What the agents that its hooks and tools called have used. */
  spent: Spent[]
  /** What its hooks and tools printed. */
  logs: LogKeeper
}

export function createCall(pkg: AgentPackage, parts: PackageParts, request: AgentRequest): Call {
  return { pkg, parts, request, trace: [], spent: [], said: createSentText(), logs: new LogKeeper() }
}
