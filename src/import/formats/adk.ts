// ADK evalsets: conversations with the tools and answers that are expected, judged by the criteria of test_config.json beside them; and the
// older lists of queries.
import { isRecord } from '../../base/record.js'
import { CaseList } from '../case-list.js'
import { wantedCalls, type ExpectedCall } from '../expected-calls.js'
import type { Document, Format } from '../format.js'
import { judgeFor, type Imported, type ImportedCase, type ImportOptions, type Note } from '../imported.js'
import { Source } from '../source.js'
import { readCriteria, type Criteria } from './adk-criteria.js'

export const ADK: Format = {
  id: 'adk',
  label: 'ADK evalset',
  is: ({ value }) =>
    (isRecord(value) && ['eval_cases', 'evalCases'].some((name) => Array.isArray(value[name]))) ||
    (Array.isArray(value) && value.some((item) => isQuery(item) || (isRecord(item) && Array.isArray(item['data'])))),
  read: importEvalset,
}

function isQuery(item: unknown): boolean {
  return isRecord(item) && 'query' in item && ('expected_tool_use' in item || 'reference' in item)
}

type Notes = Array<Omit<Note, 'case'>>

async function importEvalset(document: Document, options: ImportOptions): Promise<Imported> {
  const { value, file } = document
  const cases = new CaseList('ADK evalset', options)
  const found = await readCriteria(document.folder)
  const root = new Source(value, document)
  if (Array.isArray(value)) {
    const items = root.elements()
    // A list of queries is one conversation; the list of an older evalset has several.
    if (value.some(isQuery)) addQueries(cases, items, root, 'conversation-1', found)
    else
      for (const item of items) {
        const id = item.text('name') ?? 'conversation'
        item.idle('initial_session')
        addQueries(cases, item.list('data') ?? [], item, id, found)
      }
  } else {
    root.idle('eval_set_id', 'name', 'creation_timestamp')
    const list = root.list('eval_cases') ?? []
    const drafts = list.map((evalCase) => readCase(evalCase, found.criteria))
    const ofFile = cases.fileNotes(onlyFile(root, document))
    for (const [index, draft] of drafts.entries()) {
      const evalCase = list[index]
      if (evalCase) addCase(cases, evalCase, draft, index, [...ofFile, ...found.notes])
    }
  }
  cases.note(found.shown, { file, line: 1 })
  return cases.finish()
}

/** The file without its cases. */
function onlyFile(root: Source, document: Document): Source {
  const { eval_cases: _, evalCases: __, ...rest } = isRecord(root.value) ? root.value : {}
  return new Source(rest, document).idle('eval_set_id', 'name', 'creation_timestamp')
}

interface Turn {
  input: string
  assert: Array<Record<string, unknown>>
}

interface ReadCase {
  turns: Turn[]
  lost: string[]
  user: string | undefined
  state: unknown
}

function readCase(evalCase: Source, criteria: Criteria): ReadCase {
  const lost: string[] = []
  const turns = (evalCase.list('conversation') ?? []).map((invocation): Turn => {
    invocation.idle('invocation_id', 'creation_timestamp', 'app_details')
    const input = textOf(invocation.object('user_content'))
    if (input === '') lost.push('an invocation without what the user says')
    const answer = textOf(invocation.object('final_response'))
    return { input, assert: assertionsOf(callsOf(invocation.object('intermediate_data')), answer, criteria, lost) }
  })
  const session = evalCase.object('session_input')
  session?.idle('app_name')
  evalCase.idle('creation_timestamp')
  if (turns.length === 0) lost.push('it has no conversation of its own (a scenario for a simulated user, perhaps)')
  return { turns, lost, user: session?.text('user_id'), state: session?.object('state')?.take() }
}

function addCase(
  cases: CaseList,
  evalCase: Source,
  { turns, lost, user, state }: ReadCase,
  index: number,
  given: Notes,
): void {
  const { origin } = evalCase
  const notes: Notes = [...given]
  const lose = (reason: string): void => void notes.push({ ...origin, reason, kind: 'lost' })
  const item: ImportedCase = { id: cases.id(evalCase.data('eval_id'), `eval-${index + 1}`) }
  evalCase.unread().forEach((unread) => notes.push({ ...unread, kind: 'lost' }))
  lost.forEach(lose)
  const [only] = turns
  if (!only) item['input'] = '(no conversation)'
  else if (turns.length === 1) Object.assign(item, withAssert(only))
  else item['turns'] = turns.map(withAssert)
  if (only && turns.every(({ assert }) => assert.length === 0)) lose('it expects nothing that a criterion compares')
  if (user !== undefined) item['user'] = user
  if (isRecord(state) && Object.keys(state).length > 0) {
    item['metadata'] = { state }
    const reason = 'the state of the session is in metadata.state: the agent must read it there'
    notes.push({ ...origin, reason, kind: 'note' })
  }
  cases.add(item, notes, origin)
}

function withAssert({ input, assert }: Turn): Record<string, unknown> {
  return { input, ...(assert.length > 0 && { assert }) }
}

function addQueries(
  cases: CaseList,
  list: Source[],
  around: Source,
  id: string,
  { criteria, notes: given }: { criteria: Criteria; notes: Notes },
): void {
  const lost: string[] = []
  const turns = list.map((entry): Turn => {
    const tools = entry.list('expected_tool_use')?.map((tool) => {
      tool.idle('id')
      return { name: tool.data('tool_name', 'name'), args: tool.data('tool_input', 'args') }
    })
    entry.idle('expected_intermediate_agent_responses')
    const input = entry.text('query') ?? ''
    if (input === '') lost.push('a query that is not text')
    return { input, assert: assertionsOf(tools, entry.text('reference') ?? '', criteria, lost) }
  })
  const { origin } = around
  const item: ImportedCase = { id: cases.id(undefined, id), turns: turns.map(withAssert) }
  if (turns.every(({ assert }) => assert.length === 0)) lost.push('it expects nothing that a criterion compares')
  cases.add(
    item,
    [
      ...given,
      ...around.unread().map((unread) => ({ ...unread, kind: 'lost' as const })),
      ...lost.map((reason) => ({ ...origin, reason, kind: 'lost' as const })),
    ],
    origin,
  )
}

/** Undefined: nothing is said about calls. An empty list says that there are none. */
function callsOf(data: Source | undefined): ExpectedCall[] | undefined {
  data?.idle('tool_responses', 'intermediate_responses')
  const events = data?.list('invocation_events')
  if (!events)
    return data?.list('tool_uses')?.map((tool) => {
      tool.idle('id', 'partial_args', 'will_continue')
      return { name: tool.data('name'), args: tool.data('args') }
    })
  return events.flatMap((event) => {
    event.idle('author')
    return (event.object('content')?.idle('role').list('parts') ?? []).flatMap((part) => {
      const call = part.object('function_call')
      call?.idle('id', 'partial_args', 'will_continue')
      part.take()
      return call ? [{ name: call.data('name'), args: call.data('args') }] : []
    })
  })
}

function assertionsOf(
  calls: ExpectedCall[] | undefined,
  answer: string,
  criteria: Criteria,
  lost: string[],
): Array<Record<string, unknown>> {
  const asserts: Array<Record<string, unknown>> = []
  if (calls && criteria.trajectory) {
    const { wanted, lost: unsaid } = wantedCalls(calls)
    lost.push(...unsaid)
    const tools = wanted.map((call) => (call.arguments ? call : call.name))
    const isOpen = criteria.trajectory !== 'strict'
    if (!isOpen || tools.length > 0) asserts.push({ type: 'tool_sequence', tools, match: criteria.trajectory })
  }
  const isSaid = answer.trim() !== ''
  if (isSaid && criteria.words !== undefined)
    asserts.push({ type: 'similar', value: answer, method: 'tokens', threshold: criteria.words })
  if (isSaid && criteria.isJudged)
    asserts.push(judgeFor(`The answer says the same in substance as this one: ${answer}`))
  return [...asserts, ...criteria.rubrics.map((rubric) => judgeFor(rubric))]
}

/** What is not text stays unread, and is listed. */
function textOf(content: Source | undefined): string {
  content?.idle('role')
  const texts = (content?.list('parts') ?? []).flatMap((part) => {
    const text = part.idle('thought', 'thought_signature').text('text')
    if (text === undefined) part.lose('a part of a message that is not text')
    return text ?? []
  })
  return texts.join('\n')
}
