// Your MCP server. Replace it with your own, in any language: it reads messages from standard input, one a line.
import { createInterface } from 'node:readline'

const notes = new Map([['groceries', 'milk, bread, tea']])

const TOOLS = [
  {
    name: 'find_notes',
    description: 'Finds the notes whose text contains a word',
    inputSchema: {
      type: 'object',
      properties: { word: { type: 'string', minLength: 1, description: 'The word to look for' } },
      required: ['word'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { found: { type: 'array', items: { type: 'string' }, description: 'Names of notes' } },
      required: ['found'],
    },
    annotations: { readOnlyHint: true },
    run({ word }) {
      return { found: [...notes.keys()].filter((name) => notes.get(name).includes(word)) }
    },
  },
  {
    name: 'add_note',
    description: 'Adds a note, unless there is one of that name',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'What the note is called' },
        text: { type: 'string', description: 'What it says' },
      },
      required: ['name', 'text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run({ name, text }) {
      if (notes.has(name)) throw new Error(`there is a note called ${name} already`)
      notes.set(name, text)
      return { added: name, notes: notes.size }
    },
  },
]

/** What is wrong with the arguments; enough for schemas with required texts. */
function wrongWith({ properties, required }, args) {
  const missing = required.find((name) => args[name] === undefined)
  if (missing) return `"${missing}" is missing`
  for (const [name, value] of Object.entries(args)) {
    if (!(name in properties)) return `"${name}" is not an argument of this tool`
    if (typeof value !== 'string') return `"${name}" must be a text`
    if (value.length < (properties[name].minLength ?? 0)) return `"${name}" is empty`
  }
  return undefined
}

function call({ name, arguments: args = {} }) {
  const tool = TOOLS.find((each) => each.name === name)
  if (!tool) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 })
  try {
    const wrong = wrongWith(tool.inputSchema, args)
    if (wrong) throw new Error(wrong)
    const result = tool.run(args)
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: error.message }] }
  }
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS.map(({ run: _run, ...tool }) => tool) }),
  'tools/call': call,
}
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  // Notifications are not answered.
  if (id === undefined) return
  try {
    if (!Object.hasOwn(METHODS, method)) throw Object.assign(new Error(`Unknown method: ${method}`), { code: -32601 })
    say({ id, result: METHODS[method](params) })
  } catch ({ code = -32603, message }) {
    say({ id, error: { code, message } })
  }
})

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
