// ADK evalsets: conversations with the tools and answers that are expected; and the older list of queries.
import { isRecord } from '../../../base/record.js'
import { CaseList, fieldOf, listField, textField } from './cases-only.js'
import type { Imported, ImportedCase, Note, ImportOptions } from './imported.js'
import type { Located } from './read-source.js'

/** What ADK asks for where nothing else is configured. */
const MATCH = 0.8

export function isEvalset(value: unknown): boolean {
  if (fieldOf(value, 'eval_cases', 'evalCases') !== undefined) return true
  return (
    Array.isArray(value) &&
    value.some((item) => isRecord(item) && 'query' in item && ('expected_tool_use' in item || 'reference' in item))
  )
}

export function importEvalset({ value, file, lineOf }: Located, options: ImportOptions): Imported {
  const cases = new CaseList('ADK evalset', options)
  const list = Array.isArray(value) ? (value as unknown[]) : listField(value, 'eval_cases', 'evalCases')
  const key = isRecord(value) && 'evalCases' in value ? 'evalCases' : 'eval_cases'
  if (Array.isArray(value)) addQueries(cases, list, file, lineOf)
  else
    for (const [index, evalCase] of list.entries())
      addCase(cases, evalCase, index, { file, line: lineOf([key, index]) })
  cases.note(
    `thresholds of test_config.json are not read: answers are compared by their words (${MATCH}), tools by name, order and arguments`,
    { file, line: 1 },
  )
  return cases.finish()
}

function addCase(cases: CaseList, evalCase: unknown, index: number, origin: { file: string; line: number }): void {
  const notes: Array<Omit<Note, 'case'>> = []
  const turns = listField(evalCase, 'conversation').map((invocation) => {
    const data = fieldOf(invocation, 'intermediate_data', 'intermediateData')
    const tools = listField(data, 'tool_uses', 'toolUses')
    const input = textOfParts(fieldOf(invocation, 'user_content', 'userContent'))
    if (input.problem !== undefined) notes.push({ ...origin, reason: input.problem, kind: 'lost' })
    const answer = textOfParts(fieldOf(invocation, 'final_response', 'finalResponse'))
    if (answer.problem !== undefined)
      notes.push({ ...origin, reason: `the expected answer: ${answer.problem}`, kind: 'lost' })
    return { input: input.text, assert: assertionsOf(tools, answer.text) }
  })
  const session = fieldOf(evalCase, 'session_input', 'sessionInput')
  const item: ImportedCase = { id: cases.id(fieldOf(evalCase, 'eval_id', 'evalId'), `eval-${index + 1}`) }
  const [only] = turns
  if (turns.length === 1 && only)
    Object.assign(item, { input: only.input, ...(only.assert.length > 0 && { assert: only.assert }) })
  else if (turns.length > 0)
    item['turns'] = turns.map(({ input, assert }) => ({ input, ...(assert.length > 0 && { assert }) }))
  else {
    item['input'] = '(no conversation)'
    notes.push({
      ...origin,
      reason: 'it has no conversation of its own (a scenario for a simulated user, perhaps)',
      kind: 'lost',
    })
  }
  if (turns.every(({ assert }) => assert.length === 0) && turns.length > 0)
    notes.push({
      ...origin,
      reason: 'it expects nothing: rubrics and other criteria are not part of the file',
      kind: 'lost',
    })
  const user = textField(session, 'user_id', 'userId')
  if (user !== undefined) item['user'] = user
  const state = fieldOf(session, 'state')
  if (isRecord(state) && Object.keys(state).length > 0) {
    item['metadata'] = { state }
    notes.push({
      ...origin,
      reason: 'the state of the session is in metadata.state: the agent must read it there',
      kind: 'note',
    })
  }
  cases.add(item, notes, origin)
}

function addQueries(cases: CaseList, list: unknown[], file: string, lineOf: Located['lineOf']): void {
  // The older form: a list of queries is one conversation.
  const turns = list.map((entry) => {
    const tools = listField(entry, 'expected_tool_use').map((tool) => ({
      name: fieldOf(tool, 'tool_name', 'name'),
      args: fieldOf(tool, 'tool_input', 'args'),
    }))
    const assert = assertionsOf(tools, textField(entry, 'reference') ?? '')
    return { input: textField(entry, 'query') ?? '', ...(assert.length > 0 && { assert }) }
  })
  const item: ImportedCase = { id: cases.id(undefined, 'conversation-1'), turns }
  const isEmpty = turns.every((turn) => turn.assert === undefined)
  const origin = { file, line: lineOf([]) }
  cases.add(item, isEmpty ? [{ ...origin, reason: 'it expects nothing', kind: 'lost' }] : [], origin)
}

function assertionsOf(tools: unknown[], answer: string): Array<Record<string, unknown>> {
  // A tool without a name makes an assertion that no case can have, which is then said to be lost.
  const named = tools.map((tool) => ({ name: textField(tool, 'name') ?? '', args: fieldOf(tool, 'args') }))
  const asserts: Array<Record<string, unknown>> = []
  if (named.length > 0) asserts.push({ type: 'tool_sequence', tools: named.map(({ name }) => name), match: 'strict' })
  for (const { name, args } of named)
    if (isRecord(args) && Object.keys(args).length > 0) asserts.push({ type: 'tool_called', name, arguments: args })
  if (answer.trim() !== '') asserts.push({ type: 'similar', value: answer, method: 'tokens', threshold: MATCH })
  return asserts
}

function textOfParts(content: unknown): { text: string; problem?: string } {
  const parts = listField(content, 'parts')
  const texts = parts.flatMap((part) => textField(part, 'text') ?? [])
  const text = texts.join('\n')
  return texts.length < parts.length && text === ''
    ? { text, problem: 'a message that is not text' }
    : { text, ...(texts.length < parts.length && { problem: 'a message with parts that are not text' }) }
}
