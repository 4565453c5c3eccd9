// Characters that hide, reorder or overwrite text, spelled out: what an agent says can neither paint a terminal nor
// pass for something else in a report.

/** For text of several lines: newline and tab stay, a carriage return before a newline goes. */
export function visible(text: string): string {
  const lines = withNewlines(text)
  return HIDDEN.test(lines) ? lines.replace(HIDDEN_ALL, spell) : lines
}

/** For one line: newline, tab and carriage return are spelled out too. */
export function escapeControls(text: string): string {
  return UNSAFE.test(text) ? text.replace(UNSAFE_ALL, spell) : text
}

export function hasHidden(text: string): boolean {
  return HIDDEN.test(withNewlines(text))
}

export interface Segment {
  text: string
  hidden: boolean
}

/** What `visible` gives, in pieces, so that what was spelled out can be marked. */
export function segments(text: string): Segment[] {
  const lines = withNewlines(text)
  const parts: Segment[] = []
  let from = 0
  for (const match of lines.matchAll(HIDDEN_ALL)) {
    if (match.index > from) parts.push({ text: lines.slice(from, match.index), hidden: false })
    parts.push({ text: spell(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < lines.length) parts.push({ text: lines.slice(from), hidden: false })
  return parts
}

// Bidirectional, zero-width and tag characters, halves of characters and what is none. Zero-width joiners stay: emoji
// and several scripts need them.
const CLASS = String.raw`[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]`
const HIDDEN = new RegExp(String.raw`(?![\t\n])\p{Cc}|${CLASS}`, 'u')
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu')
const UNSAFE = new RegExp(String.raw`\p{Cc}|${CLASS}`, 'u')
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'gu')
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function withNewlines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return SHORT[character] ?? (code < 256 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`)
}
