// Which protocol a path belongs to.
import { anthropic } from './anthropic.js'
import { gemini } from './gemini.js'
import { openaiChat } from './openai-chat.js'
import { openaiResponses } from './openai-responses.js'
import type { Wire } from './wire.js'

export function wireFor(path: string): Wire {
  const [route = ''] = path.split('?')
  if (route.endsWith('/messages')) return anthropic
  if (/:(?:g|streamG)enerateContent$/.test(route)) return gemini
  return route.endsWith('/responses') ? openaiResponses : openaiChat
}
