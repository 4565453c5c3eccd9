// What a schema cannot say about a case: rules over several of its fields.
import { INPUT_FIELDS, type WrittenCase } from './case-schema.js'
import { fixtureProblems } from './fixtures.js'
import { snapshotName } from './snapshot.js'
import { AGENT_ERROR_CODES, ERROR_KINDS } from './status.js'
import type { Fixture } from './workspace.js'
import { isPresent, isRecord, readStrings } from '../base/record.js'
import { type FieldProblem } from '../base/field-name.js'
import { suggest } from '../base/suggest.js'
import { listed as listedNames } from '../base/text.js'

type Written = Record<string, unknown>

/** Takes any object; fields of the wrong type are the schema's business and are skipped here. */
export function checkCaseRules(raw: Written, otherInput = false): FieldProblem[] {
  const problems = [
    ...needsInput(raw, otherInput),
    ...onlyCall(raw, []),
    ...oneSpelling(raw, ['assert', 'assertions'], []),
  ]
  for (const field in FIELD_RULES)
    if (raw[field] !== undefined) problems.push(...(FIELD_RULES[field]?.(raw[field]) ?? []))
  const assertions = scored(raw)
  if (raw['expect_tool'] !== undefined) problems.push(...checkExpectedTool(raw))
  return [...problems, ...cannotFail(raw, assertions), ...oneSnapshotEach(assertions)]
}

const FIELD_RULES: Readonly<Record<string, (value: unknown) => FieldProblem[]>> = {
  input: (value) => checkMessages(value, ['input']),
  messages: (value) => (Array.isArray(value) ? checkMessages(value, ['messages']) : []),
  attachments: (value) => checkAttachments(value, ['attachments']),
  turns: (value) => objects(value).flatMap(([turn, index]) => checkTurn(turn, ['turns', index])),
  checkpoints: (value) => checkCheckpoints(objects(value)),
  simulator: checkSimulatorTurns,
  workspace: checkWorkspace,
  tools: (value) => checkTools(objects(value)),
}

/** Is there anything the case could fail on, other than an error along the way? */
export function hasChecks(raw: Written): boolean {
  return (
    raw['expected'] !== undefined ||
    raw['expect_tool'] !== undefined ||
    raw['should_trigger'] !== undefined ||
    [raw['assert'], raw['assertions'], raw['final_assertions']].some(isGiven) ||
    objects(raw['turns']).some(([turn]) => isGiven(turn['assert']) || isGiven(turn['assertions'])) ||
    objects(raw['checkpoints']).length > 0
  )
}

/** Field by field, along with what looks like a mistake but might not be one. */
export function doubtfulFields(raw: Written): FieldProblem[] {
  const doubts: FieldProblem[] = []
  if (isPresent(raw['input']) && isPresent(raw['messages'])) {
    doubts.push({ path: ['input'], message: '"input" is not used: "messages" takes precedence' })
  }
  const [first] = objects(raw['turns'])
  if (isPresent(raw['input']) && first && isPresent(first[0]['input'])) {
    doubts.push({ path: ['input'], message: '"input" is not sent: the first turn has its own' })
  }
  doubts.push(...emptyLists(raw, ['assert', 'assertions', 'final_assertions', 'turns', 'checkpoints']))
  for (const [turn, index] of objects(raw['turns']))
    doubts.push(...emptyLists(turn, ['assert', 'assertions'], ['turns', index]))
  if (raw['expected'] !== undefined && !usesExpected(raw)) {
    const message = '"expected" is not compared: if there are assertions, they decide'
    doubts.push({ path: ['expected'], message })
  }
  doubts.push(...doubtfulRetries(raw['retry']))
  const type = raw['type']
  if (type !== undefined && type !== 'single_turn' && type !== 'multi_turn')
    doubts.push({ path: ['type'], message: `unknown type ${JSON.stringify(type)}: expected single_turn or multi_turn` })
  return doubts
}

/** Words for what can go wrong in an attempt; HTTP statuses are accepted as well. */
const RETRY_WORDS = new Set<string>([
  'timeout',
  'transient',
  'rate_limited',
  '5xx',
  'server_error',
  'network',
  'connection_reset',
  'assertion_failure',
  ...AGENT_ERROR_CODES,
  ...ERROR_KINDS,
  ...ERROR_KINDS.map((kind) => `${kind}_error`),
])

function emptyLists(raw: Written, keys: string[], path: FieldProblem['path'] = []): FieldProblem[] {
  const empty = keys.filter((key) => Array.isArray(raw[key]) && raw[key].length === 0)
  return empty.map((key) => ({ path: [...path, key], message: `"${key}" is empty: it checks nothing` }))
}

function doubtfulRetries(retry: unknown): FieldProblem[] {
  if (!isRecord(retry)) return []
  return ['retry_on', 'no_retry_on'].flatMap((key) =>
    readStrings(retry[key])
      .map((word, index) => ({ word, path: ['retry', key, index] }))
      .filter(({ word }) => !RETRY_WORDS.has(word) && !/^[1-5]\d\d$/.test(word))
      .map(({ word, path }) => ({
        path,
        message: `"${word}" is not a kind of failure; known: ${[...RETRY_WORDS].join(', ')}`,
      })),
  )
}

/** Compared if the case has no assertions; scripts and judges always get it. */
function usesExpected(raw: Written): boolean {
  const own = [...listed(raw['assert'], []), ...listed(raw['assertions'], [])]
  return (
    (own.length === 0 && raw['expect_tool'] === undefined) || scored(raw).some(([assertion]) => asksOthers(assertion))
  )
}

function asksOthers(assertion: Written): boolean {
  if (['script', 'agent', 'rubric'].includes(String(assertion['type']))) return true
  return objects(assertion['assertions']).some(([member]) => asksOthers(member))
}

/** Checks that exist and decide nothing. */
function cannotFail(raw: Written, assertions: Scored[]): FieldProblem[] {
  const [first] = assertions
  if (first && assertions.every(([assertion]) => assertion['weight'] === 0)) {
    return [{ path: [...first[1], 'weight'], message: 'all weights are 0: nothing decides the case' }]
  }
  const checkpoints = objects(raw['checkpoints'])
  const areOptional = checkpoints.length > 0 && checkpoints.every(([checkpoint]) => checkpoint['required'] === false)
  if (!areOptional || hasChecks({ ...raw, checkpoints: [] })) return []
  const message = 'all checkpoints are optional and nothing else is checked: the case cannot fail'
  return [{ path: ['checkpoints'], message }]
}

/** Two snapshots with the same name would overwrite each other. */
function oneSnapshotEach(assertions: Scored[]): FieldProblem[] {
  const names = new Set<string>()
  const issues: FieldProblem[] = []
  for (const { name, path } of assertions.flatMap(([assertion, place]) => snapshotsIn(assertion, place))) {
    if (names.has(name))
      issues.push({
        path: [...path, 'name'],
        message: `another snapshot of the case is called "${name}": give each a name`,
      })
    names.add(name)
  }
  return issues
}

function snapshotsIn(
  assertion: Written,
  path: FieldProblem['path'],
): Array<{ name: string; path: FieldProblem['path'] }> {
  if (assertion['type'] === 'snapshot') return [{ name: snapshotName(assertion), path }]
  return listed(assertion['assertions'], [...path, 'assertions']).flatMap(([member, place]) =>
    snapshotsIn(member, place),
  )
}

type Scored = [assertion: Written, path: FieldProblem['path']]

/** The assertions that make up a score. */
function scored(raw: Written): Scored[] {
  const own = ['assert', 'assertions', 'final_assertions'].flatMap((key) => listed(raw[key], [key]))
  if (raw['turns'] === undefined) return own
  const ofTurns = objects(raw['turns']).flatMap(([turn, index]) =>
    ['assert', 'assertions'].flatMap((key) => listed(turn[key], ['turns', index, key])),
  )
  return [...own, ...ofTurns]
}

function listed(value: unknown, path: FieldProblem['path']): Scored[] {
  if (!Array.isArray(value)) return isPresent(value) ? [[asWritten(value), path]] : []
  return value.map((item, index): Scored => [asWritten(item), [...path, index]])
}

/** A bare string is the type of an assertion. */
function asWritten(item: unknown): Written {
  if (typeof item === 'string') return { type: item }
  return isRecord(item) ? item : {}
}

const SCHEMA_KEYS = ['inputSchema', 'input_schema', 'parameters']

/** Two tools of one name cannot be told apart, by the model or by the check. */
function checkTools(tools: Array<[Written, number]>): FieldProblem[] {
  const seen = new Map<unknown, number>()
  return tools.flatMap(([tool, index]): FieldProblem[] => {
    const { name } = tool
    const path = ['tools', index]
    const first = seen.get(name)
    seen.set(name, first ?? index)
    const [schema, second] = SCHEMA_KEYS.filter((key) => tool[key] !== undefined)
    const problems: FieldProblem[] = []
    if (first !== undefined && typeof name === 'string')
      problems.push({ path: [...path, 'name'], message: `another tool is called "${name}": tools[${first}]` })
    if (typeof name === 'string' && name.trim() === '')
      problems.push({ path: [...path, 'name'], message: 'a tool needs a name' })
    if (schema !== undefined && second !== undefined)
      problems.push({ path: [...path, second], message: `"${schema}" and "${second}" mean the same: give one of them` })
    const type = schema === undefined ? undefined : (tool[schema] as Written | null)?.['type']
    if (schema !== undefined && type !== undefined && type !== 'object')
      problems.push({
        path: [...path, schema, 'type'],
        message: `arguments are an object: type must be "object", found ${JSON.stringify(type)}`,
      })
    return problems
  })
}

function checkExpectedTool(raw: Written): FieldProblem[] {
  const wanted = raw['expect_tool']
  const name = isRecord(wanted) ? wanted['name'] : wanted
  const path = isRecord(wanted) ? ['expect_tool', 'name'] : ['expect_tool']
  if (isPresent(raw['turns']) || isPresent(raw['simulator']))
    return [
      { path: ['expect_tool'], message: 'is about one answer: in a conversation, give a turn {"type": "expect_tool"}' },
    ]
  if (typeof name !== 'string' || !Array.isArray(raw['tools'])) return []
  const offered = objects(raw['tools']).flatMap(([tool]) => (typeof tool['name'] === 'string' ? [tool['name']] : []))
  if (offered.includes(name)) return []
  const near = suggest(name, offered)
  const hint =
    near === undefined
      ? offered.length === 0
        ? 'it has none'
        : `it has ${listedNames(offered, 20)}`
      : `did you mean "${near}"?`
  return [{ path, message: `no tool of this case is called "${name}"; ${hint}` }]
}

/** Only as far as the schema does not cover it. */
function checkWorkspace(workspace: unknown): FieldProblem[] {
  if (!isRecord(workspace)) return []
  const { fixtures, scratchpad, config } = workspace
  const spec = {
    fixtures: isRecord(fixtures) ? filesIn(fixtures) : {},
    ...(typeof scratchpad === 'string' && { scratchpad }),
    ...(isRecord(config) && { config }),
  }
  return fixtureProblems(spec).map(({ path, message }) => ({ path: ['workspace', ...path], message }))
}

function filesIn(values: Written): Record<string, Fixture> {
  const isFile = (value: unknown): value is Fixture =>
    typeof value === 'string' || (isRecord(value) && typeof value['base64'] === 'string')
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Fixture] => isFile(entry[1])))
}

function needsInput(raw: Written, otherInput: boolean): FieldProblem[] {
  const given = INPUT_FIELDS.filter((field) => isPresent(raw[field]))
  const turns = raw['turns']
  const noTurns = Array.isArray(turns) && turns.length === 0
  if (given.length === 0 || (given.length === 1 && given[0] === 'turns' && noTurns)) {
    return [{ path: [], message: '"call", "input", "messages", "turns" or "simulator" required' }]
  }
  const first = objects(turns)[0]?.[0]
  const interactive = raw['interactive'] as WrittenCase['interactive']
  const onlyTurns = given.length === 1 && given[0] === 'turns' && !otherInput && interactive?.enabled !== true
  if (onlyTurns && first && !isPresent(first['input']) && !isPresent(first['call'])) {
    return [{ path: ['turns', 0], message: 'no initial input: the first turn has none, and neither has the case' }]
  }
  return []
}

/** A call is all that is sent: whatever else the case says beside it would be lost. */
function onlyCall(raw: Written, path: FieldProblem['path']): FieldProblem[] {
  if (!isPresent(raw['call'])) return []
  const beside = ['input', 'messages', 'simulator', 'attachments'].filter((field) => isPresent(raw[field]))
  return [
    ...beside.map((field) => ({
      path: [...path, field],
      message: `"${field}" is not sent beside "call": a call has its tool and arguments, and nothing else`,
    })),
    ...expectsChoice(raw).map((field) => ({
      path: [...path, ...field],
      message:
        'cannot fail beside "call": the case names the tool itself, so nobody chooses one; give the task as "input"',
    })),
  ]
}

/** Where a case or turn says which tool should be chosen. */
function expectsChoice(raw: Written): Array<FieldProblem['path']> {
  const own = ['assert', 'assertions'].flatMap((key) => listed(raw[key], [key]))
  return [
    ...(raw['expect_tool'] === undefined ? [] : [['expect_tool']]),
    ...own.filter(([assertion]) => isChoice(assertion)).map(([, path]) => path),
  ]
}

function isChoice(assertion: Written): boolean {
  return assertion['type'] === 'expect_tool' || objects(assertion['assertions']).some(([member]) => isChoice(member))
}

function oneSpelling(raw: Written, names: [string, string], path: FieldProblem['path']): FieldProblem[] {
  const [first, second] = names
  if (raw[first] === undefined || raw[second] === undefined) return []
  return [{ path: [...path, second], message: `"${first}" and "${second}" mean the same: give one of them` }]
}

function checkTurn(turn: Written, path: FieldProblem['path']): FieldProblem[] {
  return [
    ...oneSpelling(turn, ['assert', 'assertions'], path),
    ...onlyCall(turn, path),
    ...checkMessages(turn['input'], [...path, 'input']),
    ...checkAttachments(turn['attachments'], [...path, 'attachments']),
  ]
}

function checkMessages(value: unknown, path: FieldProblem['path']): FieldProblem[] {
  if (Array.isArray(value) && value.length === 0)
    return [{ path, message: `"${path.at(-1)}" is empty: expected a message` }]
  if (isRecord(value)) return checkContent(value, path)
  return objects(value).flatMap(([message, index]) => checkContent(message, [...path, index]))
}

function checkContent(message: Written, path: FieldProblem['path']): FieldProblem[] {
  const content = message['content']
  const toolCalls = message['tool_calls']
  const callsTools = Array.isArray(toolCalls) && toolCalls.length > 0
  if (!isPresent(content) && !callsTools) return [{ path, message: "message missing 'content'" }]
  return [
    ...objects(Array.isArray(content) ? content : [content])
      .filter(([part]) => part['type'] === 'text' && typeof part['text'] !== 'string')
      .map(([, index]) => ({
        path: [...path, 'content', ...(Array.isArray(content) ? [index] : [])],
        message: "text part missing 'text'",
      })),
    ...objects(toolCalls)
      .filter(([call]) => typeof (isRecord(call['function']) ? call['function'] : call)['name'] !== 'string')
      .map(([, index]) => ({ path: [...path, 'tool_calls', index], message: "tool call missing 'name'" })),
  ]
}

function checkAttachments(value: unknown, path: FieldProblem['path']): FieldProblem[] {
  return objects(value)
    .filter(([item]) => item['source'] === undefined && item['url'] === undefined && item['type'] !== undefined)
    .map(([, index]) => ({ path: [...path, index], message: "attachment needs 'source' or 'url'" }))
}

function checkSimulatorTurns(simulator: unknown): FieldProblem[] {
  if (!isRecord(simulator)) return []
  const options = simulator['options']
  const places: Array<[unknown, FieldProblem['path']]> = [
    [simulator['metadata'], ['simulator', 'metadata', 'max_turns']],
    [isRecord(options) ? options['metadata'] : undefined, ['simulator', 'options', 'metadata', 'max_turns']],
  ]
  return places.flatMap(([metadata, path]) => {
    const turns = isRecord(metadata) ? metadata['max_turns'] : undefined
    const fine =
      turns === undefined || (typeof turns === 'number' && Number.isInteger(turns) && turns >= 1 && turns <= 1000)
    const message = `max_turns must be an integer 1..1000 (leave it out for 20), found ${JSON.stringify(turns)}`
    return fine ? [] : [{ path, message }]
  })
}

function checkCheckpoints(checkpoints: Array<[Written, number]>): FieldProblem[] {
  const issues: FieldProblem[] = []
  const byId = new Map<string, { index: number; after: string[] }>()
  for (const [checkpoint, index] of checkpoints) {
    const path = ['checkpoints', index]
    issues.push(...oneSpelling(checkpoint, ['assertion', 'assert'], path))
    if (checkpoint['assertion'] === undefined && checkpoint['assert'] === undefined) {
      issues.push({ path, message: "missing required field 'assertion'" })
    }
    const id = checkpoint['id']
    if (typeof id !== 'string') continue
    const earlier = byId.get(id)
    if (earlier)
      issues.push({
        path: [...path, 'id'],
        message: `duplicate checkpoint "${id}": also checkpoints[${earlier.index}]`,
      })
    else byId.set(id, { index, after: readStrings(checkpoint['after']) })
  }
  for (const [checkpoint, index] of checkpoints) {
    for (const [position, id] of readStrings(checkpoint['after']).entries()) {
      if (!byId.has(id)) {
        const known = [...byId.keys()].map((name) => `"${name}"`).join(', ')
        issues.push({
          path: ['checkpoints', index, 'after', position],
          message: `unknown checkpoint "${id}"; known: ${known}`,
        })
      }
    }
  }
  const cycle = findCycle(new Map([...byId].map(([id, { after }]) => [id, after])))
  if (cycle) {
    const index = byId.get(cycle[0] ?? '')?.index ?? 0
    issues.push({
      path: ['checkpoints', index, 'after'],
      message: `cycle ${cycle.join(' -> ')}: none of them can be reached`,
    })
  }
  return issues
}

/** `[a, b, a]`: the first path that leads back to its start. */
function findCycle(after: ReadonlyMap<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const visit = (id: string, way: string[]): string[] | undefined => {
    const back = way.indexOf(id)
    if (back >= 0) return [...way.slice(back), id]
    if (done.has(id)) return undefined
    for (const next of after.get(id) ?? []) {
      const cycle = visit(next, [...way, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const id of after.keys()) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}

function objects(value: unknown): Array<[Written, number]> {
  if (!Array.isArray(value)) return []
  return value
    .map((item, index): [unknown, number] => [item, index])
    .filter((pair): pair is [Written, number] => isRecord(pair[0]))
}

/** Is there an assertion? */
export function isGiven(assertions: unknown): boolean {
  return Array.isArray(assertions) ? assertions.length > 0 : isPresent(assertions)
}
