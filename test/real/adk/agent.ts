// A weather agent on Google's Agent Development Kit, which keeps the conversation in a session of its own.
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk'
import type { AgentMessage } from 'viva'
import { z } from 'zod'

const weather = new FunctionTool({
  name: 'weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => ({ result: city === 'Ulm' ? 'fog' : 'sun' }),
})

export const agent = new LlmAgent({
  name: 'weather_agent',
  model: new Gemini({ model: 'gemini-2.5-flash', apiKey: 'loopback' }),
  instruction: 'You tell the weather.',
  tools: [weather],
})

const runner = new InMemoryRunner({ agent, appName: 'weather' })

async function* ask(messages: AgentMessage[], chatId: string, streamingMode: StreamingMode) {
  const session = { appName: 'weather', userId: 'u', sessionId: chatId }
  const { sessionService } = runner
  if (!(await sessionService.getSession(session))) await sessionService.createSession(session)
  const newMessage = { role: 'user', parts: [{ text: String(messages.at(-1)?.content) }] }
  yield* runner.runAsync({ userId: 'u', sessionId: chatId, newMessage, runConfig: { streamingMode } })
}

export const whole = (messages: AgentMessage[], { chat_id }: { chat_id: string }) =>
  ask(messages, chat_id, StreamingMode.NONE)
export const streamed = (messages: AgentMessage[], { chat_id }: { chat_id: string }) =>
  ask(messages, chat_id, StreamingMode.SSE)
