// What `query` of Claude's agent SDK yields: messages of the assistant, results of tools, and a last one that sums up.
import { readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeUsage } from '../../connectors/usage.js'
import { defined } from '../../base/defined.js'
import { isAmount, isRecord, readNonEmpty, readString, readStrings } from '../../base/record.js'
import { AgentError } from '../../errors.js'
import { errorInRun, isError } from '../../http/reported-error.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall } from '../../model/message.js'
import { skillsIn } from '../../model/skill-use.js'
import { readParts } from './content-parts.js'
import { toolResults, withToolResult, type ToolResult } from './tool-results.js'
import type { RunReader } from './run-reader.js'

type Fields = Record<string, unknown>

export function isClaudeMessage(piece: unknown): boolean {
  if (!isRecord(piece) || typeof piece['type'] !== 'string') return false
  return isRunResult(piece) || (typeof piece['session_id'] === 'string' && typeof piece['uuid'] === 'string')
}

/** The last message, which some functions return alone. */
export function isRunResult(value: Fields): boolean {
  const { type, subtype, is_error, num_turns, session_id } = value
  if (type !== 'result' || typeof subtype !== 'string') return false
  return [is_error, num_turns, session_id].some((field) => field !== undefined)
}

export function fromRunResult(value: Fields, calls: ToolCall[]): AgentReply {
  const { result, structured_output, usage, total_cost_usd: cost } = value
  const failed = errorInRun(value)
  const stop = readNonEmpty(value['stop_reason'])
  const finishReason = readFinishReason(stop)
  return {
    content: failed ? null : (structured_output ?? result ?? null),
    tool_calls: calls,
    ...(failed && { error: failed.error }),
    ...defined({
      finish_reason: failed ? undefined : finishReason,
      refusal: failed || stop === undefined ? undefined : finishReason === 'refusal',
      usage: normalizeUsage(usage),
      cost_dollars: isAmount(cost) ? cost : undefined,
    }),
  }
}

export class ClaudeMessages implements RunReader {
  readonly #calls = new Map<string, ToolCall>()
  readonly #results = new Map<unknown, ToolResult>()
  #last: Fields | undefined
  #isStreamed = false
  #spoken: unknown
  #skills: string[] | undefined

  take(piece: unknown): string | undefined {
    if (!isRecord(piece)) return undefined
    const message = isRecord(piece['message']) ? piece['message'] : {}
    switch (piece['type']) {
      case 'system':
        if (piece['subtype'] === 'init' && Array.isArray(piece['skills'])) this.#skills = readStrings(piece['skills'])
        return undefined
      case 'result':
        this.#last = piece
        return undefined
      case 'stream_event':
        return this.#delta(piece)
      case 'user':
        for (const made of toolResults(message['content'])) this.#results.set(made.id, made)
        return undefined
      case 'assistant': {
        const { content, calls } = readParts(message['content'])
        for (const call of calls) this.#calls.set(call.id ?? `#${this.#calls.size}`, call)
        // What subagents say is for the agent.
        const isOwn = (piece['parent_tool_use_id'] ?? null) === null
        return isOwn && !this.#isStreamed && typeof content === 'string'
          ? this.#said(content, message['id'])
          : undefined
      }
      default:
        return undefined
    }
  }

  errorIn(piece: unknown): { error: unknown } | undefined {
    if (!isRecord(piece)) return undefined
    if (piece['type'] !== 'assistant' || !isError(piece['error'])) return errorInRun(piece)
    const message = isRecord(piece['message']) ? piece['message'] : {}
    return { error: readParts(message['content']).content ?? piece['error'] }
  }

  reply(): AgentReply {
    if (!this.#last) throw cutOff()
    const calls = [...this.#calls.values()].map((call) => withToolResult(call, this.#results.get(call.id)))
    const reply = fromRunResult(this.#last, calls)
    return this.#skills ? { ...reply, skills: { offered: this.#skills, ...skillsIn(calls) } } : reply
  }

  returned(): unknown {
    return this.#last
  }

  #delta({ event, parent_tool_use_id = null }: Fields): string | undefined {
    this.#isStreamed = true
    if (!isRecord(event) || parent_tool_use_id !== null) return undefined
    const { message, delta } = event
    if (isRecord(message)) this.#spoken = undefined
    return isRecord(delta) && delta['type'] === 'text_delta' ? readString(delta['text']) : undefined
  }

  /** Each message stands on its own. */
  #said(text: string, id: unknown): string {
    const isNew = this.#spoken !== undefined && this.#spoken !== id
    this.#spoken = id
    return isNew ? `\n\n${text}` : text
  }
}

function cutOff(): AgentError {
  return new AgentError({
    code: 'cut_off',
    message: 'the stream ended before the run was over: no message of the type "result"',
    hint: 'pass on every message that query() yields, including the last',
  })
}
