// DeepEval goldens: a list of {input, expected_output, expected_tools, …}, or of conversations.
import { isPresent, isRecord } from '../base/record.js'
import { camel, CaseList, fieldOf, listField, textField } from './cases-only.js'
import { expectCalls, type ExpectedCall } from './expected-calls.js'
import { expectText, judgeFor, type Imported, type ImportOptions, type ImportedCase, type Note } from './imported.js'
import type { Located, Steps } from './read-source.js'
import { restOf, unknownKeys } from './unknown-keys.js'

const KEPT = [
  'context',
  'retrieval_context',
  'additional_metadata',
  'source_file',
  'comments',
  'custom_column_key_values',
]

const KNOWN = [
  ...KEPT,
  'name',
  'input',
  'actual_output',
  'expected_output',
  'expected_tools',
  'tools_called',
  'scenario',
  'turns',
  'user_description',
  'expected_outcome',
]

const FILE_KEYS = ['goldens', 'conversational_goldens', 'alias', 'id', 'name']

export function isGoldens(value: unknown): boolean {
  return goldensOf(value).some(
    ({ golden: item }) =>
      isRecord(item) &&
      (('input' in item &&
        ('expected_output' in item ||
          'expectedOutput' in item ||
          'expected_tools' in item ||
          'expectedTools' in item ||
          'actual_output' in item)) ||
        'scenario' in item),
  )
}

export function importGoldens(source: Located, options: ImportOptions): Imported {
  const { value, file, lineOf } = source
  const cases = new CaseList('file of DeepEval goldens', options)
  const ofFile = cases.fileKeys(source, FILE_KEYS)
  for (const [index, { golden, steps }] of goldensOf(value).entries()) {
    const origin = { file, line: lineOf(steps) }
    const notes: Array<Omit<Note, 'case'>> = [...ofFile]
    const item: ImportedCase = { id: cases.id(textField(golden, 'name'), `golden-${index + 1}`) }
    const isConversation = textField(golden, 'scenario') !== undefined || listField(golden, 'turns').length > 0
    const rest = restOf(golden, [...KNOWN, ...KNOWN.map(camel)])
    const lost = [...(isConversation ? conversation(item, golden) : single(item, golden, options)), ...rest.lost]
    notes.push(...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const })))
    if (item['turns'] !== undefined && textField(golden, 'scenario') !== undefined)
      notes.push({ ...origin, reason: 'the scenario is not played: the user says what the turns say', kind: 'note' })
    const kept = KEPT.flatMap((name) => {
      const found = fieldOf(golden, name, camel(name))
      return found === undefined || found === '' || (Array.isArray(found) && found.length === 0) ? [] : [[name, found]]
    })
    const metadata: Record<string, unknown> = { ...rest.metadata, ...Object.fromEntries(kept) }
    if (Object.keys(metadata).length > 0) item['metadata'] = metadata
    if (item['assert'] === undefined && item['final_assertions'] === undefined)
      notes.push({ ...origin, reason: 'the golden expects nothing: metrics are not part of it', kind: 'lost' })
    if (item['input'] === undefined && item['turns'] === undefined && item['simulator'] === undefined) {
      item['input'] = '(no input)'
      notes.push({ ...origin, reason: 'the golden has no input', kind: 'lost' })
    }
    cases.add(item, notes, origin)
  }
  cases.note('metrics and their thresholds are Python code and not part of the goldens', { file, line: 1 })
  return cases.finish()
}

/** Returns what is lost. */
function single(item: ImportedCase, golden: unknown, options: ImportOptions): string[] {
  const input = textField(golden, 'input')
  if (input !== undefined) item['input'] = input
  const expected = fieldOf(golden, 'expected_output', 'expectedOutput')
  const tools = fieldOf(golden, 'expected_tools', 'expectedTools')
  const calls = expectCalls(Array.isArray(tools) ? tools.map(expectedCall) : [])
  const beside = ['expected_outcome', 'user_description'].filter((name) =>
    hasContent(fieldOf(golden, name, camel(name))),
  )
  const asserts = [
    ...(typeof expected === 'string' && expected !== '' ? [expectText(expected, options)] : []),
    ...calls.asserts,
  ]
  if (asserts.length > 0) item['assert'] = asserts
  return [
    ...(expected === undefined || typeof expected === 'string' ? [] : ['an expected output that is not text']),
    ...(tools === undefined || Array.isArray(tools) ? [] : ['expected tools that are not a list']),
    ...calls.lost,
    ...(Array.isArray(tools) ? tools.flatMap((tool) => leftOver(tool, TOOL_KEYS, 'an expected tool')) : []),
    ...beside.map((name) => `${name} of a golden that is not a conversation`),
  ]
}

/** A user who plays a scenario, or what the user said. */
function conversation(item: ImportedCase, golden: unknown): string[] {
  const asked = listField(golden, 'turns').filter((turn) => textField(turn, 'role') === 'user')
  const said = asked.flatMap((turn) => textField(turn, 'content') ?? [])
  const scenario = textField(golden, 'scenario')
  const persona = textField(golden, 'user_description', 'userDescription')
  if (said.length > 0) item['turns'] = said.map((input) => ({ input }))
  else if (scenario !== undefined)
    item['simulator'] = { use: 'viva.user', metadata: { goal: scenario, ...(persona !== undefined && { persona }) } }
  const outcome = textField(golden, 'expected_outcome', 'expectedOutcome')
  if (outcome !== undefined) item['final_assertions'] = [judgeFor(`The conversation ended like this: ${outcome}`)]
  const beside = ['expected_output', 'expected_tools'].filter((name) => hasContent(fieldOf(golden, name, camel(name))))
  return [
    ...(said.length < asked.length ? ['a message of the user that is not text'] : []),
    ...beside.map((name) => `${name} of a conversation`),
    ...listField(golden, 'turns').flatMap((turn) => leftOver(turn, TURN_KEYS, 'a turn')),
  ]
}

/** What is expected of a tool; the rest describes it. */
const TOOL_KEYS = ['name', 'input_parameters', 'description', 'reasoning']
/** What an agent did in an earlier conversation is not asked again. */
const TURN_KEYS = ['role', 'content', 'user_id', 'retrieval_context', 'tools_called', 'additional_metadata', 'comments']

function leftOver(value: unknown, known: string[], of: string): string[] {
  const content = isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => isPresent(each))) : {}
  return unknownKeys(content, [...known, ...known.map(camel)], of).map(({ reason }) => reason)
}

function hasContent(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function expectedCall(tool: unknown): ExpectedCall {
  return {
    name: typeof tool === 'string' ? tool : fieldOf(tool, 'name'),
    args: fieldOf(tool, 'input_parameters', 'inputParameters'),
  }
}

function goldensOf(value: unknown): Array<{ golden: unknown; steps: Steps }> {
  if (Array.isArray(value)) return value.map((golden: unknown, index) => ({ golden, steps: [index] }))
  return ['goldens', 'conversational_goldens'].flatMap((name) =>
    listField(value, name).map((golden, index) => ({ golden, steps: [name, index] })),
  )
}
