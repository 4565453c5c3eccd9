// Assembles the answer of an ACP agent from its session updates.
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import { AgentError, answerTooLarge } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall } from '../../model/message.js'
import { defined } from '../../base/defined.js'
import { MAX_OUTPUT_BYTES } from '../../process/run-process.js'
import { monotonicNow } from '../../time/clock.js'

const FINISH: Record<string, string> = { end_turn: 'stop', max_tokens: 'length' }

export class AcpAnswer {
  readonly #onChunk: ((text: string) => void) | undefined
  readonly #start = monotonicNow()
  readonly #calls = new Map<string, ToolCall>()
  #content = ''
  #firstChunk: number | undefined

  constructor(onChunk: ((text: string) => void) | undefined) {
    this.#onChunk = onChunk
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') this.#addText(update.content.text)
        break
      case 'tool_call':
      case 'tool_call_update':
        this.#takeCall(update)
        break
    }
  }

  reply(stopReason: string): AgentReply {
    // Only we could have asked for that, and then nothing waits for a reply.
    if (stopReason === 'cancelled') throw cancelled()
    return { ...this.partial(), finish_reason: FINISH[stopReason] ?? stopReason }
  }

  partial(): AgentReply {
    return {
      content: this.#content,
      tool_calls: [...this.#calls.values()],
      ...defined({ first_chunk_ms: this.#firstChunk }),
    }
  }

  #addText(text: string): void {
    this.#firstChunk ??= monotonicNow() - this.#start
    if (this.#content.length + text.length > MAX_OUTPUT_BYTES) throw answerTooLarge(MAX_OUTPUT_BYTES)
    this.#content += text
    this.#onChunk?.(text)
  }

  /** A call is first reported as a whole, then as what changed about it. */
  #takeCall(update: CallUpdate): void {
    const before = this.#calls.get(update.toolCallId)
    const output = update.rawOutput ?? textOf(update.content)
    const result = output === undefined ? before?.result : output
    this.#calls.set(update.toolCallId, {
      id: update.toolCallId,
      name: update.name ?? before?.name ?? update.title ?? update.kind ?? 'tool',
      args: update.rawInput ?? before?.args ?? {},
      ...defined({
        result,
        error: update.status === 'failed' ? (typeof result === 'string' ? result : 'the tool failed') : before?.error,
      }),
    })
  }
}

interface CallUpdate {
  toolCallId: string
  name?: string | null
  title?: string | null
  kind?: string | null
  status?: string | null
  rawInput?: unknown
  rawOutput?: unknown
  content?: ToolCallContent[] | null
}

function textOf(content: ToolCallContent[] | null | undefined): string | undefined {
  const texts = (content ?? []).flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  )
  return texts.length > 0 ? texts.join('\n') : undefined
}

function cancelled(): AgentError {
  return new AgentError({ code: 'cut_off', message: 'the agent cancelled the turn on its own' })
}
