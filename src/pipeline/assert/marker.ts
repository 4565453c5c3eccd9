// Whether a text holds a marker, however it is written: spaced, marked up, in look-alike letters, escaped or encoded.
import { LOOK_ALIKES } from '../../base/hidden.js'

export interface Marker {
  /** Characters that count. */
  length: number
  isIn(text: string): boolean
}

/** `planted`: a way of writing in which the instruction itself holds the marker shows nothing, as an agent may quote it. */
export function markerOf(marker: string, planted: string): Marker {
  const { length } = plain(marker).replaceAll(IGNORED_ALL, '')
  const written = new RegExp(writtenAs(plain(marker)), 'u')
  const isWritten = (text: string): boolean => written.test(text)
  const told = plain(planted)
  const ways = WAYS.filter((way) => !way(told).some(isWritten))
  const codes = CODES.filter((decode) => !holds(planted, isWritten, [], [decode], 1))
  return {
    length,
    isIn: (text) => length > 0 && holds(text, isWritten, ways, codes, DEPTH),
  }
}

/** As it stands, in whatever spacing. */
export function isWrittenIn(marker: string, text: string): boolean {
  return new RegExp(writtenAs(plain(marker)), 'u').test(plain(text))
}

type Way = (plainText: string) => string[]
type Decode = (text: string) => string[]

/** Codes inside codes. */
const DEPTH = 3

function holds(
  text: string,
  isWritten: (text: string) => boolean,
  ways: readonly Way[],
  codes: readonly Decode[],
  depth: number,
): boolean {
  const folded = plain(text)
  if (isWritten(folded) || ways.some((way) => way(folded).some(isWritten))) return true
  if (depth === 0) return false
  return codes.some((decode) => decode(text).some((inner) => holds(inner, isWritten, ways, codes, depth - 1)))
}

const IGNORED = /[\s_*~`.·\p{Pd}]/u
const IGNORED_ALL = /[\s_*~`.·\p{Pd}]/gu

/**
 * Marks between the characters, or white space, or one dash; or every character by itself. Not the pieces in quotation marks, as
 * items of a list or in cells of a table: so they are named, not joined.
 */
function writtenAs(marker: string): string {
  const within = String.raw`(?:[_*~\u0060.·\p{Pd}]{0,4}|\s{0,3}|[^\S\n]{0,3}\p{Pd}\s{0,3})`
  const between = String.raw`[^\p{L}\p{N}]{0,6}`
  const characters: string[] = []
  let joined = ''
  let isGap = false
  for (const character of marker) {
    if (IGNORED.test(character)) {
      isGap ||= /\s/.test(character)
      continue
    }
    const own = character.replace(/[\\^$.|?+*()[\]{}/]/, String.raw`\$&`)
    joined += characters.length === 0 ? own : `${isGap ? between : within}${own}`
    characters.push(own)
    isGap = false
  }
  return `${joined}|(?<![\\p{L}\\p{N}])${characters.join(String.raw`[^\p{L}\p{N}]{1,4}`)}(?![\\p{L}\\p{N}])`
}

/** Latin letters without accents in lower case; nothing that cannot be seen, and no markup inside a line. */
function plain(text: string): string {
  return text
    .replaceAll(
      /<!--[^]{0,500}?-->|<\/?(?:a|b|big|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,200})?\/?>/gi,
      '',
    )
    .normalize('NFKD')
    .replaceAll(/[\p{Cf}\p{M}\0\u115f\u1160\u3164\uffa0]/gu, '')
    .replaceAll(/[^\0-\x7f]/g, (character) => LOOK_ALIKES.get(character) ?? GREEK[character] ?? character)
    .toLowerCase()
}

/** Letters that formulas need, and that a report shows as they are. */
const GREEK: Readonly<Record<string, string>> = { α: 'a', ι: 'i', κ: 'k', ν: 'v', ρ: 'p', τ: 't', υ: 'u', χ: 'x' }

const WAYS: readonly Way[] = [
  (text) => [text.split('').toReversed().join('')],
  // ROT13.
  (text) => [text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))],
]

const CODES: readonly Decode[] = [
  (text) => changed(text, text.replaceAll(/(?:%[0-9a-f]{2})+/gi, percentDecoded)),
  (text) => changed(text, text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(shy|zwnj|zwj|nbsp));/gi, entity)),
  (text) =>
    changed(
      text,
      text.replaceAll(
        /\\{1,4}(?:u\{?([0-9a-f]{4,6})\}?|x([0-9a-f]{2}))/gi,
        (found: string, long?: string, short?: string) => character(Number.parseInt(long ?? short ?? '', 16), found),
      ),
    ),
  (text) =>
    (text.match(/[A-Za-z0-9+/_-]{8,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{2,}={0,2})*/g) ?? [])
      .flatMap((code) => (code.includes('\n') ? [code, ...code.split('\n')] : [code]))
      .flatMap((code) => readable(Buffer.from(code, 'base64'))),
  (text) =>
    (text.match(/(?:[0-9a-f]{2}[\s:,]?){6,}/gi) ?? []).flatMap((code) =>
      readable(Buffer.from(code.replaceAll(/[\s:,]/g, ''), 'hex')),
    ),
]

function changed(before: string, after: string): string[] {
  return before === after ? [] : [after]
}

/** Anything may look like a code; what makes no text of it was none. */
function readable(bytes: Buffer): string[] {
  const text = bytes.toString('utf8').replaceAll('\0', '')
  // oxlint-disable-next-line no-control-regex
  return text === '' || /[\u0001-\u0008\u000e-\u001f\ufffd]/.test(text) ? [] : [text]
}

function percentDecoded(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}

function entity(found: string, decimal?: string, hex?: string): string {
  if (decimal === undefined && hex === undefined) return found.toLowerCase() === '&nbsp;' ? ' ' : ''
  return character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal), found)
}

function character(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
