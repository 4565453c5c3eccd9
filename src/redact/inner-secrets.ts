// Secrets inside the value of a variable: a connection string, a list of headers, options of a program, JSON.
import { isRecord } from '../base/record.js'
import { isLikelySecret, isRandom } from './likely-secret.js'

export interface InnerSecret {
  value: string
  /** What stands beside it says what it is; otherwise it looks random. */
  isNamed: boolean
}

export function innerSecrets(value: string): InnerSecret[] {
  return [...fieldsOf(value), ...pairsOf(value)].flatMap(([name, text, writing]): InnerSecret[] => {
    if (isLikelySecret(name, text, writing)) return [{ value: text, isNamed: true }]
    return isRandom(text) && !isIdentifier(text) ? [{ value: text, isNamed: false }] : []
  })
}

type Pair = [name: string, text: string, writing: { field?: boolean; tight?: boolean }]

/** `Password=…;`, `api-key=…,`, `-Dpassword=…`, `x-api-key: …`, `Authorization=Bearer%20…`. */
function pairsOf(value: string): Pair[] {
  return [...value.matchAll(PAIR)].map(([, name = '', text = '']) => [name, text.replace(SCHEME, ''), { tight: true }])
}

const PAIR = /([A-Za-z][\w.-]*)(?:=|: ?)["']?((?:(?:Bearer|Basic|Token)(?:%20| ))?[^\s;,|&"'{}[\]]+)/gi
const SCHEME = /^(?:Bearer|Basic|Token)(?:%20| )/i

function fieldsOf(value: string): Pair[] {
  if (!/^\s*[[{]/.test(value)) return []
  try {
    return fieldsIn(JSON.parse(value))
  } catch {
    return []
  }
}

function fieldsIn(value: unknown, name = ''): Pair[] {
  if (typeof value === 'string') return [[name, value, { field: true }]]
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, name))
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => fieldsIn(item, key)) : []
}

/** A commit, a digest, a UUID, a path or an address. */
function isIdentifier(text: string): boolean {
  return /^[0-9a-f-]+$/i.test(text) || text.includes('://') || /^[~.]?\//.test(text)
}
