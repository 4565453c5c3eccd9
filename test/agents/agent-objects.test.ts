// A module may export an agent as its SDK makes it, not only a function.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { startModelServer, say } from '../real/model/index.js'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'

const SDKS: Record<string, string> = {
  'AI SDK': `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, tool, ToolLoopAgent } from 'ai'
const inputSchema = jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
const weather = tool({ inputSchema, execute: () => 'fog' })
const provider = createOpenAICompatible({ name: 'x', baseURL: process.env.MODEL_URL + '/v1' })
export const agent = new ToolLoopAgent({ model: provider('any'), tools: { weather }, stopWhen: stepCountIs(5), maxRetries: 0 })`,
  'OpenAI Agents': `
import { Agent, OpenAIChatCompletionsModel, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
setTracingDisabled(true)
const client = new OpenAI({ apiKey: 'none', baseURL: process.env.MODEL_URL + '/v1', maxRetries: 0 })
const weather = tool({ name: 'weather', description: 'x', parameters: z.object({ city: z.string() }), execute: () => 'fog' })
export const agent = new Agent({ name: 'Weather', model: new OpenAIChatCompletionsModel(client, 'any'), tools: [weather] })`,
  LangGraph: `
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
const weather = tool(() => 'fog', { name: 'weather', description: 'x', schema: z.object({ city: z.string() }) })
const llm = new ChatOpenAI({ model: 'any', apiKey: 'none', maxRetries: 0, configuration: { baseURL: process.env.MODEL_URL + '/v1' } })
export const agent = createReactAgent({ llm, tools: [weather], checkpointer: new MemorySaver() })`,
}

const CASE = {
  id: 'asks-on',
  turns: [
    {
      input: 'weather in Ulm',
      assertions: [{ type: 'tool_called', name: 'weather', arguments: { city: 'Ulm' }, times: 1 }],
    },
    {
      input: 'thanks',
      assertions: [
        { type: 'equals', value: 'You are welcome.' },
        { type: 'tool_not_called', name: 'weather' },
      ],
    },
  ],
}

test.each(Object.entries(SDKS))('%s: two turns after a tool call', { timeout: 60_000 }, async (_sdk, agent) => {
  const usage = { input: 1, output: 1 }
  const calls = [{ id: 'call_a', name: 'weather', args: '{"city":"Ulm"}' }]
  const model = await startModelServer({ kind: 'answer', calls, usage }, say('It is fog.'), say('You are welcome.'))
  onTestFinished(() => model.close())
  const { result } = await run(agent, '#agent', { MODEL_URL: model.url }, CASE)
  expect(result?.error).toBeUndefined()
  expect(result?.tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Ulm' }, result: 'fog' }])
  expect(model.refusals).toEqual([])
  expect(model.requests).toHaveLength(3)
  // Nothing twice: not even where the agent keeps the conversation as well.
  expect(model.requests[2]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})

test('OpenAI Agents: a model that refused, which the SDK throws, refused', async () => {
  const source = `class ModelRefusalError extends Error { refusal = 'I will not.' }
export const agent = () => { throw new ModelRefusalError('Model refused') }`
  const [expected, unexpected] = [{ type: 'refusal' }, { type: 'not_contains', value: 'sorry' }]
  expect((await run(source, '#agent', {}, { id: 'a', input: 'x', assert: expected })).code).toBe(0)
  expect((await run(source, '#agent', {}, { id: 'a', input: 'x', assert: unexpected })).code).toBe(1)
})

const HELLO = { id: 'hello', input: 'hello', assert: { type: 'equals', value: 'heard hello' } }
const OWN = `{ greeting: 'heard ', METHOD(messages, ctx, { signal }) { return this.greeting + messages.at(-1).content } }`

test.each(['generate', 'stream', 'invoke', 'run'])(
  'an object of its own with %s is called like a function',
  async (method) => {
    expect((await run(`export const agent = ${OWN.replace('METHOD', method)}`, '', {}, HELLO)).code).toBe(0)
    expect((await run(`export default ${OWN.replace('METHOD', method)}`, '', {}, HELLO)).code).toBe(0)
  },
)

test('a function beside an agent is what is meant without a name', async () => {
  const source = `export const tools = { run() { throw new Error('not me') } }\nexport const answer = (messages) => 'heard ' + messages.at(-1).content`
  expect((await run(source, '', {}, HELLO)).code).toBe(0)
})

test.each([
  [
    'two methods',
    '{ generate() {}, stream() {} }',
    'the export "agent" has generate and stream, but is not an agent of an SDK that Viva knows',
  ],
  ['none', '{ answer() {} }', 'the export "agent" is an object without generate, stream, invoke or run'],
  [
    'a chain',
    '{ lc_runnable: true, invoke() {}, stream() {} }',
    'the export "agent" is a chain of LangChain, which takes whatever its first step takes',
  ],
])('an object with %s is a clear error', async (_what, object, message) => {
  const { code, output } = await run(`export const agent = ${object}`, '#agent', {}, HELLO)
  expect(code).toBe(2)
  expect(output).toContain(message)
  expect(output).toContain('export a function that calls it')
})

async function run(agent: string, name: string, env: Record<string, string>, testCase: object) {
  const cwd = makeFolder({ 'agent.ts': agent, 'cases.jsonl': [testCase] })
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', `./agent.ts${name}`, '-o', 'out.jsonl'], { cwd, env })
  const written = ran.code === 2 ? '' : readFileSync(join(cwd, 'out.jsonl'), 'utf8')
  const [result] = parseEvents(written).filter(({ type }) => type === 'result') as unknown as ResultEvent[]
  return { code: ran.code, output: ran.stdout + ran.stderr, result }
}
