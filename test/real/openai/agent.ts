// A weather agent on the `openai` package with its tool loop over chat completions.
import OpenAI from 'openai'
import type { AgentMessage } from 'viva'

interface Options {
  signal: AbortSignal
}

const client = new OpenAI({ apiKey: 'loopback', baseURL: process.env['OPENAI_BASE_URL'], maxRetries: 0 })

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      parse: JSON.parse,
      function: ({ city }: { city: string }) => (city === 'Ulm' ? 'fog' : 'sun'),
    },
  },
]

export async function whole(messages: AgentMessage[], _ctx: unknown, { signal }: Options) {
  const runner = client.chat.completions.runTools({ model: 'gpt-5-mini', messages, tools }, { signal })
  await runner.done()
  // Messages without a call do not say that there was none.
  const isCall = (message: object): boolean => 'tool_calls' in message
  const calls = runner.messages.slice(messages.length).some(isCall) ? {} : { tool_calls: [] }
  return { messages: runner.messages, ...calls, usage: await runner.totalUsage() }
}

export async function* streamed(messages: AgentMessage[], _ctx: unknown, { signal }: Options) {
  yield* client.chat.completions.runTools(
    { model: 'gpt-5-mini', messages, tools, stream: true, stream_options: { include_usage: true } },
    { signal },
  )
  // That was all: where no call was seen, none was made.
  yield { tool_calls: [] }
}
