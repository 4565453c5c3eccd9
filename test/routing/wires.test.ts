// The tools of a case as four vendors want them: names and schemas that they take, calls reported under the given names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wireNames } from '../../src/connectors/wire-tools.js'
import { startModelServer, type ModelServer } from '../real/model/index.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const LONG = `files/${'very_'.repeat(16)}long`
const TOOLS = [
  { name: 'math.add', description: 'Adds', inputSchema: { properties: { a: { type: 'number' } }, required: ['a'] } },
  {
    name: 'math/add',
    description: 'Adds otherwise',
    inputSchema: { type: 'object', properties: { b: { type: 'number' } } },
  },
  { name: 'math_add', description: 'Adds too' },
  { name: '2d area', description: 'An area' },
  { name: LONG, description: 'Reads' },
]
const NAMES = TOOLS.map(({ name }) => name)

async function startModel(): Promise<ModelServer> {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  return server
}

const ADDRESSES = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL']
const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']

function environment(url: string): Record<string, string> {
  return Object.fromEntries([...ADDRESSES.map((name) => [name, url]), ...KEYS.map((name) => [name, 'key-of-a-test'])])
}

test.for(['openai', 'openai-chat', 'anthropic', 'google'])(
  '%s takes the tools, and each is reported as given',
  async (vendor) => {
    const server = await startModel()
    // Calls the tool that the task names by its position.
    server.decide(({ tools, task }) => {
      const name = tools[Number(task)]
      return name === undefined
        ? { kind: 'answer', pieces: ['none fits'] }
        : { kind: 'answer', pieces: ['Here'], calls: [{ id: 'c1', name, args: '{"a": 1}' }] }
    })
    const cases = [...NAMES, null].map((name, at) => ({
      id: `T${at}`,
      input: String(at),
      tools: TOOLS,
      expect_tool: name === null ? null : { name, arguments: { a: 1 } },
    }))
    const dir = makeFolder({ 'cases.jsonl': cases })
    const args = ['test', '-n', `${vendor}:m`, '-i', 'cases.jsonl', '-o', 'out.jsonl']
    const ran = await viva(args, { cwd: dir, env: environment(server.url) })
    expect(server.refusals).toEqual([])
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
    const called = events
      .filter(({ type }) => type === 'result')
      .map((result) => (result['tool_calls'] as Array<{ name: string }> | undefined)?.[0]?.name)
    expect(new Set(called)).toEqual(new Set([...NAMES, undefined]))
  },
)

test.for(['openai', 'openai-chat', 'anthropic', 'google'])(
  '%s: two calls, a made-up tool and broken arguments never pass',
  async (vendor) => {
    const server = await startModel()
    server.decide(({ tools: [first = ''], task }) => {
      const one = { id: 'c1', name: first, args: '{"a": 1}' }
      if (task === 'two') return { kind: 'answer', calls: [one, { ...one, id: 'c2' }] }
      if (task === 'made up') return { kind: 'answer', calls: [{ ...one, name: 'subtract' }] }
      return { kind: 'answer', calls: [{ ...one, args: '{"a": 1' }] }
    })
    // Gemini's arguments are an object on the wire: they cannot be broken text.
    const tasks = vendor === 'google' ? ['two', 'made up'] : ['two', 'made up', 'broken']
    const cases = tasks.map((input) => ({
      id: input,
      input,
      tools: TOOLS,
      expect_tool: { name: 'math.add', arguments: { a: 1 } },
    }))
    const dir = makeFolder({ 'cases.jsonl': cases })
    const args = ['test', '-n', `${vendor}:m`, '-i', 'cases.jsonl', '-o', 'out.jsonl']
    const ran = await viva(args, { cwd: dir, env: environment(server.url) })
    const results = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
    expect(results.map(({ status }) => status)).toEqual(tasks.map(() => 'failed'))
    expect([ran.code, server.refusals]).toEqual([1, []])
  },
)

test('names that can be sent keep theirs, and no two become one', () => {
  const names = wireNames([...NAMES, 'math add'])
  expect(names.get('math_add')).toBe('math_add')
  const sent = [...names.values()]
  expect(new Set(sent).size).toBe(sent.length)
  for (const name of sent) expect(name).toMatch(/^[A-Za-z_][\w-]{0,63}$/)
})
