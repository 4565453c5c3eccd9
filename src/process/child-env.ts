// The environment a child gets: an allow-list, never the whole of ours.
import { dirname } from 'node:path'
import { MARKER_NAME } from './marker.js'

export interface ChildEnvSpec {
  /** Ours. */
  own: Readonly<Record<string, string | undefined>>
  /** The child's working directory; git must not look for a repository above it. */
  cwd: string
  /** Given by the user: wins over everything. */
  env?: Readonly<Record<string, string>>
  /** Names to hand over from our own environment. */
  passEnv?: readonly string[]
  marker: string
}

/** Variables that cannot be passed on: the program would miss them without any explanation. */
export function unsetVariables(names: readonly string[], own: ChildEnvSpec['own']): string[] {
  return names.filter((name) => own[name] === undefined)
}

const ALLOWED = new Set(['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TZ'])

export function childEnv({ own, cwd, env, passEnv, marker }: ChildEnvSpec): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith('LC_'))) result[name] = value
  }
  // Without it, a `git commit` in a plain folder would act on a repository that happens to be above it.
  result['GIT_CEILING_DIRECTORIES'] = dirname(cwd)
  for (const name of passEnv ?? []) {
    const value = own[name]
    if (value !== undefined) result[name] = value
  }
  Object.assign(result, env)
  result[MARKER_NAME] = marker
  return result
}
