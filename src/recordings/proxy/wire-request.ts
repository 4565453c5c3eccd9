// A request in the wire format of a provider → what was asked, as a recording compares it.
import { createHash } from 'node:crypto'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import type { AskedRequest } from '../normalise.js'
import { wirePath, type Provider } from './upstream.js'

export interface WireRequest {
  provider: Provider
  method: string
  /** With its query, as the client sent it. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

/** Headers are not part of it. */
export function askedOf({ provider, method, path, headers, body }: WireRequest): AskedRequest {
  const connector = `${provider} ${method} ${wirePath(path)}`
  if (body.length === 0) return { connector, messages: [] }
  const json = parseJson(body.toString())?.value
  if (!isRecord(json)) return { connector, messages: [json ?? plainBody(body, headers['content-type'] ?? '')] }
  const { system, tools, ...rest } = json
  const key = ['messages', 'input', 'contents', 'prompt'].find((name) => rest[name] !== undefined)
  const said = key === undefined ? [] : rest[key]
  const areTools = Array.isArray(tools) && tools.every(isRecord)
  return {
    connector,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...(Array.isArray(said) ? (said as unknown[]) : [said]),
    ],
    ...(areTools && { tools }),
    parameters: mapValues(
      defined({ ...rest, ...(key !== undefined && { [key]: undefined }), ...(!areTools && { tools }) }),
      inOrder,
    ),
  }
}

/** Some clients send their metadata in another order every time; ids in it are numbered in the order in which they come. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]))
}

function mapValues(record: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** By its hash: it may be a sound or a picture. The border of a form is another one every time. */
function plainBody(body: Buffer, type: string): string {
  const border = /^multipart\/.*\bboundary="?([^";]+)/i.exec(type)?.[1]
  const text = body.toString('latin1')
  const same = border === undefined ? text : text.replaceAll(border, 'boundary')
  const hash = createHash('sha256').update(same, 'latin1').digest('hex')
  return `[${type.replace(/;.*/, '') || 'body'} sha256:${hash} ${same.length} bytes]`
}
