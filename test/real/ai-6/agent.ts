// A weather agent on the AI SDK 6: generateText, streamText and its agent object; a second one thinks before it acts.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, streamText, tool, ToolLoopAgent } from 'ai'
import { toModelMessages, type AgentMessage } from 'viva'
import { z } from 'zod'

interface Options {
  signal: AbortSignal
  history?: unknown[]
}

const openai = createOpenAI({ apiKey: 'loopback', baseURL: process.env['OPENAI_BASE_URL'] })
const anthropic = createAnthropic({ apiKey: 'loopback', baseURL: `${process.env['ANTHROPIC_BASE_URL']}/v1` })

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

const settings = { model: openai('gpt-5-mini'), tools: { weather }, stopWhen: stepCountIs(5), maxRetries: 0 }

const asked = (messages: AgentMessage[], { signal, history }: Options) => ({
  messages: toModelMessages(messages, history),
  abortSignal: signal,
})

export const whole = (messages: AgentMessage[], _ctx: unknown, options: Options) =>
  generateText({ ...settings, ...asked(messages, options) })

export const streamed = (messages: AgentMessage[], _ctx: unknown, options: Options) =>
  streamText({ ...settings, ...asked(messages, options) })

export const thinking = (messages: AgentMessage[], _ctx: unknown, options: Options) =>
  generateText({
    ...settings,
    ...asked(messages, options),
    model: anthropic('claude-sonnet-4-5'),
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
  })

export const agent = new ToolLoopAgent(settings)
