// An OpenAPI description → the operation that Viva can talk to: one that takes messages.
import { isRecord, ownValue } from '../../base/record.js'

export interface OpenApiAgent {
  target: string
  /** JSONPath of the answer, where the description says which text it is. */
  response_path?: string
}

type Part = Record<string, unknown>

/** Where an answer usually is, the likeliest first. */
const ANSWERS = ['content', 'answer', 'reply', 'output', 'text', 'response', 'message']
const DEEPEST = 3

/** Undefined: it cannot be read, or no operation takes `messages`. */
export async function openApiAgent(text: string): Promise<OpenApiAgent | undefined> {
  const { parse } = await import('yaml')
  try {
    const document: unknown = parse(text)
    return isRecord(document) ? agentIn(document) : undefined
  } catch {
    return undefined
  }
}

function agentIn(document: Part): OpenApiAgent | undefined {
  const paths = document['paths']
  for (const [path, item] of Object.entries(isRecord(paths) ? paths : {})) {
    const post = at(document, item, 'post')
    const body = at(document, post, 'requestBody', 'content', 'application/json', 'schema')
    // A path with parameters is not an address yet.
    if (path.includes('{') || !at(document, body, 'properties', 'messages')) continue
    const answer = at(document, post, 'responses', '200', 'content', 'application/json', 'schema')
    const response_path = path.endsWith('/chat/completions') ? undefined : answerPath(document, answer)
    return { target: `${serverOf(document)}${path}`, ...(response_path !== undefined && { response_path }) }
  }
  return undefined
}

function serverOf(document: Part): string {
  const [first] = Array.isArray(document['servers']) ? (document['servers'] as unknown[]) : []
  const url = isRecord(first) && typeof first['url'] === 'string' ? first['url'] : ''
  return /^https?:\/\/[^{}]+$/.test(url) ? url.replace(/\/+$/, '') : 'http://127.0.0.1:8000'
}

/** A reply with its content at the top needs none. */
function answerPath(document: Part, schema: Part | undefined): string | undefined {
  const path = textIn(document, schema, '$', 0)
  return path === '$.content' ? undefined : path
}

function textIn(document: Part, schema: Part | undefined, path: string, depth: number): string | undefined {
  if (!schema || depth >= DEEPEST) return undefined
  for (const name of ANSWERS) {
    const property = at(document, schema, 'properties', name)
    if (!property) continue
    if (property['type'] === 'string') return `${path}.${name}`
    const below = textIn(document, property, `${path}.${name}`, depth + 1)
    if (below !== undefined) return below
  }
  return undefined
}

/** What the keys lead to, through references within the document. */
function at(document: Part, start: unknown, ...keys: string[]): Part | undefined {
  let part = resolved(document, start)
  for (const key of keys) part = resolved(document, part && ownValue(part, key))
  return part
}

function resolved(document: Part, part: unknown, hops = 0): Part | undefined {
  if (!isRecord(part)) return undefined
  const ref = part['$ref']
  if (typeof ref !== 'string') return part
  if (!ref.startsWith('#/') || hops > 10) return undefined
  let found: unknown = document
  for (const key of ref.slice(2).split('/')) found = isRecord(found) ? ownValue(found, key) : undefined
  return resolved(document, found, hops + 1)
}
