// Chat transcripts as JSONL: {"messages": […]} with the ideal answer at the end, or {"input": …, "ideal": …}.
import { isPresent, isRecord } from '../base/record.js'
import { CaseList, fieldOf, listField, textField } from './cases-only.js'
import { expectCalls, type ExpectedCall } from './expected-calls.js'
import { expectText, type Imported, type ImportOptions, type ImportedCase, type Note } from './imported.js'
import { unreadable } from './read-source.js'
import { restOf } from './unknown-keys.js'

export function isChatLine(value: unknown): boolean {
  return (
    isRecord(value) &&
    (Array.isArray(value['messages']) ||
      ('ideal' in value && 'input' in value) ||
      Array.isArray(fieldOf(value, 'input')))
  )
}

export function importChatLines(
  lines: ReadonlyArray<{ value: unknown; line: number }>,
  file: string,
  options: ImportOptions,
): Imported {
  const cases = new CaseList('chat JSONL file', options)
  for (const { value, line } of lines) {
    const origin = { file, line }
    if (!isRecord(value)) throw unreadable(file, [{ line, message: 'expected one JSON object a line' }])
    const { messages, expected } = partsOf(value)
    const notes: Array<Omit<Note, 'case'>> = []
    const item: ImportedCase = { id: cases.id(fieldOf(value, 'id', 'custom_id'), `chat-${line}`) }
    if (messages.length === 0) {
      item['input'] = '(no user message)'
      notes.push({ ...origin, reason: 'there is no user message to begin with', kind: 'lost' })
    } else if (
      messages.length === 1 &&
      fieldOf(messages[0], 'role') === 'user' &&
      typeof fieldOf(messages[0], 'content') === 'string'
    )
      item['input'] = fieldOf(messages[0], 'content')
    else item['messages'] = messages
    const { asserts, lost } = assertionsOf(expected, options)
    const rest = restOf(value, KNOWN)
    lost.push(...rest.lost)
    if (Array.isArray(value['messages']) && isPresent(value['input'])) lost.push('an input beside the messages')
    if (isPresent(value['metadata']) && !isRecord(value['metadata'])) lost.push('metadata that is not an object')
    const metadata = { ...rest.metadata, ...(isRecord(value['metadata']) && value['metadata']) }
    if (Object.keys(metadata).length > 0) item['metadata'] = metadata
    notes.push(...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const })))
    if (asserts.length > 0) item['assert'] = asserts
    else notes.push({ ...origin, reason: 'there is no ideal answer at the end', kind: 'lost' })
    cases.add(item, notes, origin)
  }
  return cases.finish()
}

const KNOWN = ['id', 'custom_id', 'messages', 'input', 'ideal', 'metadata']

interface Parts {
  messages: unknown[]
  /** Strings, one of which is right; or the message that would be. */
  expected: unknown[]
}

function partsOf(value: Record<string, unknown>): Parts {
  const ideal = value['ideal']
  const given = Array.isArray(value['messages']) ? (value['messages'] as unknown[]) : listField(value, 'input')
  const asText = textField(value, 'input')
  const list = given.length > 0 ? given : asText === undefined ? [] : [{ role: 'user', content: asText }]
  const lastUser = list.findLastIndex((message) => fieldOf(message, 'role') === 'user')
  if (ideal !== undefined) return { messages: list, expected: Array.isArray(ideal) ? (ideal as unknown[]) : [ideal] }
  return { messages: list.slice(0, lastUser + 1), expected: list.slice(lastUser + 1) }
}

interface Expected {
  asserts: Array<Record<string, unknown>>
  lost: string[]
}

function assertionsOf(expected: unknown[], options: ImportOptions): Expected {
  const texts = expected.filter((one) => typeof one === 'string' && one !== '') as string[]
  const [only] = texts
  if (only !== undefined)
    return {
      asserts:
        texts.length > 1
          ? [{ type: 'any', assertions: texts.map((text) => expectText(text, options)) }]
          : [expectText(only, options)],
      lost: texts.length < expected.length ? ['an ideal answer that is not text'] : [],
    }
  const messages = expected.filter((message) => fieldOf(message, 'role') === 'assistant')
  const { asserts, lost } = expectCalls(messages.flatMap(callsIn))
  const { text, isWhole } = textOf(fieldOf(messages.at(-1), 'content'))
  if (!isWhole) lost.push('an answer with parts that are not text')
  return { asserts: [...asserts, ...(text === '' ? [] : [expectText(text, options)])], lost }
}

function callsIn(message: unknown): ExpectedCall[] {
  const older = fieldOf(message, 'function_call')
  return [...listField(message, 'tool_calls'), ...(older === undefined ? [] : [older])].map((call) => {
    const made = fieldOf(call, 'function') ?? call
    return { name: fieldOf(made, 'name'), args: fieldOf(made, 'arguments', 'args') }
  })
}

function textOf(content: unknown): { text: string; isWhole: boolean } {
  if (content === undefined || typeof content === 'string') return { text: content ?? '', isWhole: true }
  const parts = Array.isArray(content) ? (content as unknown[]) : [content]
  const texts = parts.flatMap((part) => textField(part, 'text') ?? [])
  return { text: texts.join('\n'), isWhole: texts.length === parts.length }
}
