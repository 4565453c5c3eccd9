// Whether a value is a secret, by the name beside it and by how little it looks like words: the one rule beyond the lists.
// A miss writes a secret into a file; a false alarm hides evidence. The clearer the name, the less the value must prove.
import { isSecretEnvName, isSecretField, NAME_WORDS, nameStrength } from './secret-names.js'

/** How name and value are written. */
export interface Writing {
  /** A field of JSON, in text or in a value. */
  field?: boolean
  quoted?: boolean
  /** `name=value` without a blank, as in a shell. */
  tight?: boolean
  /** Name and value are all there is on their line, as in a configuration file. */
  alone?: boolean
  /** "The password is …". */
  prose?: boolean
}

export function isLikelySecret(name: string, given: string, writing: Writing): boolean {
  if (given.length < 4 || !SPEAKS.test(name)) return false
  const value = given.slice(0, LONGEST_JUDGED)
  if (isReference(value) || isVersion(value)) return false
  if (isDockerAuth(name, value)) return true
  if (writing.field && isSecretField(name)) return !/cookie$/i.test(name) || value.includes('=') || isKey(value)
  if (!writing.field && isCode(value)) return false
  if (isVariable(name, writing) && isVariableSecret(value, writing)) return true
  switch (nameStrength(name)) {
    case 'password':
      return isPassword(name, value, writing)
    case 'key':
      return isKey(value)
    case 'maybe':
      return isRandom(value)
    case undefined:
      return false
  }
}

/** Cheap, since most names in most events say nothing. */
const SPEAKS = new RegExp(NAME_WORDS, 'i')

// Long enough to judge.
const LONGEST_JUDGED = 4096

/** In code and templates, `$ENV.KEY`, `apiKey` or `this.key` takes the place of a key. */
export function isHeaderSecret(value: string): boolean {
  return !isReference(value) && !isCode(value) && !(/^[A-Za-z]+$/.test(value) && isWords(value, 0))
}

/** Not `http://user:password@host`, as manuals write it. */
export function isUrlSecret(value: string): boolean {
  return !isReference(value) && !isCode(value) && !/^(?:pass|password|passwd|pwd|pw|secret|token)$/i.test(value)
}

/** `MY_TOKEN=…`, as in a shell or an `.env` file. */
function isVariable(name: string, { field, prose }: Writing): boolean {
  return !field && !prose && /^[A-Z][A-Z0-9_]*$/.test(name) && isSecretEnvName(name)
}

/** A constant in code often names itself: `USE_CREDENTIALS = 'use-credentials'`. */
function isVariableSecret(value: string, { tight }: Writing): boolean {
  if (value.length < 8 || /^[0-9]+$/.test(value)) return false
  return !isWords(value, 2) || (tight === true && !PLACEHOLDER_WORD.test(value))
}

function isPassword(name: string, value: string, { quoted, alone, tight }: Writing): boolean {
  if (/^[0-9]+$/.test(value)) return value.length >= 6
  if (isAddress(value) || isNamedAlike(value)) return false
  if (/\s/.test(value)) return quoted === true && (/passphrase$/i.test(name) || isMixed(value.replace(/\s/g, '')))
  if (isMixed(value)) return true
  if (!isWords(value, 0)) return value.length >= 6
  // One plain word: in a configuration file or a command a password, elsewhere a type, a variable or a label.
  return (alone === true || tight === true) && /^[A-Za-z_-]{5,}$/.test(value) && !PLAIN_WORDS.has(value.toLowerCase())
}

/** `password: password2`, `secret: clientSecret`: a variable with such a name. */
function isNamedAlike(value: string): boolean {
  return /(?:password|passwd|pwd|pass|secret|token|credentials?)[0-9]{0,2}$/i.test(value) && isWords(value, 2)
}

function isKey(value: string): boolean {
  return value.length >= 8 && TOKEN.test(value) && hasBoth(value) && !isWords(value, 2) && !isStamp(value)
}

/** Not made of words, and too uneven for a name: whatever is beside it. */
export function isRandom(value: string): boolean {
  if (value.length < 20 || !isKey(value) || /^sha[0-9]+[-:]/.test(value)) return false
  const odd = value.split(/[^A-Za-z0-9]+/).filter((part) => !isWords(part, 2) && !/^[0-9]{1,4}$/.test(part))
  return odd.join('').length >= 16 && entropy(value) >= 3.2
}

/** Letters and digits, or letters around one of the characters that people put into passwords. */
function isMixed(value: string): boolean {
  if (value.length < 6) return false
  return LEET.test(value) || (hasBoth(value) && !isWords(value, 0))
}

function hasBoth(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value)
}

const LEET = /[A-Za-z0-9][@$!#%^*][A-Za-z0-9]/
const TOKEN = /^[A-Za-z0-9_.+/=~:-]+$/
const PLACEHOLDER_WORD = /(?:^|[^a-z])(?:your|example|placeholder|changeme|change|insert|replace|dummy)(?:[^a-z]|$)/i

/** `${API_KEY}`, `$ENV.KEY`, `{{ key }}`, `<your key>`, `%KEY%`, `[SECRET]`, `***`: where the secret would be. */
function isReference(value: string): boolean {
  return REFERENCE.test(value) || MASKED.test(value)
}

const REFERENCE =
  /^(?:\$\{[A-Za-z_][\w.]*(?::?[-=?]?)\}|\$\{\{[^{}]*\}\}|\{\{[^{}]*\}\}|\$[A-Z_][A-Z0-9_.]*|\$\([^()]*\)|<[A-Za-z][\w .-]*>|%[A-Za-z_]+%|(?:[A-Za-z]{1,10} )?\[[A-Z0-9_]+(?:-[0-9]+)?\])$/
const MASKED = /^(?:[*x.•#_-]+|.{0,8}(?:\.\.\.|…|\*\*\*|xxxx).{0,8})$/i

/** `options.password`, `process.env.KEY`, `user1.token`, `"${name}-1"`, `Uint8Array`, `/^x$/`. */
function isCode(value: string): boolean {
  return (
    /\|\||\?\?|=>|::|^!|^\.\.\.|^[$%#@]?[{([<]|\$\{|\$\(|\{\{/.test(value) ||
    /^\/.*\/[a-z]{0,4}$/.test(value) ||
    /^[A-Z][a-z]+[0-9]{1,3}[A-Z][A-Za-z]*(?:\[\])?$|^0x[0-9A-Fa-f]{1,8}$/.test(value) ||
    (/^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*|\[\w*\]?)+$/.test(value) && isWords(value, 2)) ||
    (/^[\w$.?!]+[([]/.test(value) && isWords(value.slice(0, value.search(/[([]/)), 2))
  )
}

function isAddress(value: string): boolean {
  return (
    /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ||
    (/^(?:~|\.{1,2}|[A-Z]:)?[\\/]/.test(value) && isWords(value, 4))
  )
}

/** `"cookie": "^0.7.1"` is a package. */
function isVersion(value: string): boolean {
  return /^[~^]?[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(?:-[a-z]+\.?[0-9]*)?$/.test(value)
}

/** A time, a version, a number with separators. */
function isStamp(value: string): boolean {
  return /^v?[0-9][0-9.:TZ+_-]*$/.test(value)
}

/** Made of words: parts that can be pronounced, with at most that many digits at their end. */
export function isWords(value: string, digits: 0 | 2 | 4): boolean {
  const parts = value.split(PARTS).filter((part) => part !== '')
  const isWord = WITH_DIGITS[digits]
  if (!parts.every((part) => KNOWN_WORDS.has(part.toLowerCase()) || (isWord.test(part) && isPronounceable(part))))
    return false
  const letters = parts.filter((part) => /[A-Za-z]/.test(part))
  return letters.length < 3 || letters.join('').length / letters.length >= 3
}

const PARTS = /[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
const WITH_DIGITS = {
  0: /^[A-Za-z]{1,24}$/,
  2: /^(?:[A-Za-z]{1,24}[0-9]{0,2}|[0-9]{1,2}|v[0-9]+)$/,
  4: /^(?:[A-Za-z]{1,24}[0-9]{0,4}|[0-9]{1,4}|v[0-9]+)$/,
}

function isPronounceable(part: string): boolean {
  const letters = part.replace(/[0-9]+$/, '')
  return letters.length <= 3 || (/[aeiouy]/i.test(letters) && !/[bcdfghjklmnpqrstvwxz]{6}/i.test(letters))
}

const KNOWN_WORDS = new Set(
  (
    'sha1 sha256 sha384 sha512 md5 base64 base32 base58 utf8 utf16 oauth2 argon2 pbkdf2 ed25519 rs256 hs256 es256 x509 ' +
    'http2 i18n k8s s3 ec2 ipv4 ipv6 p256 aes256'
  ).split(' '),
)

/** Words that follow `password:` in code and documents. */
const PLAIN_WORDS = new Set(
  (
    'string number boolean object function unknown never bytes buffer symbol value false undefined required optional ' +
    'disabled enabled hidden username anything whatever something unchanged identity redacted protected encrypted ' +
    'incorrect wrong missing empty forgotten generated configured available unavailable placeholder changeme nullable readonly'
  ).split(' '),
)

/** `auth` of a Docker configuration: user and password in base64. */
function isDockerAuth(name: string, value: string): boolean {
  if (!/(?:^|[^A-Za-z])auth$/i.test(name) || !/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(value)) return false
  return /^[\x21-\x39\x3b-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}

/** Bits per character, from their frequencies. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
