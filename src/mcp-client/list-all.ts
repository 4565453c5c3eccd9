// What a server lists: all pages, with what is wrong about them.
import { isRecord, readString } from '../base/record.js'
import { monotonicNow } from '../time/clock.js'
import { describeEnd, type Exchange, type RequestOptions, resultOf, type SendRequest } from './exchange.js'

export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

export interface Listing {
  /** As listed; what is not an object is left out, and reported in `problem`. */
  items: Array<Record<string, unknown>>
  /** Empty: the server does not announce this kind. */
  pages: Exchange[]
  /** Why the list is not complete. */
  problem?: string
}

/** `capability`: what a server with such a list announces. */
export const LISTS: Record<ListKind, { method: string; capability: string }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
}

const MAX_PAGES = 1000
/** A list may take as long as that many of its pages. */
const PATIENCE = 3

export async function listAll(
  request: SendRequest,
  kind: ListKind,
  isAnnounced: boolean,
  options: RequestOptions = {},
): Promise<Listing> {
  const { method } = LISTS[kind]
  const { timeoutMs } = options
  const until = timeoutMs === undefined ? Infinity : monotonicNow() + timeoutMs * PATIENCE
  const items: Listing['items'] = []
  const pages: Exchange[] = []
  const seen = new Set<string>()
  const end = (problem?: string): Listing => ({ items, pages, ...(problem !== undefined && { problem }) })
  if (!isAnnounced) return end()
  let cursor: string | undefined
  do {
    const page = await request(method, cursor === undefined ? undefined : { cursor }, options)
    pages.push(page)
    const result = resultOf(page)
    // A server with resources need not have templates, and has no other way to say so.
    if (kind === 'resourceTemplates' && isUnknownMethod(page)) return end()
    if (!result) return end(describeEnd(page))
    const listed = result[kind]
    if (!Array.isArray(listed)) return end(`the result of ${method} has no list "${kind}"`)
    const records = listed.filter((item) => isRecord(item))
    items.push(...records)
    if (records.length < listed.length) return end(`${method} lists something that is not an object`)
    cursor = readString(result['nextCursor'])
    if (cursor !== undefined && seen.has(cursor))
      return end(`${method} gave the cursor ${JSON.stringify(cursor)} twice`)
    if (cursor !== undefined) seen.add(cursor)
    if (cursor !== undefined && monotonicNow() > until)
      return end(`${method} had not ended after ${pages.length} pages, when its time was over`)
  } while (cursor !== undefined && pages.length < MAX_PAGES)
  return end(cursor === undefined ? undefined : `${method} has more than ${MAX_PAGES} pages`)
}

const METHOD_NOT_FOUND = -32601

function isUnknownMethod({ answer }: Exchange): boolean {
  return (
    answer !== undefined && 'error' in answer && isRecord(answer.error) && answer.error['code'] === METHOD_NOT_FOUND
  )
}
