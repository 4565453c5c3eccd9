// The messages in `locales/*.yml` by language, and their use as `{{ key }}`.
import { isRecord } from '../../base/record.js'

/** Language code (`en-us`, and short `en`, `us`) → flat messages (`chat.title`, `chat.prompts.0`). */
export type Locales = Map<string, Messages>
export type Messages = Map<string, string>

const DEFAULT_LOCALE = 'en-us'

/** Adds the short codes; if two languages share one (`en-us`, `en-gb`), the first keeps it. */
export function flattenLocales(locales: Record<string, unknown>): Locales {
  const result: Locales = new Map()
  for (const [name, messages] of Object.entries(locales)) result.set(name.toLowerCase().trim(), flatten(messages))
  for (const [code, messages] of Array.from(result))
    for (const short of code.split('-')) if (!result.has(short)) result.set(short, messages)
  return result
}

/** The messages for a locale over those of the default language, the agent's over the application's. */
export function messagesFor(locale: string, ...sources: Locales[]): Messages {
  const result: Messages = new Map()
  for (const source of sources.toReversed())
    for (const code of [DEFAULT_LOCALE, locale.toLowerCase().trim()])
      for (const [key, text] of source.get(code) ?? source.get(code.split('-')[0] ?? '') ?? []) result.set(key, text)
  return result
}

/** Text that is a key, `{{ key }}`, or contains `{{ key }}`; an unknown key stays as it is. */
export function translate(text: string, messages: Messages): string {
  const whole = messages.get(text.trim())
  if (whole !== undefined) return whole
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (found, key: string) => messages.get(key) ?? found)
}

function flatten(value: unknown, prefix = '', into: Messages = new Map()): Messages {
  if (isRecord(value) || Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) flatten(item, prefix === '' ? key : `${prefix}.${key}`, into)
  } else if (prefix !== '' && value !== null && value !== undefined)
    // oxlint-disable-next-line typescript/no-base-to-string -- neither a record nor a list
    into.set(prefix, String(value))
  return into
}
