// A small agent: it books rooms with a tool, and says so.
import type { AgentFunction } from 'viva'

export const concierge: AgentFunction = (messages) => {
  const asked = String(messages.at(-1)?.content)
  const city = /\bin (\w+)/.exec(asked)?.[1]
  if (city === undefined) return { content: 'In which city?', tool_calls: [], awaiting_input: true }
  return {
    content: `A room in ${city} is booked.`,
    tool_calls: [{ name: 'book_room', args: { city, nights: /two nights/.test(asked) ? 2 : 1 } }],
  }
}
