// Text for people: any value as text, previews that never break a character, and how wide text is on a terminal.
import { stripVTControlCharacters } from 'node:util'

/** What text assertions see: text as it is, nothing for null, JSON for everything else. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return asJson(value)
}

/** Compact JSON; never throws, so that an odd value can still be named in a message. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
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

/** Keeps a value that is small, and replaces a large one by its preview: result lines must stay readable. */
export function abridged(value: unknown, max = 2000): unknown {
  if (typeof value === 'string') return clip(value, max)
  if (typeof value !== 'object' || value === null) return value
  const text = asJson(value)
  return text.length <= max ? value : clip(text, max)
}

/** Cuts at a character as people see it: an emoji or an accented letter is kept whole or left out. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const head = text.slice(0, max)
  if (isAscii(head) && text.charCodeAt(max) < 0x80) return `${head}…`
  let end = 0
  for (const { segment, index } of graphemes().segment(text.slice(0, max + 64))) {
    if (index + segment.length > max) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}

/** Control, bidirectional and unpaired characters as escapes, so that an answer cannot paint the terminal. */
export function escapeControls(text: string): string {
  return UNSAFE_TEST.test(text) ? text.replace(UNSAFE, escapeOne) : text
}

/** Columns a text takes on a terminal: wide characters count two, combining marks none, colours none. */
export function displayWidth(text: string): number {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text
  if (isAscii(plain)) return plain.length
  let width = 0
  for (const { segment } of graphemes().segment(plain)) width += graphemeWidth(segment)
  return width
}

/** The longest beginning that fits in `columns`, with `…` where something was left out. Takes text without colours. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns <= 1) return columns === 1 ? '…' : ''
  let result = ''
  let width = 0
  for (const { segment } of graphemes().segment(text)) {
    width += graphemeWidth(segment)
    if (width > columns - 1) break
    result += segment
  }
  return `${result}…`
}

/** The text cut in two where `columns` are full, between characters as people see them. The first part is never empty. */
export function splitAtWidth(text: string, columns: number): [string, string] {
  let width = 0
  for (const { segment, index } of graphemes().segment(text)) {
    width += graphemeWidth(segment)
    if (width > columns && index > 0) return [text.slice(0, index), text.slice(index)]
  }
  return [text, '']
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu
const UNSAFE_TEST = new RegExp(UNSAFE.source, 'u')
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]*$/u

let segmenter: Intl.Segmenter | undefined

function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter
}

function isAscii(text: string): boolean {
  return ASCII.test(text)
}

function escapeOne(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme) || grapheme.includes('\ufe0f')) return 2
  return NO_WIDTH.test(grapheme) ? 0 : 1
}
