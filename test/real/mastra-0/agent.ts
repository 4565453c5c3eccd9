// A weather agent on Mastra 0.
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { toModelMessages, type AgentMessage } from 'viva'
import { z } from 'zod'

interface Options {
  signal: AbortSignal
  history?: unknown[]
}

const openai = createOpenAI({ apiKey: 'loopback', baseURL: process.env['OPENAI_BASE_URL'] })

const weather = createTool({
  id: 'weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ context: { city } }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

export const agent = new Agent({
  id: 'weather',
  name: 'Weather',
  instructions: 'You tell the weather.',
  model: openai('gpt-5-mini'),
  tools: { weather },
  maxRetries: 0,
})

export const whole = (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
  agent.generate(toModelMessages(messages, history), { abortSignal: signal })

export const streamed = (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
  agent.stream(toModelMessages(messages, history), { abortSignal: signal })
