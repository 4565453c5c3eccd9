// One message: who speaks, and what. Pictures and files are named, never loaded.
import type { Message as MessageData } from '../../../../model/message.js'
import { visible } from '../../../../base/hidden.js'
import { Prose, Value } from '../value.js'
import { ToolCalls } from './tool-calls.js'

export interface Spoken {
  role: string
  content: unknown
  name?: string
  tool_calls?: unknown
  tool_call_id?: string
}

export function Message({ message }: { message: Spoken }) {
  const role = ROLES[message.role] ?? message.role
  return (
    <>
      {hasContent(message.content) && (
        <div class={`message role-${ROLES[message.role] ? message.role : 'other'}`}>
          <span class="role">
            {visible(role)}
            {message.name && <span class="muted"> {visible(message.name)}</span>}
          </span>
          <Content content={message.content} />
        </div>
      )}
      <ToolCalls calls={message.tool_calls} />
    </>
  )
}

const ROLES: Record<string, string> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Agent',
  tool: 'Tool',
  expected: 'Expected',
}

/** `input` as messages: a string is what the user says. */
export function messagesOf(input: unknown): Spoken[] {
  if (input === undefined || input === null) return []
  if (Array.isArray(input) && input.every(isMessage)) return input
  if (isMessage(input)) return [input]
  return [{ role: 'user', content: input }]
}

function isMessage(value: unknown): value is MessageData {
  return typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
}

function hasContent(content: unknown): boolean {
  return (
    content !== null && content !== undefined && content !== '' && !(Array.isArray(content) && content.length === 0)
  )
}

function Content({ content }: { content: unknown }) {
  if (!Array.isArray(content) || !content.every(isPart)) return <Prose value={content} />
  return (
    <>
      {content.map((part, index) =>
        part.type === 'text' && typeof part['text'] === 'string' ? (
          <Prose key={index} value={part['text']} />
        ) : (
          <details key={index} class="attachment">
            <summary>
              <span class="chip">{visible(part.type)}</span> {visible(nameOf(part))}
            </summary>
            <Value value={part} />
          </details>
        ),
      )}
    </>
  )
}

interface Part {
  type: string
  [key: string]: unknown
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(part: Part): string {
  for (const key of ['name', 'filename', 'source', 'url']) {
    const value = part[key]
    if (typeof value === 'string') return value.slice(0, 120)
  }
  return ''
}
