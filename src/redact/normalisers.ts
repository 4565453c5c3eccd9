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

const TIME = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?`
const HEX_ID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const KIND = '(?:call|toolu|msg|resp|run|req|chatcmpl|item|rs)'
const SPAN = String.raw`(?:[0-9]{1,15}\.[0-9]{1,15} ?(?:ms|seconds|sec|s|min|m|h)|[0-9]{1,15} ?ms)`
/** A token as a whole: what is part of a longer one says more than the part. */
const whole = (source: string): RegExp => new RegExp(String.raw`(?<![\w-]|[\w]\.)(?:${source})(?![\w-]|\.\w)`, 'g')

const PATTERNS = {
  $TIMESTAMP: whole(TIME),
  $UUID: whole(`${HEX_ID}|${KIND}[_-](?=[A-Za-z_-]{0,63}[0-9])[A-Za-z0-9_-]{6,200}`),
  $DURATION: whole(SPAN),
}

/** As older cassettes were made: parts of tokens too. */
const OLDER_PATTERNS = {
  $TIMESTAMP: new RegExp(String.raw`\b${TIME}`, 'g'),
  $UUID: new RegExp(String.raw`\b${HEX_ID}\b|\b${KIND}[_-](?=[A-Za-z]{0,63}[0-9])[A-Za-z0-9]{6,64}\b`, 'g'),
  $DURATION: new RegExp(String.raw`\b${SPAN}\b`, 'g'),
}

export function isNormaliserName(name: string): name is NormaliserName {
  return NAMES.some((known) => known === name)
}

export function createNormaliser(
  name: NormaliserName,
  workspaces: readonly string[],
  { older = false } = {},
): TextReplacement {
  const patterns = older ? OLDER_PATTERNS : PATTERNS
  switch (name) {
    case '$TIMESTAMP':
      return byRegExp('TIMESTAMP', false, patterns.$TIMESTAMP)
    case '$UUID':
      return byRegExp('UUID', true, patterns.$UUID)
    case '$DURATION':
      return byRegExp('DURATION', false, patterns.$DURATION)
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
