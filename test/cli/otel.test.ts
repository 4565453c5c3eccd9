// `--otel`: spans that the protocol's own library reads, that agents join, and that are never lost in silence.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readOtlp, type OtlpSpan } from '../../src/base/otlp.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

interface Message {
  toObject(): unknown
}
interface RequestType {
  fromObject(value: unknown): Message
  verify(value: unknown): string | null
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): { resourceSpans: Array<{ scopeSpans: Array<{ spans: unknown[] }> }> }
}

/** The definitions that OpenTelemetry publishes. */
const root = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js') as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: RequestType } } } } }
}
const { ExportTraceServiceRequest } = root.opentelemetry.proto.collector.trace.v1

/** Spans of a body, after the protocol's own reader has taken all of it. */
function spansIn(text: string): OtlpSpan[] {
  const body: unknown = JSON.parse(text)
  const spans = readOtlp(body) ?? []
  const encoded = ExportTraceServiceRequest.encode(ExportTraceServiceRequest.fromObject(withBytes(body))).finish()
  const read = ExportTraceServiceRequest.decode(encoded).resourceSpans.flatMap((each) =>
    each.scopeSpans.flatMap((scope) => scope.spans),
  )
  expect(read).toHaveLength(spans.length)
  return spans
}

/** JSON has ids in hexadecimal, the reader takes bytes; no other key is unknown to it. */
function withBytes(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withBytes(each))
  if (typeof value === 'string' && /^(traceId|spanId|parentSpanId)$/.test(key)) {
    expect(value).toMatch(key === 'traceId' ? /^[0-9a-f]{32}$/ : /^[0-9a-f]{16}$/)
    return Buffer.from(value, 'hex')
  }
  if (typeof value !== 'object' || value === null) return value
  for (const name of Object.keys(value)) expect(KEYS, name).toContain(name)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withBytes(inner, name)]))
}

const KEYS =
  'resourceSpans resource scopeSpans scope spans attributes name version key value stringValue intValue doubleValue boolValue arrayValue values traceId spanId parentSpanId kind startTimeUnixNano endTimeUnixNano events timeUnixNano status code message'.split(
    ' ',
  )

async function serve(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => answer(request, body, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const CASES = [
  {
    id: 'talk',
    turns: [
      { input: 'hello', assert: { type: 'contains', value: 'said hello' } },
      { input: 'bye', assert: { type: 'contains', value: 'bye' } },
    ],
  },
  { id: 'call', input: 'book', assert: { type: 'tool_called', name: 'book' } },
  { id: 'wrong', input: 'x', assert: { type: 'equals', value: 'y' } },
]

test('a collector gets run → case → turn → tool, and the agent learns where it belongs', async () => {
  const told: string[] = []
  const agent = await serve((request, body, response) => {
    told.push(String(request.headers['traceparent']))
    const { messages } = JSON.parse(body) as { messages: Array<{ content: string }> }
    const content = messages.at(-1)?.content ?? ''
    const calls = content === 'book' ? [{ name: 'book', args: { city: 'Rome' }, result: 'done' }] : []
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ content: `said ${content} sk-secret-7781`, tool_calls: calls }))
  })
  const bodies: string[] = []
  const paths: string[] = []
  const collector = await serve((request, body, response) => {
    paths.push(`${request.url ?? ''} ${String(request.headers['x-team'])}`)
    bodies.push(body)
    response.end('{}')
  })
  const cwd = makeFolder({ 'cases.jsonl': CASES })
  const run = await viva(
    ['test', '-i', 'cases.jsonl', '-n', `${agent}/agent`, '--otel', collector, '-o', 'run.jsonl'],
    {
      cwd,
      env: { MY_API_KEY: 'sk-secret-7781', OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b' },
    },
  )
  expect(run.code, run.stderr).toBe(1)
  expect(paths[0]).toBe('/v1/traces a b')
  expect(bodies.join('')).not.toContain('7781')
  const spans = bodies.flatMap(spansIn)
  const byId = new Map(spans.map((span) => [span.id, span]))
  expect(byId.size).toBe(spans.length)
  const path = (span: OtlpSpan): string => {
    const above = span.parent === undefined ? undefined : byId.get(span.parent)
    return above ? `${path(above)} > ${span.name}` : span.name
  }
  const name = `invoke_agent ${agent}/agent`
  const tree = spans.map(path)
  expect(tree).toEqual(
    expect.arrayContaining([
      'viva test cases.jsonl',
      'viva test cases.jsonl > case talk',
      `viva test cases.jsonl > case talk > ${name}`,
      `viva test cases.jsonl > case call > ${name} > execute_tool book`,
    ]),
  )
  // Each call of the agent received the span that represents it.
  const turns = spans.filter((span) => span.name === name)
  expect(told.toSorted()).toEqual(turns.map(({ trace_id, id }) => `00-${trace_id}-${id}-01`).toSorted())
  expect(spans.find((span) => span.name === 'case wrong')).toMatchObject({
    error: expect.stringContaining('assertion'),
  })
  expect(spans.find((span) => span.name === 'execute_tool book')?.attributes).toMatchObject({
    'gen_ai.tool.name': 'book',
    'gen_ai.tool.call.arguments': '{"city":"Rome"}',
    'viva.case.id': 'call',
  })
  const results = parseEvents(readFileSync(join(cwd, 'run.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  for (const result of results) expect(result['trace_id']).toBe(turns[0]?.trace_id)
})

test('a program learns it, too; a file has a line per request; without --otel nothing is sent', async () => {
  const cwd = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'x', assert: { type: 'regex', value: '^(00-[0-9a-f]{32}-[0-9a-f]{16}-01|none)$' } },
    ],
  })
  const target = `exec:sh -c 'echo \${TRACEPARENT:-none}'`
  const traced = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--otel', 'out/spans.jsonl', '-o', 'a.jsonl'], {
    cwd,
  })
  expect(traced.code, traced.stdout).toBe(0)
  const spans = readFileSync(join(cwd, 'out/spans.jsonl'), 'utf8').trim().split('\n').flatMap(spansIn)
  const turn = spans.find(({ name }) => name.startsWith('invoke_agent'))
  const outputOf = (file: string) =>
    parseEvents(readFileSync(join(cwd, file), 'utf8')).find(({ type }) => type === 'result')?.['output']
  expect(outputOf('a.jsonl')).toBe(`00-${turn?.trace_id}-${turn?.id}-01`)
  await viva(['test', '-i', 'cases.jsonl', '-n', target, '-o', 'b.jsonl'], {
    cwd,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  })
  expect(outputOf('b.jsonl')).toBe('none')
})

test('what cannot be delivered makes the run red, and what is not said is refused', async () => {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'equals', value: 'x' } }] })
  const base = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo']
  const refusing = await serve((_request, _body, response) => {
    response.statusCode = 400
    response.end('no such tenant')
  })
  for (const [target, message] of [
    [refusing, /otel: 2 spans not delivered: .*no such tenant/],
    ['http://127.0.0.1:1', /otel: 2 spans not delivered: cannot reach/],
  ] as const) {
    const run = await viva([...base, '--otel', target, '-o', 'run.jsonl', '--force'], { cwd })
    expect([run.code, run.stdout]).toEqual([3, expect.stringMatching(message)])
  }
  const nowhere = await viva([...base, '--otel'], { cwd })
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching('does not say where the spans go')])
  const folder = await viva([...base, '--otel', '.'], { cwd })
  expect([folder.code, folder.stderr]).toEqual([2, expect.stringMatching('cannot write')])
  expect(existsSync(join(cwd, 'run.jsonl'))).toBe(true)
})

test('spans replace spans and no other file; an address of another kind is no name of a file', async () => {
  const cwd = makeFolder({
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'equals', value: 'x' } }],
    'notes.md': 'mine',
  })
  const run = (args: string[], env = {}) =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', ...args], { cwd, env })
  const cases = readFileSync(join(cwd, 'cases.jsonl'), 'utf8')
  for (const [args, message, env] of [
    [['--otel', 'cases.jsonl'], 'something else than spans'],
    [['--otel', 'notes.md'], 'something else than spans'],
    [['--otel', 'new.jsonl', '-o', 'new.jsonl'], '-o writes there too'],
    [['--otel', 'htp://localhost:4318'], 'not the address of a collector'],
    [['--otel'], 'not the address of a collector', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'localhost:4318' }],
  ] as const) {
    const { code, stderr } = await run([...args], env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
  expect(readFileSync(join(cwd, 'cases.jsonl'), 'utf8')).toBe(cases)
  expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('mine')
  for (const name of ['new.jsonl', 'htp:', 'localhost:4318']) expect(existsSync(join(cwd, name)), name).toBe(false)
  for (let round = 0; round < 2; round += 1) expect((await run(['--otel', 'spans.jsonl'])).code).toBe(0)
})

test('a trace that Viva wrote is imported as cases that pass', async () => {
  const cwd = makeFolder({
    'agent.mjs': `export default (messages) => messages.at(-1).content.includes('book')
      ? { content: 'Booked after ' + messages.length, tool_calls: [{ name: 'book', args: { city: 'Rome' } }] }
      : 'You said ' + messages.at(-1).content`,
    'cases.jsonl': [
      { id: 'talk', turns: [{ input: 'hello' }, { input: 'book it', assert: { type: 'tool_called', name: 'book' } }] },
      { id: 'one', input: 'bye', assert: { type: 'contains', value: 'bye' } },
    ],
  })
  const test = (input: string, ...args: string[]) => viva(['test', '-i', input, '-n', './agent.mjs', ...args], { cwd })
  expect((await test('cases.jsonl', '--otel', 'spans.jsonl', '-o', 'run.jsonl')).code).toBe(0)
  const imported = await viva(['import', 'spans.jsonl', '-o', 'imported', '--expect', 'exact'], { cwd })
  expect(imported.code, imported.stderr).toBe(0)
  const again = await test('imported/tests/cases.jsonl', '-o', 'again.jsonl')
  expect(again.code, again.stdout).toBe(0)
  const results = parseEvents(readFileSync(join(cwd, 'again.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  // The whole conversation came along: the agent counts three messages.
  expect(results.map(({ id, output, status }) => [id, output, status])).toEqual([
    ['talk', 'Booked after 3', 'passed'],
    ['one', 'You said bye', 'passed'],
  ])
})

test('a replaced tool has a span with what it answered', async () => {
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/shop/package.yao': { name: 'shop', connector: 'mock', mcp: { servers: ['orders'] } },
    'assistants/shop/prompts.yml': '- role: system\n  content: You sell tea.\n',
    'assistants/shop/mock.yml':
      '- trigger_pattern: cancel\n  tool_calls: [{ name: orders__cancel, args: { number: 7 } }]\n- output: done\n',
    'assistants/shop/mcps/orders.mcp.yao': {
      transport: 'process',
      tools: { cancel: 'scripts.orders.Cancel' },
    },
    'assistants/shop/src/orders.ts': 'function Cancel() { throw new Error("real") }',
    'assistants/shop/tests/cases.jsonl': [
      {
        id: 'stub',
        input: 'cancel 7',
        testing: { tools: { orders__cancel: { state: 'gone' } } },
        assert: { type: 'equals', value: 'done' },
      },
    ],
  })
  const run = await viva(
    ['test', '-i', 'assistants/shop/tests/cases.jsonl', '--otel', 'spans.jsonl', '-o', 'o.jsonl'],
    { cwd: dir },
  )
  expect(run).toMatchObject({ code: 0 })
  const spans = readFileSync(join(dir, 'spans.jsonl'), 'utf8').trimEnd().split('\n').flatMap(spansIn)
  const calls = spans.filter(({ name }) => name === 'execute_tool orders__cancel')
  expect(calls).toHaveLength(1)
  expect(calls[0]?.attributes).toMatchObject({ 'gen_ai.tool.call.result': '{"state":"gone"}' })
})
