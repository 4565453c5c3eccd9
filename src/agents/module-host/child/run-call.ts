// One call of the agent's function: its answer is read here, where the SDK's objects live; plain data goes to Viva.
import { AgentError, UserError } from '../../../errors.js'
import type { AgentContext } from '../../../model/agent.js'
import { defined } from '../../../base/defined.js'
import { CancelledError, DeadlineError } from '../../../time/deadline.js'
import { Histories } from '../../histories.js'
import { collectAnswer } from '../../reply/collect-answer.js'
import { requirePlain } from '../../reply/plain-reply.js'
import { thrownRefusal } from '../../reply/thrown-refusal.js'
import { toAgentError } from '../../targets/call-errors.js'
import type { CallMessage, HostMessage, WireError } from '../protocol.js'
import { ContextReader } from '../same-context.js'
import { flushPartial } from './capture.js'
import { send } from './channel.js'
import { running, RunningCall } from './running-call.js'
import { framesOf, thrownAt } from './thrown-at.js'

export type AgentFunction = (messages: unknown, context: unknown, options: unknown) => unknown

const calls = new Map<number, RunningCall>()
const contexts = new ContextReader()
const histories = new Histories()

export function runCall(message: CallMessage, answer: AgentFunction, file: string): void {
  const call = new RunningCall(message.id)
  calls.set(call.id, call)
  const context = contexts.read(message)
  for (const chatId of message.over ?? []) histories.forget(chatId)
  void running.run(call, () => converse(call, message, context, answer, file))
}

export function abortCall({ id, message, text }: Extract<HostMessage, { k: 'abort' }>): void {
  const reason = text === undefined ? new CancelledError(message) : new DeadlineError(text)
  calls.get(id)?.abort(reason)
  send('heard', id)
}

async function converse(
  call: RunningCall,
  message: CallMessage,
  context: AgentContext | undefined,
  answer: AgentFunction,
  file: string,
): Promise<void> {
  try {
    const chatId = context?.chat_id ?? ''
    const given = await answer(message.messages, context, optionsOf(call, message, chatId))
    const returned = (value: unknown): void => histories.keep(chatId, message.turn, value)
    const reply = collectAnswer(given, (text) => send('chunk', call.id, text), call, returned)
    finish(call, 'reply', requirePlain(reply instanceof Promise ? await reply : reply))
  } catch (error) {
    const refused = thrownRefusal(error)
    if (refused) finish(call, 'reply', refused)
    else finish(call, 'error', wireError(error, file))
  }
}

function optionsOf(call: RunningCall, message: CallMessage, chatId: string): Record<string, unknown> {
  const { options, turn, workspace } = message
  const all: Record<string, unknown> = histories.addTo(options, chatId, turn)
  if (workspace !== undefined) all['workspace'] = workspace
  return Object.defineProperty(all, 'signal', {
    enumerable: true,
    configurable: true,
    get: () => call.signal,
    set(value) {
      Object.defineProperty(all, 'signal', { value, writable: true })
    },
  })
}

/** What it prints from now on belongs to no call. */
function finish(call: RunningCall, k: 'reply' | 'error', value: unknown): void {
  flushPartial(call)
  call.over = true
  calls.delete(call.id)
  try {
    send(k, call.id, value, calls.size === 0)
  } catch (error) {
    // A getter or a `toJSON` of the agent's that only throws now.
    send('error', call.id, wireError(error, ''))
  }
}

function wireError(thrown: unknown, file: string): WireError {
  const error = isOurs(thrown) ? thrown : toAgentError(thrown, thrownAt(thrown, file))
  const hint = error.hint === undefined ? {} : { hint: error.hint }
  if (!(error instanceof AgentError) && !isAgentError(error)) {
    return { code: 'failed', message: error.message, ...hint, ...defined({ frames: framesOf(thrown, file) }) }
  }
  const { code, message, status, retryAfterMs, retry, partial } = error
  return {
    code,
    message,
    ...hint,
    ...defined({
      status,
      retry_after_ms: retryAfterMs,
      retry,
      partial: plain(partial),
      frames: framesOf(thrown, file),
    }),
  }
}

/** A module that imports the library throws classes of another copy of it. */
function isOurs(thrown: unknown): thrown is AgentError | UserError {
  return isAgentError(thrown) || (thrown instanceof Error && thrown.name === 'UserError' && 'problems' in thrown)
}

function isAgentError(thrown: unknown): thrown is AgentError {
  return thrown instanceof Error && thrown.name === 'AgentError' && 'retryAfterMs' in thrown
}

function plain(value: unknown): unknown {
  try {
    JSON.stringify(value)
    return value
  } catch {
    return undefined
  }
}
