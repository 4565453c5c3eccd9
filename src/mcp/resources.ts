// Sessions, reports and cassettes of the known workspaces, for clients to read.
import type { ListResourcesResult, ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server'
import { join } from 'node:path'
import { decodeUri } from '../base/text.js'
import { ownValue } from '../base/record.js'
import { UserError } from '../errors.js'
import { sortedEntries } from '../files/entries.js'
import { resolveInside } from '../files/inside.js'
import { readWorkspaceFile } from '../workspaces/files.js'
import { isSameFolder } from '../workspaces/folder.js'
import { SESSION_FILE } from '../workspaces/layout.js'
import { requireName } from '../workspaces/paths.js'
import type { Place } from '../workspaces/place.js'
import { findEntry, listIds, type Entry } from '../workspaces/registry.js'
import { unknownWorkspace } from '../workspaces/workspace.js'
import type { McpHost } from './host.js'
import type { Jobs } from './jobs.js'
import { DATA_NOTICE } from './notice.js'

/** A client holds a resource in memory, and so do we. */
const MOST_BYTES = 5 * 1024 * 1024
const PAGE = 20

/** What the folders of a workspace hold, by their name in an address. */
const KINDS: Record<string, { folder: string; what: string; name: RegExp }> = {
  sessions: { folder: 'sessions', what: 'Session of an earlier run', name: /^session-\d+\.jsonl$/ },
  cassettes: { folder: 'cassettes', what: 'Cassette', name: /^[^/\\]+\.ya?ml$/ },
  reports: { folder: 'reports', what: 'Report', name: /^(?:junit|tap|json|ctrf)\.[a-z.]+$/ },
}
const TYPES: Record<string, string> = {
  jsonl: 'application/jsonl',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  template('session', 'viva://workspaces/{workspace_id}/session.jsonl', 'The session of the last run in a workspace'),
  ...Object.entries(KINDS).map(([kind, { what }]) =>
    template(kind, `viva://workspaces/{workspace_id}/${kind}/{name}`, `${what} in a workspace`),
  ),
  template('result', 'viva://results/{id}', 'A whole answer that was shortened, by the id in it'),
]

/** A page holds some workspaces with everything in them. */
export function listResources(place: Place, cursor: string | undefined): ListResourcesResult {
  const ids = listIds(place)
  const start = cursor === undefined ? 0 : ids.findIndex((id) => id > cursor)
  const page = start < 0 ? [] : ids.slice(start, start + PAGE)
  const last = page.at(-1)
  const isMore = last !== undefined && last !== ids.at(-1)
  return { resources: page.flatMap((id) => resourcesOf(place, id)), ...(isMore && { nextCursor: last }) }
}

export async function readResource(
  host: Pick<McpHost, 'place' | 'jobs' | 'hide'>,
  uri: string,
): Promise<ReadResourceResult> {
  const { place, jobs } = host
  const [kind = '', ...parts] = uri
    .replace(/^viva:\/\//, '')
    .split('/')
    .map(decodeUri)
  if (!uri.startsWith('viva://')) throw unknownResource(uri)
  if (kind === 'results' && parts.length === 1) return contents(uri, resultText(jobs, parts[0] ?? '', uri))
  const [id = '', ...way] = parts
  const path = kind === 'workspaces' ? pathOf(way) : undefined
  if (path === undefined) throw unknownResource(uri)
  const entry = findEntry(place, requireName(id, 'workspace_id'))
  if (!entry) throw unknownWorkspace(place, id)
  const found = await readWorkspaceFile(entry, path, MOST_BYTES)
  // An agent may have written it.
  if (found.kind === 'text') return contents(uri, host.hide(found.text))
  const why =
    found.kind === 'refused'
      ? found.why
      : found.kind === 'too_big'
        ? `it has ${found.bytes} bytes, but at most ${found.limit} are read`
        : `there is no such text (${found.kind})`
  throw new UserError({ code: 'NO_RESOURCE', message: `${uri}: ${why}`, hint: 'resources/list names what there is' })
}

function template(name: string, uriTemplate: string, description: string): ResourceTemplateType {
  return { name, uriTemplate, description: `${description}. ${DATA_NOTICE}` }
}

function resourcesOf(place: Place, id: string): ListResourcesResult['resources'] {
  const entry = findEntry(place, id)
  if (!entry || !isSameFolder(entry.path, entry.folder)) return []
  const has = (folder: string, name: RegExp): string[] =>
    // An agent may have put a link there.
    sortedEntries(resolveInside(entry.path, join(entry.path, folder)) ?? '')
      .filter((each) => each.isFile() && name.test(each.name))
      .map((each) => each.name)
  return [
    ...has('.', /^session\.jsonl$/).map(() => resource(entry, [SESSION_FILE], 'Session of the last run')),
    ...Object.entries(KINDS).flatMap(([kind, { folder, what, name }]) =>
      has(folder, name).map((file) => resource(entry, [kind, file], what)),
    ),
  ]
}

function resource({ id }: Entry, way: string[], what: string): ListResourcesResult['resources'][number] {
  const uri = `viva://workspaces/${[id, ...way].map(encodeURIComponent).join('/')}`
  return {
    uri,
    name: `${id}/${way.join('/')}`,
    description: `${what} in workspace ${id}. ${DATA_NOTICE}`,
    mimeType: typeOf(uri),
  }
}

/** Only listed resources can be read. */
function pathOf(way: string[]): string | undefined {
  const [kind = '', name = ''] = way
  if (way.length === 1) return kind === SESSION_FILE ? SESSION_FILE : undefined
  const known = ownValue(KINDS, kind)
  return way.length === 2 && known?.name.test(name) ? `${known.folder}/${name}` : undefined
}

function resultText(jobs: Jobs, id: string, uri: string): string {
  const outcome = jobs.find(id)?.outcome
  if (outcome?.state === 'done') return JSON.stringify(outcome.answer, null, 2)
  throw unknownResource(uri)
}

function contents(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: typeOf(uri), text, _meta: { 'viva/notice': DATA_NOTICE } }] }
}

function typeOf(uri: string): string {
  if (uri.startsWith('viva://results/')) return 'application/json'
  return TYPES[uri.slice(uri.lastIndexOf('.') + 1)] ?? 'text/plain'
}

function unknownResource(uri: string): UserError {
  return new UserError({
    code: 'NO_RESOURCE',
    message: `there is no resource ${uri}`,
    hint: 'resources/list names what there is, e.g. viva://workspaces/my_test/session.jsonl',
  })
}
