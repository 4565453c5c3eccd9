// Characters that hide, reorder or overwrite text, spelled out: what an agent says can neither paint a terminal nor
// pass for something else in a report.

/** For text of several lines: newline and tab stay, a carriage return before a newline goes. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  const lines = withNewlines(text)
  const { HIDDEN, HIDDEN_ALL } = patterns()
  return mayHide(lines, HIDDEN) ? joined(pieces(lines, HIDDEN_ALL)) : lines
}

/** As `visible`, but colours pass: no one is deceived by them. */
export function visibleInColor(text: string): string {
  if (PLAIN.test(text)) return text
  return withNewlines(text)
    .split(COLOR)
    .map((part, index) => (index % 2 === 0 ? visible(part) : part))
    .join('')
}

/** In JSON, where such characters can only be in strings: it stays JSON. */
export function visibleJson(json: string): string {
  if (PLAIN.test(json)) return json
  return json.replaceAll(patterns().HIDDEN_ALL, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** For one line: newline, tab and carriage return are spelled out too. */
export function escapeControls(text: string): string {
  if (PLAIN_LINE.test(text)) return text
  const { UNSAFE, UNSAFE_ALL } = patterns()
  return mayHide(text, UNSAFE) ? joined(pieces(text, UNSAFE_ALL)) : text
}

export function hasHidden(text: string): boolean {
  if (PLAIN.test(text)) return false
  const lines = withNewlines(text)
  const { HIDDEN, HIDDEN_ALL } = patterns()
  return mayHide(lines, HIDDEN) && pieces(lines, HIDDEN_ALL).some((piece) => piece.hidden)
}

export interface Segment {
  text: string
  hidden: boolean
}

/** The result of `visible` in pieces, so that what was spelled out can be marked. */
export function segments(text: string): Segment[] {
  return pieces(withNewlines(text), patterns().HIDDEN_ALL)
}

function mayHide(text: string, pattern: RegExp): boolean {
  return pattern.test(text) || patterns().LOOK_ALIKE.test(text)
}

function joined(parts: Segment[]): string {
  return parts.map((part) => part.text).join('')
}

function pieces(text: string, pattern: RegExp): Segment[] {
  return cut(text, pattern, () => true).flatMap((piece) =>
    piece.hidden || !patterns().LOOK_ALIKE.test(piece.text) ? [piece] : lookAlikes(piece.text),
  )
}

function cut(text: string, pattern: RegExp, isHidden: (match: RegExpExecArray) => boolean): Segment[] {
  const parts: Segment[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    if (!isHidden(match)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false })
    parts.push({ text: spell(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false })
  return parts
}

/** Letters of another alphabet that pass for Latin ones, in a word that is otherwise Latin: `p\u{430}ssed`. */
function lookAlikes(text: string): Segment[] {
  const { WORD, LOOK_ALIKE_ALL } = patterns()
  const disguised = new Set<number>()
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isDisguised(word)) continue
    for (const match of word.matchAll(LOOK_ALIKE_ALL)) disguised.add(index + match.index)
  }
  return cut(text, LOOK_ALIKE_ALL, ({ index }) => disguised.has(index))
}

/** Not `Δx` or `Wi-Fi-сеть`: every letter that is not Latin looks as if it were, and most are Latin. */
function isDisguised(word: string): boolean {
  const { LATIN, LETTER, LOOK_ALIKE_ALL } = patterns()
  const latin = word.match(LATIN)?.length ?? 0
  const alike = word.match(LOOK_ALIKE_ALL)?.length ?? 0
  return alike > 0 && latin >= 2 && latin >= alike && latin + alike === (word.match(LETTER)?.length ?? 0)
}

// Cyrillic, and the Greek letters that no formula needs. What is spelled out already is not part of a word.
const ALIKE = 'аеосрхуіјѕһԁԛԝүАВЕКМНОРСТУХІЈЅҮԌοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
const LATIN_OF = 'aeocpxyijshdqwyABEKMHOPCTYXIJSYGoABEZHIKMNOPTYX'

/** The Latin letter that each looks like. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  ALIKE.split('').map((letter, index) => [letter, LATIN_OF.charAt(index)]),
)

// Bidirectional, zero-width, blank and tag characters, lone surrogates and noncharacters. Zero-width joiners stay where
// emoji and several scripts need them, which is never beside ASCII.
const CLASS =
  String.raw`[\p{Cs}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]` +
  String.raw`|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])`
// Bold, colours and their ends; nothing that conceals, blinks or moves.
const HUE = '[0-4]|7|2[2-9]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;[0-9]{1,3}|[34]8;2(?:;[0-9]{1,3}){3}'
// oxlint-disable-next-line no-control-regex
const COLOR = new RegExp(String.raw`(\x1b\[(?:(?:${HUE})(?:;(?:${HUE}))*)?m)`)
/** ASCII with nothing to hide, as most text is. */
const PLAIN_LINE = /^[ -~]*$/
const PLAIN = /^[\t\n -~]*$/

// Compiling the Unicode classes takes longer than many a command: only for text that is not plain.
const compilePatterns = () => {
  const LOOK_ALIKE = new RegExp(`[${ALIKE}]`, 'u')
  const HIDDEN = new RegExp(String.raw`(?![\t\n])\p{Cc}|${CLASS}`, 'u')
  const UNSAFE = new RegExp(String.raw`\p{Cc}|${CLASS}`, 'u')
  return {
    LOOK_ALIKE,
    LOOK_ALIKE_ALL: new RegExp(LOOK_ALIKE.source, 'gu'),
    WORD: /\\(?:[nrt]|x[0-9a-f]{2}|u\{[0-9a-f]+\})|[\p{L}\p{M}]+/gu,
    LATIN: /\p{Script=Latin}/gu,
    LETTER: /\p{L}/gu,
    HIDDEN,
    HIDDEN_ALL: new RegExp(HIDDEN.source, 'gu'),
    UNSAFE,
    UNSAFE_ALL: new RegExp(UNSAFE.source, 'gu'),
  }
}
let compiled: ReturnType<typeof compilePatterns> | undefined
const patterns = () => (compiled ??= compilePatterns())

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function withNewlines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return SHORT[character] ?? (code < 256 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`)
}
