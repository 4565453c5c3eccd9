// Parts of a message in OpenAI's chat shape, read once for every SDK.
import { isRecord, readString } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import type { ContentPart } from '../../model/message.js'

export type ChatPart =
  | { kind: 'text'; text: string }
  /** `url`: an address, or `data:…;base64,…`. */
  | { kind: 'image'; url: string }
  | { kind: 'file'; data: string; mediaType: string; filename?: string }

/** What is none of these is kept as JSON: left out, the agent would be asked something else. */
export function readChatParts(content: string | ContentPart[] | null): ChatPart[] {
  if (content === null || content === '') return []
  return typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map(readPart)
}

export function textOfParts(content: string | ContentPart[] | null): string {
  return readChatParts(content)
    .map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part)))
    .join('')
}

/** Of a call; text that is not JSON is what the model wrote. */
export function parseArguments(text: string): unknown {
  const parsed = parseJson(text)
  return parsed ? parsed.value : text
}

function readPart(part: ContentPart): ChatPart {
  const { type, image_url, file, input_audio } = part
  const text = readString(part['text'])
  if (type === 'text' && text !== undefined) return { kind: 'text', text }
  const url = readString(isRecord(image_url) ? image_url['url'] : image_url)
  if (type === 'image_url' && url !== undefined) return { kind: 'image', url }
  if (type === 'file' && isRecord(file)) {
    const data = readString(file['file_data'])
    const filename = readString(file['filename'])
    if (data !== undefined) return { kind: 'file', ...readDataUrl(data), ...(filename !== undefined && { filename }) }
  }
  if (type === 'input_audio' && isRecord(input_audio)) {
    const data = readString(input_audio['data'])
    const format = readString(input_audio['format']) ?? 'wav'
    if (data !== undefined)
      return { kind: 'file', data, mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` }
  }
  return { kind: 'text', text: JSON.stringify(part) }
}

function readDataUrl(text: string): { data: string; mediaType: string } {
  const [, mediaType = 'application/octet-stream', data = text] = /^data:([^;,]+);base64,(.*)$/s.exec(text) ?? []
  return { data, mediaType }
}
