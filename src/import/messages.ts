// Messages as the vendors and tracers spell them, and what a conversation becomes: what the user says is asked again, what the agent did
// is expected.
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import type { Draft } from './draft.js'
import { expectCalls, type ExpectedCall } from './expected-calls.js'
import { expectText, type ImportOptions } from './imported.js'
import type { Source } from './source.js'

export interface Said {
  role: string
  text: string
  calls: ExpectedCall[]
}

/** Names of LangChain's. */
const ROLES: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  developer: 'system',
  function: 'tool',
}

/** What it does not understand stays unread, and is listed. */
export function readMessage(source: Source): Said {
  const given = source.text('role') ?? source.text('type') ?? 'user'
  source.idle(
    'type',
    'id',
    'name',
    'tool_call_id',
    'index',
    'timestamp',
    'created_at',
    'finish_reason',
    'source',
    'model',
    'createdAt',
    'run_id',
  )
  const role = ROLES[given] ?? given
  const calls: ExpectedCall[] = []
  const parts = (source.list('parts') ?? []).flatMap((part) => readPart(part, calls))
  const content = readContent(source, 'content', calls)
  for (const call of source.list('tool_calls') ?? []) calls.push(readCall(call))
  const older = source.object('function_call')
  if (older) calls.push(readCall(older))
  return { role, text: [...content, ...parts].join('\n'), calls }
}

/** A text, or parts of which some are text. */
export function readContent(source: Source, name: string, calls: ExpectedCall[]): string[] {
  const text = source.text(name)
  if (text !== undefined) return text === '' ? [] : [text]
  return (source.list(name) ?? []).flatMap((part) => readPart(part, calls))
}

function readPart(part: Source, calls: ExpectedCall[]): string[] {
  if (typeof part.value === 'string') return [part.take() as string]
  const type = part.text('type') ?? (part.has('text') ? 'text' : '')
  if (/^(?:(?:in|out)put_)?text$/.test(type)) {
    const text = part.text('text', 'content')
    part.idle('annotations', 'logprobs', 'id', 'cache_control')
    return text === undefined ? [] : [text]
  }
  if (/^tool[-_](?:use|call)$/.test(type)) calls.push(readCall(part))
  // What tools answered and what a model thought are not part of what was said.
  else if (
    /^(?:tool[-_](?:call_response|result)|(?:redacted_)?(?:reasoning|thinking)|step-(?:start|finish))$/.test(type)
  )
    part.take()
  else part.lose(`a part that is not text${type === '' ? '' : ` (${type})`}`)
  return []
}

function readCall(call: Source): ExpectedCall {
  const made = call.object('function') ?? call
  call.idle('id', 'type', 'index', 'tool_call_id', 'call_id', 'caller', 'cache_control')
  return {
    name: made.text('name', 'tool_name', 'function_name'),
    args: made.data('arguments', 'args', 'input', 'tool_input', 'parameters'),
  }
}

/** The conversation up to the last thing the user said, and what came after it. */
export function lastExchange(said: readonly Said[], options: ImportOptions): Draft {
  const last = said.findLastIndex(({ role }) => role === 'user')
  const history = said.slice(0, last + 1).filter(({ role, text }) => role !== 'tool' && text !== '')
  const { assert, lost } = expectReply(said.slice(last + 1), options)
  const [only] = history
  const isPlain = history.length === 1 && only?.role === 'user'
  return {
    ...(isPlain
      ? { input: only.text }
      : history.length > 0 && { messages: history.map(({ role, text }) => ({ role, content: text })) }),
    assert,
    lost,
  }
}

/** Everything the user said, one turn each. `tools: 'names'`: which tools were called in a turn, not with what. */
export function allTurns(said: readonly Said[], options: ImportOptions, tools: 'calls' | 'names'): Draft {
  const starts = said.flatMap(({ role, text }, index) => (role === 'user' && text !== '' ? [index] : []))
  const lost: string[] = []
  const turns = starts.map((start, index) => {
    const reply = expectReply(said.slice(start + 1, starts[index + 1]), options, tools)
    lost.push(...reply.lost)
    return { input: said[start]?.text ?? '', ...(reply.assert.length > 0 && { assert: reply.assert }) }
  })
  const [only] = turns
  return turns.length === 1 && only ? { ...only, lost } : { ...(turns.length > 0 && { turns }), lost }
}

function expectReply(
  said: readonly Said[],
  options: ImportOptions,
  tools: 'calls' | 'names' = 'calls',
): { assert: Array<Record<string, unknown>>; lost: string[] } {
  const own = said.filter(({ role }) => role === 'assistant')
  const made = own.flatMap(({ calls }) => calls)
  const names = [...new Set(made.map(({ name }) => name))].map((name) => ({ name, args: undefined }))
  const { asserts, lost } = expectCalls(tools === 'names' ? names : made)
  const answer = own.findLast(({ text }) => text !== '')?.text
  return { assert: [...asserts, ...(answer === undefined ? [] : [expectText(answer, options)])], lost }
}

/** What was asked or answered, in whatever shape a dataset has it: a text, messages, or an object with one of them. */
export function readAnything(source: Source, names: string[]): { text?: string; said?: Said[]; data?: unknown } {
  const text = source.text(...names)
  if (text !== undefined) return { text }
  const list = source.list(...names)
  if (list?.every(({ value }) => isMessage(value))) return { said: list.map(readMessage) }
  const object = source.object(...names)
  if (!object) return list === undefined ? numberOf(source.data(...names)) : { data: source.data(...names) }
  if (isMessage(object.value)) return { said: [readMessage(object)] }
  const messages = object.list('messages')
  if (messages && messages.length > 0) {
    const said = messages.map(readMessage)
    return { said, ...dataOf(object.rest()) }
  }
  const [key, ...more] = Object.keys(object.value as object)
  if (key !== undefined && more.length === 0) {
    const only = object.text(key)
    if (only !== undefined) return { text: only }
  }
  return { data: source.data(...names) }
}

function numberOf(value: unknown): { text?: string } {
  return typeof value === 'number' || typeof value === 'boolean' ? { text: String(value) } : {}
}

function dataOf(rest: Record<string, unknown>): { data?: unknown } {
  return Object.keys(rest).length > 0 ? { data: rest } : {}
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && 'content' in value && ('role' in value || 'type' in value)
}

/** JSON in a text, as tracers write it. */
export function unpacked(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value)?.value ?? value) : value
}
