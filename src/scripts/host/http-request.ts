// `http.*` of scripts, made by the host: the script waits, Viva does not.
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { AgentError } from '../../errors.js'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { resolveInside } from '../../files/inside.js'
import { isFile } from '../../files/stat.js'
import { takeCredentials } from '../../http/credentials.js'
import type { HttpClient, HttpResponse } from '../../http/types.js'
import { sendFollowing } from './follow-redirects.js'

export interface ScriptResponse {
  status: number
  /** The status again; the original's scripts check `code` and `message` for failures. */
  code: number
  message: string
  headers: Record<string, string[]>
  data: unknown
}

export interface HttpServices {
  http: HttpClient
  /** Files to upload must be inside it. */
  root: string
  /** The time of the test or case. */
  signal: AbortSignal
}

/** Counted after decompression. */
const MAX_BODY_BYTES = 64 * 1024 * 1024
const DEFAULT_HEADERS = { accept: '*/*', 'user-agent': 'viva' }

/** Network failures are answers too, as scripts written for the original expect: status 0 and the reason. */
export async function performHttp(request: unknown, services: HttpServices): Promise<ScriptResponse> {
  if (!isRecord(request)) throw new Error('http: expected a request')
  const headers = toHeaders(request['headers'])
  const body = await toBody(request['payload'], request['files'], headers, services.root)
  try {
    const url = toUrl(String(request['url']), request['query'], headers)
    const method = String(request['method'])
    const sent = { method, url, headers, signal: services.signal, ...(body !== undefined && { body }) }
    const response = await sendFollowing(sent, services.http)
    const { status, statusText } = response
    return {
      status,
      code: status,
      message: statusText,
      headers: groupHeaders(response),
      data: await readBody(response),
    }
  } catch (error) {
    // An answer without end is not an answer: it ends the test.
    if (services.signal.aborted || (error instanceof AgentError && error.code === 'too_large')) throw error
    return { status: 0, code: 500, message: messageOf(error), headers: {}, data: null }
  }
}

function toUrl(given: string, query: unknown, headers: Record<string, string>): URL {
  if (!URL.canParse(given)) throw new Error(`"${given}" is not a URL`)
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`http cannot request ${url.protocol} URLs`)
  const credentials = takeCredentials(url)
  if (credentials) headers['authorization'] ??= credentials.authorization
  for (const [name, value] of toPairs(query)) url.searchParams.append(name, value)
  return url
}

/** Names in lower case; values of a repeated name are joined. */
function toHeaders(given: unknown): Record<string, string> {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS }
  const own = new Set<string>()
  for (const [name, value] of toPairs(given)) {
    const key = name.toLowerCase()
    headers[key] = own.has(key) ? `${headers[key]}, ${value}` : value
    own.add(key)
  }
  return headers
}

/** `{a: 1}`, `{a: [1, 2]}`, `[{a: 1}, {b: 2}]`, `["a=1"]`, `"a=1&b=2"`. */
function toPairs(given: unknown): [string, string][] {
  if (given === null || given === undefined || given === '') return []
  if (typeof given === 'string') return [...new URLSearchParams(given)]
  if (Array.isArray(given)) return given.flatMap(toPairs)
  if (!isRecord(given)) return []
  return Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  )
}

async function toBody(
  payload: unknown,
  files: unknown,
  headers: Record<string, string>,
  root: string,
): Promise<string | Uint8Array | undefined> {
  if (isRecord(files) || Array.isArray(files)) return toForm(payload, files, headers, root)
  if (payload === null || payload === undefined) return undefined
  if (payload instanceof Uint8Array) return payload
  if (typeof payload === 'string') {
    headers['content-type'] ??= 'text/plain;charset=UTF-8'
    return payload
  }
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(toPairs(payload)).toString()
  }
  headers['content-type'] ??= 'application/json'
  return JSON.stringify(payload)
}

async function toForm(
  payload: unknown,
  files: object,
  headers: Record<string, string>,
  root: string,
): Promise<Uint8Array> {
  const form = new FormData()
  for (const [name, value] of toPairs(payload)) form.append(name, value)
  const list = Array.isArray(files)
    ? files.filter(isRecord).map((file) => [String(file['name']), file['path'] ?? file['content']] as const)
    : Object.entries(files)
  for (const [name, file] of list) {
    const named = resolve(root, String(file).replace(/^[/\\]+/, ''))
    const path = resolveInside(root, named)
    if (path === undefined || !isFile(path))
      throw new Error(`http: "${String(file)}" is not a file in the application root`)
    form.append(name, new Blob([await readFile(path)]), basename(named))
  }
  const encoded = new Response(form)
  headers['content-type'] = encoded.headers.get('content-type') ?? 'multipart/form-data'
  return new Uint8Array(await encoded.arrayBuffer())
}

async function readBody(response: HttpResponse): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.chunks(MAX_BODY_BYTES)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const type = response.headers['content-type'] ?? ''
  if (/^(?:image|audio|video|application\/octet-stream)/.test(type)) return new Uint8Array(bytes)
  const text = bytes.toString('utf8')
  if (text === '') return null
  return type.includes('json') ? jsonOrText(text) : text
}

/** As the original spells them: `Content-Type`. */
function groupHeaders({ headers, cookies }: HttpResponse): Record<string, string[]> {
  const grouped: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    grouped[name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())] = [value]
  }
  if (cookies.length > 0) grouped['Set-Cookie'] = cookies
  return grouped
}
