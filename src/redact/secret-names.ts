// The one list of words that mark a value as a secret, and what they mean wherever a name can appear.

// `_` stands for any separator. A name ending in one of these is a secret wherever it is written.
const PASSWORDS = ['password', 'passwd', 'pwd', 'passphrase']
const KEYS = ['api_key', 'access_key', 'secret_key', 'private_key']
const TOKENS = ['auth', 'access', 'refresh', 'session', 'id', 'api', 'bearer'].map((kind) => `${kind}_token`)
const SECRETS = ['secret', 'client_secret']
const ENDINGS = [...PASSWORDS, ...SECRETS, ...KEYS, ...TOKENS]
// These only as a whole field name: `total_token` and `cookie_policy` are not secrets.
const CREDENTIALS = ['credential', 'credentials']
const HEADERS = ['authorization', 'proxy_authorization', 'cookie', 'set_cookie']
const WHOLE = ['token', 'api_key', 'signature', ...HEADERS, ...CREDENTIALS]
// Anywhere in the name of a variable.
const LOUD_SEGMENTS = [
  'secret',
  'token',
  'password',
  'passwd',
  'apikey',
  'api_key',
  'access_key',
  'private_key',
  ...CREDENTIALS,
]
// Here too, but in a line of text `PWD=/home` or `AUTH=basic` is usually harmless.
const SEGMENTS = [...LOUD_SEGMENTS, 'pwd', 'passphrase', 'auth', 'cookie']

/** Named like secrets, but their values are paths everyone needs to read. */
const NOT_SECRET = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GOOGLE_APPLICATION_CREDENTIALS'])
/** `AUTH_URL`, `TOKEN_TYPE`: about a secret, not the secret. */
const ABOUT =
  'URL|URI|TYPE|LIMIT|LENGTH|COUNT|TTL|TIMEOUT|EXPIRY|EXPIRES|ENDPOINT|HOST|PORT|METHOD|SCOPE|SCOPES|NAME|FILE|PATH|DIR|' +
  'PREFIX|FIELD|REQUIRED|ENABLED|VERSION|ALGORITHM|FORMAT|POLICY'

/** Every name that can give a value away contains one of these. */
export const NAME_WORDS =
  'password|passwd|passphrase|pwd|secret|token|key|credential|authorization|auth|_pass|signature|cookie'
/** With the character that follows, so that `input_tokens` and `author` do not trigger a closer look on every line. */
export const NAME_ANCHORS: readonly string[] = NAME_WORDS.split('|').flatMap((word) =>
  ['token', 'key', 'auth', '_pass'].includes(word) ? ' \t_-=:"\'`\\?!>]'.split('').map((next) => word + next) : [word],
)
/** A parameter of a URL: `?access_token=…`. */
export const QUERY_WORDS = alternatives(
  [...ENDINGS, 'token', 'auth', 'sig', 'signature', 'x-amz-signature', 'x-amz-security-token', 'x-goog-signature'],
  '[_-]?',
)

/** A header that holds a key: `x-api-key: …`. */
export const HEADER_WORDS =
  'x-api-key|api-key|x-goog-api-key|ocp-apim-subscription-key|x-auth-token|x-access-token|x-amz-security-token|' +
  'xi-api-key|x-subscription-token'

const WHOLE_FIELD = new RegExp(`^(?:x_?|x_?goog_?)?(?:${alternatives(WHOLE, '_?')})$`)
const FIELD_ENDING = new RegExp(`(?:^|_)(?:${alternatives(ENDINGS, '_?')})$`)
const SEGMENT = new RegExp(`(?:^|_)(?:${alternatives(SEGMENTS, '_').toUpperCase()})(?:_|$)`)
const ENDS_SECRET = new RegExp(`password|(?:${[...lastWords(SEGMENTS), 'pass', 'dsn'].join('|')})$`, 'i')
const ENDS_ABOUT = new RegExp(`_(?:${ABOUT})$`)
const PASSWORD_FIELD = new RegExp(`(?:^|[^a-z])(?:${PASSWORDS.join('|')})$`, 'i')

/** A field of JSON: strict, since hiding `input_tokens` would hide evidence. */
export function isSecretField(fullName: string): boolean {
  const name = fullName.slice(-100)
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && isSecretEnvName(name)) return true
  const words = name.replace(/[-_. ]+/g, '_')
  return hasSecretWords(words.toLowerCase()) || hasSecretWords(withUnderscores(words).toLowerCase())
}

/** Fields whose value is a secret even when it is a number. */
export function isPasswordField(name: string): boolean {
  return PASSWORD_FIELD.test(name) || /[a-z](?:Password|Passphrase)$/.test(name)
}

/** What a name says about the value beside it, however it is written. */
type NameStrength =
  /** A password: anything that is not a word is one. */
  | 'password'
  /** A key or token: anything that could be one is. */
  | 'key'
  /** It may be one, or an id or the key of a table: only random-looking values are. */
  | 'maybe'

export function nameStrength(givenName: string): NameStrength | undefined {
  const name = withUnderscores(givenName.slice(-100).replace(/^[-.$_]+/, '')).toLowerCase()
  const words = name.split(/[^a-z0-9]+/)
  const last = words.at(-1) ?? ''
  if (ENDS_PASSWORD.test(name)) return 'password'
  if (words.some((word) => PUBLIC_WORDS.has(word))) return undefined
  if (FIELD_ENDING.test(words.join('_')) || WHOLE_FIELD.test(words.join('_')) || last.endsWith('token')) return 'key'
  return /(?:key|auth|credential|credentials)$/.test(last) ? 'maybe' : undefined
}

const ENDS_PASSWORD = /(?:password|passwd|pwd|passphrase|secret|[^a-z]pass)$/
/** `public_key`, `next_page_token`, `cache_key`: their values are not secrets. */
const PUBLIC_WORDS = new Set(
  (
    'public primary foreign cache idempotency sort partition object row map hash storage route registry query lookup index unique ' +
    'composite host data state dedupe group message event translation i18n react list item record document blob file image asset ' +
    'page next previous prev continuation sync cursor special pad eos bos unk stop mask sep cls current last first start end peek'
  ).split(' '),
)

/** A variable of the environment. Generous: what is hidden is its value and nothing else, wherever it turns up. */
export function isSecretVariable(name: string): boolean {
  const words = withUnderscores(name).toUpperCase()
  return isSecretEnvName(name) || (VARIABLE.test(words) && !OPENS_NOTHING.test(words) && !ENDS_ABOUT.test(words))
}

/** The name of the secret itself: then a short value is one too. */
export function isSecretName(name: string): boolean {
  return isSecretVariable(name) && NAMES_SECRET.test(withUnderscores(name).toUpperCase())
}

const NAMES_SECRET = /PASSWORD|(?:^|_)(?:KEY|PASS|DSN|TOKEN|SECRET|APIKEY|PASSWD|PWD|PASSPHRASE|PAT)$/
const VARIABLE = /PASSWORD|(?:^|_)(?:KEY|PASS|DSN)$|_PAT$/
/** Names of things, and keys that are given to everyone. */
const OPENS_NOTHING = /(?:^|_)(?:PUBLIC|PUBLISHABLE|PROJECT|CACHE|PRIMARY|FOREIGN|SORT|PARTITION)_KEY$/

/** The name of a variable in text, where there is more of everything: `SORT_KEY=name` is in many programs. */
export function isSecretEnvName(name: string): boolean {
  const words = withUnderscores(name).toUpperCase()
  return SEGMENT.test(words) && !NOT_SECRET.has(words) && !ENDS_ABOUT.test(words)
}

/** The name of a password, key or token itself, not of something about it. */
export function endsInSecretWord(name: string): boolean {
  return ENDS_SECRET.test(name)
}

/** A header, or a field of a configuration or connector file: generous, since such a value is rarely anything else. */
export function isSecretSetting(name: string): boolean {
  return withUnderscores(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => SETTING_WORD.test(word))
}

// `author` and `authority` are not about secrets; `authz` and `authentication` are.
const SETTING_WORD =
  /secret|passw|passphrase|pwd|credential|cookie|signature|^auth(?!or(?!iz))|(?:key|token)s?$|^(?:pass|dsn)$/

function hasSecretWords(words: string): boolean {
  return WHOLE_FIELD.test(words) || FIELD_ENDING.test(words)
}

/** `clientSecret` as `client_Secret`. */
function withUnderscores(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
}

function alternatives(words: readonly string[], separator: string): string {
  return words.map((word) => word.replaceAll('_', separator)).join('|')
}

function lastWords(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.split('_').at(-1) ?? word))]
}
