// ADK evalsets: conversations with the tools and answers that are expected; and the older list of queries.
import { isRecord } from '../base/record.js'
import { camel, CaseList, fieldOf, listField, textField } from './cases-only.js'
import { wantedCalls, type ExpectedCall } from './expected-calls.js'
import type { Imported, ImportedCase, Note, ImportOptions } from './imported.js'
import type { Located, SourceFolder } from './read-source.js'
import { unknownKeys } from './unknown-keys.js'

/** What ADK asks for if nothing else is configured. */
const MATCH = 0.8

export function isEvalset(value: unknown): boolean {
  if (fieldOf(value, 'eval_cases', 'evalCases') !== undefined) return true
  return (
    Array.isArray(value) &&
    value.some((item) => isRecord(item) && 'query' in item && ('expected_tool_use' in item || 'reference' in item))
  )
}

export async function importEvalset(source: Located, folder: SourceFolder, options: ImportOptions): Promise<Imported> {
  const { value, file, lineOf } = source
  const cases = new CaseList('ADK evalset', options)
  const criteria = [...(await stricterCriteria(folder)), ...cases.fileKeys(source, FILE_KEYS)]
  const list = Array.isArray(value) ? (value as unknown[]) : listField(value, 'eval_cases', 'evalCases')
  const key = isRecord(value) && 'evalCases' in value ? 'evalCases' : 'eval_cases'
  if (Array.isArray(value)) addQueries(cases, list, criteria, file, lineOf)
  else
    for (const [index, evalCase] of list.entries())
      addCase(cases, evalCase, index, criteria, { file, line: lineOf([key, index]) })
  cases.note(
    `answers are compared by their words (${MATCH}), tools by name, order and the arguments that are named, whatever lower thresholds test_config.json has`,
    { file, line: 1 },
  )
  return cases.finish()
}

const CONFIG = 'test_config.json'
const FILE_KEYS = ['eval_set_id', 'name', 'eval_cases', 'creation_timestamp']

/** What the configuration beside the file asks for beyond that. */
async function stricterCriteria(folder: SourceFolder): Promise<Array<Omit<Note, 'case'>>> {
  if (!folder.has(CONFIG)) return []
  const { value, file, lineOf } = await folder.structured(CONFIG)
  const lost = (reason: string, steps: string[]): Omit<Note, 'case'> => {
    return { file, line: lineOf(steps), reason, kind: 'lost' }
  }
  const unknown = unknownKeys(value, ['criteria']).map(({ key, reason }) => lost(reason, [key]))
  const criteria = fieldOf(value, 'criteria')
  if (criteria !== undefined && !isRecord(criteria)) return [...unknown, lost('criteria', ['criteria'])]
  const stricter = Object.entries(criteria ?? {}).filter(([name, given]) => {
    const threshold = isRecord(given) ? given['threshold'] : given
    const most = name === 'response_match_score' ? MATCH : name === 'tool_trajectory_avg_score' ? 1 : undefined
    return most === undefined || typeof threshold !== 'number' || threshold > most
  })
  return [...unknown, ...stricter.map(([name]) => lost(`the criterion ${name}`, ['criteria', name]))]
}

function addCase(
  cases: CaseList,
  evalCase: unknown,
  index: number,
  criteria: ReadonlyArray<Omit<Note, 'case'>>,
  origin: { file: string; line: number },
): void {
  const notes: Array<Omit<Note, 'case'>> = [...criteria]
  const lose = (reason: string): void => void notes.push({ ...origin, reason, kind: 'lost' })
  leftOver(evalCase, CASE_KEYS, 'the case').forEach(lose)
  const turns = listField(evalCase, 'conversation').map((invocation) => {
    leftOver(invocation, INVOCATION_KEYS, 'an invocation').forEach(lose)
    const data = fieldOf(invocation, 'intermediate_data', 'intermediateData')
    leftOver(data, DATA_KEYS, 'intermediate_data').forEach(lose)
    const input = textOfParts(fieldOf(invocation, 'user_content', 'userContent'))
    if (input.problem !== undefined) lose(input.problem)
    else if (input.text === '') lose('an invocation without what the user says')
    const answer = textOfParts(fieldOf(invocation, 'final_response', 'finalResponse'))
    if (answer.problem !== undefined) lose(`the expected answer: ${answer.problem}`)
    if (hasContent(fieldOf(invocation, 'rubrics'))) lose('rubrics of an invocation')
    const calls = callsOf(data, lose)
    return { input: input.text, assert: assertionsOf(calls, answer.text, lose) }
  })
  if (hasContent(fieldOf(evalCase, 'rubrics'))) lose('rubrics')
  if (turns.length > 0 && hasContent(fieldOf(evalCase, 'conversation_scenario', 'conversationScenario')))
    lose('a scenario for a simulated user')
  if (hasContent(fieldOf(evalCase, 'final_session_state', 'finalSessionState')))
    lose('the state that the session is expected to end with')
  const session = fieldOf(evalCase, 'session_input', 'sessionInput')
  leftOver(session, ['app_name', 'user_id', 'state'], 'session_input').forEach(lose)
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

function addQueries(
  cases: CaseList,
  list: unknown[],
  criteria: ReadonlyArray<Omit<Note, 'case'>>,
  file: string,
  lineOf: Located['lineOf'],
): void {
  const notes: Array<Omit<Note, 'case'>> = [...criteria]
  // The older form: a list of queries is one conversation.
  const turns = list.map((entry, index) => {
    const lose = (reason: string): void => void notes.push({ file, line: lineOf([index]), reason, kind: 'lost' })
    leftOver(entry, QUERY_KEYS, 'a query').forEach(lose)
    const input = textField(entry, 'query')
    if (input === undefined) lose('a query that is not text')
    const reference = fieldOf(entry, 'reference') ?? ''
    if (typeof reference !== 'string') lose('a reference that is not text')
    const tools = callList(fieldOf(entry, 'expected_tool_use'), lose)?.map((tool) => {
      leftOver(tool, ['tool_name', 'name', 'tool_input', 'args', 'id'], 'an expected tool').forEach(lose)
      return { name: fieldOf(tool, 'tool_name', 'name'), args: fieldOf(tool, 'tool_input', 'args') }
    })
    const assert = assertionsOf(tools, typeof reference === 'string' ? reference : '', lose)
    return { input: input ?? '', ...(assert.length > 0 && { assert }) }
  })
  const item: ImportedCase = { id: cases.id(undefined, 'conversation-1'), turns }
  const origin = { file, line: lineOf([]) }
  if (turns.every((turn) => turn.assert === undefined))
    notes.push({ ...origin, reason: 'it expects nothing', kind: 'lost' })
  cases.add(item, notes, origin)
}

type Lose = (reason: string) => void

/** Undefined: nothing is said about calls. An empty list says that there are none. */
function callsOf(data: unknown, lose: Lose): ExpectedCall[] | undefined {
  const events = fieldOf(data, 'invocation_events', 'invocationEvents')
  if (events === undefined)
    return callList(fieldOf(data, 'tool_uses', 'toolUses'), lose)?.map((tool) => {
      leftOver(tool, ['id', 'name', 'args', 'partial_args', 'will_continue'], 'an expected call').forEach(lose)
      return { name: fieldOf(tool, 'name'), args: fieldOf(tool, 'args') }
    })
  return callList(events, lose)
    ?.flatMap((event) => listField(fieldOf(event, 'content'), 'parts'))
    .flatMap((part) => {
      const call = fieldOf(part, 'function_call', 'functionCall')
      return call === undefined ? [] : [{ name: fieldOf(call, 'name'), args: fieldOf(call, 'args') }]
    })
}

function callList(given: unknown, lose: Lose): unknown[] | undefined {
  if (given === undefined || Array.isArray(given)) return given as unknown[] | undefined
  lose('expected calls of tools that are not a list')
  return undefined
}

function assertionsOf(calls: ExpectedCall[] | undefined, answer: string, lose: Lose): Array<Record<string, unknown>> {
  const asserts: Array<Record<string, unknown>> = []
  if (calls) {
    const { wanted, lost } = wantedCalls(calls)
    lost.forEach(lose)
    const tools = wanted.map((call) => (call.arguments ? call : call.name))
    asserts.push({ type: 'tool_sequence', tools, match: 'strict' })
  }
  if (answer.trim() !== '') asserts.push({ type: 'similar', value: answer, method: 'tokens', threshold: MATCH })
  return asserts
}

/** ADK itself allows no others. */
const CASE_KEYS = [
  'eval_id',
  'conversation',
  'conversation_scenario',
  'session_input',
  'creation_timestamp',
  'rubrics',
  'final_session_state',
]
const INVOCATION_KEYS = [
  'invocation_id',
  'user_content',
  'final_response',
  'intermediate_data',
  'creation_timestamp',
  'rubrics',
  'app_details',
]
const DATA_KEYS = ['tool_uses', 'tool_responses', 'intermediate_responses', 'invocation_events']
const QUERY_KEYS = ['query', 'expected_tool_use', 'expected_intermediate_agent_responses', 'reference']

function leftOver(value: unknown, known: string[], of: string): string[] {
  return unknownKeys(value, [...known, ...known.map(camel)], of).map(({ reason }) => reason)
}

function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function textOfParts(content: unknown): { text: string; problem?: string } {
  if (content !== undefined && !isRecord(content)) return { text: '', problem: 'a message without parts' }
  const parts = listField(content, 'parts')
  const texts = parts.flatMap((part) => textField(part, 'text') ?? [])
  const text = texts.join('\n')
  return texts.length < parts.length && text === ''
    ? { text, problem: 'a message that is not text' }
    : { text, ...(texts.length < parts.length && { problem: 'a message with parts that are not text' }) }
}
