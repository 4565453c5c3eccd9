// A function passed in by a program: `(messages, ctx, options) → answer`, called in this process.
import type { Agent, AgentContext, AgentOptions, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentMessage } from '../../model/message.js'
import { defined } from '../../base/defined.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { chatMessages } from '../../connectors/chat-messages.js'
import { orAborted } from '../../time/deadline.js'
import { Histories } from '../histories.js'
import { collectAnswer } from '../reply/collect-answer.js'
import { requirePlain } from '../reply/plain-reply.js'
import { thrownRefusal } from '../reply/thrown-refusal.js'
import { toAgentError } from './call-errors.js'

/** Answers with text, a reply, an SDK's result, or a stream of them. */
export type AgentFunction = (
  messages: AgentMessage[],
  context: AgentContext,
  options: AgentOptions & { signal: AbortSignal; workspace?: string },
) => unknown

export function createFunctionAgent(answer: AgentFunction): Agent {
  const histories = new Histories()
  return {
    id: answer.name === '' ? 'agent' : answer.name,
    workspaces: 'folder',
    givenTools: 'served',
    send: (request) => call(answer, request, histories),
    release: (chatId) => histories.forget(chatId),
  }
}

async function call(answer: AgentFunction, request: AgentRequest, histories: Histories): Promise<AgentReply> {
  const { signal, onChunk, workspace, turn } = request
  const chatId = request.context.chat_id
  const partial = { content: '' }
  const keep = (text: string): void => {
    partial.content += text
    onChunk?.(text)
  }
  // Copies: what was asked and what was answered are evidence, whatever the function does to its own objects later.
  const { messages, context, options } = structuredClone({
    messages: chatMessages(request.messages),
    context: request.context,
    options: request.options,
  })
  const work = async (): Promise<AgentReply> => {
    const asked = { ...histories.addTo(options, chatId, turn), signal, ...defined({ workspace }) }
    const given = await answer(messages, context, asked)
    const returned = (value: unknown): void => histories.keep(chatId, turn, value)
    const reply = requirePlain(await collectAnswer(given, keep, signal, returned))
    return JSON.parse(JSON.stringify(reply)) as AgentReply
  }
  try {
    // It cannot be ended from outside: when its time is up, its answer is no longer awaited.
    return await orAborted(work(), signal)
  } catch (error) {
    const refused = signal.aborted ? undefined : thrownRefusal(error)
    if (refused) return refused
    throw signal.aborted ? abortedCall(signal, partial) : toAgentError(error)
  }
}
