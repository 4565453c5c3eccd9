// Calls a helper agent or script: the data as metadata and as the JSON text of one user message; returns its answer.
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentContext, AgentOptions, AgentReply } from '../../model/agent.js'
import { helperId, type AskHelper, type HelperCall, type HelperRole } from '../../model/helper.js'
import type { HelperLedger } from '../../model/helper-cost.js'
import type { Message } from '../../model/message.js'
import type { ModelCall } from '../../model/model-call.js'
import { CancelledError, DeadlineError, orAborted } from '../../time/deadline.js'
import { builtinHelperFor, isBuiltinHelper } from './built-in-ids.js'
import { errorFacts } from '../../http/error-facts.js'
import { errorText } from '../reply/error-text.js'
import { badEndingOf, missingCalls } from '../reply/bad-ending.js'
import { requirePlain } from '../reply/plain-reply.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'

export interface AskParts {
  /** `use` without `agents:`, e.g. `workers.test.validator`, `./judge.ts#run`, `viva.judge`. */
  resolveAgent(use: string, role: HelperRole): Promise<Agent>
  /** `scripts:…` helpers: called with the one record of data. */
  callScript(ref: string, args: unknown[], signal: AbortSignal): Promise<unknown>
  /** Its chat id distinguishes cases and runs: scripted helpers are consumed in order per conversation. */
  contextFor(role: HelperRole): AgentContext
  /** The connector of built-in helpers. */
  connectorFor?(role: HelperRole): string | undefined
  /** The case, run and attempt that the calls are part of. */
  origin: Omit<ModelCall, 'lane' | 'role'>
  /** Where every call is counted. */
  ledger: HelperLedger
  /** Wraps what is asked, if several conversations should hear the same. */
  share?(call: HelperCall, connector: string | undefined, ask: () => Promise<unknown>): Promise<unknown>
}

const LANES: Record<HelperRole, ModelCall['lane']> = {
  validator: 'judge',
  simulator: 'simulator',
  generator: 'generator',
  reporter: 'reporter',
}

export function createAsk(parts: AskParts): AskHelper {
  // A simulator is asked at every turn: it is resolved at the first.
  const known = new Map<string, Agent>()
  return async (call) => {
    const use = helperId(call.use ?? builtinHelperFor(call.role))
    const data = dataOf(call)
    const share = parts.share ?? ((_call, _connector, ask) => ask())
    if (/^scripts[:.]/.test(use))
      return share(call, undefined, () => orAborted(parts.callScript(use, [data], call.signal), call.signal))
    const agent = known.get(use) ?? (await resolve(parts, use, call.role))
    known.set(use, agent)
    const options = optionsOf(parts, call, agent, use, data)
    const base = parts.contextFor(call.role)
    const lane = LANES[call.role]
    const own: ModelCall = { ...parts.origin, lane, role: `${lane}:${use}` }
    const send = (asked: AgentOptions): Promise<AgentReply> => {
      const answering = orAborted(
        agent.send({
          messages: messagesOf(call, data),
          context: {
            ...base,
            chat_id: `${base.chat_id}-${use}`,
            assistant_id: agent.id,
            referer: 'agent-test',
            metadata: { ...base.metadata, ...data },
          },
          options: asked,
          call: own,
          signed: call.signed,
          signal: call.signal,
        }),
        call.signal,
      )
      return counted(answering, own, parts.ledger)
    }
    return share(call, options.connector ?? agent.connector, async () => {
      const reply = isBuiltinHelper(use) ? await sendInForm(send, options, call.schema) : await send(options)
      requireWhole(reply, call.role)
      if (reply.unsigned) call.onUnsigned?.()
      return answerOf(requirePlain(reply))
    })
  }
}

/** A call is paid for whatever comes of it. */
async function counted(answering: Promise<AgentReply>, call: ModelCall, ledger: HelperLedger): Promise<AgentReply> {
  try {
    const reply = await answering
    ledger.add(call, reply)
    return reply
  } catch (error) {
    const partial = error instanceof AgentError && isRecord(error.partial) ? error.partial : undefined
    ledger.add(call, partial?.['usage'] === undefined ? undefined : partial)
    throw error
  }
}

/** Asks the model for the form itself, if it supports that; any other model is asked in words alone. */
async function sendInForm(
  send: (options: AgentOptions) => Promise<AgentReply>,
  options: AgentOptions,
  schema: Record<string, unknown> | undefined,
): Promise<AgentReply> {
  if (schema === undefined) return send(options)
  try {
    return await send({
      ...options,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    })
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'bad_request') throw error
    return send(options)
  }
}

/** An answer that was cut off may say the opposite of the whole, and one with an error cannot be relied on. */
function requireWhole(reply: AgentReply, role: HelperRole): void {
  const { content, tool_calls, finish_reason, error, refusal = finish_reason === 'refusal' } = reply
  // A verdict may have a field of that name.
  const isField = isRecord(content) && content['error'] === error && Object.keys(content).length > 1
  if (error !== undefined && !isField) {
    throw new AgentError({
      code: 'failed',
      message: `the ${role} answered with an error: ${errorText(error)}`,
      ...errorFacts(error),
    })
  }
  const missing = missingCalls(finish_reason, tool_calls)
  if (missing !== undefined)
    throw new AgentError({ code: 'bad_response', message: `the ${role} gave no answer: ${missing}`, retry: false })
  if (refusal)
    throw new AgentError({ code: 'bad_response', message: `the ${role} refused: ${show(content)}`, retry: false })
  const bad = badEndingOf(reply)
  if (bad !== undefined)
    throw new AgentError({
      code: 'bad_response',
      message: `the answer of the ${role} ended in an error: ${bad}`,
      retry: false,
    })
  if (role === 'reporter' || (finish_reason !== 'length' && finish_reason !== 'content_filter')) return
  throw new AgentError({
    code: 'cut_off',
    message: `the ${role}'s answer was cut off (finish_reason "${finish_reason}")`,
    hint: 'raise max_tokens of its connector or package',
    retry: false,
  })
}

/** The author's metadata, overridden by the helper's fields, and both by the kind of call. */
function dataOf({ options, data, role, test_id }: HelperCall): Record<string, unknown> {
  return {
    ...options?.metadata,
    ...data,
    test_mode: role,
    ...(test_id === undefined ? {} : { test_id }),
  }
}

function messagesOf(call: HelperCall, data: Record<string, unknown>): Message[] {
  if (call.messages && call.messages.length > 0) return call.messages
  return [{ role: 'user', content: call.text ?? JSON.stringify(data) }]
}

function optionsOf(
  parts: AskParts,
  call: HelperCall,
  agent: Agent,
  use: string,
  data: Record<string, unknown>,
): AgentOptions {
  const options: AgentOptions = {
    ...call.options,
    skip: { ...call.options?.skip, history: true },
    metadata: data,
  }
  if (options.connector !== undefined || agent.connector !== undefined || !isBuiltinHelper(use)) return options
  const connector = parts.connectorFor?.(call.role)
  if (connector === undefined) throw noConnector(use)
  options.connector = connector
  return options
}

/** What the helper said: the Next hook's data, its content, or the arguments of the one tool it called to answer. */
function answerOf(reply: AgentReply): unknown {
  if (reply.next !== undefined && reply.next !== null) return reply.next
  const silent = reply.content === null || reply.content === undefined || reply.content === ''
  const [only, ...others] = reply.tool_calls
  if (silent && only && others.length === 0 && only.args_error === undefined) return only.args
  return reply.content
}

// The next step is in the message itself: code that passes it on may know nothing of hints.
async function resolve(parts: AskParts, use: string, role: HelperRole): Promise<Agent> {
  try {
    return await parts.resolveAgent(use, role)
  } catch (error) {
    if (error instanceof CancelledError || error instanceof DeadlineError) throw error
    const hint = error instanceof UserError || error instanceof AgentError ? error.hint : undefined
    const why = messageOf(error)
    const message = `failed to get ${role} agent "${use}": ${why}${hint === undefined ? '' : ` (${hint})`}`
    throw new AgentError({ code: 'config', message, cause: error })
  }
}

function noConnector(use: string): AgentError {
  const message =
    `the built-in helper ${use} has no connector: set helpers.connector in viva.config, pass ${use === builtinHelperFor('validator') ? '--judge or ' : ''}-c, ` +
    'give options.connector, or name an agent of your own in "use"'
  return new AgentError({ code: 'config', message })
}
