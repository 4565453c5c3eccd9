// Answers that did not end well: what an agent SDK, a model API or a stream says about its own end, in its own word.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { say, startModelServer } from '../real/model/index.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

/** Nothing was said that it could find: passes for any answer. */
const NOTHING = { type: 'not_contains', value: 'xyz' }

async function results(files: Files, cases: object[], target: string, env = {}): Promise<ResultEvent[]> {
  const cwd = makeFolder({ ...files, 'cases.jsonl': cases })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json'], { cwd, env })
  return parseEvents(stdout).filter((event) => event.type === 'result') as unknown as ResultEvent[]
}

const asked = (assert: object) => [{ id: 'T1', input: 'hi', assert }]

const GAVE_UP = '{ type: "result", subtype: "error_max_turns", is_error: true }'
const SAID = '{ type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Well" }] } }'

test.each([
  ['an agent SDK that gave up', GAVE_UP, 'error_max_turns'],
  [
    'one that gave up and calls that no error',
    '{ type: "result", subtype: "error_max_turns", is_error: false }',
    'error_max_turns',
  ],
  [
    'one whose model could not be reached',
    '{ type: "result", subtype: "success", is_error: true, result: "API Error: 401" }',
    'API Error: 401',
  ],
  ['its messages', `[{ type: "system" }, ${SAID}, ${GAVE_UP}]`, 'error_max_turns'],
  ['its stream', `(async function* () { yield ${SAID}; yield ${GAVE_UP} })()`, 'error_max_turns'],
  [
    'an agent SDK that says so as text',
    '{ type: "result", subtype: "success", is_error: "true", result: "API Error: 401" }',
    'API Error: 401',
  ],
  ['one that gave up and has no flag', '{ type: "result", subtype: "error_max_turns" }', 'error_max_turns'],
  ['a reply that says so', '{ content: "Not found", is_error: true }', 'Not found'],
  ['a reply that says so as text', '{ content: "Not found", is_error: "True" }', 'Not found'],
  ['data that says so as text', '{ answer: "Not found", is_error: "true" }', 'Not found'],
  [
    'Anthropic paused in the middle',
    '{ role: "assistant", content: "Well", stop_reason: "pause_turn" }',
    '"pause_turn"',
  ],
  [
    'an answer of Gemini that ended for another reason',
    '{ candidates: [{ content: { parts: [{ text: "Well" }] }, finishReason: "OTHER" }] }',
    '"OTHER"',
  ],
  [
    'an answer of Gemini in an unsupported language',
    '{ candidates: [{ content: { parts: [{ text: "Well" }] }, finishReason: "LANGUAGE" }] }',
    '"LANGUAGE"',
  ],
  [
    'an answer of Gemini beside a blocked question',
    `{ candidates: [{ content: { parts: [{ text: "Well" }] }, finishReason: "STOP" }],
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }`,
    '"PROHIBITED_CONTENT"',
  ],
  [
    'a response that is incomplete for no known reason',
    '{ object: "response", status: "incomplete", output: [{ type: "message", content: [{ type: "output_text", text: "Well" }] }] }',
    'incomplete',
  ],
  [
    'a stream of chat completions that was cut off',
    '(async function* () { yield { choices: [{ delta: { content: "Well" }, finish_reason: null }] } })()',
    'no finish_reason',
  ],
  [
    'a stream of the Responses API that was cut off',
    `(async function* () {
      yield { type: "response.created", response: {} }
      yield { type: "response.output_text.delta", delta: "Well" }
    })()`,
    'no response.completed',
  ],
  [
    'a stream of the Responses API that is incomplete',
    `(async function* () {
      yield { type: "response.created", response: {} }
      yield { type: "response.output_text.delta", delta: "Well" }
      yield { type: "response.incomplete", response: { status: "incomplete", incomplete_details: { reason: "max_tool_calls" } } }
    })()`,
    'max_tool_calls',
  ],
  [
    'a stream of LangChain that a filter cut short',
    `(async function* () {
      yield { content: "Well", tool_call_chunks: [] }
      yield { content: "", tool_call_chunks: [], response_metadata: { finish_reason: "content_filter" } }
    })()`,
    'content filter',
  ],
  ['data that says so', '{ answer: "Not found", is_error: true }', 'Not found'],
  ['calls that are promised', '{ content: "Let me see.", finish_reason: "tool_calls" }', '"tool_calls"'],
  [
    'calls that Anthropic promises',
    '{ role: "assistant", content: [{ type: "text", text: "Let me see." }], stop_reason: "tool_use" }',
    '"tool_use"',
  ],
  [
    'calls that an API promises',
    '{ choices: [{ message: { content: "Let me see." }, finish_reason: "function_call" }] }',
    '"function_call"',
  ],
  [
    'calls that the AI SDK promises',
    '{ text: "Let me see.", finishReason: "tool-calls", toolCalls: [] }',
    '"tool-calls"',
  ],
  [
    'calls promised in the last of several steps',
    `{ text: "Let me see.", finishReason: "tool-calls", toolCalls: [], steps: [
      { toolCalls: [{ toolCallId: "a", toolName: "f", input: {} }] }, { toolCalls: [] }] }`,
    '"tool-calls"',
  ],
  [
    'calls promised in the last of several messages',
    `{ messages: [
      { type: "human", content: "hi" },
      { type: "ai", content: "", tool_calls: [{ id: "a", name: "f", args: {} }] },
      { type: "tool", tool_call_id: "a", content: "done" },
      { type: "ai", content: "Let me see.", response_metadata: { finish_reason: "tool_calls" } }] }`,
    '"tool_calls"',
  ],
  [
    'a stream of Gemini that was cut off',
    '(async function* () { yield { candidates: [{ content: { parts: [{ text: "Well" }] } }] } })()',
    'no finishReason',
  ],
])('a function: %s is no answer', async (_what, code, word) => {
  const [result] = await results(
    { 'agent.mjs': `export const run = () => (${code})` },
    asked(NOTHING),
    './agent.mjs#run',
  )
  expect(result).toMatchObject({ status: 'failed', error_kind: 'agent' })
  expect(result?.error).toContain(word)
})

test.each([
  ['a run that went well', '{ type: "result", subtype: "success", is_error: false, result: "Hello" }', 'Hello'],
  [
    'promised calls that were made',
    '{ content: "Hello", finish_reason: "tool_calls", tool_calls: [{ name: "f" }] }',
    'Hello',
  ],
  [
    'steps that end with calls',
    `{ text: "Hello", finishReason: "tool-calls", toolCalls: [], steps: [
      { toolCalls: [] }, { toolCalls: [{ toolCallId: "a", toolName: "f", input: {} }] }] }`,
    'Hello',
  ],
  [
    'a whole stream of Gemini',
    '(async function* () { yield { candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP" }] } })()',
    'Hello',
  ],
  [
    'a whole stream of chat completions',
    `(async function* () {
      yield { choices: [{ delta: { content: "Hello" } }] }
      yield { choices: [{ delta: {}, finish_reason: "stop" }] }
    })()`,
    'Hello',
  ],
  [
    'a whole stream of the Responses API',
    `(async function* () {
      yield { type: "response.created", response: {} }
      yield { type: "response.output_text.delta", delta: "Hello" }
      yield { type: "response.completed", response: { status: "completed", output: [] } }
    })()`,
    'Hello',
  ],
  ['a word of its own', '{ content: "Hello", finish_reason: "all_done" }', 'Hello'],
  ['other results', '{ type: "result", subtype: "partial", text: "Hello" }', 'Hello'],
])('a function: %s is an answer', async (_what, code, value) => {
  const files = { 'agent.mjs': `export const run = () => (${code})` }
  const [result] = await results(files, asked({ type: 'contains', value }), './agent.mjs#run')
  expect([result?.status, result?.error]).toEqual(['passed', undefined])
})

test('data about an error is an answer where the case asks for it by name', async () => {
  const files = { 'agent.mjs': 'export const run = () => ({ code: 7, is_error: true })' }
  const asks = asked({ type: 'json_path', path: '$.is_error', value: true })
  expect((await results(files, asks, './agent.mjs#run'))[0]?.status).toBe('passed')
})

test.each([
  ['one result', `console.log(JSON.stringify(${GAVE_UP}))`],
  ['a line for each message', `for (const line of [${SAID}, ${GAVE_UP}]) console.log(JSON.stringify(line))`],
])('a program that prints %s of an SDK that gave up', async (_what, code) => {
  const [result] = await results({ 'agent.mjs': code }, asked(NOTHING), 'exec:node agent.mjs')
  expect([result?.status, result?.error]).toEqual(['failed', expect.stringContaining('error_max_turns')])
})

async function endpoint(type: string, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', type).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const CUT = 'data: {"candidates": [{"content": {"parts": [{"text": "Well"}]}}]}\n\n'

test.each([
  [
    'an SDK that gave up',
    'application/json',
    '{"type":"result","subtype":"error_max_turns","is_error":true}',
    'error_max_turns',
  ],
  ['promised calls', 'application/json', '{"content":"Let me see.","finish_reason":"tool_use"}', '"tool_use"'],
  ['a stream of Gemini that was cut off', 'text/event-stream', CUT, 'no finishReason'],
])('a JSON endpoint: %s is no answer', async (_what, type, body, word) => {
  const [result] = await results({}, asked(NOTHING), `${await endpoint(type, body)}/agent`)
  expect([result?.status, result?.error]).toEqual(['failed', expect.stringContaining(word)])
})

test('calls under a path of their own are those that were promised', async () => {
  const target = await endpoint(
    'application/json',
    '{"content": "Booked.", "stop_reason": "tool_use", "did": [{"name": "book"}]}',
  )
  const files = { 'viva.config.json': { agents: { desk: { target, tool_calls_path: '$.did' } } } }
  const [result] = await results(files, asked({ type: 'tool_called', name: 'book' }), 'desk')
  expect(result).toMatchObject({ status: 'passed', finish_reason: 'tool_calls' })
})

test.each([false, true])('an OpenAI-compatible endpoint that promises calls, stream: %s', async (stream) => {
  const model = await startModelServer({ ...say('Let me see.'), finish: 'tools' })
  onTestFinished(() => model.close())
  const files = { 'viva.config.json': { agents: { desk: { target: `${model.url}/v1`, stream } } } }
  const [result] = await results(files, asked(NOTHING), 'desk')
  expect(result?.error).toBe(
    'agent error: the agent gave no answer: finish reason "tool_calls" without tool calls: "Let me see."',
  )
})

test('a package whose model promises calls, and one whose stream Gemini does not finish', async () => {
  const model = await startModelServer({ ...say('Let me see.'), finish: 'tools' })
  onTestFinished(() => model.close())
  const files = {
    'app.yao': {},
    'connectors/claude.conn.yao': { type: 'anthropic', options: { host: model.url, model: 'm', key: 'k' } },
    'connectors/gemini.conn.yao': { type: 'google', options: { host: model.url, model: 'm', key: 'k', stream: true } },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'claude' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
  }
  const [promised] = await results(files, asked(NOTHING), 'desk')
  expect(promised?.error).toContain(
    'the model gave no answer: finish reason "tool_use" without tool calls: "Let me see."',
  )
  model.behave({ kind: 'unfinished' })
  const [cut] = await results(files, [{ ...asked(NOTHING)[0], options: { connector: 'gemini' } }], 'desk')
  expect([cut?.status, cut?.error]).toEqual(['failed', expect.stringContaining('no finish reason')])
  expect(cut?.output).toBe('half')
})

const UNFINISHED = 'the answer did not end well: finish reason'

const VENDORS = {
  openai: (word: string) => ({ choices: [{ message: { role: 'assistant', content: 'Well' }, finish_reason: word }] }),
  anthropic: (word: string) => ({
    type: 'message',
    id: 'm',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Well' }],
    stop_reason: word,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  google: (word: string) => ({
    candidates: [{ content: { parts: [{ text: 'Well' }], role: 'model' }, finishReason: word }],
  }),
}

/** A package whose model answers with this. */
async function packageOn(type: keyof typeof VENDORS, body: object, more: object = {}): Promise<Files> {
  const host = await endpoint('application/json', JSON.stringify(body))
  return {
    'app.yao': {},
    'connectors/model.conn.yao': { type, options: { host, model: 'm', key: 'k', stream: false }, ...more },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
  }
}

test.each([
  ['openai', 'done', `${UNFINISHED} "done"`],
  ['anthropic', 'pause_turn', `${UNFINISHED} "pause_turn"`],
  ['anthropic', 'stop', `${UNFINISHED} "stop"`],
  ['google', 'OTHER', `${UNFINISHED} "OTHER"`],
  ['google', 'LANGUAGE', `${UNFINISHED} "LANGUAGE"`],
  ['google', 'UNEXPECTED_TOOL_CALL', `${UNFINISHED} "UNEXPECTED_TOOL_CALL"`],
  ['google', 'MALFORMED_FUNCTION_CALL', `${UNFINISHED} "MALFORMED_FUNCTION_CALL"`],
  ['google', 'end_turn', `${UNFINISHED} "end_turn"`],
] as const)('a model of %s that ends with %s gave no answer', async (type, word, message) => {
  const [result] = await results(await packageOn(type, VENDORS[type](word)), asked(NOTHING), 'desk')
  expect([result?.status, result?.error]).toEqual(['failed', expect.stringContaining(message)])
  expect(result).toMatchObject({ output: 'Well', finish_reason: word })
})

test.each([
  ['openai', 'eos', 'stop'],
  ['openai', 'length', 'length'],
  ['anthropic', 'stop_sequence', 'stop'],
  ['anthropic', 'max_tokens', 'length'],
  ['google', 'MAX_TOKENS', 'length'],
] as const)('a model of %s that ends with %s: %s', async (type, word, finish_reason) => {
  const [result] = await results(await packageOn(type, VENDORS[type](word)), asked(NOTHING), 'desk')
  expect(result).toMatchObject({ status: 'passed', finish_reason })
})

test('Gemini: an answer beside a blocked question, and one without a reason', async () => {
  const blocked = { ...VENDORS.google('STOP'), promptFeedback: { blockReason: 'SAFETY' } }
  const [beside] = await results(await packageOn('google', blocked), asked(NOTHING), 'desk')
  expect([beside?.status, beside?.error]).toEqual(['failed', expect.stringContaining('block reason "SAFETY"')])
  const { candidates } = VENDORS.google('')
  const [silent] = await results(await packageOn('google', { candidates }), asked(NOTHING), 'desk')
  expect([silent?.status, silent?.error]).toEqual(['failed', expect.stringContaining('no finish reason')])
})

test.each([
  ['openai', ['done']],
  ['google', { done: 'stop' }],
] as const)('finish_reasons of a connector of type %s add to its words', async (type, finish_reasons) => {
  const files = await packageOn(type, VENDORS[type]('done'), { finish_reasons })
  const [result] = await results(files, asked(NOTHING), 'desk')
  expect(result).toMatchObject({ status: 'passed', finish_reason: 'stop' })
})

test('finish_reasons of an agent, and mistakes in those of a connector', async () => {
  const target = `${await endpoint('application/json', JSON.stringify(VENDORS.openai('cut')))}/v1`
  const agents = { desk: { target, finish_reasons: { cut: 'length' } }, plain: target }
  const [told] = await results({ 'viva.config.json': { agents } }, asked(NOTHING), 'desk')
  expect(told).toMatchObject({ status: 'passed', finish_reason: 'length' })
  const [untold] = await results({ 'viva.config.json': { agents } }, asked(NOTHING), 'plain')
  expect(untold?.error).toContain(`${UNFINISHED} "cut"`)
  for (const wrong of [{ finish_reasons: 'done' }, { finish_reasons: { done: 'fine' } }]) {
    const cwd = makeFolder({ ...(await packageOn('openai', {}, wrong)), 'cases.jsonl': asked(NOTHING) })
    const { stderr, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'desk'], { cwd })
    expect(stderr + stdout).toContain('finish_reasons')
  }
})

const ACP = `acp:node ${fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))}`

test.each([
  ['max_turn_requests', `${UNFINISHED} "max_turn_requests"`],
  ['paused', `${UNFINISHED} "paused"`],
])('an ACP agent that stops with %s gave no answer', async (stopReason, message) => {
  const [result] = await results({}, [{ id: 'T1', input: `stop ${stopReason}`, assert: NOTHING }], ACP)
  expect([result?.status, result?.error]).toEqual(['failed', expect.stringContaining(message)])
})
