// A weather agent on the AI SDK: the tool, the model, and one function per way to answer.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ModelMessage } from 'ai'

const provider = createOpenAICompatible({ name: 'loopback', baseURL: `${process.env['MODEL_URL']}/v1`, includeUsage: true })

const weather = tool({
  description: 'The weather of a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: async ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

const settings = (messages: ModelMessage[], signal: AbortSignal) => ({
  model: provider('any'),
  system: 'You tell the weather, as the reports say.',
  messages,
  tools: { weather },
  stopWhen: stepCountIs(5),
  maxRetries: 0,
  abortSignal: signal,
})

export function whole(messages: ModelMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return generateText(settings(messages, signal))
}

export function streamed(messages: ModelMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return streamText(settings(messages, signal))
}
