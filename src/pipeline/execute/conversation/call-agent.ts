// One call of the agent under test: what it is sent.
import { join } from 'node:path'
import type { AgentContext, AgentOptions, AgentReply, AgentRequest, ToolReplacements } from '../../../model/agent.js'
import { GivenTool, type CaseTools } from '../../../model/given-tools.js'
import type { ConversationSetup } from './contract.js'
import { stubScript } from '../../../model/stub-script.js'
import { putOver } from '../../../model/variant.js'

/** `asked.messages` must be a copy: an agent may do with them what it likes. */
export function callAgent(setup: ConversationSetup, asked: Omit<AgentRequest, 'call'>): Promise<AgentReply> {
  const request = requestOf(setup, asked)
  if (setup.tools?.url === undefined) return setup.run.agent.send(request)
  return callServed(setup, setup.tools, request)
}

async function callServed(setup: ConversationSetup, tools: CaseTools, request: AgentRequest): Promise<AgentReply> {
  const { withServedCalls, withServedPartial } = await import('./served-calls.js')
  let reply: AgentReply
  try {
    reply = await setup.run.agent.send(request)
  } catch (error) {
    throw withServedPartial(error, await tools.taken(), tools)
  }
  return withServedCalls(reply, await tools.taken(), tools)
}

function requestOf(setup: ConversationSetup, asked: Omit<AgentRequest, 'call'>): AgentRequest {
  const { run, testCase, workspace, deadline } = setup
  const request = asked as AgentRequest
  request.call = setup.call
  if (run.agent.recorded !== undefined) request.asked = setup.asked
  const { tools: own } = testCase.testing ?? {}
  const given = Object.fromEntries((setup.tools?.tools ?? []).map((tool) => [tool.spec.name, tool]))
  const stubs = typeof own === 'string' ? given : own && withSpecs(own, given)
  if (stubs || run.tools || setup.tools) request.tools = { ...run.tools, ...given, ...stubs }
  if (stubs) request.ownTools = Object.keys(stubs)
  if (testCase.tools) request.offered = testCase.tools
  if (run.over?.described) request.descriptions = run.over.described
  if (setup.tools?.url !== undefined) {
    request.mockMcp = setup.tools.url
    request.toolsRecorder = setup.tools
  }
  if (workspace !== undefined) {
    request.workspace = workspace.path
    request.workspaceConfig = workspace.config
    request.workspaceRecorder = workspace
    if (workspace.home !== undefined) request.env = { ...request.env, ...homeEnv(workspace.home) }
  }
  if (deadline !== undefined) request.deadline = deadline
  request.onWait = (ms) => {
    setup.waitedMs += ms
  }
  if (run.agent.reserve) request.rerun = 'conversation'
  return request
}

/** What programs go by when they look for a user's own settings. */
function homeEnv(home: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
}

/** A fixed result for a tool of the configuration's file: the agent still has to know the tool. */
function withSpecs(own: ToolReplacements, given: Record<string, GivenTool>): ToolReplacements {
  const entries = Object.entries(own).map(([name, value]) => {
    const spec = Object.hasOwn(given, name) && stubScript(value) === undefined ? given[name]?.spec : undefined
    return [name, spec ? new GivenTool(spec, () => Promise.resolve({ result: value })) : value]
  })
  return Object.fromEntries(entries) as ToolReplacements
}

/** A turn's options over the case's, metadata and skip key by key; the variant's and `-c` over both. */
export function turnOptions(setup: ConversationSetup, options: AgentOptions | undefined): AgentOptions {
  if (options === undefined) return setup.options
  const merged: AgentOptions = { ...setup.options, ...options }
  if (setup.options.metadata && options.metadata) merged.metadata = { ...setup.options.metadata, ...options.metadata }
  if (setup.options.skip && options.skip) merged.skip = { ...setup.options.skip, ...options.skip }
  return putOver(merged, setup.run.over ?? setup.run.options)
}

/** The one context of the conversation, with a turn's metadata over it. */
export function turnContext(setup: ConversationSetup, options: AgentOptions | undefined): AgentContext {
  if (options?.metadata === undefined) return setup.context
  return { ...setup.context, metadata: { ...setup.context.metadata, ...options.metadata } }
}
