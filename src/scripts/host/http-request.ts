// `http.*` of scripts, made by the host: the script waits, Viva does not.
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { resolveInside } from '../../files/inside.js'
import { isFile } from '../../files/stat.js'

export interface ScriptResponse {
  status: number
  /** The status again; the original's scripts check `code` and `message` for failures. */
  code: number
  message: string
  headers: Record<string, string[]>
  data: unknown
}

type RequestBody = string | Uint8Array<ArrayBuffer> | URLSearchParams | FormData

const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Network failures are answers too, as scripts written for the original expect: status 0 and the reason. */
export async function performHttp(request: unknown, root: string, signal: AbortSignal): Promise<ScriptResponse> {
  if (!isRecord(request)) throw new Error('http: expected a request')
  const url = withQuery(String(request['url']), request['query'])
  const headers = toHeaders(request['headers'])
  const body = await toBody(request['payload'], request['files'], headers, root)
  try {
    const response = await fetch(url, {
      method: String(request['method']),
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    })
    return {
      status: response.status,
      code: response.status,
      message: response.statusText,
      headers: groupHeaders(response.headers),
      data: await readBody(response),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return { status: 0, code: 500, message: reasonOf(error), headers: {}, data: null }
  }
}

function withQuery(url: string, query: unknown): string {
  const pairs = toPairs(query)
  if (pairs.length === 0) return url
  const parsed = new URL(url)
  for (const [name, value] of pairs) parsed.searchParams.append(name, value)
  return parsed.href
}

function toHeaders(given: unknown): Headers {
  const headers = new Headers()
  for (const [name, value] of toPairs(given)) headers.append(name, value)
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
  headers: Headers,
  root: string,
): Promise<RequestBody | undefined> {
  if (isRecord(files) || Array.isArray(files)) return toForm(payload, files, root)
  if (payload === null || payload === undefined) return undefined
  if (typeof payload === 'string') return payload
  if (payload instanceof Uint8Array) return new Uint8Array(payload)
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(toPairs(payload))
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return JSON.stringify(payload)
}

async function toForm(payload: unknown, files: object, root: string): Promise<FormData> {
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
  return form
}

async function readBody(response: Response): Promise<unknown> {
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength > MAX_BODY_BYTES) throw new Error(`the answer has ${bytes.byteLength} bytes, more than 64 MB`)
  const type = response.headers.get('content-type') ?? ''
  if (/^(?:image|audio|video|application\/octet-stream)/.test(type)) return new Uint8Array(bytes)
  const text = Buffer.from(bytes).toString('utf8')
  if (text === '') return null
  if (!type.includes('json')) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function groupHeaders(headers: Headers): Record<string, string[]> {
  const grouped: Record<string, string[]> = {}
  for (const [name, value] of headers) {
    const shown = name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
    grouped[shown] = [...(grouped[shown] ?? []), value]
  }
  return grouped
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause
  const nearest = cause instanceof Error && cause.message !== '' ? cause : error
  return messageOf(nearest)
}
