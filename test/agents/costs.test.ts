// What a call has cost is counted whole: reasoning, usage told twice, both sides of a delegation, agents that
// hooks and tools call, calls that fail halfway.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const price = { input: 1, output: 1 }
const usage = { input_tokens: 100_000, output_tokens: 0 }
const answer = { output: 'hi', usage }

async function result(files: Files, agent = 'a'): Promise<Record<string, unknown> | undefined> {
  const cwd = makeFolder({ 'app.yao': {}, ...files, 'cases.jsonl': [{ id: 'T1', input: 'hi' }] })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '--json'], { cwd })
  return parseEvents(stdout).find((event) => event.type === 'result')
}

/** Packages whose models cost 10 cents, or nobody knows what. */
function packages(hooks: Record<string, string | undefined>): Files {
  const files: Files = {
    'connectors/paid.conn.yao': { type: 'mock', price, options: { responses: [answer, answer] } },
    'connectors/silent.conn.yao': { type: 'mock', price, options: { responses: ['hi'] } },
  }
  for (const [id, source] of Object.entries(hooks)) {
    const isBare = id === 'hooks'
    files[`assistants/${id}/package.yao`] = {
      name: id,
      ...(!isBare && { connector: id === 'silent' ? 'silent' : 'paid' }),
    }
    if (!isBare) files[`assistants/${id}/prompts.yml`] = '- content: hi\n'
    if (source) files[`assistants/${id}/src/index.ts`] = source
  }
  return files
}

const delegateTo = (id: string): string => `export function Next() { return { delegate: { agent_id: '${id}' } } }`

test('a delegation costs what both sides cost, and is unknown if one of them is', async () => {
  expect(await result(packages({ a: delegateTo('b'), b: undefined }))).toMatchObject({ cost_dollars: 0.2 })
  expect(await result(packages({ silent: delegateTo('b'), b: undefined }), 'silent')).not.toHaveProperty('cost_dollars')
  const free = { a: delegateTo('hooks'), hooks: "export function Next() { return { data: 'hi' } }" }
  expect(await result(packages(free))).toMatchObject({ status: 'passed', cost_dollars: 0.1 })
})

test('what a call cost is kept if a hook, or the agent that it delegates to, fails after it', async () => {
  const fails = "export function Next() { throw new Error('broken') }"
  const own = { status: 'failed', usage: { total_tokens: 100_000 }, cost_dollars: 0.1 }
  expect(await result(packages({ a: fails }))).toMatchObject(own)
  expect(await result(packages({ a: delegateTo('b'), b: fails }))).toMatchObject({
    error: expect.stringContaining('the Next hook of b failed: broken'),
    cost_dollars: 0.2,
  })
})

test('agents that hooks and tools call are paid for by the agent that has them', async () => {
  const asks = "Process('agents.b.Stream', ctx, 'hi')"
  const hook = (name: string, end: string): string => `export function ${name}(ctx) { ${asks}; ${end} }`
  const cost = async (source: string) => (await result(packages({ a: source, b: undefined })))?.['cost_dollars']
  expect(await cost(hook('Next', "return { data: 'hi' }"))).toBe(0.2)
  expect(await cost(hook('Create', ''))).toBe(0.2)
  expect(await cost(hook('Create', "return { delegate: { agent_id: 'b' } }"))).toBe(0.2)
  expect(await cost(hook('Create', "throw new Error('broken')"))).toBe(0.1)
  const call = {
    tool_calls: [
      { name: 's__script', args: {} },
      { name: 's__agent', args: {} },
    ],
    usage,
  }
  const tools = {
    ...packages({ a: undefined, b: undefined }),
    'connectors/caller.conn.yao': { type: 'mock', price, options: { responses: [call, { output: 'done', usage }] } },
    'assistants/a/package.yao': { name: 'A', connector: 'caller', mcp: { servers: ['s'] } },
    'assistants/a/mcps/s.mcp.yao': { tools: { script: 'scripts.t.Ask', agent: 'agents.b.Stream' } },
    'assistants/a/mcps/mapping/s/schemes/agent.in.yao': { type: 'object', 'x-process-args': [null, 'hi'] },
    'scripts/t.ts': `export function Ask(args, ctx) { ${asks} }\n`,
  }
  expect(await result(tools)).toMatchObject({ status: 'passed', cost_dollars: 0.4 })
})

/** A model behind a stream of events; `answer` gets what the request has as messages. */
async function model(answer: (say: (event: object) => void, asked: string) => void): Promise<Files> {
  const server = createServer((request, response: ServerResponse) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      answer((event) => response.write(`data: ${JSON.stringify(event)}\n\n`), body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    'connectors/x.conn.yao': { type: 'openai', price, options: { host, model: 'm' } },
    'assistants/a/package.yao': { name: 'A', connector: 'x', mcp: { servers: ['s'] } },
    'assistants/a/mcps/s.mcp.yao': { tools: { find: 'scripts.t.Find' } },
    'scripts/t.ts': 'export function Find() { return 7 }\n',
  }
}

const piece = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

test('reasoning that is only in the total is paid for, and zeros at the end take nothing back', async () => {
  const files = await model((say) => {
    say({
      ...piece({ content: [{ type: 'text', text: 'in parts' }] }),
      usage: { prompt_tokens: 100_000, completion_tokens: 0, total_tokens: 300_000 },
    })
    say({ ...piece({}, 'stop'), usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } })
  })
  expect(await result(files)).toMatchObject({ output: 'in parts', usage: { total_tokens: 300_000 }, cost_dollars: 0.3 })
})

test('a stream that breaks off after a tool has run keeps the call, and what both answers cost', async () => {
  const usage = { prompt_tokens: 100_000, completion_tokens: 0, total_tokens: 100_000 }
  const files = await model((say, asked) => {
    if (asked.includes('"role":"tool"')) {
      say({ ...piece({ content: 'ha' }), usage })
      return say({ error: { type: 'invalid_request_error', message: 'broken' } })
    }
    say(piece({ tool_calls: [{ index: 0, id: 'c', function: { name: 's__find', arguments: '{}' } }] }))
    say({ ...piece({}, 'tool_calls'), usage })
  })
  expect(await result(files)).toMatchObject({
    status: 'failed',
    tool_calls: [{ name: 's__find', result: 7 }],
    usage: { total_tokens: 200_000 },
    cost_dollars: 0.2,
  })
})
