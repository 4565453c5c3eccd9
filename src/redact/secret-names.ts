// The one list of words that say that a value is a secret, and what they mean in each place a name can stand.

// `_` stands for any separator. What ends in one of these is a secret wherever it is written.
const PASSWORDS = ['password', 'passwd', 'pwd', 'passphrase']
const KEYS = ['api_key', 'access_key', 'secret_key', 'private_key']
const TOKENS = ['auth', 'access', 'refresh', 'session', 'id', 'api', 'bearer'].map((kind) => `${kind}_token`)
const SECRETS = ['secret', 'client_secret']
const ENDINGS = [...PASSWORDS, ...SECRETS, ...KEYS, ...TOKENS]
// These only as the whole name of a field: `total_token` and `cookie_policy` are not secrets.
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
// Here too, but on a line of text `PWD=/home` or `AUTH=basic` is usually harmless.
const SEGMENTS = [...LOUD_SEGMENTS, 'pwd', 'passphrase', 'auth', 'cookie']

/** Named like secrets, but their values are paths everyone needs to read. */
const NOT_SECRET = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GOOGLE_APPLICATION_CREDENTIALS'])
/** `AUTH_URL`, `TOKEN_TYPE`: about a secret, not the secret. */
const ABOUT = 'URL|URI|TYPE|LIMIT|LENGTH|COUNT|TTL|TIMEOUT|EXPIRY|EXPIRES|ENDPOINT|HOST|PORT|METHOD|SCOPE|SCOPES'

/** In a line like `OPENAI_API_KEY=…`. */
export const LINE_WORDS = alternatives(LOUD_SEGMENTS, '_').toUpperCase()
/** With the character that follows `token`, so that `input_tokens` does not cost a closer look on every line. */
export const LINE_ANCHORS: readonly string[] = LOUD_SEGMENTS.flatMap((word) =>
  word === 'token' ? ['token=', 'token_', 'token ', 'token\t', 'token\\'] : [word],
)
/** Stands behind the name in such a line, and matches if it is only about a secret. */
export const NOT_ABOUT = `(?<!_(?:${ABOUT}))`
/** A field in a piece of JSON: `"api-key": "…"`. */
export const FIELD_WORDS = alternatives([...ENDINGS, 'apikey'], '[_-]')
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
const ENDS_SECRET = new RegExp(`(?:${lastWords(SEGMENTS).join('|')})$`, 'i')
const ENDS_ABOUT = new RegExp(`_(?:${ABOUT})$`)
const PASSWORD_FIELD = new RegExp(`(?:^|[^a-z])(?:${PASSWORDS.join('|')})$`, 'i')

/** The cheap first look for FIELD_WORDS: how such a key ends, plain or in escaped JSON. */
export const FIELD_WORD_ANCHORS: readonly string[] = [...ENDINGS, 'apikey'].flatMap((word) => {
  const last = word.split('_').at(-1) ?? word
  return (last === word ? [word] : [`_${last}`, `-${last}`]).flatMap((end) => [`${end}"`, `${end}\\`])
})

export const FIELD_WORD_HINT = lastWords(ENDINGS).join('|')

/** Text that is in every name for which `isSecretField` is true, when written as a JSON key. */
export const FIELD_ANCHORS: readonly string[] = [
  ...PASSWORDS,
  'secret',
  'authorization',
  'cookie',
  'credential',
  'signature',
  'auth_',
  'key"',
  'key\\',
  'key_',
  'token"',
  'token\\',
  'token_',
  'auth"',
  'auth\\',
]

/** The same in serialised text, more closely: one of the words at the end of a key. */
export const FIELD_HINT =
  String.raw`(?:${PASSWORDS.join('|')}|secret|authorization|cookie|credentials?|signature|key|token|auth)` +
  String.raw`[A-Z0-9_]{0,80}\\{0,15}"(?:\s|\\[nrt])*:`

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

export function isSecretEnvName(name: string): boolean {
  const words = withUnderscores(name).toUpperCase()
  return SEGMENT.test(words) && !NOT_SECRET.has(words) && !ENDS_ABOUT.test(words)
}

/** The name of a password or token itself, not of something about it. */
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
const SETTING_WORD = /secret|passw|passphrase|pwd|credential|cookie|signature|^auth(?!or(?!iz))|(?:key|token)s?$/

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
