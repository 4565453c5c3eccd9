// The Responses API through the command line: what is asked, what counts as an answer, and what must not pass.
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { say, startModelServer, type Behaviour, type ModelServer } from '../real/model/index.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const WEATHER = 'export function Weather({ city }) { return `fog in ${city}` }\n'
const TOOLS: Files = {
  'assistants/a/package.yao': { name: 'A', connector: 'main', mcp: { servers: ['sky'] } },
  'assistants/a/mcps/sky.mcp.yao': { tools: { weather: 'agents.a.sky.Weather' } },
  'assistants/a/src/sky.ts': WEATHER,
}
const ANYTHING = { type: 'not_contains', value: 'xyz' }

interface Setup {
  options?: object
  files?: Files
  cases?: object[]
}

async function startServer(...behaviours: Behaviour[]): Promise<ModelServer> {
  const server = await startModelServer(...behaviours)
  onTestFinished(() => server.close())
  return server
}

async function results(server: ModelServer, { options, files, cases }: Setup = {}): Promise<ResultEvent[]> {
  const cwd = makeFolder({
    'app.yao': {},
    'assistants/a/package.yao': { name: 'A', connector: 'main' },
    'assistants/a/prompts.yml': '- role: system\n  content: Be brief.\n',
    'connectors/main.conn.yao': {
      type: 'openai-responses',
      options: { model: 'm', host: server.url, key: 'a-key-4711', ...options },
      price: { input: 2, output: 10 },
    },
    'cases.jsonl': cases ?? [{ id: 'T1', input: 'hi', assert: ANYTHING }],
    ...files,
  })
  const { stdout, stderr, code } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json', '--timeout', '20s'], {
    cwd,
  })
  if (code === 2) throw new Error(stderr)
  return parseEvents(stdout).filter((event) => event.type === 'result') as unknown as ResultEvent[]
}

const call = (id: string, city: string, thought?: string): Behaviour => ({
  kind: 'answer',
  calls: [{ id, name: 'sky__weather', args: JSON.stringify({ city }) }],
  usage: { input: 10, output: 5 },
  ...(thought !== undefined && { thought }),
})

test('options in the spelling of chat completions go where this API has them', async () => {
  const server = await startServer(say('hello'))
  const schema = { type: 'object', properties: { mark: { type: 'string' } } }
  await results(server, {
    options: {
      max_tokens: 50,
      reasoning_effort: 'low',
      reasoning: { summary: 'auto' },
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'mark', schema } },
      extra_body: { user: 'u' },
    },
  })
  expect(server.refusals).toEqual([])
  expect(server.requests[0]).toMatchObject({
    path: '/v1/responses',
    headers: { authorization: 'Bearer a-key-4711' },
    body: {
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 50,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'mark', schema }, verbosity: 'low' },
      user: 'u',
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
    },
  })
})

test('images and files are sent as this API takes them', async () => {
  const server = await startServer(say('hello'))
  await results(server, {
    cases: [
      {
        id: 'T1',
        input: 'What is this?',
        attachments: [
          { type: 'image', source: 'file://dot.png' },
          { type: 'file', source: 'file://bill.pdf' },
          { type: 'file', url: 'https://example.com/x.pdf' },
        ],
        assert: ANYTHING,
      },
    ],
    files: { 'dot.png': Buffer.from('iVBORw0KGgo=', 'base64'), 'bill.pdf': Buffer.from('%PDF-1.4') },
  })
  expect(server.refusals).toEqual([])
  const parts = server.requests[0]?.body.input.at(-1).content as object[]
  expect(parts).toMatchObject([
    { type: 'input_text', text: 'What is this?' },
    { type: 'input_image', image_url: expect.stringMatching(/^data:image\/png;base64,/) },
    { type: 'input_file', file_data: expect.stringMatching(/^data:application\/pdf;base64,/), filename: 'bill.pdf' },
    { type: 'input_file', file_url: 'https://example.com/x.pdf' },
  ])
})

for (const stream of [true, false]) {
  test(`a refusal is one, ${stream ? 'streamed' : 'whole'}`, async () => {
    const server = await startServer({ kind: 'answer', refusal: 'I cannot help.' })
    const cases = [
      { id: 'T1', input: 'hi', assert: ANYTHING },
      { id: 'T2', input: 'hi', assert: { type: 'refusal' } },
    ]
    const found = await results(server, { options: { stream }, cases })
    expect(found.map(({ status }) => status)).toEqual(['failed', 'passed'])
    expect(found[1]).toMatchObject({ output: 'I cannot help.' })
  })
}

test('a model that has no reasoning to encrypt is asked again without, and then never with it', async () => {
  const message = 'Encrypted content is not supported with this model.'
  const server = await startServer({ kind: 'error', status: 400, type: 'invalid_request_error', message }, say('hello'))
  const cases = ['T1', 'T2'].map((id) => ({ id, input: 'hi', assert: { type: 'equals', value: 'hello' } }))
  const found = await results(server, { cases, files: { 'viva.config.json': { defaults: { parallel: 1 } } } })
  expect(found.map(({ status }) => status)).toEqual(['passed', 'passed'])
  expect(server.requests.filter(({ body }) => body.include !== undefined).length).toBeLessThan(server.requests.length)
  expect(server.requests.at(-1)?.body.include).toBeUndefined()
})

const response = (over: object): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  ...over,
})
const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const made = (over: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'sky__weather',
  arguments: '{"city":"Ulm"}',
  ...over,
})
const whole = (over: object): Behaviour => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(response(over)),
})
const events = (...list: Array<Record<string, unknown> & { type: string }>): Behaviour => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})
const added = (item: object, output_index = 0) => ({ type: 'response.output_item.added', output_index, item })
const done = (item: object, output_index = 0) => ({ type: 'response.output_item.done', output_index, item })
const delta = (text: string, output_index = 0) => ({ type: 'response.output_text.delta', output_index, delta: text })
const completed = (over: object) => ({ type: 'response.completed', response: response(over) })

test.each<[string, Behaviour, string]>([
  ['failed', whole({ status: 'failed', output: [said('Well')] }), '"failed"'],
  ['failed, with its error', whole({ status: 'failed', error: { code: 'server_error', message: 'Oops' } }), 'Oops'],
  ['cancelled', whole({ status: 'cancelled', output: [said('Well')] }), '"cancelled"'],
  ['queued', whole({ status: 'queued', output: [said('Well')] }), '"queued"'],
  ['in progress', whole({ status: 'in_progress', output: [said('Well')] }), '"in_progress"'],
  ['a word of another protocol', whole({ status: 'stop', output: [said('Well')] }), '"stop"'],
  ['no status', whole({ status: undefined, output: [said('Well')] }), 'no status'],
  ['incomplete', whole({ status: 'incomplete', output: [said('Well')] }), '"incomplete"'],
  [
    'incomplete for a reason that means finished elsewhere',
    whole({ status: 'incomplete', incomplete_details: { reason: 'stop' }, output: [said('Well')] }),
    '"stop"',
  ],
  ['nothing', whole({}), 'empty'],
  ['reasoning alone', whole({ output: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }), 'empty'],
  [
    'cut by a filter',
    whole({ status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [said('Well')] }),
    'content filter',
  ],
  [
    'a stream without an end',
    events(added(said('')), delta('Well'), done(said('Well'))),
    'before the answer was complete',
  ],
  [
    'a stream that failed',
    events(delta('Well'), {
      type: 'response.failed',
      response: response({ status: 'failed', error: { code: 'server_error', message: 'Oops' } }),
    }),
    'Oops',
  ],
  [
    'a stream that failed without a word',
    events(delta('Well'), { type: 'response.failed', response: response({ status: 'failed', error: null }) }),
    'no details',
  ],
  ['an error in a stream', events(delta('Well'), { type: 'error', code: 'server_error', message: 'Oops' }), 'Oops'],
  [
    'a stream that is incomplete',
    events(delta('Well'), {
      type: 'response.incomplete',
      response: response({ status: 'incomplete', output: [said('Well')] }),
    }),
    '"incomplete"',
  ],
  [
    'an end that says it goes on',
    events(delta('Well'), completed({ status: 'in_progress', output: [said('Well')] })),
    '"in_progress"',
  ],
  [
    'a stream with a call that the end lacks',
    events(done(made()), completed({ output: [said('Well')] })),
    'a call that its final response lacks',
  ],
  ['a question that is repeated', whole({ output: [{ ...said('hi'), role: 'user' }] }), 'empty'],
  [
    'an item that is incomplete',
    whole({ output: [{ ...said('Well'), status: 'incomplete' }] }),
    '"message" is incomplete',
  ],
  ['a call without a name', whole({ output: [made({ name: undefined })] }), 'cannot be understood'],
  [
    'a cut call',
    events(added(made({ arguments: '' })), {
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      delta: '{"ci',
    }),
    'before the answer',
  ],
])('%s is no answer', { timeout: 30_000 }, async (_what, behaviour, reason) => {
  const server = await startServer(behaviour)
  const [result] = await results(server)
  expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining(reason) })
})

test.each<[string, Behaviour, string]>([
  ['pieces that came twice', events(delta('Well'), delta('Well'), completed({ output: [said('Well')] })), 'Well'],
  ['pieces before their item', events(delta('We'), added(said('')), delta('ll'), completed({ output: [] })), 'Well'],
  ['items that the end does not repeat', events(done(said('Well')), completed({ output: [] })), 'Well'],
  ['items out of order', events(done(said('two'), 1), done(said('one'), 0), completed({ output: [] })), 'one\n\ntwo'],
  ['two messages', whole({ output: [said('one'), said('two')] }), 'one\n\ntwo'],
  ['no usage', whole({ output: [said('Well')], usage: undefined }), 'Well'],
  ['a piece of a megabyte', events(delta('x'.repeat(1 << 20)), completed({ output: [said('Well')] })), 'Well'],
  [
    'a limit of tokens',
    whole({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [said('Well')] }),
    'Well',
  ],
])('an answer survives %s', async (_what, behaviour, value) => {
  const server = await startServer(behaviour)
  const [result] = await results(server, { cases: [{ id: 'T1', input: 'hi', assert: { type: 'equals', value } }] })
  expect(result).toMatchObject({ status: 'passed' })
})

test.each<[string, object, unknown]>([
  ['as they should be', {}, { city: 'Ulm' }],
  ['without a call_id', { call_id: undefined }, { city: 'Ulm' }],
  ['that are not JSON', { arguments: '{"city":' }, '{"city":'],
])('calls %s are seen, and their results go back', async (_what, over, args) => {
  const server = await startServer(whole({ output: [made(over)] }), say('Fog.'))
  const assert = { type: 'tool_called', name: 'sky__weather' }
  const [result] = await results(server, { files: TOOLS, cases: [{ id: 'T1', input: 'hi', assert }] })
  expect(result).toMatchObject({ status: 'passed', tool_calls: [{ name: 'sky__weather', args }] })
  expect(server.refusals).toEqual([])
  const sent: unknown = server.requests.at(-1)?.body.input
  const ids = (sent as Array<{ call_id?: string }>).slice(-2).map((item) => item.call_id)
  expect(ids).toEqual([expect.stringMatching(/./), ids[0]])
})

test('a tool that OpenAI ran itself is a call, and nobody answers it', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'fog' } }
  const server = await startServer(whole({ output: [search, said('Fog.')] }))
  const assert = [
    { type: 'tool_called', name: 'web_search' },
    { type: 'equals', value: 'Fog.' },
  ]
  const [result] = await results(server, {
    options: { tools: [{ type: 'web_search' }] },
    files: TOOLS,
    cases: [{ id: 'T1', input: 'hi', assert }],
  })
  expect(result).toMatchObject({ status: 'passed' })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]?.body.tools).toMatchObject([
    { type: 'web_search' },
    { name: 'sky__weather', strict: false },
  ])
})

test('two rounds of tools and a second turn: every request is one that OpenAI takes', async () => {
  const server = await startServer(
    call('c1', 'Ulm'),
    call('c2', 'Bonn'),
    say('Fog.'),
    call('c1', 'Riga'),
    say('Fog too.'),
  )
  const cases = [
    { id: 'T1', turns: [{ input: 'Ulm and Bonn?' }, { input: 'And Riga?' }], final_assertions: [ANYTHING] },
  ]
  const [result] = await results(server, { files: TOOLS, cases })
  expect(result).toMatchObject({ status: 'passed', cost_dollars: 5 * 0.00007 })
  expect(server.refusals).toEqual([])
  expect(server.requests).toHaveLength(5)
})
