// Where a text holds a secret, by the redactor's own rules. What was found is a place and a kind, never the secret.
import { once } from '../../base/once.js'
import { positionAt } from '../../base/position-at.js'
import { createAnchorScan } from '../../redact/anchors.js'
import { applyRule } from '../../redact/apply-rule.js'
import { SECRET_RULES } from '../../redact/rules.js'
import type { SecretSpot } from '../subject.js'

const scan = once(() => createAnchorScan(SECRET_RULES.map(({ anchors }) => anchors)))

export function secretsIn(text: string, file: string): SecretSpot[] {
  const spots = new Map<number, SecretSpot>()
  for (const owner of scan().find(text) ?? []) {
    const kind = SECRET_RULES[owner]?.id ?? 'secret'
    const values = new Set<string>()
    applyRule(owner, text, (secret) => values.add(secret))
    for (const value of values) {
      const offset = BY_CONTEXT.has(kind) ? offsetInContext(text, value) : text.indexOf(value)
      if (offset < 0 || spots.has(offset) || isSample(value, text.slice(offset + value.length).slice(0, 3))) continue
      spots.set(offset, { file, ...positionAt(text, offset), kind })
    }
  }
  return [...spots.values()].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

/** Recognised by what is beside them rather than by their own format. */
export const BY_CONTEXT: ReadonlySet<string> = new Set([
  'named-value',
  'url-password',
  'url-query',
  'url-key',
  'auth-header',
  'bearer',
  'key-header',
  'cookie',
  'netrc',
])

/**
 * Where the value is assigned, -1 if it is none to report: beside `password` in code and documents there is mostly a
 * variable, a word or a path, and "the token is X" names it more often than it gives it away.
 */
function offsetInContext(text: string, value: string): number {
  const isPath = /^[./]|\/.*\.\w{1,5}$/.test(value)
  if (!/^[^\s"'`]{6,}$/.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value) || isPath) return -1
  // A "key" is mostly the key of a record. What is called a password or a token is taken at its word.
  const assigns = UUID.test(value) ? ASSIGNS_SECRET : ASSIGNS
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (assigns.test(text.slice(Math.max(0, at - 40), at))) return at
  return -1
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

const ASSIGNS_SECRET =
  /(?:secret|token|passw|pwd|api[-_ ]?key|access[-_ ]?key|bearer)[\w-]{0,12}\\?["'`\]]?\s*[:=>]{1,2}\s*\\?["'`]?$/i
/** What is beside `Signature:` proves, and opens nothing. */
const ASSIGNS =
  /(?<!\bsignature)[:=>@/&?]\s*\\?["'`]?$|--?[\w-]+\s+["'`]?$|\b(?:bearer|basic|token|password)\s+["'`]?$/i

/** Written to be seen: it says so, repeats itself, counts up, or is made of the words that people make up passwords of. */
function isSample(value: string, after: string): boolean {
  if (SAMPLE.test(value) || /^(?:\.\.|…)/.test(after)) return true
  if (value.startsWith('-----BEGIN') && !KEY_BODY.test(value)) return true
  if (value.startsWith('eyJ') && SAMPLE_CLAIMS.test(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()))
    return true
  const letters = plainLetters(value)
  const digits = value.replaceAll(/\D/g, '')
  if (letters.includes('abcdefg') || digits.includes('1234567')) return true
  if (letters.length < 60 && MADE_UP.test(letters)) return true
  return new Set(value.replaceAll(/[^A-Za-z0-9]/g, '').slice(-12)).size < 4
}

/** "P@ssw0rd123!" is the word "password". */
function plainLetters(value: string): string {
  const word = value.toLowerCase().replace(/[^a-z]+$/, '')
  return word.replaceAll(/[@013$5]/g, (sign) => LOOKS_LIKE[sign] ?? '').replaceAll(/[^a-z]/g, '')
}

const LOOKS_LIKE: Record<string, string> = { '@': 'a', 0: 'o', 1: 'i', 3: 'e', $: 's', 5: 's' }

/** A header without the key is what text about keys looks for. */
const KEY_BODY = /KEY-----(?:\\n|\s)*[A-Za-z0-9+/=]{30}/

/** The token that every documentation shows, and others written like it. */
const SAMPLE_CLAIMS = /12345|example|john doe|jane doe/i

const SAMPLE =
  /example|sample|placeholder|dummy|fake|change[-_]?me|replace|redacted|your[-_ ]|xxx|\.\.\.|…|12345|abc123|<[^>]*>|\$\{|\{\{/i
const MADE_UP = new RegExp(
  `^(?:test|temp|ing|er|hard|coded|hunter|pass|password|passwd|pwd|secret|secure|strong|weak|admin|root|user|guest|demo|default|welcome|hello|world|my|your|the|some|super|new|old|valid|invalid|wrong|correct|safe|key|token|api|access|auth|here|value|foo|bar|baz|abc|qwerty)+$`,
)
