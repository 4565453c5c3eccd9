// `$ENV.NAME` in connector files, headers and addresses. A missing variable is an error that names it, never an empty key.
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { isLikelySecret } from '../redact/likely-secret.js'

export type EnvValues = Record<string, string | undefined>

/** At any depth; whole, or inside other text. */
export function expandEnv(value: unknown, env: EnvValues, where: string): unknown {
  if (typeof value === 'string') return expandText(value, env, where)
  if (Array.isArray(value)) return value.map((item) => expandEnv(item, env, where))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, where)]))
}

/** Blanks around a variable that is all there is are a slip. */
export function expandText(text: string, env: EnvValues, where: string): string {
  const trimmed = text.trim()
  const isWhole = /^\$ENV\.\w+$/.test(trimmed)
  return (isWhole ? trimmed : text).replaceAll(VARIABLE, (_, name: string) => requireVariable(name, env, where))
}

const VARIABLE = /\$ENV\.([A-Za-z_][A-Za-z0-9_]*)/g

/** With nothing in the place of a variable that is not set: whoever needs it reports that. */
export function fillKnown(text: string, env: EnvValues): string {
  return text.replaceAll(VARIABLE, (_, name: string) => env[name] ?? '')
}

/** The variables that a text names. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

export function expandHeaders(headers: Record<string, string>, env: EnvValues, where: string): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    result[name.toLowerCase()] = expandText(value, env, `header ${name} of ${where}`)
  }
  return result
}

/** A key as the value of the header `authorization`. `where`: what needs it. */
export function bearer(key: string, env: EnvValues, where: string): string {
  const token = expandText(key, env, where)
    .trim()
    .replace(/^bearer\s+/i, '')
  if (/^[\x21-\x7e]+$/.test(token)) return `Bearer ${token}`
  throw new UserError({
    code: 'BAD_KEY',
    message: `the key that ${where} needs has characters that cannot be sent in a header`,
    hint: 'a key has no spaces or line breaks',
  })
}

function requireVariable(name: string, env: EnvValues, where: string): string {
  const value = env[name]
  if (value !== undefined && value.trim() !== '') return value
  // Someone may have given the key itself.
  const isKey = isLikelySecret('api_key', name, {})
  throw new UserError({
    code: 'MISSING_VARIABLE',
    message: `the environment variable ${isKey ? 'of that name' : name} is ${value === undefined ? 'not set' : 'empty'}; ${where} needs it`,
    hint: isKey ? 'give the name of a variable, not the key itself' : `set it before the run: export ${name}=…`,
  })
}
