// A weather agent on the OpenAI Agents SDK.
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { toAgentInput, type AgentMessage } from 'viva'
import { z } from 'zod'

// Traces would go to the provider's server.
setTracingDisabled(true)

const client = new OpenAI({ apiKey: 'none', baseURL: `${process.env['MODEL_URL']}/v1`, maxRetries: 0 })

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

const agent = new Agent({
  name: 'Weather',
  instructions: 'You tell the weather, as the reports say.',
  model: new OpenAIChatCompletionsModel(client, 'any'),
  tools: [weather],
})

interface Options {
  signal: AbortSignal
  /** What the turns before returned. */
  history?: unknown[]
}

export function whole(messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) {
  return run(agent, toAgentInput(messages, history), { signal })
}

export function streamed(messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) {
  return run(agent, toAgentInput(messages, history), { signal, stream: true })
}
