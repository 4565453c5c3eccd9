// Texts as people read them in every report.
import { formatCount } from '../../base/format.js'
import { visible } from '../../base/hidden.js'
import { cutAt, oneLine } from '../../base/text.js'

/** Strings as they are, everything else as indented JSON, nothing as an empty string. */
export function indented(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2) ?? ''
}

export const FIELD_LIMIT = 64 * 1024

/** At most `limit` characters of a field, with a note about what is missing. */
export function clipField(text: string, limit = FIELD_LIMIT): string {
  const end = cutAt(text, limit)
  if (end === text.length) return text
  return `${text.slice(0, end)}\n… (${formatCount(text.length - end)} more characters; the event file has the whole text)`
}

/** One line for headings and tables, hidden characters spelled out. */
export function heading(text: string, limit = 200): string {
  return oneLine(visible(text.slice(0, cutAt(text, limit * 4 + 1))), limit)
}
