// A weather agent as a graph, invoked and streamed in every mode.
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { toLangChain, type AgentMessage } from 'viva'
import { z } from 'zod'

interface Options {
  signal: AbortSignal
  history?: unknown[]
}

const weather = tool(({ city }: { city: string }) => (city === 'Ulm' ? 'fog' : 'sun'), {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

const llm = new ChatOpenAI({
  model: 'gpt-5-mini',
  apiKey: 'loopback',
  maxRetries: 0,
  configuration: { baseURL: process.env['OPENAI_BASE_URL'] },
})

export const agent = createReactAgent({ llm, tools: [weather] })

export const whole = (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
  agent.invoke({ messages: toLangChain(messages, history) }, { signal })

type Modes = Parameters<typeof agent.stream>[1] extends infer O
  ? O extends { streamMode?: infer M }
    ? M
    : never
  : never

const streamedAs =
  (streamMode: Modes) =>
  (messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) =>
    agent.stream({ messages: toLangChain(messages, history) }, { signal, streamMode } as never)

export const streamed = streamedAs('messages' as never)
export const values = streamedAs('values' as never)
export const updates = streamedAs('updates' as never)
export const debug = streamedAs('debug' as never)
export const several = streamedAs(['values', 'updates', 'messages', 'custom', 'debug'] as never)
