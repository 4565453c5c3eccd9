// A weather agent on Claude's agent SDK, which keeps the conversation itself: later turns resume its session.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import type { AgentMessage } from 'viva'
import { z } from 'zod'

interface Options {
  signal: AbortSignal
  history?: Array<{ session_id?: string }>
}

const weather = tool('weather', 'The weather of a city', { city: z.string() }, async ({ city }) => ({
  content: [{ type: 'text', text: city === 'Ulm' ? 'fog' : 'sun' }],
}))

function ask(messages: AgentMessage[], { signal, history }: Options, more: object = {}) {
  const abortController = new AbortController()
  signal.addEventListener('abort', () => abortController.abort())
  return query({
    prompt: String(messages.at(-1)?.content),
    options: {
      abortController,
      // A server takes one connection: conversations that run at the same time need one each.
      mcpServers: { reports: createSdkMcpServer({ name: 'reports', tools: [weather] }) },
      allowedTools: ['mcp__reports__weather'],
      tools: [],
      settingSources: [],
      model: 'claude-sonnet-4-5',
      maxTurns: 4,
      ...(history?.at(-1)?.session_id && { resume: history.at(-1)?.session_id }),
      ...more,
    },
  })
}

export const whole = (messages: AgentMessage[], _ctx: unknown, options: Options) => ask(messages, options)
export const streamed = (messages: AgentMessage[], _ctx: unknown, options: Options) =>
  ask(messages, options, { includePartialMessages: true })
export const impatient = (messages: AgentMessage[], _ctx: unknown, options: Options) =>
  ask(messages, options, { maxTurns: 1 })
