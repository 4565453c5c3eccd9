// What Viva itself keeps in a workspace, where users look for it: sessions, events, cassettes, reports.
import { join } from 'node:path'
import type { Workspace } from './workspace.js'

export const SESSION_FILE = 'session.jsonl'
export const EVENTS_FILE = '.agent/events.jsonl'
const OLD_SESSIONS = 'sessions'
const OLD_EVENTS = /^\.agent\/events-\d+\.jsonl$/

/** Not the work of an agent: no snapshot, diff or restoration is about it. */
export function isOwnFile(path: string): boolean {
  if (path === SESSION_FILE || path === EVENTS_FILE || OLD_EVENTS.test(path)) return true
  return [OLD_SESSIONS, 'cassettes', 'reports'].some((folder) => path === folder || path.startsWith(`${folder}/`))
}

export function sessionFile({ path }: Pick<Workspace, 'path'>): string {
  return join(path, SESSION_FILE)
}

export function eventsFile({ path }: Pick<Workspace, 'path'>): string {
  return join(path, EVENTS_FILE)
}

/** Where an earlier session or events file goes. */
export function oldSession(count: number): string {
  return `${OLD_SESSIONS}/session-${number(count)}.jsonl`
}

export function oldEvents(count: number): string {
  return `.agent/events-${number(count)}.jsonl`
}

function number(count: number): string {
  return String(count).padStart(3, '0')
}
