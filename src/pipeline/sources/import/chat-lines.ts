// Chat transcripts as JSONL: {"messages": […]} with the ideal answer at the end, or {"input": …, "ideal": …}.
import { isRecord } from '../../../base/record.js'
import { parseJson } from '../../../base/json/parse-json.js'
import { CaseList, fieldOf, listField, textField } from './cases-only.js'
import { expectText, type Imported, type ImportOptions, type ImportedCase, type Note } from './imported.js'
import { unreadable } from './read-source.js'

export function isChatLine(value: unknown): boolean {
  return (
    isRecord(value) &&
    (Array.isArray(value['messages']) ||
      ('ideal' in value && 'input' in value) ||
      Array.isArray(fieldOf(value, 'input')))
  )
}

export function importChatLines(text: string, file: string, options: ImportOptions): Imported {
  const cases = new CaseList('chat JSONL', options)
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const origin = { file, line: index + 1 }
    const value = parseJson(line)?.value
    if (!isRecord(value)) throw unreadable(file, [{ line: index + 1, message: 'expected one JSON object a line' }])
    const { messages, expected } = partsOf(value)
    const notes: Array<Omit<Note, 'case'>> = []
    const item: ImportedCase = { id: cases.id(fieldOf(value, 'id', 'custom_id'), `chat-${index + 1}`) }
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
    const asserts = assertionsOf(expected, options)
    if (asserts.length > 0) item['assert'] = asserts
    else notes.push({ ...origin, reason: 'there is no ideal answer at the end', kind: 'lost' })
    cases.add(item, notes, origin)
  }
  return cases.finish()
}

interface Parts {
  messages: unknown[]
  /** Texts, one of which is right; or the message that would be. */
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

function assertionsOf(expected: unknown[], options: ImportOptions): Array<Record<string, unknown>> {
  const texts = expected.filter((one) => typeof one === 'string' && one !== '') as string[]
  const [only] = texts
  if (texts.length > 1) return [{ type: 'any', assertions: texts.map((text) => expectText(text, options)) }]
  if (only !== undefined) return [expectText(only, options)]
  const messages = expected.filter((message) => fieldOf(message, 'role') === 'assistant')
  const calls = messages.flatMap((message) => listField(message, 'tool_calls').flatMap(callAssertion))
  const answer = textField(messages.at(-1), 'content')
  return [...calls, ...(answer === undefined ? [] : [expectText(answer, options)])]
}

function callAssertion(call: unknown): Array<Record<string, unknown>> {
  const made = fieldOf(call, 'function') ?? call
  const name = textField(made, 'name')
  if (name === undefined) return []
  const given = fieldOf(made, 'arguments', 'args')
  const args = typeof given === 'string' ? parseJson(given)?.value : given
  return [{ type: 'tool_called', name, ...(isRecord(args) && Object.keys(args).length > 0 && { arguments: args }) }]
}
