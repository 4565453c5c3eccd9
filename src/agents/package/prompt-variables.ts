// Fills the variables of a prompt: `$SYS.*`, `$ENV.*`, `$CTX.*` and `{{ name }}`, all in one pass.
import type { AgentContext } from '../../model/agent.js'
import { isRecord } from '../../base/record.js'
import type { Messages } from './locales.js'

export interface PromptVariables {
  /** The one clock of the run. */
  now: Date
  env: Record<string, string | undefined>
  /** `$CTX.*`; without it they are left alone. */
  context?: Record<string, string>
  metadata?: Record<string, unknown>
  messages?: Messages
}

const VARIABLE = /(?:\{\{\s*)?\$(SYS|ENV|CTX)\.([A-Za-z_][A-Za-z0-9_]*)(?:\s*\}\})?|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** What was filled in is not looked at again: a user's metadata cannot read the environment. */
export function fillVariables(text: string, variables: PromptVariables): string {
  if (!hasVariables(text)) return text
  return text.replaceAll(
    VARIABLE,
    (found, kind: string | undefined, name: string | undefined, key: string | undefined) => {
      if (key !== undefined) return fromMetadata(key, variables.metadata) ?? variables.messages?.get(key) ?? found
      if (name === undefined) return found
      const braced = found.startsWith('{{')
      if (braced !== found.endsWith('}}'))
        return found.replace(`$${kind}.${name}`, () => valueOf(kind, name, variables) ?? `$${kind}.${name}`)
      return valueOf(kind, name, variables) ?? found
    },
  )
}

export function hasVariables(text: string): boolean {
  return text.includes('$') || text.includes('{{')
}

/** `$CTX.*`: who asks, and whatever simple values the metadata holds. */
export function contextVariables(context: AgentContext): Record<string, string> {
  const { authorized, client, metadata } = context
  const known: Record<string, unknown> = {
    ASSISTANT_ID: context.assistant_id,
    CHAT_ID: context.chat_id,
    LOCALE: context.locale,
    THEME: context.theme,
    ROUTE: context.route,
    REFERER: context.referer,
    ACCEPT: context.accept,
    CLIENT_TYPE: client.type,
    CLIENT_IP: client.ip,
    USER_ID: authorized.user_id,
    TEAM_ID: authorized.team_id,
    TENANT_ID: authorized.tenant_id,
  }
  const result: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(known), ...Object.entries(metadata)])
    if (isSimple(value) && name !== '__proto__') result[name] = String(value)
  return result
}

const two = (value: number): string => String(value).padStart(2, '0')
const dateOf = (now: Date): string => `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
const timeOf = (now: Date): string => `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`

/** `$SYS.*`, in local time. */
const SYSTEM: Record<string, (now: Date) => string> = {
  TIME: timeOf,
  DATE: dateOf,
  DATETIME: (now) => `${dateOf(now)} ${timeOf(now)}`,
  TIMEZONE: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  WEEKDAY: (now) => WEEKDAYS[now.getDay()] ?? '',
  YEAR: (now) => String(now.getFullYear()),
  MONTH: (now) => two(now.getMonth() + 1),
  DAY: (now) => two(now.getDate()),
  HOUR: (now) => two(now.getHours()),
  MINUTE: (now) => two(now.getMinutes()),
  SECOND: (now) => two(now.getSeconds()),
  UNIX: (now) => String(Math.floor(now.getTime() / 1000)),
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function valueOf(kind: string | undefined, name: string, variables: PromptVariables): string | undefined {
  if (kind === 'SYS') return systemVariable(name, variables.now)
  if (kind === 'ENV') return own(variables.env, name) ?? ''
  if (!variables.context) return undefined
  const upper = name.toUpperCase()
  return own(variables.context, name) ?? own(variables.context, upper) ?? systemVariable(upper, variables.now) ?? ''
}

function systemVariable(name: string, now: Date): string | undefined {
  return Object.hasOwn(SYSTEM, name) ? SYSTEM[name]?.(now) : undefined
}

function fromMetadata(key: string, metadata: Record<string, unknown> | undefined): string | undefined {
  let value: unknown = metadata
  for (const step of key.split('.')) {
    if (!(isRecord(value) || Array.isArray(value)) || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  if (value === undefined || value === null) return undefined
  return isSimple(value) ? String(value) : JSON.stringify(value)
}

function own(record: Record<string, string | undefined>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
