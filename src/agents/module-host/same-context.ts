// Most calls of a run differ in few fields of their context: the rest crosses the channel once, and then stays as it was.
import { isRecord } from '../../base/record.js'
import type { AgentContext } from '../../model/agent.js'
import type { CallMessage } from './protocol.js'

type Sent = Pick<CallMessage, 'context' | 'own'>

/** Viva's end. */
export class ContextWriter {
  /** What the other end has: a copy that nothing changes. */
  #last: AgentContext | undefined

  /** Puts into `message` what the other end needs to know about the context. */
  addTo(message: Sent, context: AgentContext): void {
    if (this.#last && isAlike(context, this.#last)) {
      message.own = { chat_id: context.chat_id, metadata: context.metadata }
      return
    }
    message.context = context
    this.#last = JSON.parse(JSON.stringify(context)) as AgentContext
  }
}

/** The agent's end. */
export class ContextReader {
  #last: AgentContext | undefined

  /** Always a new object, all the way down: the agent may do with it what it likes. */
  read({ context, own }: Sent): AgentContext | undefined {
    if (context) {
      this.#last = copied(context)
      return context
    }
    return this.#last && { ...copied(this.#last), ...own }
  }
}

/** Except for what differs in every case. Only plain values are compared: anything deeper counts as different. */
function isAlike(one: AgentContext, other: AgentContext): boolean {
  return (
    areAlike(one, other, APART) &&
    areAlike(one.client, other.client, NONE) &&
    areAlike(one.authorized, other.authorized, NONE)
  )
}

/** The keys in `apart` are compared elsewhere. */
function areAlike(one: unknown, other: unknown, apart: ReadonlySet<string>): boolean {
  if (!isRecord(one) || !isRecord(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(other, key)) return false
    if (apart.has(key)) continue
    const value = one[key]
    if (value !== other[key] || (typeof value === 'object' && value !== null)) return false
  }
  return true
}

const APART: ReadonlySet<string> = new Set(['chat_id', 'metadata', 'client', 'authorized'])
const NONE: ReadonlySet<string> = new Set()

function copied(context: AgentContext): AgentContext {
  return { ...context, client: { ...context.client }, authorized: { ...context.authorized } }
}
