// What `.stream()` of a LangGraph graph yields, in every mode and in several at once: each message counts once.
import { isRecord, readList, readString } from '../../base/record.js'
import type { AgentReply } from '../../model/agent.js'
import { readParts } from './content-parts.js'
import type { RunReader } from './run-reader.js'
import { isMessage, readAdded, readTranscript } from './sdk-results.js'

type Fields = Record<string, unknown>

const MODES = new Set(['values', 'updates', 'messages', 'custom', 'debug', 'tasks', 'checkpoints', 'tools'])

export function isGraphPiece(piece: unknown): boolean {
  return pieceOf(piece).mode !== undefined
}

interface Piece {
  mode: string | undefined
  value: unknown
  /** Of a graph inside the graph. */
  isInner: boolean
}

/** `chunk`, `[mode, chunk]`, `[namespace, chunk]` or `[namespace, mode, chunk]`. */
function pieceOf(piece: unknown): Piece {
  const list = readList(piece)
  const isNamed = Array.isArray(list[0])
  const [mode, value, ...more] = isNamed ? list.slice(1) : list
  const isInner = isNamed && readList(list[0]).length > 0
  if (typeof mode === 'string' && MODES.has(mode) && list.length > 1 && more.length === 0)
    return { mode, value, isInner }
  const single = isNamed && list.length === 2 ? list[1] : piece
  return { mode: modeOf(single), value: single, isInner }
}

function modeOf(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.length === 2 && isMessage(value[0]) && isStreamed(value[1]) ? 'messages' : undefined
  if (!isRecord(value)) return undefined
  if (isState(value)) return 'values'
  if (typeof value['type'] === 'string' && typeof value['step'] === 'number' && isRecord(value['payload']))
    return 'debug'
  if ('__interrupt__' in value) return 'updates'
  const isUpdate = Object.values(value).every((update) => typeof update === 'object') && updatesIn(value).length > 0
  return isUpdate ? 'updates' : undefined
}

/** What accompanies a message that is streamed. */
function isStreamed(metadata: unknown): boolean {
  return isRecord(metadata) && Object.keys(metadata).some((key) => key.startsWith('langgraph_'))
}

function isState(value: Fields): boolean {
  const messages = readList(value['messages'])
  return messages.length > 0 && messages.every(isMessage)
}

export class GraphStream implements RunReader {
  /** The whole conversation, as the graph last had it. */
  #state: unknown[] | undefined
  /** What its nodes added. */
  readonly #added: unknown[] = []
  /** Messages in pieces, by id. */
  readonly #pieces = new Map<string, Fields>()
  #custom = ''
  #hint: unknown
  #spoken: unknown

  take(piece: unknown): string | undefined {
    const { mode, value, isInner } = pieceOf(piece)
    switch (mode) {
      case 'values':
        if (!isInner && isRecord(value)) {
          if (isState(value)) this.#state = readList(value['messages'])
          this.#interrupt(value)
        }
        return undefined
      case 'updates':
        if (isRecord(value)) {
          this.#interrupt(value)
          for (const message of updatesIn(value)) this.#add(message)
        }
        return undefined
      case 'messages':
        return this.#piece(readList(value)[0])
      case 'custom':
        if (typeof value === 'string') this.#custom += value
        return undefined
      case 'debug':
      case 'tasks':
        this.#debug(value)
        return undefined
      case undefined:
        if (typeof piece === 'string') this.#custom += piece
        return undefined
      default:
        return undefined
    }
  }

  /** A graph that fails throws. */
  errorIn(): undefined {
    return undefined
  }

  reply(): AgentReply {
    const added = this.#added.filter(isMessage)
    const read =
      (this.#state && readTranscript(this.#state)) ??
      (added.length > 0 ? readAdded(added) : this.#pieces.size > 0 ? readAdded([...this.#pieces.values()]) : undefined)
    const reply: AgentReply = read ?? { content: this.#custom || null, tool_calls: [], tool_evidence: 'unknown' }
    if (this.#hint !== undefined) {
      reply.awaiting_input = true
      reply.input_hint = typeof this.#hint === 'string' ? this.#hint : JSON.stringify(this.#hint)
    }
    return reply
  }

  returned(): unknown {
    return { messages: this.#state ?? (this.#added.length > 0 ? this.#added : [...this.#pieces.values()]) }
  }

  /** Nodes may repeat a message, and outer graphs those of inner ones. */
  #add(message: unknown): void {
    const id = idOf(message)
    const at = this.#added.findIndex((known) => known === message || (id !== undefined && idOf(known) === id))
    if (at === -1) this.#added.push(message)
    else this.#added[at] = message
  }

  #debug(value: unknown): void {
    const { type, payload = value } = isRecord(value) ? value : {}
    if (!isRecord(payload)) return
    if (type === 'checkpoint' && isRecord(payload['values']) && isState(payload['values']))
      this.#state = readList(payload['values']['messages'])
    const [interrupt] = readList(payload['interrupts'])
    if (isRecord(interrupt)) this.#hint = interrupt['value'] ?? ''
    for (const message of messagesIn(payload['result'])) this.#add(message)
  }

  #piece(message: unknown): string | undefined {
    if (!isRecord(message) || !isMessage(message)) return undefined
    const id = idOf(message) ?? `#${this.#pieces.size}`
    const before = this.#pieces.get(id)
    this.#pieces.set(id, before && isChunk(message) ? joined(before, message) : message)
    const type = readString(message['type'])
    const { content } = readParts(message['content'])
    if (type === 'tool' || typeof content !== 'string' || content === '') return undefined
    const isNew = this.#spoken !== undefined && this.#spoken !== id
    this.#spoken = id
    return isNew ? `\n\n${content}` : content
  }

  #interrupt(value: Fields): void {
    const [interrupt] = readList(value['__interrupt__'])
    if (isRecord(interrupt)) this.#hint = interrupt['value'] ?? ''
  }
}

/** `{node: {messages}}`; a node may return a list of updates. */
function updatesIn(value: Fields): unknown[] {
  return Object.values(value).flatMap((update) => (Array.isArray(update) ? update : [update]).flatMap(messagesIn))
}

/** An update, or its channels as pairs. */
function messagesIn(update: unknown): unknown[] {
  const pairs = readList(update)
  if (pairs.length > 0)
    return pairs.flatMap((pair) => (readList(pair)[0] === 'messages' ? asMessages(readList(pair)[1]) : []))
  return isRecord(update) ? asMessages(update['messages']) : []
}

function asMessages(value: unknown): unknown[] {
  return (Array.isArray(value) ? value : [value]).filter(isMessage)
}

function idOf(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined
  return readString(message['id']) ?? readString(message['tool_call_id'])
}

function isChunk(message: Fields): boolean {
  return typeof message['concat'] === 'function'
}

/** LangChain knows how to join its own pieces. */
function joined(before: Fields, piece: Fields): Fields {
  const { concat } = before
  return typeof concat === 'function' ? (concat.call(before, piece) as Fields) : piece
}
