// `--record-http`: agents that Viva starts run as always, and the calls they make to their models are recorded. Each
// conversation has its own address, and its own programs to give it to: within a shared process,
// conversations cannot be told apart.
import { Spans } from '../../base/spans.js'
import { AgentError } from '../../errors.js'
import { openHttp } from '../../http/open-http.js'
import type { Agent } from '../../model/agent.js'
import type { ModelCall } from '../../model/model-call.js'
import type { RunName } from '../../model/run-key.js'
import type { ScriptCall } from '../../model/script.js'
import { proxyEnv, serveProxy } from '../../recordings/proxy/serve.js'
import type { Talk } from '../../recordings/proxy/types.js'
import type { Normaliser } from '../../recordings/normalise.js'
import type { RunCassette } from '../../recordings/run-cassette.js'
import { monotonicNow } from '../../time/clock.js'
import { keysFor, upstreamsOf } from '../../recordings/proxy/upstream.js'

export interface RecordHttp {
  /** `given`: variables from the configuration. */
  agent(agent: Agent, given: Record<string, string>): Agent
  /** For a script of a package, for as long as it is called. */
  script(call: ScriptCall): { env: Record<string, string>; close(): void } | undefined
  /** For a process that belongs to no conversation. */
  detached: Record<string, string>
  /** How many calls have come. */
  calls(): number
  /** The case is over, and so are its conversations. */
  end(result: RunName): void
  close(): Promise<void>
}

export interface RecordHttpInit {
  cassette: RunCassette
  normaliser: Normaliser
  env: NodeJS.ProcessEnv
  realtime: boolean
  /** No call is made: every one of them is answered from the recording. */
  isReplayed: boolean
  /** Receives calls that belong to no conversation. */
  onStray(message: string): void
}

interface Conversation {
  env: Record<string, string>
  call?: ModelCall
  bind(call: ModelCall, signal: AbortSignal, onWait?: (ms: number) => void): void
  close(): void
}

export async function openRecordHttp(init: RecordHttpInit): Promise<RecordHttp> {
  const { cassette, normaliser, env: outer, realtime, isReplayed } = init
  // Mistakes in them are reported before anything is opened.
  upstreamsOf(outer)
  let calls = 0
  const http = openHttp({ env: outer })
  const strays = new Set<string>()
  const proxy = await serveProxy({ cassette, normaliser, http, realtime, onRefused: () => {} })
  const conversations = new Map<string, Conversation>()

  const open = (given: Record<string, string> = {}): Conversation => {
    const env = { ...outer, ...given }
    const over = new AbortController()
    let bound: { call: ModelCall; signal: AbortSignal } | undefined
    const talk: Talk = {
      callOf: (caseId) => {
        if (caseId !== undefined) throw unknown(`an address that names a case (${caseId})`)
        if (!bound) throw unknown('a process that has no conversation yet')
        calls++
        return bound.call
      },
      signal: () => bound?.signal ?? over.signal,
      started: monotonicNow(),
      upstreams: upstreamsOf(env),
    }
    const { url, close } = proxy.open(talk)
    const conversation: Conversation = {
      env: { ...proxyEnv(url, env), ...keysFor(env, !isReplayed) },
      bind(call, signal, onWait) {
        bound = { call, signal: AbortSignal.any([signal, over.signal]) }
        conversation.call = call
        talk.started = monotonicNow()
        const spans = new Spans()
        talk.onReplayed = (from, to) => onWait?.(-spans.add(from, to))
      },
      close() {
        over.abort(ended())
        close()
      },
    }
    return conversation
  }
  const unknown = (whence: string): AgentError => {
    const message = `a call of a model came from ${whence}: it belongs to no case, so it can be neither recorded nor replayed`
    if (!strays.has(message)) init.onStray(message)
    strays.add(message)
    return new AgentError({ code: 'config', message })
  }
  const ofChat = (chatId: string, given: Record<string, string>): Conversation => {
    let known = conversations.get(chatId)
    if (!known) conversations.set(chatId, (known = open(given)))
    return known
  }
  const endChat = (chatId: string): void => {
    conversations.get(chatId)?.close()
    conversations.delete(chatId)
  }

  return {
    detached: open().env,
    calls: () => calls,
    agent(agent, given) {
      const { reserve, release } = agent
      return {
        ...agent,
        ...(reserve && {
          reserve: (chatId, _alone, signal) => reserve(chatId, true, signal, ofChat(chatId, given).env),
        }),
        release: (chatId) => {
          endChat(chatId)
          return release?.(chatId)
        },
        send: async (request) => {
          const { call, signal, context } = request
          const conversation = ofChat(context.chat_id, given)
          conversation.bind(call, signal, request.onWait)
          try {
            const reply = await agent.send({ ...request, env: { ...request.env, ...conversation.env } })
            const wasPaid = reply.usage !== undefined || reply.cost_dollars !== undefined
            return isReplayed && wasPaid ? { ...reply, cost_dollars: 0 } : reply
          } finally {
            // Nothing else says when it is over.
            if (call.case_id === undefined) endChat(context.chat_id)
          }
        },
      }
    },
    script({ role, origin, signal }) {
      if (role !== 'agent') return undefined
      const conversation = open()
      if (origin?.case_id !== undefined) conversation.bind(origin, signal)
      return { env: conversation.env, close: () => conversation.close() }
    },
    end({ id, run, variant }) {
      for (const [chatId, { call }] of conversations)
        if (call?.case_id === id && (call.run ?? 1) === run && call.variant === variant) endChat(chatId)
    },
    async close() {
      for (const chatId of conversations.keys()) endChat(chatId)
      await proxy.close()
      await http.close()
    },
  }
}

function ended(): AgentError {
  return new AgentError({ code: 'cut_off', message: 'the conversation ended before the answer was complete' })
}
