// Assembles the answer of an ACP agent from its session updates.
import { AgentError, answerTooLarge } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall } from '../../model/message.js'
import { defined } from '../../base/defined.js'
import { isRecord, readString } from '../../base/record.js'
import { asText, show } from '../../base/text.js'
import { MAX_OUTPUT_BYTES } from '../../process/run-process.js'
import type { FinishReasons } from '../../connectors/finish-reason.js'
import { requireEnding } from '../../connectors/require-ending.js'
import { monotonicNow } from '../../time/clock.js'
import { sessionCost, turnUsage } from './acp-usage.js'

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
  #isAfterCall = false
  /** The last one that adapters reported beside the protocol. */
  #failure: unknown
  /** What the session has cost by now, if it says. */
  cost: number | undefined

  constructor(onChunk: ((text: string) => void) | undefined, finishReasons?: FinishReasons) {
    this.#onChunk = onChunk
    this.#finishReasons = finishReasons
  }

  /** Throws AgentError: a piece or a call that is dropped would look as if it had never been there. */
  take(update: unknown): void {
    const { sessionUpdate, content, toolCallId } = isRecord(update) ? update : {}
    const failure = failureIn(update)
    // Null: it is over.
    if (failure !== undefined) this.#failure = failure
    switch (sessionUpdate) {
      case 'agent_message_chunk':
        this.#takeChunk(isRecord(content) ? content : {}, update)
        break
      case 'tool_call':
      case 'tool_call_update':
        if (typeof toolCallId !== 'string') throw unreadable(update)
        this.#takeCall({ ...(update as CallUpdate), toolCallId })
        this.#isAfterCall = true
        break
      case 'usage_update':
        this.cost = sessionCost(update) ?? this.cost
        break
    }
  }

  /** `ended`: the result of the turn. `spent`: what the session had cost before it; undefined: unknown. */
  reply(ended: unknown, { agent, spent }: { agent?: string | undefined; spent?: number | undefined } = {}): AgentReply {
    const stopReason = isRecord(ended) ? ended['stopReason'] : undefined
    if (typeof stopReason !== 'string') throw noStopReason()
    // Only we could have asked for that, and then nothing waits for a reply.
    if (stopReason === 'cancelled') throw cancelled()
    const failure = failureIn(ended) ?? this.#failure
    if (isRecord(failure) && failure['severity'] === 'error') throw reported(failure)
    const said = this.partial()
    const finishReason = requireEnding('acp', stopReason, said, this.#finishReasons)
    const usage = turnUsage(ended, agent, this.#calls.length > 0)
    return {
      ...said,
      finish_reason: finishReason,
      refusal: finishReason === 'refusal',
      ...defined({ usage, cost_dollars: this.#turnCost(spent) }),
    }
  }

  /** Nothing is not a price: the agent does not know what its model costs. */
  #turnCost(spent: number | undefined): number | undefined {
    if (this.cost === undefined || spent === undefined) return undefined
    return this.cost > spent ? this.cost - spent : undefined
  }

  partial(): AgentReply & { content: string } {
    return {
      content: this.#content,
      tool_calls: [...this.#calls],
      ...defined({ first_chunk_ms: this.#firstChunk }),
    }
  }

  #addText(piece: string): void {
    // What was said before a call and after it must not run together.
    const runsOn = this.#isAfterCall && this.#content !== '' && !/\s$/.test(this.#content) && !/^\s/.test(piece)
    const text = runsOn ? `\n\n${piece}` : piece
    if (piece !== '') this.#isAfterCall = false
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
    const name = update.name || claudeName(update) || undefined
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
        error: hasFailed(update) ? (typeof result === 'string' ? result : 'the tool failed') : before?.error,
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
  _meta?: unknown
}

/** Earlier versions of its adapter give the name only here. */
function claudeName({ _meta: meta }: CallUpdate): string | undefined {
  const own = isRecord(meta) ? meta['claudeCode'] : undefined
  return isRecord(own) ? readString(own['toolName']) : undefined
}

/** A command that failed may be reported as completed. */
function hasFailed({ status, _meta: meta }: CallUpdate): boolean {
  const exit = isRecord(meta) ? meta['terminal_exit'] : undefined
  const code = isRecord(exit) ? exit['exit_code'] : undefined
  return status === 'failed' || (typeof code === 'number' && code !== 0)
}

function textOf(content: unknown): string | undefined {
  const texts = (Array.isArray(content) ? content : []).flatMap((item: unknown) => {
    const inner = isRecord(item) && item['type'] === 'content' ? item['content'] : undefined
    return isRecord(inner) && typeof inner['text'] === 'string' ? [inner['text']] : []
  })
  return texts.length > 0 ? texts.join('\n') : undefined
}

/** In an update or in the result of a turn. */
function failureIn(holder: unknown): unknown {
  const path = ['_meta', 'jetbrains', 'air', 'sessionFailure']
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), holder)
}

function reported(failure: Record<string, unknown>): AgentError {
  const { title, message, kind } = failure
  return new AgentError({
    code: kind === 'auth_required' ? 'auth' : 'failed',
    message: asText(title ?? message ?? kind ?? 'the agent reported a failure'),
    cause: failure,
  })
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
