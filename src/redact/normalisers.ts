// What changes from run to run but is not a secret: times, ids, durations, the workspace's path. Opt-in.
import { UserError } from '../errors.js'

export type NormaliserName = '$TIMESTAMP' | '$UUID' | '$PATH' | '$DURATION'

export interface TextReplacement {
  /** Without brackets: `UUID` becomes `[UUID]`, and a second value `[UUID-2]` where `numbered`. */
  placeholder: string
  numbered: boolean
  /** Calls back for every match, left to right. */
  replace(text: string, replacer: (match: string) => string): string
}

const NAMES: readonly NormaliserName[] = ['$TIMESTAMP', '$UUID', '$PATH', '$DURATION']

const TIMESTAMP =
  /\b[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?/g
const UUID =
  /\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b(?:call|toolu|msg|resp|run|req|chatcmpl|item|rs)[_-](?=[A-Za-z]{0,63}[0-9])[A-Za-z0-9]{6,64}\b/g
const DURATION = /\b(?:[0-9]{1,15}\.[0-9]{1,15} ?(?:ms|seconds|sec|s|min|m|h)|[0-9]{1,15} ?ms)\b/g

export function isNormaliserName(name: string): name is NormaliserName {
  return NAMES.some((known) => known === name)
}

export function createNormaliser(name: NormaliserName, workspaces: readonly string[]): TextReplacement {
  switch (name) {
    case '$TIMESTAMP':
      return byRegExp('TIMESTAMP', false, TIMESTAMP)
    case '$UUID':
      return byRegExp('UUID', true, UUID)
    case '$DURATION':
      return byRegExp('DURATION', false, DURATION)
    case '$PATH':
      return byRegExp('WORKSPACE', false, pathPattern(workspaces))
  }
}

export function unknownNormaliser(name: string): UserError {
  return new UserError({
    code: 'UNKNOWN_REDACTION',
    message: `redactions.patterns: there is no built-in redaction "${name}"`,
    hint: `built in are ${NAMES.join(', ')} and $API_KEY (always on); a pattern of your own has a name without "$"`,
  })
}

function byRegExp(placeholder: string, numbered: boolean, pattern: RegExp): TextReplacement {
  return { placeholder, numbered, replace: (text, replacer) => text.replace(pattern, (match) => replacer(match)) }
}

/** The folder itself or anything below it, never a sibling whose name starts the same way. */
function pathPattern(workspaces: readonly string[]): RegExp {
  const paths = workspaces.map((path) => path.replace(/\/+$/, '')).filter((path) => path.length > 1)
  if (paths.length === 0) return /(?!)/g
  const sorted = paths
    .toSorted((a, b) => b.length - a.length)
    .map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?:${sorted.join('|')})(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])`, 'g')
}
