// The environment a child gets: an allow-list, never the whole of ours.
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'

export const MARKER_NAME = 'VIVA_RUN_MARKER'

export interface ChildEnvSpec {
  /** The child's working directory; git may not look for a repository above it. */
  cwd: string
  /** Given by the user: wins over everything. */
  env?: Record<string, string>
  /** Names to hand over from our own environment. */
  passEnv?: string[]
  marker: string
}

const ALLOWED = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TZ'])

export function childEnv(spec: ChildEnvSpec, own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith('LC_'))) result[name] = value
  }
  // Without it, a `git commit` in a plain folder would act on the repository that happens to be above it.
  result['GIT_CEILING_DIRECTORIES'] = dirname(spec.cwd)
  for (const name of spec.passEnv ?? []) {
    const value = own[name]
    if (value !== undefined) result[name] = value
  }
  Object.assign(result, spec.env)
  result[MARKER_NAME] = spec.marker
  return result
}

/**
 * A value found again in `/proc/<pid>/environ`. It says whose it is, so that a later Viva can tell the orphans of a dead
 * one. A Viva run by a Viva keeps the outer mark, so that both can find it.
 */
export function createMarker(): string {
  own ??= ownIdentity()
  const marker = `${own}-${randomBytes(12).toString('hex')}`
  const outer = process.env[MARKER_NAME]
  return outer ? `${outer},${marker}` : marker
}

let own: string | undefined

/** Process id and start time, and the namespace in which that id means something; just the id where there is no /proc. */
function ownIdentity(): string {
  const namespace = pidNamespace()
  const started = startTime(process.pid)
  return namespace === undefined || started === undefined ? `${process.pid}` : `${namespace}.${process.pid}.${started}`
}

export function pidNamespace(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]
  } catch {
    return undefined
  }
}

/** In clock ticks since boot; undefined when there is no such process. */
export function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
