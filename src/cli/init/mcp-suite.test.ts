import { expect, test } from 'vitest'
import { checkCase } from '../../pipeline/sources/check-case.js'
import { compileForeign } from '../../json-schema/compile-foreign.js'
import { mcpSuite } from './mcp-suite.js'

const text = { type: 'string' }
const find = {
  name: 'find',
  description: 'Finds a note. Use it sparingly.',
  inputSchema: { type: 'object', properties: { word: text, limit: { type: 'integer' } }, required: ['word'] },
  outputSchema: { type: 'object', properties: { found: { type: 'array' } } },
  annotations: { readOnlyHint: true },
}

interface Made {
  id: string
  call: { tool: string; arguments: Record<string, unknown> }
  assert: unknown
  input: string
  expect_tool: unknown
  skip?: boolean
}

const made = (...tools: object[]) => {
  const { calls, routing, notes } = mcpSuite(tools as Array<Record<string, unknown>>)
  return { calls: calls as Made[], routing: routing as Made[], notes }
}

test('a tool gets a call that its schema allows, one that it does not, and a task', () => {
  const { calls, routing } = made(find)
  const isAllowed = compileForeign(find.inputSchema)
  const [answers, refuses] = calls
  expect(isAllowed(answers?.call.arguments)).toEqual([])
  expect(isAllowed(refuses?.call.arguments)).not.toEqual([])
  expect(answers?.assert).toEqual([
    { type: 'tool_result', tool: 'find' },
    { type: 'schema', value: find.outputSchema },
  ])
  expect(routing[0]?.input).toMatch(/^Finds a note\. \(word: /)
  expect(routing[0]?.expect_tool).toEqual({ name: 'find', arguments: answers?.call.arguments })
  expect(routing.at(-1)?.expect_tool).toBeNull()
})

test('every case can be loaded, says that it is to be reviewed, and has an id of its own', () => {
  const { calls, routing } = made(find, { name: 'ping', inputSchema: { type: 'object' } })
  const all = [...calls, ...routing]
  for (const each of all) expect([each.id, checkCase(each, { strict: true }).problems]).toEqual([each.id, []])
  expect(all.every((each) => JSON.stringify(each).includes('"review"'))).toBe(true)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})

test('a tool that is not annotated as read-only is not called before someone has looked', () => {
  for (const annotations of [undefined, {}, { readOnlyHint: false }, { destructiveHint: false }])
    expect(made({ ...find, annotations }).calls.every(({ skip }) => skip === true)).toBe(true)
  expect(made(find).calls.some(({ skip }) => skip === true)).toBe(false)
})

test('what cannot be made is said, and the other tools get their cases', () => {
  const { calls, notes } = made({ name: 'a' }, { name: 'b', inputSchema: { type: 'objekt' } }, { title: 'c' }, find)
  expect(notes).toEqual([
    'a: no arguments could be made: it has no schema of its arguments',
    expect.stringMatching(/^b: no arguments could be made: its schema cannot be used/),
    'a tool without a name was left out',
  ])
  expect(calls.map(({ call }) => call.tool)).toEqual(['find', 'find'])
})
