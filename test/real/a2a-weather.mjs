// What the A2A servers of the test bed do: ask the model of OPENAI_BASE_URL, run its tool, keep each conversation.
const conversations = new Map()
const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

/** The answer of the model, or what it refused with. Throws if the model reports an error. */
export async function ask(contextId, text) {
  const messages = conversations.get(contextId) ?? []
  conversations.set(contextId, messages)
  messages.push({ role: 'user', content: text })
  for (;;) {
    const message = await complete(messages)
    const { content, refusal, tool_calls = [] } = message
    if (refusal) return { refusal }
    messages.push({ role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) })
    if (tool_calls.length === 0) return { content }
    for (const call of tool_calls) {
      const { city } = JSON.parse(call.function.arguments)
      messages.push({ role: 'tool', tool_call_id: call.id, content: city === 'Ulm' ? 'fog' : 'sun' })
    }
  }
}

async function complete(messages) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5-mini', messages, tools }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.error.message)
  return body.choices[0].message
}
