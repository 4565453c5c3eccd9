// Any value as text, and previews that never break a character. Runs in the browser too.
import { graphemes } from './graphemes.js'
import { escapeControls } from './hidden.js'
import { messageOf } from './message-of.js'

/** What text assertions see: text as it is, an empty string for null, JSON for everything else. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return asJson(value)
}

/** Compact JSON; never throws, so that an odd value can still appear in a message. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return messageOf(value)
  }
}

/** One line of at most `max` characters, control characters escaped. Text is shown without quotes. */
export function preview(value: unknown, max = 200): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'undefined' : asJson(value)
  return clip(escapeControls(text.length > max * 4 ? text.slice(0, max * 4) : text), max)
}

/** As `preview`, with text in quotes: `"5"` and `5` must not look alike in a message. */
export function show(value: unknown, max = 200): string {
  return typeof value === 'string' ? `"${preview(value, max)}"` : preview(value, max)
}

/** One line of at most `max` characters, white space collapsed: for titles and table cells. */
export function oneLine(text: string, max = 200): string {
  // Cut before collapsing: the text may be a megabyte.
  const end = cutAt(text, max * 4)
  const line = text.slice(0, end).replaceAll(/\s+/g, ' ').trim()
  return end < text.length && line.length <= max ? `${line}…` : clip(line, max)
}

/** Keeps a value that is small, and replaces a large one by its preview: result lines must stay readable. */
export function abridged(value: unknown, max = 2000): unknown {
  if (typeof value === 'string') return clip(value, max)
  if (typeof value !== 'object' || value === null) return value
  const text = asJson(value)
  return text.length <= max ? value : clip(text, max)
}

/** The whole value, if `recorded` is its abridged form. */
export function unabridged(recorded: unknown, whole: unknown): unknown {
  if (typeof recorded !== 'string' || !recorded.endsWith('…') || whole === undefined) return recorded
  const text = typeof whole === 'string' ? whole : asJson(whole)
  return text.startsWith(recorded.slice(0, -1)) ? whole : recorded
}

/** At most `max` characters, then `…`. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, cutAt(text, max))}…`
}

/** At most the last `max` characters, with `…` before them. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) return text
  const from = text.length - max
  const { start, end } = tokenAround(text, from)
  return `…${text.slice(start < from && end > from && isKeyLike(text.slice(start, end)) ? end : from)}`
}

/**
 * Where to cut a text to at most `max` characters: an emoji or an accented letter is kept whole or left out. So is a
 * run of letters and digits: half a key is not recognised as one, and would be shown.
 */
export function cutAt(text: string, max: number): number {
  if (text.length <= max) return text.length
  if (text.charCodeAt(max - 1) < 0x80 && text.charCodeAt(max) < 0x80) {
    const { start, end } = tokenAround(text, max)
    return start > 0 && start < max && end > max && isKeyLike(text.slice(start, end)) ? start : max
  }
  // A character is rarely longer than this; a long text need not be scanned from its beginning.
  let from = Math.max(0, max - WINDOW)
  if (isLowSurrogate(text.charCodeAt(from))) from -= 1
  let end = from
  for (const { segment, index } of graphemes().segment(text.slice(from, max + WINDOW))) {
    const next = from + index + segment.length
    if (next > max) break
    end = next
  }
  return end
}

const WINDOW = 64
/** Longer runs are data rather than keys. */
const LONGEST_KEY = 160
const SHORTEST_KEY = 16

/** The run of key-like characters around a position, as far as a key would reach. */
function tokenAround(text: string, at: number): { start: number; end: number } {
  let start = at
  while (start > 0 && at - start <= LONGEST_KEY && isKeyCharacter(text.charCodeAt(start - 1))) start--
  let end = at
  while (end < text.length && end - at <= LONGEST_KEY && isKeyCharacter(text.charCodeAt(end))) end++
  return { start, end }
}

function isKeyLike(token: string): boolean {
  return token.length >= SHORTEST_KEY && token.length <= LONGEST_KEY && /[0-9]/.test(token) && /[A-Za-z]/.test(token)
}

/** Letters, digits and `+-./=_~`. */
function isKeyCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57) ||
    code === 43 ||
    code === 61 ||
    code === 95 ||
    code === 126
  )
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Git, editors and systems change line endings; agents rarely mean them. */
export function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

/** The first names, and how many more there are. */
export function listed(names: string[], most: number): string {
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What cannot be decoded stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
