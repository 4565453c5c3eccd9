// Answers that did not end well: what an agent SDK, a model API or a stream says about its own end, in its own word.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { say, startModelServer } from '../support/model-server/index.js'
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
  ['a reply that says so', '{ content: "Not found", is_error: true }', 'Not found'],
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
