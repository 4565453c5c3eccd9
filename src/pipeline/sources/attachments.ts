// Input as written → messages as sent: roles filled in, content parts in one form, local files inlined.
import type { CaseInput } from '../../model/case.js'
import type { Attachment, ContentPart, Message } from '../../model/message.js'
import { isRecord } from '../../base/record.js'
import { readAttachment, type AttachmentData, type AttachmentContext } from './attachment-source.js'
import { audioFormatOf } from './media-types.js'

export type { AttachmentContext } from './attachment-source.js'

/** Plain text costs one object and no waiting. An Error thrown here is the case's error. */
export function messagesOf(
  input: CaseInput,
  attachments: Attachment[] | undefined,
  context: AttachmentContext,
): Message[] | Promise<Message[]> {
  const hasAttachments = attachments !== undefined && attachments.length > 0
  if (typeof input === 'string' && !hasAttachments) return [{ role: 'user', content: input }]
  const messages = toMessages(input)
  if (!hasAttachments && messages.every((message) => typeof message.content === 'string')) return messages
  return resolveAll(messages, hasAttachments ? attachments : [], context)
}

function toMessages(input: CaseInput): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const list = Array.isArray(input) ? input : [input]
  return list.map((message) => ({ ...message, role: message.role ?? 'user' }))
}

async function resolveAll(
  messages: Message[],
  attachments: Attachment[],
  context: AttachmentContext,
): Promise<Message[]> {
  const resolved = await Promise.all(messages.map((message) => resolveMessage(message, context)))
  if (attachments.length === 0) return resolved
  const parts = await Promise.all(attachments.map((attachment) => resolvePart(attachment, context)))
  const at = resolved.findLastIndex((message) => message.role === 'user')
  const last = resolved[at]
  if (!last) return [...resolved, { role: 'user', content: parts }]
  return resolved.with(at, { ...last, content: [...asParts(last.content), ...parts] })
}

async function resolveMessage(message: Message, context: AttachmentContext): Promise<Message> {
  const content: unknown = message.content
  if (typeof content === 'string' || content === null || content === undefined) return message
  const parts = (Array.isArray(content) ? content : [content]) as ContentPart[]
  return { ...message, content: await Promise.all(parts.map((part) => resolvePart(part, context))) }
}

function asParts(content: Message['content']): ContentPart[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
}

async function resolvePart(part: ContentPart | Attachment, context: AttachmentContext): Promise<ContentPart> {
  switch (part.type) {
    case 'image':
    case 'image_url':
      return imagePart(part, context)
    case 'audio':
    case 'input_audio':
      return audioPart(part, context)
    case 'file':
      return filePart(part, context)
    case 'data':
      return dataPart(part, context)
    default:
      return part
  }
}

async function imagePart(part: ContentPart, context: AttachmentContext): Promise<ContentPart> {
  const inner = isRecord(part['image_url']) ? part['image_url'] : {}
  const source = sourceOf(part, part['image_url'], inner)
  const { url } = await readAttachment(source, context)
  const detail = part['detail'] ?? inner['detail']
  return { type: 'image_url', image_url: { ...inner, url, ...(detail !== undefined && { detail }) } }
}

async function audioPart(part: ContentPart, context: AttachmentContext): Promise<ContentPart> {
  const inner = isRecord(part['input_audio']) ? part['input_audio'] : {}
  if (typeof inner['data'] === 'string' && !isReference(inner['data'])) return part
  const found = await readAttachment(sourceOf(part, inner['data'], inner), context)
  const format = part['format'] ?? inner['format'] ?? audioFormatOf(found.media_type ?? '')
  const audio = found.data === undefined ? { url: found.url } : { data: found.data }
  return { type: 'input_audio', input_audio: { ...audio, format } }
}

async function filePart(part: ContentPart, context: AttachmentContext): Promise<ContentPart> {
  const inner = isRecord(part['file']) ? part['file'] : {}
  // A file the provider already has is named by an id.
  if (inner['file_id'] !== undefined || part['file_id'] !== undefined) return part
  if (typeof inner['file_data'] === 'string' && !isReference(inner['file_data'])) return part
  const found = await readAttachment(sourceOf(part, inner['file_data'], inner), context)
  const filename = part['name'] ?? part['filename'] ?? inner['filename'] ?? found.filename
  return { type: 'file', file: { url: found.url, ...(filename !== undefined && { filename }) } }
}

async function dataPart(part: ContentPart, context: AttachmentContext): Promise<ContentPart> {
  const key = ['source', 'url'].find((name) => typeof part[name] === 'string')
  if (key === undefined) return part
  const found: AttachmentData = await readAttachment(part[key] as string, context)
  return { ...part, [key]: found.url }
}

function isReference(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text)
}

function sourceOf(part: ContentPart, direct: unknown, inner: Record<string, unknown>): string {
  const found = [part['source'], part['url'], direct, inner['url']].find((value) => typeof value === 'string')
  if (typeof found === 'string') return found
  throw new Error(`content part of type "${part.type}" needs 'source' or 'url'`)
}
