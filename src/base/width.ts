// How wide text is on a terminal.
import { stripVTControlCharacters } from 'node:util'
import { graphemes } from './graphemes.js'

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

/** The text split where `columns` are full, between characters as people see them. The first part is never empty. */
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
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]*$/u

function isAscii(text: string): boolean {
  return ASCII.test(text)
}

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme) || grapheme.includes('\ufe0f')) return 2
  return NO_WIDTH.test(grapheme) ? 0 : 1
}
