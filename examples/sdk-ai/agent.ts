// A weather agent on the AI SDK: the tool, the model, and one function per way to answer.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { toModelMessages, type AgentMessage } from 'viva'

const provider = createOpenAICompatible({ name: 'loopback', baseURL: `${process.env['MODEL_URL']}/v1`, includeUsage: true })

const weather = tool({
  description: 'The weather of a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: async ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

interface Options {
  signal: AbortSignal
  /** What the turns before returned. */
  history?: unknown[]
}

const settings = (messages: AgentMessage[], { signal, history }: Options) => ({
  model: provider('any'),
  system: 'You tell the weather, as the reports say.',
  messages: toModelMessages(messages, history),
  tools: { weather },
  stopWhen: stepCountIs(5),
  maxRetries: 0,
  abortSignal: signal,
})

export function whole(messages: AgentMessage[], _ctx: unknown, options: Options) {
  return generateText(settings(messages, options))
}

export function streamed(messages: AgentMessage[], _ctx: unknown, options: Options) {
  return streamText(settings(messages, options))
}
