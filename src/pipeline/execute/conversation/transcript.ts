// What was said and done so far. Append-only: everyone else works on copies.
import type { AgentReply, ApiRetry, TraceStep } from '../../../model/agent.js'
import type { Message, ToolCall, ToolEvidence, Usage } from '../../../model/message.js'
import { addSkillUse, type SkillUse } from '../../../model/skill-use.js'
import type { Span } from '../../../model/span.js'
import { addUsage } from '../../../model/usage.js'
import { LogKeeper } from '../../../scripts/host/log-keeper.js'
import type { PartialReply } from './partial-reply.js'
import { responseText } from './spoken-text.js'
import { TraceKeeper } from './trace-keeper.js'

export class Transcript {
  readonly toolCalls: ToolCall[] = []
  readonly unreportedHats = new Set<string>()
  toolEvidence: ToolEvidence | undefined
  readonly trace: TraceStep[] = []
  readonly spans: Span[] = []
  readonly leaked: string[] = []
  skills: SkillUse | undefined
  logs: LogKeeper | undefined
  usage: Usage | undefined
  readonly apiRetries: ApiRetry[] = []
  firstChunkMs: number | undefined
  private readonly said: Message[] = []
  private spent: number | 'unknown' | undefined
  private hasEstimated = false
  private readonly steps = new TraceKeeper()
  private readonly caseStart: number

  constructor(caseStart: number) {
    this.caseStart = caseStart
  }

  get length(): number {
    return this.said.length
  }

  /** Undefined if nothing was paid, or the amount is not known. */
  get cost(): number | undefined {
    return this.spent === 'unknown' ? undefined : this.spent
  }

  get isEstimated(): boolean {
    return this.cost !== undefined && this.hasEstimated
  }

  add(messages: Message[]): void {
    this.said.push(...messages)
  }

  answer(reply: AgentReply): void {
    addAnswer(this.said, reply)
    this.count(reply)
    this.pay(reply)
  }

  /** A failed call need not have cost anything, unless it says so. */
  fail(partial: PartialReply): void {
    this.count(partial)
    if (partial.usage !== undefined || partial.cost_dollars !== undefined) this.pay(partial)
  }

  /** What was said, as is: read-only. */
  messages(): Message[] {
    return [...this.said]
  }

  copy(): Message[] {
    return copyMessages(this.said)
  }

  private count(reply: PartialReply): void {
    if (reply.tool_calls) this.toolCalls.push(...reply.tool_calls)
    // What one turn did not say is not known at the end.
    this.toolEvidence = this.toolEvidence === undefined ? reply.tool_evidence : this.toolEvidence
    for (const hat of reply.session?.unreported_hats ?? []) this.unreportedHats.add(hat)
    if (reply.trace)
      this.trace.push(...this.steps.keep(reply.trace, reply.messages).map((step) => sinceStart(step, this.caseStart)))
    if (reply.spans) this.spans.push(...reply.spans)
    if (reply.leaked) this.leaked.push(...reply.leaked)
    if (reply.skills) this.skills = addSkillUse(this.skills, reply.skills)
    if (reply.logs) this.addLogs(reply.logs, reply.logs_dropped ?? 0)
    if (reply.usage) this.usage = addUsage(this.usage, reply.usage)
    if (reply.api_retries) this.apiRetries.push(...reply.api_retries)
    this.firstChunkMs ??= reply.first_chunk_ms
  }

  private addLogs(lines: string[], dropped: number): void {
    this.logs ??= new LogKeeper()
    for (const line of lines) this.logs.add(line)
    this.logs.dropped += dropped
  }

  /** One call without a price makes the sum unknown, which is not the same as less. */
  private pay({ cost_dollars: cost, cost_estimated }: PartialReply): void {
    this.spent = this.spent === 'unknown' || cost === undefined ? 'unknown' : (this.spent ?? 0) + cost
    if (cost_estimated) this.hasEstimated = true
  }
}

function sinceStart(step: TraceStep, caseStart: number): TraceStep {
  const { start_ms, duration_ms } = step
  return {
    ...step,
    ...(start_ms !== undefined && { start_ms: Math.round(start_ms - caseStart) }),
    ...(duration_ms !== undefined && { duration_ms: Math.round(duration_ms * 100) / 100 }),
  }
}

/** Tool results by name, the latest of each: what a simulator gets to see. */
export function toolResults(calls: ToolCall[]): Record<string, unknown> {
  const results: Record<string, unknown> = Object.create(null)
  for (const call of calls)
    results[call.name] = call.error === undefined ? (call.result ?? null) : { error: call.error }
  return { ...results }
}

/** The messages one answer adds to the conversation, tool calls and their results included. */
function addAnswer(said: Message[], reply: AgentReply): void {
  if (reply.messages && reply.messages.length > 0) {
    said.push(...copyMessages(reply.messages))
    return
  }
  const content = wordsOf(reply)
  if (reply.tool_calls.length > 0) addCalls(said, reply.tool_calls)
  if (content !== '' || reply.tool_calls.length === 0) said.push({ role: 'assistant', content })
}

function addCalls(said: Message[], made: ToolCall[]): void {
  const at = said.length
  const calls = made.map((call, index) => ({ ...call, id: call.id ?? `call_${at}_${index}` }))
  said.push({ role: 'assistant', content: null, tool_calls: calls })
  for (const call of calls) {
    said.push({ role: 'tool', name: call.name, tool_call_id: call.id, content: resultText(call) })
  }
}

function copyMessages(messages: Message[]): Message[] {
  return messages.map((message) => copy(message) as Message)
}

// Strings are shared, so copying an attachment costs nothing.
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
