// Texts as people read them in every report.

/** Strings as they are, everything else as indented JSON, nothing as nothing. */
export function asText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2) ?? ''
}

export const FIELD_LIMIT = 64 * 1024

/** At most `limit` characters, cut between characters, with a notice of what is missing. */
export function clip(text: string, limit = FIELD_LIMIT): string {
  if (text.length <= limit) return text
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit
  const left = (text.length - end).toLocaleString('en-US')
  return `${text.slice(0, end)}\n… (${left} more characters; the event file has the whole text)`
}

/** One line of at most `limit` characters, for headings and tables. */
export function oneLine(text: string, limit = 200): string {
  const line = visible(text.slice(0, limit * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`
}

// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Control characters, direction marks and halves of characters made visible; only newline and tab stay. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, escaped).replaceAll(/[\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
}

function escaped(character: string): string {
  if (character === '\r') return ''
  const code = character.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
