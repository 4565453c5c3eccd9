// Makes characters visible that would hide or reorder text: controls, bidirectional overrides, zero-width and tag characters.

// Zero-width joiners stay: emoji and several scripts need them.
const HIDDEN =
  /(?![\t\n\r])\p{Cc}|\r(?!\n)|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu')

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text)
}

/** Plain text in which every hidden character is spelled out, for attributes and one-line places. */
export function visible(text: string): string {
  return hasHidden(text) ? text.replace(HIDDEN_ALL, spell) : text
}

export interface Segment {
  text: string
  hidden: boolean
}

/** The same, in pieces, so that what was spelled out can be marked. */
export function segments(text: string): Segment[] {
  const parts: Segment[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN_ALL)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false })
    parts.push({ text: spell(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false })
  return parts
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code === 13) return '\\r'
  if (code === 27) return '\\e'
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}
