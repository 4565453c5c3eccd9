// What Viva itself keeps in a workspace, where users look for it: sessions, events, cassettes, reports.

export const SESSION_FILE = 'session.jsonl'
export const EVENTS_FILE = '.agent/events.jsonl'
/** By name, since an agent may have a folder called reports as well. */
const KEPT_BY_VIVA = [
  /^sessions\/session-\d+\.jsonl$/,
  /^\.agent\/events-\d+\.jsonl$/,
  /^cassettes\/[^/]+\.ya?ml$/,
  /^reports\/(?:junit|tap|json|ctrf)\.[a-z.]+$/,
]

/** Not the agent's work: snapshots, diffs and restores ignore it. */
export function isOwnFile(path: string): boolean {
  return path === SESSION_FILE || path === EVENTS_FILE || KEPT_BY_VIVA.some((name) => name.test(path))
}

/** Where an earlier session or events file goes. */
export function oldSession(count: number): string {
  return `sessions/session-${number(count)}.jsonl`
}

export function oldEvents(count: number): string {
  return `.agent/events-${number(count)}.jsonl`
}

function number(count: number): string {
  return String(count).padStart(3, '0')
}
