// Models, agents and streams that end in ways nobody calls finished: an assertion that holds for any answer must not pass.
import { createServer, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, type Files } from '../support/run-cli.js'
import { ANSWERS_ITS_INPUT, surprises, verdictsOf } from '../support/attack.js'
import { listen } from '../support/raw-server.js'

const ANY = { type: 'not_contains', value: 'xyz' }
type Tries = ReadonlyArray<[said: unknown, verdict: string, assert?: object[]]>

/** Whatever the protocol: the model answers with what the question says, `[status, type, body]` in base64. */
async function obedientModel(): Promise<string> {
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const given = /@@([^@]+)@@(?!.*@@)/s.exec(text)?.[1] ?? ''
      const [status, type, body] = JSON.parse(Buffer.from(given, 'base64').toString()) as [number, string, string]
      response.writeHead(status, { 'content-type': type }).end(body)
    })
  })
  return `http://127.0.0.1:${await listen(server)}`
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function casesOf(tries: Tries): object[] {
  return tries.map(([said, , assert = [ANY]]) => {
    const answer = Array.isArray(said)
      ? [200, 'text/event-stream', said.map((piece) => sse(piece)).join('')]
      : [200, 'application/json', JSON.stringify(said)]
    return { input: `@@${Buffer.from(JSON.stringify(answer)).toString('base64')}@@`, assert }
  })
}

function sse(piece: unknown): string {
  if (typeof piece === 'string') return `data: ${piece}\n\n`
  const event = (piece as { type?: string }).type
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(piece)}\n\n`
}

async function expectVerdicts(tries: Tries, files: Files, target: string): Promise<void> {
  const found = await verdictsOf(makeFolder(files), casesOf(tries), target, ['--keep-going', '--parallel', '8'])
  expect(surprises(tries, found)).toEqual([])
}

function packageOn(type: string, host: string, stream: boolean): Files {
  return {
    'app.yao': {},
    'connectors/model.conn.yao': { type, options: { host, model: 'm', key: 'k', stream } },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
  }
}

const REFUSAL = { type: 'refusal' }
const chat = (finish_reason: unknown, message: object = { content: 'Well' }) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
})
const delta = (given: object, finish_reason: unknown = null) => ({
  choices: [{ index: 0, delta: given, finish_reason }],
})

const OPENAI: Tries = [
  [chat('stop'), 'passed'],
  [chat('STOP'), 'passed'],
  [chat('stop '), 'failed'],
  [chat('stopped'), 'failed'],
  [chat('finished'), 'failed'],
  [chat('timeout'), 'failed'],
  [chat('content-filter'), 'failed'],
  [chat('tool_calls', { content: 'Well', tool_calls: [] }), 'failed'],
  [chat('tool_calls', { content: 'Well', tool_calls: null }), 'failed'],
  [chat('stop', { content: 'Well', refusal: 'No.' }), 'failed'],
  [chat('stop', { content: 'Well', refusal: '' }), 'passed'],
  [chat('stop', { content: [{ type: 'refusal', refusal: 'I cannot.' }] }), 'failed'],
  [
    chat('stop', {
      content: [
        { type: 'text', text: 'Well' },
        { type: 'refusal', refusal: 'No.' },
      ],
    }),
    'failed',
  ],
  [chat('refusal'), 'failed'],
  [chat('refusal'), 'passed', [REFUSAL]],
  [chat('stop'), 'failed', [REFUSAL]],
  [chat('length', { content: '' }), 'failed'],
  [{ choices: [] }, 'failed'],
  [{ choices: [{ index: 0, finish_reason: 'stop' }] }, 'failed'],
  [{ ...chat('stop'), error: { message: 'overloaded', type: 'server_error' } }, 'failed'],
  [{ choices: [{ index: 0, message: { content: 'Well' }, finish_reason: 'stop', error: { message: 'x' } }] }, 'failed'],
]

const OPENAI_STREAMS: Tries = [
  [[delta({ content: 'Well' }), delta({}, 'stop'), '[DONE]'], 'passed'],
  [[delta({ content: 'Well' })], 'failed'],
  [[delta({ content: 'Well' }, 'stop'), delta({}, 'content_filter'), '[DONE]'], 'failed'],
  [[delta({ content: 'Well' }), delta({}, 'content_filter'), delta({}, 'stop'), '[DONE]'], 'failed'],
  [[delta({ content: 'Well' }), delta({ refusal: 'No.' }), delta({}, 'stop'), '[DONE]'], 'failed'],
  [[delta({ content: 'Well' }), delta({}, 'tool_calls'), '[DONE]'], 'failed'],
  [[delta({ content: 'Well' }), { error: { message: 'gone' } }, delta({}, 'stop'), '[DONE]'], 'failed'],
  [[delta({ content: 'Well' }), delta({}, 'stop'), { error: { message: 'gone' } }, '[DONE]'], 'failed'],
  [
    [delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'pay', arguments: '{}' } }] })],
    'failed',
    [{ type: 'tool_called', name: 'pay' }],
  ],
  [[delta({ content: 'Well' }), '{"choices": [{"delta": {"con', '[DONE]'], 'failed'],
  [['[DONE]'], 'failed'],
  [[{ choices: [], usage: { prompt_tokens: 1 } }, '[DONE]'], 'failed'],
]

test('a server that speaks like OpenAI', async () => {
  await expectVerdicts([...OPENAI, ...OPENAI_STREAMS], {}, `${await obedientModel()}/v1`)
})

test('a package whose model speaks like OpenAI', async () => {
  const host = await obedientModel()
  await expectVerdicts([...OPENAI, ...OPENAI_STREAMS], packageOn('openai', host, true), 'desk')
})

const message = (stop_reason: unknown, content: object[] = [{ type: 'text', text: 'Well' }]) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})
const begun = [
  { type: 'message_start', message: { ...message(null, []) } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } },
]
const ended = (stop_reason: unknown) => [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]

const ANTHROPIC: Tries = [
  [message('end_turn'), 'passed'],
  [message(null), 'failed'],
  [message('completed'), 'failed'],
  [message('tool_use'), 'failed'],
  [message('refusal'), 'failed'],
  [message('refusal'), 'passed', [REFUSAL]],
  [message('refusal', []), 'failed'],
  [message('end_turn', []), 'failed'],
  [message('end_turn', [{ type: 'thinking', thinking: 'xyz?', signature: 's' }]), 'failed'],
  [message('model_context_window_exceeded'), 'passed'],
]
const ANTHROPIC_STREAMS: Tries = [
  [[...begun, ...ended('end_turn')], 'passed'],
  [begun, 'failed'],
  [[...begun, ...ended(null)], 'failed'],
  [[...begun, ...ended('pause_turn')], 'failed'],
  [[...begun, ...ended('refusal')], 'failed'],
  [[...begun, { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } }], 'failed'],
  [[...begun, ...ended('tool_use')], 'failed'],
]

test('a package whose model is of Anthropic', async () => {
  const host = await obedientModel()
  await Promise.all([
    expectVerdicts(ANTHROPIC, packageOn('anthropic', host, false), 'desk'),
    expectVerdicts(ANTHROPIC_STREAMS, packageOn('anthropic', host, true), 'desk'),
  ])
})

const candidate = (finishReason: unknown, parts: object[] = [{ text: 'Well' }], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, ...(finishReason !== undefined && { finishReason }) }],
  ...more,
})

const GEMINI: Tries = [
  [candidate('STOP'), 'passed'],
  [candidate('FINISH_REASON_UNSPECIFIED'), 'failed'],
  [candidate('MODEL_ARMOR'), 'failed'],
  [candidate('NO_IMAGE'), 'failed'],
  [candidate('TOO_MANY_TOOL_CALLS'), 'failed'],
  [candidate('MISSING_THOUGHT_SIGNATURE'), 'failed'],
  [candidate('MALFORMED_RESPONSE'), 'failed'],
  [candidate('IMAGE_SAFETY'), 'failed'],
  [candidate('SPII'), 'failed'],
  [candidate(''), 'failed'],
  [candidate('STOP', []), 'failed'],
  [candidate('STOP', [{ text: 'hm', thought: true }]), 'failed'],
  [candidate('STOP', [{ text: 'Well' }], { promptFeedback: { blockReason: 'OTHER' } }), 'failed'],
  [candidate('STOP', [{ text: 'Well' }], { promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' } }), 'passed'],
  [{ promptFeedback: { blockReason: 'JAILBREAK' } }, 'failed'],
  [{ candidates: [] }, 'failed'],
  [candidate('MAX_TOKENS'), 'passed'],
]
const GEMINI_STREAMS: Tries = [
  [[candidate(undefined), candidate('STOP', [{ text: '!' }])], 'passed'],
  [[candidate(undefined), candidate(undefined)], 'failed'],
  [[candidate(undefined), candidate('SAFETY', [])], 'failed'],
  [[candidate('STOP'), { promptFeedback: { blockReason: 'SAFETY' } }], 'failed'],
  [[candidate(undefined), candidate('OTHER', [])], 'failed'],
]

test('a package whose model is of Google', async () => {
  const host = await obedientModel()
  await Promise.all([
    expectVerdicts(GEMINI, packageOn('google', host, false), 'desk'),
    expectVerdicts(GEMINI_STREAMS, packageOn('google', host, true), 'desk'),
  ])
})

const yields = (...pieces: unknown[]) =>
  `(async function*(){${pieces.map((piece) => `yield ${typeof piece === 'string' ? piece : JSON.stringify(piece)};`).join('')}})()`
const response = (status: string, more: object = {}) => ({
  object: 'response',
  status,
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Well' }] }],
  ...more,
})
const result = (more: object) => ({ type: 'result', subtype: 'success', is_error: false, result: 'Well', ...more })

const FUNCTIONS: ReadonlyArray<[code: string, verdict: string, assert?: object[]]> = [
  [JSON.stringify(response('completed')), 'passed'],
  [JSON.stringify(response('in_progress')), 'failed'],
  [JSON.stringify(response('cancelled')), 'failed'],
  [JSON.stringify(response('queued')), 'failed'],
  [JSON.stringify(response('completed', { error: { code: 'server_error', message: 'x' } })), 'failed'],
  [JSON.stringify(response('incomplete', { incomplete_details: { reason: 'content_filter' } })), 'failed'],
  [JSON.stringify(result({})), 'passed'],
  [JSON.stringify(result({ subtype: 'error_during_execution' })), 'failed'],
  [JSON.stringify(result({ subtype: 'error_max_budget_usd' })), 'failed'],
  [JSON.stringify(result({ subtype: 'error_max_structured_output_retries' })), 'failed'],
  [yields(...begun), 'failed'],
  [yields(...begun, ...ended('refusal')), 'failed'],
  [yields('"We"', 'Promise.reject(new Error("cut"))'), 'failed'],
  [yields({ type: 'text-delta', text: 'Well' }, { type: 'finish', finishReason: 'content-filter' }), 'failed'],
  [yields({ type: 'text-delta', text: 'Well' }, { type: 'error', error: 'x' }), 'failed'],
  [yields({ type: 'text-delta', text: 'Well' }, { type: 'abort' }), 'failed'],
  ['{text:"Well",finishReason:"error",toolCalls:[]}', 'failed'],
  ['{text:"Well",finishReason:"content-filter",toolCalls:[]}', 'failed'],
  ['{text:"Well",finishReason:"content-filter",rawFinishReason:"refusal",toolCalls:[]}', 'passed', [REFUSAL]],
  ['{content:"Well",finish_reason:"network_error"}', 'failed'],
  ['{content:"Well",stop_reason:"Refusal"}', 'failed'],
  ['{content:"Well",finish_reason:"CANCELLED"}', 'failed'],
  ['{content:"Well",refusal:true}', 'failed'],
  ['{content:"I cannot do that."}', 'passed'],
  [
    '{messages:[{type:"human",content:"q"},{type:"ai",content:"Well",response_metadata:{stop_reason:"refusal"}}]}',
    'failed',
  ],
  [
    '{messages:[{type:"human",content:"q"},{type:"ai",content:"Well",response_metadata:{finish_reason:"content_filter"}}]}',
    'failed',
  ],
  [
    '{messages:[{type:"human",content:"q"},{type:"ai",content:"Well",response_metadata:{finishReason:"SAFETY"}}]}',
    'failed',
  ],
  ['{messages:[{type:"human",content:"q"}]}', 'failed'],
  [
    '{messages:[{type:"human",content:"q"},{type:"ai",content:"Well",response_metadata:{stopReason:"guardrail_intervened"}}]}',
    'failed',
  ],
  [yields({ content: 'Well', tool_call_chunks: [], response_metadata: { finishReason: 'SAFETY' } }), 'failed'],
  [yields(delta({ content: 'Well' }, 'content_filter'), delta({}, 'stop')), 'failed'],
  [
    yields(delta({ content: 'Well' }), {
      choices: [{ index: 0, delta: {}, finish_reason: 'stop', error: { message: 'x' } }],
    }),
    'failed',
  ],
  [JSON.stringify({ ...chat('stop'), error: { message: 'overloaded' } }), 'failed'],
  [
    JSON.stringify({ choices: [{ message: { content: 'Well' }, finish_reason: 'stop', error: { message: 'x' } }] }),
    'failed',
  ],
  ['{candidates:[{content:{parts:[{text:"Well"}]},finishReason:"MODEL_ARMOR"}]}', 'failed'],
  ['{error:null,content:"Well"}', 'passed'],
  ['{error:"",content:"Well"}', 'passed'],
  ['{content:"Well",error:false}', 'passed'],
]

test('a function', async () => {
  const cases = FUNCTIONS.map(([input, , assert = [ANY]]) => ({ input, assert }))
  const found = await verdictsOf(makeFolder(ANSWERS_ITS_INPUT), cases, './agent.mjs#run')
  expect(surprises(FUNCTIONS, found)).toEqual([])
})

const ACP = `acp:node ${fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))}`
const STOPS: ReadonlyArray<[input: string, verdict: string]> = [
  ['stop end_turn', 'passed'],
  ['stop end turn', 'failed'],
  ['stop end_turn_soon', 'failed'],
  ['stop stop', 'failed'],
  ['stop cancelled', 'failed'],
  ['stop refusal', 'failed'],
  ['stop error', 'failed'],
  ['stop ', 'failed'],
  ['no reason', 'failed'],
]

test('ACP', async () => {
  const found = await verdictsOf(
    makeFolder(),
    STOPS.map(([input]) => ({ input, assert: [ANY] })),
    ACP,
    ['--parallel', '4'],
  )
  expect(surprises(STOPS, found)).toEqual([])
})
