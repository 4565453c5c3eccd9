// What was said and done so far. Append-only: everyone else works on copies.
import type { AgentReply, TraceStep } from '../../../model/agent.js'
import type { Message, ToolCall, Usage } from '../../../model/message.js'
import { addUsage } from '../../../model/usage.js'
import { LogKeeper } from '../../../scripts/host/log-keeper.js'
import type { PartialReply } from './partial-reply.js'
import { responseText } from './spoken-text.js'

export class Transcript {
  readonly toolCalls: ToolCall[] = []
  readonly trace: TraceStep[] = []
  readonly leaked: string[] = []
  logs: LogKeeper | undefined
  usage: Usage | undefined
  cost: number | undefined = 0
  apiRetries = 0
  private readonly said: Message[] = []

  get length(): number {
    return this.said.length
  }

  add(messages: Message[]): void {
    this.said.push(...messages)
  }

  answer(reply: AgentReply): void {
    this.add(answerMessages(reply, `call_${this.said.length}`))
    this.count(reply)
    // One answer without a price makes the sum unknown, which is not the same as less.
    this.cost = this.cost === undefined || reply.cost_dollars === undefined ? undefined : this.cost + reply.cost_dollars
  }

  /** What a call did, cost and left behind, whether or not it came to an answer. */
  count(reply: PartialReply): void {
    if (reply.tool_calls) this.toolCalls.push(...reply.tool_calls)
    if (reply.trace) this.trace.push(...reply.trace)
    if (reply.leaked) this.leaked.push(...reply.leaked)
    if (reply.logs) this.addLogs(reply.logs, reply.logs_dropped ?? 0)
    if (reply.usage) this.usage = addUsage(this.usage, reply.usage)
    this.apiRetries += reply.api_retries?.length ?? 0
  }

  private addLogs(lines: string[], dropped: number): void {
    this.logs ??= new LogKeeper()
    for (const line of lines) this.logs.add(line)
    this.logs.dropped += dropped
  }

  copy(): Message[] {
    return copyMessages(this.said)
  }
}

/** Results of tools by name, the latest one of each: what a simulator is told. */
export function toolResults(calls: ToolCall[]): Record<string, unknown> {
  const results: Record<string, unknown> = Object.create(null)
  for (const call of calls)
    results[call.name] = call.error === undefined ? (call.result ?? null) : { error: call.error }
  return { ...results }
}

/** The messages one answer adds to the conversation, tool calls and their results included. */
export function answerMessages(reply: AgentReply, idPrefix: string): Message[] {
  if (reply.messages && reply.messages.length > 0) return copyMessages(reply.messages)
  const content = wordsOf(reply)
  if (reply.tool_calls.length === 0) return [{ role: 'assistant', content }]
  const calls = reply.tool_calls.map((call, index) => ({ ...call, id: call.id ?? `${idPrefix}_${index}` }))
  const messages: Message[] = [{ role: 'assistant', content: null, tool_calls: calls }]
  for (const call of calls) {
    messages.push({ role: 'tool', name: call.name, tool_call_id: call.id, content: resultText(call) })
  }
  if (content !== '') messages.push({ role: 'assistant', content })
  return messages
}

export function copyMessages(messages: Message[]): Message[] {
  return messages.map((message) => copy(message) as Message)
}

// Strings are shared, so a copied attachment costs nothing.
function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key !== '__proto__') result[key] = copy((value as Record<string, unknown>)[key])
  }
  return result
}

function wordsOf(reply: AgentReply): string {
  const said = reply.content ?? reply.next
  if (typeof said === 'string') return said
  if (said === undefined || said === null) return ''
  return Array.isArray(said) ? responseText(reply) : JSON.stringify(said)
}

function resultText(call: ToolCall): string {
  if (call.error !== undefined) return call.error
  if (typeof call.result === 'string') return call.result
  return JSON.stringify(call.result ?? null)
}
