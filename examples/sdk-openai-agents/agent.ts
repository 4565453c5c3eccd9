// A weather agent on the OpenAI Agents SDK.
import { Agent, assistant, OpenAIChatCompletionsModel, run, setTracingDisabled, tool, user } from '@openai/agents'
import OpenAI from 'openai'
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

interface Message {
  role: string
  content: string
}

const history = (messages: Message[]) =>
  messages.map(({ role, content }) => (role === 'assistant' ? assistant(content) : user(content)))

export function whole(messages: Message[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return run(agent, history(messages), { signal })
}

export function streamed(messages: Message[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return run(agent, history(messages), { signal, stream: true })
}
