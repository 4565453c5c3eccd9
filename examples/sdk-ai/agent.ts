// A weather agent on the AI SDK: the tool, the model, and one function per way to answer.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ModelMessage } from 'ai'
import type { AgentMessage } from 'viva'

const provider = createOpenAICompatible({ name: 'loopback', baseURL: `${process.env['MODEL_URL']}/v1`, includeUsage: true })

const weather = tool({
  description: 'The weather of a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: async ({ city }) => (city === 'Ulm' ? 'fog' : 'sun'),
})

const settings = (messages: AgentMessage[], signal: AbortSignal) => ({
  model: provider('any'),
  system: 'You tell the weather, as the reports say.',
  messages: toModelMessages(messages),
  tools: { weather },
  stopWhen: stepCountIs(5),
  maxRetries: 0,
  abortSignal: signal,
})

export function whole(messages: AgentMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return generateText(settings(messages, signal))
}

export function streamed(messages: AgentMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return streamText(settings(messages, signal))
}

/** Messages come as in OpenAI's chat completions; the AI SDK has tool calls and their results in parts. */
function toModelMessages(messages: AgentMessage[]): ModelMessage[] {
  const names = new Map<string, string>()
  return messages.map((message): ModelMessage => {
    if (message.role === 'tool') {
      const { tool_call_id: toolCallId, content: value } = message
      const toolName = names.get(toolCallId) ?? ''
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] }
    }
    if (message.role !== 'assistant' || !message.tool_calls) return message as ModelMessage
    const calls = message.tool_calls.map(({ id, function: { name, arguments: args } }) => {
      names.set(id, name)
      return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: JSON.parse(args) }
    })
    const said = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : []
    return { role: 'assistant', content: [...said, ...calls] }
  })
}
