// Which names of fields and environment variables say that their value is a secret.

const FIELD = /^(?:x_?|x_?goog_?)?(?:token|(?:proxy_?)?authorization|(?:set_?)?cookie|credentials?|signature|api_?key)$/
const FIELD_ENDING =
  /(?:^|_)(?:password|passwd|pwd|passphrase|secret|api_?key|access_?key|secret_?key|private_?key|(?:auth|access|refresh|session|id|api|bearer)_?token|client_?secret)$/

const ENV_SEGMENT =
  /(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|PWD|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?|AUTH|COOKIE)(?:_|$)/

/** Named like secrets, but their values are paths everyone needs to read. */
const NOT_SECRET = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'GOOGLE_APPLICATION_CREDENTIALS'])

/** Text that is in every name for which `isSecretField` is true, when written as a JSON key. */
export const FIELD_ANCHORS: readonly string[] = [
  'password',
  'passwd',
  'pwd',
  'secret',
  'passphrase',
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
  String.raw`(?:password|passwd|pwd|secret|passphrase|authorization|cookie|credentials?|signature|key|token|auth)` +
  String.raw`[A-Z0-9_]{0,80}\\{0,15}"(?:\s|\\[nrt])*:`

export function isSecretField(fullName: string): boolean {
  const name = fullName.slice(-100)
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && isSecretEnvName(name)) return true
  const words = name.replace(/[-_. ]+/g, '_')
  return (
    hasSecretWords(words.toLowerCase()) || hasSecretWords(words.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase())
  )
}

function hasSecretWords(words: string): boolean {
  return FIELD.test(words) || FIELD_ENDING.test(words)
}

/** Fields whose value is a secret even when it is a number. */
export function isPasswordField(name: string): boolean {
  return /(?:^|[^a-z])(?:password|passwd|pwd|passphrase)$/i.test(name) || /[a-z](?:Password|Passphrase)$/.test(name)
}

export function isSecretEnvName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
  return ENV_SEGMENT.test(words) && !NOT_SECRET.has(words)
}
