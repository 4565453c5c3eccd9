// Traces in OTLP JSON with GenAI attributes: one case for each conversation, its tool calls as assertions to review.
import { isRecord } from '../base/record.js'
import { parseJson } from '../base/json/parse-json.js'
import { CaseList, fieldOf, listField, textField } from './cases-only.js'
import { expectCalls, type ExpectedCall } from './expected-calls.js'
import { expectText, type Imported, type ImportOptions, type ImportedCase, type Note } from './imported.js'

interface Span {
  name: string
  trace: string
  id: string
  parent: string
  start: bigint
  attributes: Map<string, unknown>
  events: Array<{ name: string; attributes: Map<string, unknown> }>
}

interface Said {
  role: string
  text: string
  /** Images and the like, which are not carried over. */
  hasMore?: boolean
}

export function isTrace(value: unknown): boolean {
  return fieldOf(value, 'resourceSpans', 'resource_spans') !== undefined
}

/** `values`: one document, or one per line as collectors write them. */
export function importTrace(values: unknown[], file: string, options: ImportOptions): Imported {
  const cases = new CaseList('OpenTelemetry trace', options)
  const groups = new Map<string, Span[]>()
  const spans = values.flatMap(spansOf)
  const conversationOf = conversations(spans)
  const isWithin = sameToolAround(spans)
  for (const span of spans) {
    if (!isGenAi(span) || isWithin(span)) continue
    const key = conversationOf(span)
    groups.set(key, [...(groups.get(key) ?? []), span])
  }
  for (const [key, own] of groups) if (!own.some(isCall)) groups.delete(key)
  for (const [key, own] of groups) addConversation(cases, key, own, file, options)
  const left = spans.length - [...groups.values()].reduce((sum, own) => sum + own.length, 0)
  if (left > 0)
    cases.note(`${left} spans have no GenAI attributes, or repeat the call around them, and were passed over`, {
      file,
      line: 1,
    })
  return cases.finish()
}

/** Its own id of a conversation, else that of a span around it, else the only one of its trace, else the trace. */
function conversations(spans: readonly Span[]): (span: Span) => string {
  const idOf = ({ attributes }: Span): string | undefined => {
    const id = attributes.get('gen_ai.conversation.id')
    return typeof id === 'string' && id !== '' ? id : undefined
  }
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
function sameToolAround(spans: readonly Span[]): (span: Span) => boolean {
  const byId = new Map(spans.map((span) => [span.id, span]))
  return (span) => {
    if (!isTool(span) || span.id === '') return false
    let around = byId.get(span.parent)
    for (let depth = 0; around && depth < 100; depth += 1) {
      if (isTool(around) && toolOf(around) === toolOf(span)) return true
      around = byId.get(around.parent)
    }
    return false
  }
}

/** Agents that were asked one thing after another: each time a turn. Undefined where one call saw the whole conversation. */
function turnsOf(spans: Span[], options: ImportOptions, lost: string[]): Array<Record<string, unknown>> | undefined {
  const asked = spans.filter(
    (span) => span.attributes.get('gen_ai.operation.name') === 'invoke_agent' && inputOf(span).length > 0,
  )
  const inputs = asked.map((span) => inputOf(span).filter(({ role }) => role === 'user'))
  if (asked.length < 2 || !inputs.every((own) => own.length === 1)) return undefined
  return asked.map((span, index) => {
    const end = asked[index + 1]?.start
    const during = spans.filter((other) => other.start >= span.start && (end === undefined || other.start < end))
    const assert = assertionsOf(during, outputOf(span), options, lost)
    return { input: inputs[index]?.[0]?.text ?? '', ...(assert.length > 0 && { assert }) }
  })
}

function assertionsOf(
  spans: Span[],
  answer: string | undefined,
  options: ImportOptions,
  lost: string[],
): Array<Record<string, unknown>> {
  const { asserts: calls, lost: unsaid } = expectCalls(callsOf(spans))
  lost.push(...unsaid)
  return answer === undefined || answer === '' ? calls : [...calls, expectText(answer, options)]
}

function addConversation(cases: CaseList, key: string, spans: Span[], file: string, options: ImportOptions): void {
  const sorted = spans.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  const notes: Array<Omit<Note, 'case'>> = []
  const origin = { file, line: 1 }
  const named = sorted.map(({ attributes }) => attributes.get('viva.case.id')).find((id) => typeof id === 'string')
  const item: ImportedCase = { id: cases.id(named, `trace-${cases.slug(key)}`) }
  const models = sorted.filter((span) => !isTool(span))
  // The last call of a model saw the whole conversation.
  const last = models.findLast((span) => inputOf(span).length > 0)
  const messages = last ? inputOf(last) : []
  const answer = models.map(outputOf).findLast((text) => text !== undefined)
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const history = messages.slice(0, lastUser + 1).filter(({ role, text }) => role !== 'tool' && text !== '')
  const users = history.filter(({ role }) => role === 'user')
  const lost: string[] = []
  const turns = turnsOf(sorted, options, lost)
  const asserts = turns ? [] : assertionsOf(sorted, answer, options, lost)
  if (messages.some(({ role, hasMore }) => role === 'user' && hasMore))
    lost.push('what the user said has parts that are not text')
  notes.push(...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const })))
  if (turns) item['turns'] = turns
  else if (users.length === 0) {
    item['input'] = '(not in the trace)'
    notes.push({
      ...origin,
      reason: `what the user said is not in the trace ${key}: content was not captured`,
      kind: 'lost',
    })
  } else if (history.length === 1) item['input'] = users[0]?.text ?? ''
  else item['messages'] = history.map(({ role, text }) => ({ role, content: text }))
  if (asserts.length === 0 && !turns?.some((turn) => turn['assert'] !== undefined))
    notes.push({ ...origin, reason: 'the trace has neither an answer nor a tool call', kind: 'lost' })
  else notes.push({ ...origin, reason: 'the assertions are what happened once: review them', kind: 'note' })
  if (asserts.length > 0) item['assert'] = asserts
  item['metadata'] = { trace: key }
  cases.add(item, notes, origin)
}

function spansOf(value: unknown): Span[] {
  return listField(value, 'resourceSpans', 'resource_spans').flatMap((resource) =>
    listField(resource, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans').flatMap((scope) =>
      listField(scope, 'spans').map((span): Span => ({
        name: textField(span, 'name') ?? '',
        trace: textField(span, 'traceId', 'trace_id') ?? '',
        id: textField(span, 'spanId', 'span_id') ?? '',
        parent: textField(span, 'parentSpanId', 'parent_span_id') ?? '',
        start: nanos(fieldOf(span, 'startTimeUnixNano', 'start_time_unix_nano')),
        attributes: attributesOf(span),
        events: listField(span, 'events').map((event) => ({
          name: textField(event, 'name') ?? '',
          attributes: attributesOf(event),
        })),
      })),
    ),
  )
}

function nanos(value: unknown): bigint {
  return /^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n
}

function attributesOf(owner: unknown): Map<string, unknown> {
  return new Map(
    listField(owner, 'attributes').flatMap((attribute) => {
      const key = textField(attribute, 'key')
      return key === undefined ? [] : [[key, plain(fieldOf(attribute, 'value'), 0)]]
    }),
  )
}

function plain(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth > 50) return value
  if ('stringValue' in value) return value['stringValue']
  if ('intValue' in value) return Number(value['intValue'])
  if ('doubleValue' in value) return value['doubleValue']
  if ('boolValue' in value) return value['boolValue']
  if ('arrayValue' in value) return listField(value['arrayValue'], 'values').map((item) => plain(item, depth + 1))
  if ('kvlistValue' in value)
    return Object.fromEntries(
      listField(value['kvlistValue'], 'values').map((pair) => [
        textField(pair, 'key') ?? '',
        plain(fieldOf(pair, 'value'), depth + 1),
      ]),
    )
  return undefined
}

function isGenAi({ attributes, events }: Span): boolean {
  return (
    [...attributes.keys()].some((key) => key.startsWith('gen_ai.')) ||
    events.some(({ name }) => name.startsWith('gen_ai.'))
  )
}

/** A model, a tool or an agent was called; other spans only name one. */
function isCall({ attributes, events }: Span): boolean {
  const says = [...attributes.keys()].some((key) =>
    /^gen_ai\.(?:operation|input|output|prompt|completion|tool)\b/.test(key),
  )
  return says || events.some(({ name }) => /^gen_ai\.(?:\w+\.message|choice)$/.test(name))
}

function isTool({ attributes }: Span): boolean {
  return attributes.get('gen_ai.operation.name') === 'execute_tool' || attributes.has('gen_ai.tool.name')
}

/** Attributes hold messages as data or as JSON text; older conventions as numbered attributes or as events. */
function inputOf(span: Span): Said[] {
  const given = asList(span.attributes.get('gen_ai.input.messages') ?? span.attributes.get('gen_ai.prompt'))
  if (given.length > 0) return given.flatMap(said)
  const numbered = numberedMessages(span, 'gen_ai.prompt')
  if (numbered.length > 0) return numbered
  return span.events.flatMap(({ name, attributes }) => {
    const [, role] = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name) ?? []
    const text = attributes.get('content') ?? attributes.get('gen_ai.prompt')
    return role === undefined || typeof text !== 'string' ? [] : [{ role, text }]
  })
}

function outputOf(span: Span): string | undefined {
  const given = asList(span.attributes.get('gen_ai.output.messages') ?? span.attributes.get('gen_ai.completion'))
  const texts = given.flatMap(said).filter(({ text }) => text !== '')
  const numbered = numberedMessages(span, 'gen_ai.completion')
  const choice = span.events.find(({ name }) => name === 'gen_ai.choice')?.attributes
  const message = choice?.get('message') ?? choice?.get('content')
  const parsed = typeof message === 'string' ? parseJson(message)?.value : message
  return (
    texts.at(-1)?.text ??
    numbered.at(-1)?.text ??
    textField(parsed, 'content') ??
    (typeof message === 'string' && parsed === undefined ? message : undefined)
  )
}

function asList(value: unknown): unknown[] {
  const data = typeof value === 'string' ? (parseJson(value)?.value ?? value) : value
  if (Array.isArray(data)) return data as unknown[]
  return typeof data === 'string' ? [{ role: 'user', content: data }] : []
}

function said(message: unknown): Said[] {
  const role = textField(message, 'role') ?? 'user'
  const content = fieldOf(message, 'content')
  if (typeof content === 'string') return [{ role, text: content }]
  // Those of calls and of what tools answered are no part of what was said.
  const parts = [...listField(message, 'parts'), ...listField(message, 'content')].filter(
    (part) => !/^(?:tool_|reasoning|thinking)/.test(textField(part, 'type') ?? ''),
  )
  const texts = parts.flatMap((part) =>
    /^(?:(?:in|out)put_)?text$/.test(textField(part, 'type') ?? '') ? (textField(part, 'content', 'text') ?? []) : [],
  )
  return [{ role, text: texts.join('\n'), hasMore: texts.length < parts.length }]
}

function numberedMessages({ attributes }: Span, prefix: string): Said[] {
  const found: Said[] = []
  for (let index = 0; index < 1000; index += 1) {
    const role = attributes.get(`${prefix}.${index}.role`)
    const text = attributes.get(`${prefix}.${index}.content`)
    if (role === undefined && text === undefined) break
    found.push({ role: typeof role === 'string' ? role : 'user', text: typeof text === 'string' ? text : '' })
  }
  return found
}

/** From spans of tools, else from what models asked for. */
function callsOf(spans: Span[]): ExpectedCall[] {
  const tools = spans.filter(isTool).map((span) => ({
    name: toolOf(span),
    args: span.attributes.get('gen_ai.tool.call.arguments'),
  }))
  if (tools.length > 0) return tools
  return spans.flatMap((span) => [
    ...asList(span.attributes.get('gen_ai.output.messages') ?? span.attributes.get('gen_ai.completion')).flatMap(
      callsIn,
    ),
    ...numberedCalls(span),
    ...span.events
      .filter(({ name }) => name === 'gen_ai.choice')
      .flatMap(({ attributes }) => callsInChoice(attributes)),
  ])
}

function toolOf({ name, attributes }: Span): unknown {
  return attributes.get('gen_ai.tool.name') ?? /^execute_tool (.+)$/.exec(name)?.[1]
}

/** As parts of the message, or beside its content. */
function callsIn(message: unknown): ExpectedCall[] {
  const parts = listField(message, 'parts').filter((part) => fieldOf(part, 'type') === 'tool_call')
  return [...parts, ...listField(message, 'tool_calls')].map((call) => {
    const made = fieldOf(call, 'function') ?? call
    return { name: fieldOf(made, 'name'), args: fieldOf(made, 'arguments') }
  })
}

function numberedCalls({ attributes }: Span): ExpectedCall[] {
  return [...attributes].flatMap(([key, name]) => {
    const [, call] = /^(gen_ai\.completion\.\d+\.(?:tool_calls\.\d+|function_call))\.name$/.exec(key) ?? []
    return call === undefined ? [] : [{ name, args: attributes.get(`${call}.arguments`) }]
  })
}

function callsInChoice(choice: Map<string, unknown>): ExpectedCall[] {
  const message = choice.get('message')
  return callsIn(
    isRecord(message) || typeof message === 'string' ? data(message) : { tool_calls: data(choice.get('tool_calls')) },
  )
}

function data(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value)?.value : value
}
