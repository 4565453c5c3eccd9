// A task for an MCP server: a model (`-c`) is offered the tools of the server, and its call is the answer. Nothing is
// called on the server.
import { AgentError } from '../../errors.js'
import type { Agent, AgentOptions, AgentRequest } from '../../model/agent.js'
import type { CaseInput } from '../../model/case.js'
import type { ToolSpec } from '../../model/connector.js'
import type { Message } from '../../model/message.js'
import { isRecord } from '../../base/record.js'
import { createPackageAgent } from '../package/agent.js'
import type { PackageParts } from '../package/call.js'
import { descriptionMistake } from '../package/tools/offered.js'
import { modelPackage } from './bare-model.js'

/** The agent, which then answers tasks as well as calls. `list`: starts the server and ends it again. */
export async function withRouting(
  agent: Agent,
  { dir, list, parts }: { dir: string; list: () => Promise<ToolSpec[]>; parts: PackageParts },
): Promise<Agent> {
  const { id, requireSetUp } = agent
  const model = await createPackageAgent(modelPackage(id, dir), parts)
  let listed: Promise<ToolSpec[]> | undefined
  const offered = (): Promise<ToolSpec[]> => {
    listed ??= list()
    listed.catch(() => (listed = undefined))
    return listed
  }
  const offeredIn = async ({ call, signal, onWait }: AgentRequest): Promise<ToolSpec[]> => {
    const around = parts.aroundTools?.({ call, signal, ...(onWait && { onWait }) })
    return around ? around.list(id, offered) : offered()
  }
  const { sees: _sees, ...rest } = agent
  return {
    ...rest,
    offers: true,
    offered,
    requireSetUp: async (asked) => {
      // Without a model, the server says what is missing.
      if (!isTaskCase(asked) || asked.options?.connector === undefined) await requireSetUp?.(asked)
    },
    send: async (request) => {
      if (!isTask(request.messages.at(-1)) || request.options.connector === undefined) return agent.send(request)
      const tools = request.offered ?? (await offeredIn(request))
      const mistake = request.offered ? undefined : descriptionMistake(request.descriptions, tools)
      if (mistake !== undefined) throw new AgentError({ code: 'config', message: mistake })
      return model.send({ ...request, offered: tools })
    },
    release: async (chatId) => {
      await model.release?.(chatId)
      await agent.release?.(chatId)
    },
  }
}

/** What the server itself answers: parts that are not for a model. */
const FOR_SERVER = new Set(['call', 'contract'])

function isTask(message: Message | undefined): boolean {
  const content = message?.content
  return !Array.isArray(content) || !content.some(({ type }) => FOR_SERVER.has(type))
}

function isTaskCase(asked: object): asked is { options?: AgentOptions } {
  const { input, messages, turns } = asked as { input?: CaseInput; messages?: CaseInput; turns?: unknown }
  const said = messages ?? input
  if (said === undefined && turns !== undefined) {
    const [first] = turns as Array<{ input?: CaseInput }>
    return first?.input !== undefined && isTaskCase({ input: first.input })
  }
  if (typeof said === 'string') return true
  const last = Array.isArray(said) ? said.at(-1) : said
  return isRecord(last) && isTask(last)
}
