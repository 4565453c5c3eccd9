// Which variables of the environment hold secrets: those whose names say so, and those whose values look random.
import { decodeUri } from '../base/text.js'
import { innerSecrets } from './inner-secrets.js'
import { isRandom, isWords } from './likely-secret.js'
import { endsInSecretWord, isSecretName, isSecretVariable, QUERY_WORDS } from './secret-names.js'

export type Environment = Record<string, string | undefined>

export interface SecretVariable {
  name: string
  value: string
  /** Its name, or its place in an address, says that it is a secret, however short it is. */
  isNamed?: boolean
  /** Nothing but its look gives it away. */
  byLook?: true
}

/** `allow`: names whose values may be shown although they look random; `*` stands for anything. */
export function secretVariables(env: Environment, allow: readonly string[] = []): SecretVariable[] {
  const isAllowed = matcher(allow)
  return Object.entries(env).flatMap(([name, value = '']): SecretVariable[] => {
    if (isSecretVariable(name))
      return isCount(name, value) || isFingerprint(name, value)
        ? []
        : [{ name, value, isNamed: isSecretName(name) }, ...inside(name, value)]
    const secrets = inside(name, value)
    if (isUrl(value) && secrets.length > 0) return secrets
    if (isAllowed(name)) return secrets.filter(({ byLook }) => !byLook)
    return [
      ...secrets,
      ...randomParts(name, value).map((part): SecretVariable => ({ name, value: part, byLook: true })),
    ]
  })
}

function inside(name: string, value: string): SecretVariable[] {
  if (isUrl(value)) return urlSecrets(value).map((secret) => ({ name, value: secret, isNamed: true }))
  if (value.length > LONGEST) return []
  return innerSecrets(value).map((secret) =>
    secret.isNamed ? { name, value: secret.value, isNamed: true } : { name, value: secret.value, byLook: true },
  )
}

/** `TOKEN_BUDGET=200000000` is a number, `DB_PASSWORD=20000000` is a password. */
function isCount(name: string, value: string): boolean {
  return /^[0-9.]+$/.test(value) && !endsInSecretWord(name)
}

/** Images of Docker name whose signature they have checked: `GPG_KEY=A035C8C1…`. */
function isFingerprint(name: string, value: string): boolean {
  return /(?:^|_)GPG_KEY$/.test(name) && /^[0-9A-F]{40}$/i.test(value)
}

/** A variable may hold several keys. */
function randomParts(name: string, value: string): string[] {
  if (value.length < SHORTEST || value.length > LONGEST || isPath(value)) return []
  return value
    .split(/[\s,;|]+/)
    .map((part) => part.replace(/^["']|["']$/g, ''))
    .filter((part) => isRandom(part) && !isPath(part) && !isUrl(part) && !isIdentifier(name, part))
}

const SHORTEST = 20
// Longer ones are documents.
const LONGEST = 20_000

/** In base64 a key may begin with a slash too; the first folder of a path is a word. */
function isPath(value: string): boolean {
  const first = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]+([^\\/:]*)/.exec(value)?.[1]
  return first !== undefined && first.length <= 30 && isWords(first, 4)
}

function isUrl(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
}

/** The password in it, or a key in its query. */
function urlSecrets(value: string): string[] {
  if (!isUrl(value) || !URL.canParse(value)) return []
  const { username, password, searchParams } = new URL(value)
  // Some services take a key as the user, without a password.
  const user = password === '' && isRandom(decodeUri(username)) ? username : ''
  const query = [...searchParams].flatMap(([name, text]) => (IN_QUERY.test(name) ? text : []))
  return [...new Set([user, password].flatMap((text) => [text, decodeUri(text)]).concat(query))].filter(
    (text) => text !== '',
  )
}

const IN_QUERY = new RegExp(`^(?:${QUERY_WORDS}|key)$`, 'i')

/** A commit, a digest or the id of a run, by its name; or what is a path, an image or an address but for one. */
function isIdentifier(name: string, value: string): boolean {
  const rest = value.replaceAll(HEX, '')
  if (rest === value || isRandom(rest)) return false
  return IDENTIFIERS.test(name) || (rest.includes('/') && /[A-Za-z]{3}/.test(rest)) || LABEL.test(rest)
}

const HEX = /(?<![A-Za-z0-9])(?:[0-9a-f]{4,}|[0-9A-F]{4,})(?![A-Za-z0-9])/g
/** `guid=`, `--build-arg=commit=`. */
const LABEL = /(?:^|[^A-Za-z])(?:sha[0-9]*|commit|digest|revision|rev|(?:gu|uu)?id)=$/i
const IDENTIFIERS =
  /(?:^|_)(?:SHA[0-9]*|COMMIT|DIGEST|ID|UUID|GUID|REVISION|CHECKSUM|GPG_KEYS?)$|^HOSTNAME$|^WT_SESSION$|^(?:GITHUB|CI|RUNNER|VSCODE)_|^npm_/i

function matcher(names: readonly string[]): (name: string) => boolean {
  const patterns = names.map(
    (name) => new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, '.*')}$`),
  )
  return (name) => patterns.some((pattern) => pattern.test(name))
}
