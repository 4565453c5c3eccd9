// `-n mcp:…`: cases that call the tools of a real MCP server, and what is said when they cannot.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, startViva, viva, type Files } from '../../support/run-cli.js'

const NOTES = `mcp:node ${join(ROOT, 'test/fixtures/mcp/notes-server.mjs')}`
const odd = (how: string): string => `mcp:node '${join(ROOT, 'test/fixtures/mcp/odd-server.mjs')}' '${how}'`

async function run(cases: object[], args: string[] = [], target = NOTES, files: Files = {}) {
  const dir = makeFolder({ 'cases.jsonl': cases, ...files })
  const done = await viva(['test', '-n', target, '-i', 'cases.jsonl', '-o', 'events.jsonl', ...args], { cwd: dir })
  const results = done.code === 2 ? [] : resultsIn(join(dir, 'events.jsonl'))
  return { ...done, results, byId: new Map(results.map((result) => [result['id'], result])) }
}

function resultsIn(path: string) {
  return parseEvents(readFileSync(path, 'utf8')).filter(({ type }) => type === 'result')
}

const found = (words: string[]) => ({ type: 'equals', value: { found: words } })
const find = (word: string) => ({ tool: 'find_note', arguments: { word } })
const add = (id: string, text: string) => ({ tool: 'add_note', arguments: { id, text } })

const CASES = [
  {
    id: 'both-kinds-of-content',
    call: find('milk'),
    assert: [
      { type: 'json_path', path: 'found[0]', value: 'first' },
      {
        type: 'tool_result',
        tool: 'find_note',
        result: { content: [{ type: 'text', text: '1 found' }], structuredContent: { found: ['first'] } },
      },
      { type: 'tool_called', name: 'find_note', arguments: { word: 'milk' } },
    ],
  },
  {
    id: 'turns-share-a-session',
    turns: [
      { call: add('b', 'bread and milk'), assert: { type: 'json_path', path: 'count', value: 2 } },
      { call: find('milk'), assert: found(['first', 'b']) },
    ],
  },
  { id: 'cases-do-not', call: find('bread'), assert: found([]) },
  {
    id: 'expected-error',
    call: add('first', 'again'),
    assert: { type: 'json_path', path: 'error', value: 'there is a note "first" already' },
  },
  { id: 'unexpected-error', call: add('first', 'again'), assert: { type: 'contains', value: 'already' } },
  { id: 'error-unasked', call: { tool: 'find_note', arguments: { wrd: 'x' } } },
  { id: 'error-that-fits-a-schema', call: add('first', 'x'), assert: { type: 'schema', value: { type: 'object' } } },
  { id: 'wrong', call: find('milk'), assert: found(['second']) },
  { id: 'crash', call: { tool: 'crash' }, assert: { type: 'contains', value: 'x' } },
]

const EXPECTED = {
  'both-kinds-of-content': 'passed',
  'turns-share-a-session': 'passed',
  'cases-do-not': 'passed',
  'expected-error': 'passed',
  'unexpected-error': 'agent',
  'error-unasked': 'agent',
  'error-that-fits-a-schema': 'agent',
  wrong: 'assertion',
  crash: 'crashed',
}

const verdicts = (results: Array<Record<string, unknown>>) =>
  Object.fromEntries(
    results.map(({ id, status, error_kind }) => [String(id), status === 'passed' ? status : error_kind]),
  )

test('calls are judged, side by side as one after the other', async () => {
  for (const args of [[], ['--parallel', '8']]) {
    const { code, results, stdout } = await run(CASES, args)
    expect([code, verdicts(results)]).toEqual([1, EXPECTED])
    expect(stdout).toContain('asked     add_note({"id":"first","text":"again"})')
    expect(stdout).toContain('the server exited with code 3; it wrote: out of paper')
    expect(stdout).not.toContain('went on as if')
  }
})

test('what was answered can be judged again, recorded and replayed', async () => {
  const cases = CASES.filter(({ id }) => !/^(?:crash|unexpected-error|error-)/.test(id))
  const dir = makeFolder({ 'cases.jsonl': cases })
  const again = async (target: string, ...args: string[]) => {
    await viva(['test', '-n', target, '-i', 'cases.jsonl', '-o', 'events.jsonl', ...args], { cwd: dir })
    return verdicts(resultsIn(join(dir, 'events.jsonl')))
  }
  const live = await again(NOTES, '--record', 'tape.yml')
  expect(live).toMatchObject({ 'expected-error': 'passed', wrong: 'assertion' })
  expect(await again(NOTES, '--replay', 'tape.yml')).toEqual(live)
  const judged = await viva(['test', '-n', 'recorded:events.jsonl', '-i', 'cases.jsonl', '-o', 'b.jsonl'], { cwd: dir })
  expect(judged.stderr).toBe('')
  expect(verdicts(resultsIn(join(dir, 'b.jsonl')))).toEqual(live)
  // The tape answers, not the server.
  const gone = NOTES.replace('mcp:node', 'mcp:false')
  const tape = readFileSync(join(dir, 'tape.yml'), 'utf8').replaceAll(NOTES, gone)
  const elsewhere = makeFolder({ 'cases.jsonl': cases, 'tape.yml': tape })
  const replayed = await viva(['test', '-n', gone, '-i', 'cases.jsonl', '--replay', 'tape.yml', '-o', 'e.jsonl'], {
    cwd: elsewhere,
  })
  expect([replayed.code, verdicts(resultsIn(join(elsewhere, 'e.jsonl')))]).toEqual([1, live])
})

test('a case with a workspace has its server there', async () => {
  const { byId } = await run([
    { id: 'a', call: { tool: 'where' }, workspace: { fixtures: { 'x.txt': '1' } } },
    { id: 'b', call: { tool: 'where' } },
  ])
  const cwd = (id: string) => (byId.get(id)?.['output'] as { cwd: string } | undefined)?.cwd
  expect(cwd('a')).not.toBe(cwd('b'))
})

test('a server from the configuration has its variables', async () => {
  const entry = { target: NOTES, env: { SHELF: '7' } }
  const cases = [{ id: 'a', call: { tool: 'where' }, assert: { type: 'json_path', path: 'shelf', value: '7' } }]
  const { code, stdout } = await run(cases, [], 'desk', { 'viva.config.json': { agents: { desk: entry } } })
  expect(stdout).toContain('1 passed')
  expect(code).toBe(0)
})

test.each([
  ['huge', 'it sent a message of more than 10 MB'],
  ['exits at once', 'the server exited with code 4; it wrote: no license'],
  ['refuses', 'initialize was refused: no (-32602)'],
  ['noise', 'the result of go does not follow the protocol'],
  ['error in a string', 'the result of go does not follow the protocol'],
  ['without content', 'the result of go does not follow the protocol'],
])(
  'a server that is %s fails its case, and the run goes on',
  async (how, words) => {
    const cases = [
      { id: 'a', call: { tool: 'go' } },
      { id: 'b', call: { tool: 'go' } },
    ]
    const { stdout, results } = await run(cases, ['--parallel', '2'], odd(how))
    expect(results.map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(stdout).toContain(words)
  },
  60_000,
)

test('an error of the protocol that a case expects is expected in a replay, too', async () => {
  const cases = [{ id: 'a', call: { tool: 'go' }, assert: { type: 'json_path', path: 'error.data.shelf', value: 9 } }]
  const dir = makeFolder({ 'cases.jsonl': cases })
  for (const tape of ['--record', '--replay']) {
    const args = ['test', '-n', odd('protocol error'), '-i', 'cases.jsonl', tape, 'tape.yml']
    expect((await viva(args, { cwd: dir })).stdout).toContain('1 passed')
  }
})

test('an empty result is judged as what it is', async () => {
  const asked = (text: string, assert: object) => ({ call: { tool: 'go', arguments: { text } }, assert })
  const cases = [
    { id: 'empty', ...asked('', { type: 'equals', value: '' }) },
    { id: 'null', ...asked('null', { type: 'equals', value: null }) },
    { id: 'not-its-name', ...asked('', { type: 'contains', value: 'go' }) },
  ]
  const { results } = await run(cases, [], odd('empty'))
  expect(verdicts(results)).toEqual({ empty: 'passed', null: 'passed', 'not-its-name': 'assertion' })
})

test('a call that hangs ends with the time of its case', async () => {
  const { results, stdout } = await run([
    { id: 'a', call: { tool: 'wait' }, timeout: '1s' },
    { id: 'b', call: find('milk') },
  ])
  expect(verdicts(results)).toEqual({ a: 'timeout', b: 'passed' })
  expect(stdout).toContain('the agent did not answer within 1s')
})

test.each<[string, object, string[]]>([
  ['a misspelt tool', { call: { tool: 'find_nte' } }, ['cases.jsonl:1', 'call.tool', 'did you mean "find_note"?']],
  ['an unknown tool', { call: { tool: 'sing' } }, ['has no tool "sing"; it lists find_note, add_note, where']],
  ['a misspelt field', { call: { tol: 'find_note' } }, ['unknown field "tol"', 'did you mean "tool"?']],
  ['a call that is text', { call: 'find_note' }, ['call']],
  ['arguments that are a list', { call: { tool: 'find_note', arguments: [1] } }, ['call.arguments']],
  ['an input beside it', { call: find('x'), input: 'y' }, ['"input" is not sent beside "call"']],
  [
    'an attachment',
    { call: find('x'), attachments: [{ type: 'file', url: 'data:,x' }] },
    ['"attachments" is not sent'],
  ],
  ['an input in a turn', { turns: [{ call: find('x'), input: 'y' }] }, ['turns[0].input', 'is not sent beside "call"']],
  ['a text in place of a call', { input: 'find milk' }, ['is an MCP server', 'NOT_A_CALL']],
  ['a text in a later turn', { turns: [{ call: find('x') }, { input: 'thanks' }] }, ['NOT_A_CALL']],
])('%s is refused before the run', async (_what, testCase, words) => {
  const { code, stderr } = await run([{ id: 'a', ...testCase }])
  expect(code).toBe(2)
  for (const each of words) expect(stderr).toContain(each)
})

test('only an MCP server is called', async () => {
  const { code, stderr } = await run([{ id: 'a', call: find('x') }], [], 'builtin:echo')
  expect([code, stderr]).toEqual([2, expect.stringContaining('builtin:echo is not an MCP server')])
})

test('Ctrl-C ends the server', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'a', call: { tool: 'wait' } }] })
  const started = startViva(['test', '-n', NOTES, '-i', 'cases.jsonl', '-o', 'events.jsonl', '-v'], { cwd: dir })
  await started.saw('a')
  started.process.kill('SIGINT')
  const { code } = await started.done
  expect(code).toBe(130)
})

test('a generator is shown the tools, and its calls run unchanged', async () => {
  const dir = makeFolder({
    'generator.mjs': `
export const cases = (messages) => {
  const { target_tools } = JSON.parse(messages.at(-1).content)
  const [{ name, description, input_schema }] = target_tools
  const word = Object.keys(input_schema.properties)[0]
  return JSON.stringify({ cases: [{ id: 'G1', name: description, call: { tool: name, arguments: { [word]: 'milk' } } }] })
}`,
  })
  const generate = ['test', '-n', NOTES, '-i', 'agents:./generator.mjs#cases?count=1&focus=calls']
  const dry = await viva([...generate, '--dry-run', '-o', 'cases.jsonl'], { cwd: dir })
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('Finds notes whose text contains a word')])
  const { code, stdout } = await viva(['test', '-n', NOTES, '-i', 'cases.jsonl'], { cwd: dir })
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')])
})

/** A server over HTTP that wants to know who calls. */
async function listen(authorization: string): Promise<string> {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1.0.0' })
    const inputSchema = fromJsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } } })
    server.registerTool('double', { description: 'Doubles', inputSchema }, ({ a }) => ({
      content: [{ type: 'text', text: String(a * 2) }],
    }))
    return server
  })
  const server = createServer((request, response) => {
    if (request.headers.authorization !== authorization) return void response.writeHead(401).end('who are you?')
    void bodyOf(request).then(async (body) => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
      const method = request.method ?? 'GET'
      const sent = await fetch(
        new Request('http://127.0.0.1/mcp', { method, headers, ...(method === 'POST' && { body }) }),
      )
      response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(Buffer.from(await sent.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const DOUBLE = { id: 'a', call: { tool: 'double', arguments: { a: 21 } }, assert: { type: 'equals', value: 42 } }

test('an address is called with its key, which is shown nowhere', async () => {
  const address = await listen('Bearer hunter2hunter2')
  const dir = makeFolder({ 'cases.jsonl': [DOUBLE] })
  const args = ['test', '-n', `mcp:http://${address}/mcp`, '-i', 'cases.jsonl', '-o', 'events.jsonl']
  const env = { TOKEN: 'hunter2hunter2' }
  const { code, stdout } = await viva([...args, '--key-env', 'TOKEN'], { cwd: dir, env })
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')])
  expect(readFileSync(join(dir, 'events.jsonl'), 'utf8')).not.toContain('hunter2')
  const refused = await viva(args, { cwd: dir })
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('HTTP 401: who are you?')])
  expect(refused.stdout).toContain('--key-env')
})

test('a user and a password in the address are sent, and shown nowhere', async () => {
  const address = await listen(`Basic ${Buffer.from('ada:hunter2hunter2').toString('base64')}`)
  const { code, stdout, dir } = await run([DOUBLE], [], `mcp:http://ada:hunter2hunter2@${address}/mcp`)
  expect([code, stdout]).toEqual([0, expect.stringContaining(`mcp:http://${address}/mcp`)])
  expect(stdout + readFileSync(join(dir, 'events.jsonl'), 'utf8')).not.toContain('hunter2')
})
