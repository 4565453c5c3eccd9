// A weather agent on the OpenAI Agents SDK.
import { Agent, assistant, OpenAIChatCompletionsModel, run, setTracingDisabled, tool, user, type AgentInputItem } from '@openai/agents'
import OpenAI from 'openai'
import type { AgentMessage } from 'viva'
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

export function whole(messages: AgentMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return run(agent, toAgentInput(messages), { signal })
}

export function streamed(messages: AgentMessage[], _ctx: unknown, { signal }: { signal: AbortSignal }) {
  return run(agent, toAgentInput(messages), { signal, stream: true })
}

/** Messages come as in OpenAI's chat completions; the Agents SDK has an item for each message, call and result. */
function toAgentInput(messages: AgentMessage[]): AgentInputItem[] {
  const names = new Map<string, string>()
  return messages.flatMap((message): AgentInputItem[] => {
    const text = typeof message.content === 'string' ? message.content : ''
    if (message.role === 'tool') {
      const { tool_call_id: callId } = message
      const name = names.get(callId) ?? ''
      return [{ type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text } }]
    }
    if (message.role !== 'assistant') return [user(text)]
    const calls = (message.tool_calls ?? []).map(({ id: callId, function: { name, arguments: args } }) => {
      names.set(callId, name)
      return { type: 'function_call' as const, callId, name, arguments: args, status: 'completed' as const }
    })
    return text === '' ? calls : [assistant(text), ...calls]
  })
}
