// Assembles the answer of an ACP agent from its session updates.
import { AgentError, answerTooLarge } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall } from '../../model/message.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { MAX_OUTPUT_BYTES } from '../../process/run-process.js'
import type { FinishReasons } from '../../connectors/finish-reason.js'
import { requireEnding } from '../../connectors/require-ending.js'
import { monotonicNow } from '../../time/clock.js'

export class AcpAnswer {
  readonly #onChunk: ((text: string) => void) | undefined
  readonly #finishReasons: FinishReasons | undefined
  readonly #start = monotonicNow()
  readonly #calls: ToolCall[] = []
  /** By id: where in the list, and the name of its tool if it was given by more than a title. */
  readonly #places = new Map<string, { at: number; named: string | undefined }>()
  #content = ''
  /** Characters of the answer and its calls. */
  #size = 0
  #firstChunk: number | undefined

  constructor(onChunk: ((text: string) => void) | undefined, finishReasons?: FinishReasons) {
    this.#onChunk = onChunk
    this.#finishReasons = finishReasons
  }

  /** Throws AgentError: a piece or a call that is dropped would look as if it had never been there. */
  take(update: unknown): void {
    const { sessionUpdate, content, toolCallId } = isRecord(update) ? update : {}
    switch (sessionUpdate) {
      case 'agent_message_chunk':
        this.#takeChunk(isRecord(content) ? content : {}, update)
        break
      case 'tool_call':
      case 'tool_call_update':
        if (typeof toolCallId !== 'string') throw unreadable(update)
        this.#takeCall({ ...(update as CallUpdate), toolCallId })
        break
    }
  }

  reply(stopReason: unknown): AgentReply {
    if (typeof stopReason !== 'string') throw noStopReason()
    // Only we could have asked for that, and then nothing waits for a reply.
    if (stopReason === 'cancelled') throw cancelled()
    const said = this.partial()
    const finishReason = requireEnding('acp', stopReason, said, this.#finishReasons)
    return { ...said, finish_reason: finishReason, refusal: finishReason === 'refusal' }
  }

  partial(): AgentReply & { content: string } {
    return {
      content: this.#content,
      tool_calls: [...this.#calls],
      ...defined({ first_chunk_ms: this.#firstChunk }),
    }
  }

  #addText(text: string): void {
    this.#firstChunk ??= monotonicNow() - this.#start
    this.#grow(text.length)
    this.#content += text
    this.#onChunk?.(text)
  }

  #takeChunk({ type, text }: Record<string, unknown>, update: unknown): void {
    if (typeof type !== 'string' || (type === 'text' && typeof text !== 'string')) throw unreadable(update)
    if (typeof text === 'string' && type === 'text') this.#addText(text)
  }

  /** A call is first reported as a whole, then as what changed about it. */
  #takeCall(update: CallUpdate): void {
    const { toolCallId: id, title, kind, locations } = update
    const name = update.name || undefined
    const known = this.#places.get(id)
    // A title may change. The id of a call given to another tool is a new call: neither replaces the other.
    const isOther = known?.named !== undefined && name && name !== known.named
    const place = known && !isOther ? known : { at: this.#calls.length, named: undefined }
    const named = name ?? place.named
    this.#places.set(id, { at: place.at, named })
    const before = this.#calls[place.at]
    const output = update.rawOutput ?? textOf(update.content)
    const result = output === undefined ? before?.result : output
    const call: ToolCall = {
      id,
      name: named ?? before?.name ?? title ?? kind ?? 'tool',
      // The protocol has titles for people; the name of the tool is an extra.
      ...(named === undefined && { unnamed: true as const }),
      args: update.rawInput ?? before?.args ?? {},
      ...defined({
        kind: kind ?? before?.kind,
        title: title ?? before?.title,
        locations: locations?.filter(isRecord) ?? before?.locations,
        result,
        error: update.status === 'failed' ? (typeof result === 'string' ? result : 'the tool failed') : before?.error,
      }),
    }
    this.#grow(JSON.stringify(call).length - (before ? JSON.stringify(before).length : 0))
    this.#calls[place.at] = call
  }

  #grow(length: number): void {
    this.#size += length
    if (this.#size > MAX_OUTPUT_BYTES) throw answerTooLarge(MAX_OUTPUT_BYTES)
  }
}

interface CallUpdate {
  toolCallId: string
  name?: string | null
  title?: string | null
  kind?: string | null
  locations?: unknown[] | null
  status?: string | null
  rawInput?: unknown
  rawOutput?: unknown
  content?: unknown
}

function textOf(content: unknown): string | undefined {
  const texts = (Array.isArray(content) ? content : []).flatMap((item: unknown) => {
    const inner = isRecord(item) && item['type'] === 'content' ? item['content'] : undefined
    return isRecord(inner) && typeof inner['text'] === 'string' ? [inner['text']] : []
  })
  return texts.length > 0 ? texts.join('\n') : undefined
}

function cancelled(): AgentError {
  return new AgentError({ code: 'cut_off', message: 'the agent cancelled the turn on its own' })
}

function unreadable(update: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the agent sent an update that cannot be read: ${show(update)}`,
    hint: 'an update follows the Agent Client Protocol: a call has a toolCallId, a piece of text is {"type": "text", "text": "…"}',
    retry: false,
  })
}

function noStopReason(): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: 'the agent ended its turn without a stop reason',
    hint: 'the result of session/prompt is {"stopReason": "end_turn"}',
    retry: false,
  })
}
