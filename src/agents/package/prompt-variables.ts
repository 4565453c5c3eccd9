// Fills the variables of a prompt: `$SYS.*`, `$ENV.*`, `$CTX.*` and `{{ name }}`, all in one pass.
import type { AgentContext } from '../../model/agent.js'
import { isRecord, ownValue } from '../../base/record.js'
import type { Messages } from './locales.js'

/** A moment as prompts state it. */
export interface PromptTime {
  now: Date
  /** The wall-clock time at that moment and place (`2026-03-01T09:30:00`); absent: as here. */
  wall?: string
  timezone?: string
}

export interface PromptVariables extends PromptTime {
  /** `$SYS.*` stay as they are: the result is the same at any time. */
  timeless?: true
  env: Record<string, string | undefined>
  /** `$CTX.*`; without it they are left alone. */
  context?: Record<string, string>
  metadata?: Record<string, unknown>
  messages?: Messages
}

const VARIABLE = /(?:\{\{\s*)?\$(SYS|ENV|CTX)\.([A-Za-z_][A-Za-z0-9_]*)(?:\s*\}\})?|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** Filled-in values are not expanded again: a user's metadata cannot read the environment. */
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

/** Whether it may contain the time. `$CTX.TIME` is the time, too, if the context has none of its own. */
export function mayTellTime(text: string): boolean {
  return /\$(?:SYS|CTX)\./.test(text)
}

export function hasVariables(text: string): boolean {
  return text.includes('$') || text.includes('{{')
}

/** `$CTX.*`: who is asking, and any simple values in the metadata. */
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
const dateOf = (wall: Date): string => wall.toISOString().slice(0, 10)
const timeOf = (wall: Date): string => wall.toISOString().slice(11, 19)

/** `$SYS.*`. `wall` shows the local time of day when read as UTC: no hour is skipped when clocks go forward. */
const SYSTEM: Record<string, (wall: Date, time: PromptTime) => string> = {
  TIME: timeOf,
  DATE: dateOf,
  DATETIME: (wall) => `${dateOf(wall)} ${timeOf(wall)}`,
  TIMEZONE: (_, { timezone }) => timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  WEEKDAY: (wall) => WEEKDAYS[wall.getUTCDay()] ?? '',
  YEAR: (wall) => String(wall.getUTCFullYear()),
  MONTH: (wall) => two(wall.getUTCMonth() + 1),
  DAY: (wall) => two(wall.getUTCDate()),
  HOUR: (wall) => two(wall.getUTCHours()),
  MINUTE: (wall) => two(wall.getUTCMinutes()),
  SECOND: (wall) => two(wall.getUTCSeconds()),
  UNIX: (_, { now }) => String(Math.floor(now.getTime() / 1000)),
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function valueOf(kind: string | undefined, name: string, variables: PromptVariables): string | undefined {
  if (kind === 'SYS') return systemVariable(name, variables)
  if (kind === 'ENV') return ownValue(variables.env, name) ?? ''
  if (!variables.context) return undefined
  const upper = name.toUpperCase()
  return (
    ownValue(variables.context, name) ?? ownValue(variables.context, upper) ?? systemVariable(upper, variables) ?? ''
  )
}

function systemVariable(name: string, time: PromptVariables): string | undefined {
  if (!Object.hasOwn(SYSTEM, name)) return undefined
  if (time.timeless) return `$SYS.${name}`
  const { now, wall } = time
  const shown = wall === undefined ? now.getTime() - now.getTimezoneOffset() * 60_000 : Date.parse(`${wall}Z`)
  return SYSTEM[name]?.(new Date(shown), time)
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

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
