// A weather agent on the OpenAI Agents SDK, with its default: the Responses API.
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { toAgentInput, type AgentMessage } from 'viva'
import { z } from 'zod'

interface Options {
  signal: AbortSignal
  history?: unknown[]
}

// Traces would go to the vendor's server.
setTracingDisabled(true)
setDefaultOpenAIClient(
  new OpenAI({ apiKey: 'loopback', baseURL: process.env['OPENAI_BASE_URL'], maxRetries: 0 }) as never,
)

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

export const agent = new Agent({ name: 'Weather', model: 'gpt-5-mini', tools: [weather] })

export const whole = (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
  run(agent, toAgentInput(messages, history), { signal, maxTurns: 3 })

export const streamed = (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
  run(agent, toAgentInput(messages, history), { signal, stream: true, maxTurns: 3 })
