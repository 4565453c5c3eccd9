// The words of an answer, as a person would hear them: no JSON, no tool calls.
import type { AgentReply } from '../../../model/agent.js'
import type { ContentPart } from '../../../model/message.js'

export function spokenText(reply: AgentReply): string {
  if (typeof reply.content === 'string') return reply.content
  return textOf(reply.content) ?? textOf(reply.next) ?? ''
}

/** The answer as text for the result's `response`: words where there are some, else its JSON. */
export function responseText(reply: AgentReply): string {
  const { content } = reply
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  return textOf(content) ?? JSON.stringify(content)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return textOfParts(value as ContentPart[])
  if (typeof value !== 'object' || value === null) return undefined
  const { content, message, text } = value as Record<string, unknown>
  return [content, message, text].find((words) => typeof words === 'string')
}

function textOfParts(parts: ContentPart[]): string | undefined {
  const texts = parts
    .map((part) => (part?.type === 'text' ? part.text : undefined))
    .filter((text) => typeof text === 'string')
  return texts.length > 0 ? texts.join('\n') : undefined
}
