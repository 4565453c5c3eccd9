// One message: who speaks, and what. Pictures and files are named, never loaded.
import type { Spoken } from '../../../../model/spoken.js'
import { ROLES } from '../../../../pipeline/report/step-words.js'
import { visible } from '../../../../base/hidden.js'
import { Prose, Value } from '../value.js'
import { ToolCalls } from './tool-calls.js'

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
