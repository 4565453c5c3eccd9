// `$ENV.NAME` in connector files and headers. A missing variable is an error that names it, never an empty key.
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'

export type EnvValues = Record<string, string | undefined>

/** `$ENV.NAME` as a whole value, at any depth. */
export function expandEnv(value: unknown, env: EnvValues, where: string): unknown {
  if (typeof value === 'string') {
    const name = /^\$ENV\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(value.trim())?.[1]
    return name === undefined ? value : requireVariable(name, env, where)
  }
  if (Array.isArray(value)) return value.map((item) => expandEnv(item, env, where))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, where)]))
}

/** Headers may contain it inside other text: `Bearer $ENV.TOKEN`. */
export function expandHeaders(headers: Record<string, string>, env: EnvValues, where: string): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    result[name.toLowerCase()] = value.replaceAll(/\$ENV\.([A-Za-z_][A-Za-z0-9_]*)/g, (_, variable: string) =>
      requireVariable(variable, env, `header ${name} of ${where}`),
    )
  }
  return result
}

function requireVariable(name: string, env: EnvValues, where: string): string {
  const value = env[name]
  if (value !== undefined && value.trim() !== '') return value
  throw new UserError({
    code: 'MISSING_VARIABLE',
    message: `the environment variable ${name} is ${value === undefined ? 'not set' : 'empty'}; ${where} needs it`,
    hint: `set it before the run: export ${name}=…`,
  })
}
