// Cases made from what an MCP server lists, by rules alone: calls, and tasks for a model. They say what the schemas
// promise and nothing else; every one of them is there to be reviewed.
import { isRecord, readString } from '../../base/record.js'
import { clip, oneLine } from '../../base/text.js'
import { messageOf } from '../../base/message-of.js'
import { compileForeign } from '../../json-schema/compile-foreign.js'
import { makeArguments } from '../../json-schema/values/make-arguments.js'

type Listed = Record<string, unknown>

export interface McpSuite {
  calls: object[]
  routing: object[]
  /** What could not be made, and why. */
  notes: string[]
}

const TAGS = ['generated', 'review']
const NOT_READ_ONLY = 'the tool is not annotated as read-only: review what it would change, then remove "skip"'

export function mcpSuite(tools: readonly Listed[]): McpSuite {
  const suite: McpSuite = { calls: [], routing: [], notes: [] }
  for (const tool of tools) addTool(suite, tool)
  if (suite.routing.length > 0) suite.routing.push(NO_TOOL)
  return suite
}

function addTool(suite: McpSuite, tool: Listed): void {
  const name = readString(tool['name'])
  if (name === undefined || name === '') return void suite.notes.push('a tool without a name was left out')
  const made = argumentsOf(tool['inputSchema'])
  if (typeof made === 'string') return void suite.notes.push(`${name}: no arguments could be made: ${made}`)
  const skip = isReadOnly(tool) ? {} : { skip: true, skip_reason: NOT_READ_ONLY }
  suite.calls.push({
    id: `${name}-answers`,
    comment: 'review: the arguments are made from the schema; name things that exist, and say what must come back',
    tags: TAGS,
    call: { tool: name, arguments: made.typical },
    assert: [{ type: 'tool_result', tool: name }, ...promised(tool['outputSchema'])],
    ...skip,
  })
  if (made.wrong)
    suite.calls.push({
      id: `${name}-refuses`,
      comment: `review: ${oneLine(made.wrong.why, 100)}, so the schema does not allow these arguments`,
      tags: TAGS,
      call: { tool: name, arguments: made.wrong.value },
      assert: { type: 'json_path', path: '$.error', exists: true },
      ...skip,
    })
  suite.routing.push({
    id: `${name}-is-chosen`,
    comment: 'review: write the task as a person would who does not know the tools',
    tags: TAGS,
    input: taskOf(name, tool, made.typical),
    expect_tool: { name, arguments: made.typical },
  })
}

const NO_TOOL = {
  id: 'no-tool-fits',
  comment: 'review: a task for which none of the tools is meant',
  tags: TAGS,
  input: 'Say hello in Latin.',
  expect_tool: null,
}

interface Made {
  typical: Record<string, unknown>
  wrong: { value: Record<string, unknown>; why: string } | undefined
}

/** Or why there are none. */
function argumentsOf(schema: unknown): Made | string {
  if (!isRecord(schema)) return 'it has no schema of its arguments'
  try {
    const { typical, wrong, cannot } = makeArguments(schema)
    const value = typical.map((each) => each.value).find((each) => isRecord(each))
    if (value === undefined) return cannot.join('; ') || 'the schema describes no object'
    const refused = wrong.flatMap((each) => (isRecord(each.value) ? [{ value: each.value, why: each.why }] : []))
    return { typical: value, wrong: refused[0] }
  } catch (error) {
    return `its schema cannot be used: ${messageOf(error)}`
  }
}

/** What its author says about the result. A schema that does not compile is for the contract to report. */
function promised(schema: unknown): object[] {
  if (!isRecord(schema)) return []
  try {
    compileForeign(schema)
    return [{ type: 'schema', value: schema }]
  } catch {
    return []
  }
}

function isReadOnly({ annotations }: Listed): boolean {
  return isRecord(annotations) && annotations['readOnlyHint'] === true
}

const LONGEST_TASK = 300

/** The first sentence of the description, and the arguments by name. */
function taskOf(name: string, tool: Listed, args: Record<string, unknown>): string {
  const described = oneLine(readString(tool['description']) ?? '', LONGEST_TASK * 2)
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(described) ?? [described]
  const words = sentence === '' ? name.replaceAll(/[_.-]+/g, ' ') : sentence
  const given = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const task = clip(words, LONGEST_TASK).replace(/\.$/, '')
  return given.length === 0 ? `${task}.` : `${task}. (${given.join(', ')})`
}
