// The evidence of an assertion as what happened, in order.
import { isEqual } from '../../base/equal.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { isRecord } from '../../base/record.js'
import { asText } from '../../base/text.js'
import type { Evidence } from '../../model/evidence.js'
import type { Message, ToolCall } from '../../model/message.js'
import { messagesOf } from '../../model/spoken.js'
import { INSTRUCTIONS, type ClaimFiles, type ClaimRecord, type RecordEntry } from './claim.js'

export function recordOf(evidence: Evidence, files?: ClaimFiles): ClaimRecord {
  const { input, output, trace = [], state, changes } = evidence
  const workspace = files ?? (changes && { changes, present: [], missing: [] })
  const unseen = unseenCalls(evidence)
  const prompts = trace.flatMap(({ sent = [] }) => sent).filter(({ role }) => isInstruction(role))
  return {
    entries: [
      ...prompts.map(({ content }): RecordEntry => ({ kind: 'given', from: INSTRUCTIONS, value: textOf(content) })),
      ...messagesOf(input).map(({ role, content }) => given(role, content)),
      ...conversation(evidence),
      ...(state && !state.claimed
        ? [{ kind: 'given', from: 'the state', value: state.after } satisfies RecordEntry]
        : []),
      { kind: 'answer', text: asText(output) },
    ],
    ...(workspace && { files: workspace }),
    ...(unseen !== undefined && { unseen }),
  }
}

/** Why calls may be missing; undefined: all were seen. */
export function unseenCalls({
  tool_evidence,
  unreported_hats,
}: {
  tool_evidence?: Evidence['tool_evidence'] | undefined
  unreported_hats?: string[] | undefined
}): string | undefined {
  if (unreported_hats !== undefined && unreported_hats.length > 0)
    return `the tool calls of ${unreported_hats.join(', ')} are not reported`
  if (tool_evidence === 'partial') return 'only some of the tool calls were seen'
  return tool_evidence === undefined ? undefined : 'the agent does not report its tool calls'
}

/** What was said and called before the answer. What is said beside the calls of the same turn is part of no answer. */
function conversation({ messages, tool_calls }: Evidence): RecordEntry[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const left = [...tool_calls]
  const entries = messages.flatMap((message, index): RecordEntry[] => {
    if (message.role === 'tool') return []
    if (message.role !== 'assistant') return [given(message.role, message.content)]
    const calls = callsOf(message, messages.slice(index + 1)).map((call): RecordEntry => {
      const known = left.findIndex((each) => each.name === call.name && isEqual(each.args, call.args))
      const [better] = known < 0 ? [] : left.splice(known, 1)
      return { kind: 'call', call: better ?? call }
    })
    const text = textOf(message.content)
    return index < last && text !== '' ? [{ kind: 'answer', text }, ...calls] : calls
  })
  return [...entries, ...left.map((call): RecordEntry => ({ kind: 'call', call }))]
}

function given(role: string, content: unknown): RecordEntry {
  const from = isInstruction(role) ? INSTRUCTIONS : role === 'user' ? 'the user' : 'what was said before'
  return { kind: 'given', from, value: textOf(content) }
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer'
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : asText(part)))
    .join('\n')
}

/** Results follow their calls, in order: ids may repeat. */
function callsOf({ tool_calls = [] }: Message, after: readonly Message[]): ToolCall[] {
  const end = after.findIndex(({ role }) => role !== 'tool')
  const results = end < 0 ? after : after.slice(0, end)
  return tool_calls.map((call, index): ToolCall => {
    const result = results[index]
    const read = readCall(call)
    return result === undefined || read.result !== undefined || read.error !== undefined
      ? read
      : { ...read, result: textOf(result.content) }
  })
}

/** Agents may hand on messages as their vendor writes them. */
function readCall(call: ToolCall): ToolCall {
  const raw: object = call
  const inner = 'function' in raw && isRecord(raw.function) ? raw.function : undefined
  if (!inner) return call
  const { name, arguments: args } = inner
  return { name: asText(name), args: typeof args === 'string' ? jsonOrText(args) : args }
}
