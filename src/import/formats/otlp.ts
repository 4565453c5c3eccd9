// Traces in OTLP JSON: one case for each conversation, its tool calls as assertions to review.
import { CaseList } from '../case-list.js'
import { expectCalls, type ExpectedCall } from '../expected-calls.js'
import type { Document, Format } from '../format.js'
import { expectText, type Imported, type ImportOptions, type ImportedCase, type Note } from '../imported.js'
import { readMessage, type Said } from '../messages.js'
import { Source } from '../source.js'
import { joinedTraces } from './joined-traces.js'
import { callOf, strangeAttributes, type Call } from './span-dialects.js'
import { isTrace, spansOf, strangeKeys, type Span } from './spans.js'

export const OTLP: Format = {
  id: 'otlp',
  label: 'OpenTelemetry trace',
  is: ({ value }) => (Array.isArray(value) ? value.length > 0 && value.every(isTrace) : isTrace(value)),
  read: importTrace,
}

interface Called extends Omit<Call, 'input' | 'output'> {
  span: Span
  input: Said[]
  output: Said[]
}

function importTrace(document: Document, options: ImportOptions): Imported {
  const { value, file } = document
  const cases = new CaseList('OpenTelemetry trace', options)
  const documents: unknown[] = Array.isArray(value) ? value : [value]
  const spans = documents.flatMap(spansOf)
  const strange = [...new Set([...documents.flatMap(strangeKeys), ...spans.flatMap(strangeAttributes)])]
  const unread = new Set<string>()
  const calls = spans.flatMap((span): Called[] => {
    const call = callOf(span)
    const read = (messages: unknown[] = []): Said[] => messages.map((message) => said(message, document, unread))
    return call ? [{ ...call, span, input: read(call.input), output: read(call.output) }] : []
  })
  const isWithin = sameToolAround(calls, spans)
  const conversationOf = conversations(spans)
  const groups = new Map<string, Called[]>()
  for (const call of calls) {
    if (isWithin(call)) continue
    const key = conversationOf(call.span)
    groups.set(key, [...(groups.get(key) ?? []), call])
  }
  for (const [key, own] of joinedTraces(groups)) addConversation(cases, key, own, document, options, unread)
  if (strange.length > 0) cases.note(`what is not known was passed over: ${strange.join(', ')}`, { file, line: 1 })
  const left = spans.length - [...groups.values()].reduce((sum, own) => sum + own.length, 0)
  if (left > 0)
    cases.note(`${left} spans call neither a model nor a tool, or repeat the call around them, and were passed over`, {
      file,
      line: 1,
    })
  return cases.finish()
}

/** What a message has beside its text and calls is listed: it was part of what was said. */
function said(message: unknown, document: Document, unread: Set<string>): Said {
  const source = new Source(message, document)
  const found = readMessage(source)
  for (const { reason } of source.unread()) unread.add(reason)
  return found
}

/** Its own id of a conversation, else that of a span around it, else the only one of its trace, else the trace. */
function conversations(spans: readonly Span[]): (span: Span) => string {
  const idOf = ({ attributes }: Span): string | undefined =>
    ['gen_ai.conversation.id', 'session.id', 'traceloop.association.properties.session_id']
      .map((name) => attributes.get(name))
      .find((id): id is string => typeof id === 'string' && id !== '')
  const byId = new Map(spans.map((span) => [span.id, span]))
  const ofTrace = new Map<string, Set<string>>()
  for (const span of spans) {
    const id = idOf(span)
    if (id !== undefined) ofTrace.set(span.trace, (ofTrace.get(span.trace) ?? new Set()).add(id))
  }
  return (span) => {
    let around: Span | undefined = span
    for (let depth = 0; around && depth < 100; depth += 1) {
      const id = idOf(around)
      if (id !== undefined) return id
      around = around.parent === '' ? undefined : byId.get(around.parent)
    }
    const [only, ...more] = ofTrace.get(span.trace) ?? []
    return only !== undefined && more.length === 0 ? only : span.trace
  }
}

/** A call that both sides of a connection report is one call: its span lies within another of the same tool. */
function sameToolAround(calls: readonly Called[], spans: readonly Span[]): (call: Called) => boolean {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const toolOf = new Map(calls.flatMap(({ span, tool }) => (tool ? [[span.id, tool.name]] : [])))
  return ({ span, tool }) => {
    if (!tool || span.id === '') return false
    let around = byId.get(span.parent)
    for (let depth = 0; around && depth < 100; depth += 1) {
      if (toolOf.has(around.id) && toolOf.get(around.id) === tool.name) return true
      around = byId.get(around.parent)
    }
    return false
  }
}

function addConversation(
  cases: CaseList,
  key: string,
  calls: Called[],
  { file }: Document,
  options: ImportOptions,
  unread: ReadonlySet<string>,
): void {
  const sorted = calls.toSorted((a, b) => (a.span.start < b.span.start ? -1 : a.span.start > b.span.start ? 1 : 0))
  const origin = { file, line: 1 }
  const named = sorted.map(({ span }) => span.attributes.get('viva.case.id')).find((id) => typeof id === 'string')
  const item: ImportedCase = {
    id: cases.id(named, `trace-${cases.slug(/^[0-9a-f]{32}$/i.test(key) ? key.slice(0, 8) : key)}`),
  }
  const lost = [...unread]
  const turns = turnsOf(sorted, options, lost)
  const asserts = turns ? [] : assertionsOf(sorted, answerOf(sorted), options, lost)
  const notes: Array<Omit<Note, 'case'>> = []
  if (turns) item['turns'] = turns
  else if (!addHistory(item, sorted))
    lost.push(`what the user said is not in the trace ${key}: content was not captured`)
  if (asserts.length === 0 && !turns?.some((turn) => turn['assert'] !== undefined))
    lost.push('the trace has neither an answer nor a tool call')
  else notes.push({ ...origin, reason: 'the assertions are what happened once: review them', kind: 'note' })
  if (asserts.length > 0) item['assert'] = asserts
  item['metadata'] = { trace: key }
  cases.add(item, [...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const })), ...notes], origin)
}

/** The last call of a model saw the whole conversation. False if there is nothing of the user in it. */
function addHistory(item: ImportedCase, calls: Called[]): boolean {
  const models = calls.filter(({ kind, input }) => kind === 'model' && input.length > 0)
  const messages = (models.at(-1) ?? calls.findLast(({ input }) => input.length > 0))?.input ?? []
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const history = messages.slice(0, lastUser + 1).filter(({ role, text }) => role !== 'tool' && text !== '')
  const users = history.filter(({ role }) => role === 'user')
  const [only] = users
  if (!only) item['input'] = '(not in the trace)'
  else if (history.length === 1) item['input'] = only.text
  else item['messages'] = history.map(({ role, text }) => ({ role, content: text }))
  return only !== undefined
}

/** Agents that were asked one thing after another: each time a turn. Undefined where one call saw the whole conversation. */
function turnsOf(calls: Called[], options: ImportOptions, lost: string[]): Array<Record<string, unknown>> | undefined {
  const agents = calls.filter(({ kind, input }) => kind === 'agent' && input.length > 0)
  // An agent within another is part of the same turn.
  const asked = agents.filter(({ span }) => !agents.some((other) => other.span.id === span.parent))
  const inputs = asked.map(({ input }) => input.filter(({ role }) => role === 'user'))
  if (asked.length < 2 || !inputs.every((own) => own.length === 1)) return undefined
  return asked.map((agent, index) => {
    const end = asked[index + 1]?.span.start
    const during = calls.filter(({ span }) => span.start >= agent.span.start && (end === undefined || span.start < end))
    const assert = assertionsOf(during, lastText(agent.output) ?? answerOf(during), options, lost)
    return { input: inputs[index]?.[0]?.text ?? '', ...(assert.length > 0 && { assert }) }
  })
}

function answerOf(calls: readonly Called[]): string | undefined {
  return calls.map(({ output }) => lastText(output)).findLast((text) => text !== undefined)
}

function lastText(messages: readonly Said[]): string | undefined {
  return messages.findLast(({ text }) => text !== '')?.text
}

function assertionsOf(
  calls: Called[],
  answer: string | undefined,
  options: ImportOptions,
  lost: string[],
): Array<Record<string, unknown>> {
  const { asserts, lost: unsaid } = expectCalls(callsOf(calls))
  lost.push(...unsaid)
  return answer === undefined ? asserts : [...asserts, expectText(answer, options)]
}

/** From spans of tools, else from what models asked for. */
function callsOf(calls: Called[]): ExpectedCall[] {
  const tools = calls.flatMap(({ tool }) => tool ?? [])
  if (tools.length > 0) return tools
  const models = calls.filter(({ kind }) => kind === 'model')
  return (models.length > 0 ? models : calls).flatMap(({ output }) => output.flatMap((message) => message.calls))
}
