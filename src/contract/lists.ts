// What a server lists, and whether it lists the same a second time.
import { canonicalJson } from '../base/json/canonical-json.js'
import { readString } from '../base/record.js'
import type { ListKind, Listing } from '../mcp-client/list-all.js'
import type { McpSession } from '../mcp-client/session.js'
import type { Listed, ListsSeen } from '../model/contract.js'
import { withoutTimes } from './without-times.js'

export interface ListReading extends Listing {
  kind: ListKind
  session: McpSession
  /** How many changes of this list had been announced by then. */
  announced: number
}

const CHANGED: Record<ListKind, string> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
}

/** By what an item is addressed. */
const KEY: Record<ListKind, string> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
}

export async function readList(session: McpSession, kind: ListKind, timeoutMs: number): Promise<ListReading> {
  const listing = await session.listAll(kind, { timeoutMs })
  return { ...listing, kind, session, announced: announcedIn(session, kind) }
}

/** A list that cannot be read to its end is not read again: it would only take as long once more. */
export async function readAgain(one: ListReading, timeoutMs: number): Promise<ListReading> {
  return one.problem === undefined ? readList(one.session, one.kind, timeoutMs) : one
}

/** What the two readings show together. */
export function compareLists(one: ListReading, other: ListReading, session: McpSession): ListsSeen {
  const { kind, items } = one
  const keys = keysOf(items, kind)
  const later = keysOf(other.items, kind)
  const isAnnounced = announcedIn(session, kind) > one.announced
  const problem = one.problem ?? other.problem
  const changed = isAnnounced || problem !== undefined ? [] : differences(keys, later)
  return {
    kind,
    ...(problem !== undefined && { problem }),
    repeated: [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))],
    unnamed: items.length - keys.length,
    odd_names: kind === 'tools' ? keys.filter((name) => !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) : [],
    changed,
    reworded: isAnnounced || changed.length > 0 ? [] : rewordedOf(one, other),
  }
}

export function isSameList(one: ListReading, other: ListReading, session: McpSession): boolean {
  const { problem, changed, reworded } = compareLists(one, other, session)
  return problem === undefined && changed.length === 0 && reworded.length === 0
}

function announcedIn({ notifications }: McpSession, kind: ListKind): number {
  return notifications.filter(({ method }) => method === CHANGED[kind]).length
}

function keysOf(items: readonly Listed[], kind: ListKind): string[] {
  return items.flatMap((item) => {
    const key = readString(item[KEY[kind]])
    return key === undefined || key === '' ? [] : [key]
  })
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((key) => !before.includes(key)).map((key) => `"${key}" was added`),
    ...before.filter((key) => !after.includes(key)).map((key) => `"${key}" is gone`),
  ]
}

/** Times and ids in descriptions are no change. */
function rewordedOf({ kind, items }: ListReading, other: ListReading): string[] {
  const key = KEY[kind]
  return items.flatMap((item) => {
    const name = item[key]
    const sameName = items.filter((each) => each[key] === name)
    const again = other.items.find((each) => each[key] === name)
    return sameName.length === 1 && again && generic(item) !== generic(again) ? [String(name)] : []
  })
}

function generic(item: Listed): string {
  return withoutTimes()(canonicalJson(item)).replaceAll(/\d{10,}/g, '#')
}
