// The secrets we know by value: from the environment and from connectors, in every spelling they may turn up in.
import { endsInSecretWord, isSecretVariable } from './secret-names.js'

/** Shorter values (`1`, `true`, `test`) are part of too much else: hiding them would hide evidence. */
const MIN_LENGTH = 8
const MIN_KEY = 4

/** Values that are words people write; hiding them would hide evidence and protect nothing. */
const COMMON = new Set(
  (
    'password passwords changeme undefined disabled required optional localhost production development anonymous ' +
    'username testtest example1 password1 passw0rd 12345678 123456789 1234567890 administrator enabled-by-default ' +
    'postgres basic-auth bearer-token test-token test-key test-secret test-password dummy-key fake-key not-needed'
  ).split(' '),
)

/** Every secret value with its spellings, longest first. */
export function listExactValues(
  env: Record<string, string | undefined>,
  extra: readonly string[],
  keys: readonly string[] = [],
): string[] {
  const spellings = new Set<string>()
  for (const value of [...secretValues(env), ...extra])
    if (value.trim().length >= MIN_LENGTH && !isCommon(value)) addSpellings(value.trim(), spellings)
  for (const key of keys) if (isKey(key.trim())) addSpellings(key.trim(), spellings)
  return [...spellings].toSorted((a, b) => b.length - a.length)
}

/** Of the variables whose names say that they are secret. */
export function secretValues(env: Record<string, string | undefined>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretVariable(name) && !isCount(name, value) ? [value] : [],
  )
}

/** `TOKEN_BUDGET=200000000` is a number, `DB_PASSWORD=20000000` is a password. */
function isCount(name: string, value: string): boolean {
  return /^[0-9.]+$/.test(value) && !endsInSecretWord(name)
}

/** Said to be a key: a short one counts too, unless it is a word or a number, as local servers take them (`ollama`). */
function isKey(value: string): boolean {
  if (/^[A-Za-z]+$|^[0-9]+$/.test(value)) return value.length >= MIN_LENGTH && !isCommon(value)
  return value.length >= MIN_KEY
}

function isCommon(value: string): boolean {
  return COMMON.has(value.trim().toLowerCase())
}

function addSpellings(value: string, into: Set<string>): void {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16) : []
  for (const text of [value, ...lines]) {
    into.add(text)
    const escaped = JSON.stringify(text).slice(1, -1)
    into.add(escaped)
    into.add(JSON.stringify(escaped).slice(1, -1))
    for (const url of urlSpellings(text)) into.add(url)
    for (const base64 of base64Spellings(text)) into.add(base64)
    for (const entities of entitySpellings(text)) into.add(entities)
    const hex = Buffer.from(text).toString('hex')
    into.add(hex)
    into.add(hex.toUpperCase())
    // In single quotes, as shells want it.
    into.add(text.replaceAll("'", String.raw`'\''`))
  }
}

function urlSpellings(text: string): string[] {
  const url = encodeURIComponent(Buffer.from(text).toString())
  const strict = url.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return [url, strict].flatMap((one) => [
    one,
    one.replace(/%20/g, '+'),
    one.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    encodeURIComponent(one),
  ])
}

/** As HTML and XML write it. */
function entitySpellings(text: string): string[] {
  const spell = (quote: string, apostrophe: string): string =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', quote)
      .replaceAll("'", apostrophe)
  return ['"', '&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&#39;', '&#x27;', '&apos;'].map((apostrophe) => spell(quote, apostrophe)),
  )
}

/** The value alone, and the part of it that does not change inside a longer encoded text, for each of three offsets. */
function base64Spellings(text: string): string[] {
  const result: string[] = []
  for (const encoding of ['base64', 'base64url'] as const) {
    const whole = Buffer.from(text).toString(encoding)
    result.push(whole, whole.replace(/=+$/, ''))
    for (const offset of [0, 1, 2]) {
      const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      const end = Math.floor(shifted.length / 3) * 4
      const inner = shifted.toString(encoding).slice(offset === 0 ? 0 : 4, end)
      if (inner.length >= MIN_LENGTH) result.push(inner)
    }
  }
  return result
}
