// Real MCP servers that die, send too much or have no tools: what the cases see, and that the next one is not affected.
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** Speaks just enough MCP; the arguments of a call say what it does. */
const SERVER = `
import { createInterface } from 'node:readline'
const capabilities = process.argv[2] === 'no-tools' ? {} : { tools: {} }
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 's', version: '1' } })
  if (method === 'tools/list') say(id, { tools: [{ name: 'do', inputSchema: { type: 'object' } }] })
  if (method !== 'tools/call') return
  if (params.arguments.what === 'die') process.exit(3)
  say(id, { content: [{ type: 'text', text: params.arguments.what === 'flood' ? 'x'.repeat(11e6) : 'fine' }] })
})
`

async function run(ask: string[], mode = '') {
  const dir = makeFolder({
    'app.yao': {},
    'server.mjs': SERVER,
    'connectors/m.conn.yao': {
      type: 'mock',
      options: {
        responses: [
          ...ask.map((what) => ({ trigger_pattern: `^${what}`, tool_calls: [{ name: 's__do', args: { what } }] })),
          { output: 'done' },
        ],
      },
    },
    'assistants/a/package.yao': { name: 'A', connector: 'm', mcp: { servers: ['s'] } },
    'mcps/s.mcp.yao': { command: 'node', args: ['server.mjs', mode] },
    'cases.jsonl': ask.map((what, index) => ({ id: `T${index + 1}`, input: what })),
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json'], { cwd: dir })
  return parseEvents(stdout).flatMap((event) => (event.type === 'result' ? (event['tool_calls'] ?? []) : []))
}

test('a server that dies or sends too much fails that call, and is started again for the next', async () => {
  const ended = 'the tool server ended before it answered'
  expect(await run(['die', 'well', 'flood', 'good'])).toMatchObject([
    { error: ended },
    { result: 'fine' },
    { error: `${ended}: it sent a message of more than 10 MB` },
    { result: 'fine' },
  ])
})

test('a server without tools writes nothing into the events', async () => {
  expect(await run(['well'], 'no-tools')).toEqual([{ name: 's__do', args: { what: 'well' }, id: expect.any(String) }])
})
