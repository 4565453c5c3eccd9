// Values that a name beside them gives away: `db_password=…`, `client_secret: …`, `"apiKey": "…"`, `--token …`, "the key is …".
import { isLikelySecret, type Writing } from './likely-secret.js'
import { NAME_WORDS } from './secret-names.js'

/** Replaces such values with `[SECRET]`. `text` is not JSON: there each string is examined on its own. */
export function redactNamedValues(text: string, tell: (secret: string) => void = () => {}): string {
  let result = ''
  let from = 0
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const name = nameAround(text, match.index, WORD.lastIndex)
    WORD.lastIndex = name.end
    const hide = (start: number, end: number): void => {
      tell(text.slice(start, end))
      result += `${text.slice(from, start)}[SECRET]`
      from = end
      WORD.lastIndex = end
    }
    const compared = comparedValues(text, name)
    if (compared) {
      for (const { start, end } of compared) hide(start, end)
      continue
    }
    const found = valueAfter(text, name)
    if (!found || !isLikelySecret(name.text, found.value, found.writing)) continue
    hide(found.start, found.end())
    for (let item = nextItem(text, name, found, from); item; item = nextItem(text, name, found, from))
      hide(item.start, item.end())
  }
  return from === 0 ? text : result + text.slice(from)
}

const WORD = new RegExp(NAME_WORDS, 'gi')
const LONGEST_NAME = 60
// Enough to judge a value by; a secret is hidden to its end, however long it is.
const LONGEST_JUDGED = 200

interface Name {
  text: string
  start: number
  end: number
}

interface Found {
  /** `"`, or `\"` for JSON inside JSON. */
  quote?: string
  /** It is the first of a list. */
  listed?: boolean
  /** What the judgement is based on. */
  value: string
  start: number
  end(): number
  writing: Writing
}

function nameAround(text: string, start: number, end: number): Name {
  let from = start
  while (from > 0 && start - from < LONGEST_NAME && isNameCharacter(text.charCodeAt(from - 1))) from -= 1
  // The `n` of a spelled-out line break is not part of it.
  if (from < start && text[from - 1] === '\\' && 'nrt'.includes(text[from] ?? '')) from += 1
  let to = end
  while (to - end < LONGEST_NAME && /[\w-]/.test(text[to] ?? '')) to += 1
  // In prose it may be two words: "API key".
  const two = text[from - 1] === ' ' ? TWO_WORDS.exec(text.slice(Math.max(0, from - 10), from))?.[0] : undefined
  from -= two?.length ?? 0
  return { text: text.slice(from, to), start: from, end: to }
}

const TWO_WORDS = /(?<![\w-])(?:api|access|secret|private|auth|client) $/i

/** Letters, digits, `_`, `$`, `.` and `-`. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36
  )
}

// A name in quotes ends with them; `is` is for prose, a blank alone for flags.
const ASSIGNED =
  /\\{0,15}(?:["'`]\]?)?[?!]?[ \t]{0,40}(?::=|=>|=(?![=>~])|:(?![:=]))\s{0,80}(?:\[\s{0,80}(?=\\{0,15}["'`]))?/y
const IN_PROSE = /["'`]?[ \t]{1,9}(?:is|was|will be|set to)[ \t]{0,9}:?[ \t]{1,9}/iy
const IN_ELEMENT = />(?=[^<>\s])/y
const BLANK = /[ \t]{1,9}(?=[^\s-])/y

/** As assertions write: `$.db.password: expected "…", got "…"`. */
const COMPARED = /[^\n":]{0,60}: expected "([^"\n]{0,400})", got "([^"\n]{0,400})"/dy

function comparedValues(text: string, name: Name): Array<{ start: number; end: number }> | undefined {
  COMPARED.lastIndex = name.end
  const match = COMPARED.exec(text)
  if (!match) return undefined
  const field = name.text.slice(name.text.lastIndexOf('.') + 1)
  return (match.indices ?? [])
    .slice(1)
    .map(([start, end] = [0, 0]) => ({ start, end }))
    .filter(({ start, end }) => isLikelySecret(field, text.slice(start, end), { field: true, quoted: true }))
}

function valueAfter(text: string, name: Name): Found | undefined {
  const separator = separatorAt(text, name)
  if (!separator) return undefined
  const { start, prose } = separator
  const between = text.slice(name.end, start)
  const tight = between.includes('=') && !/\s/.test(between)
  const quote = quoteAt(text, start)
  if (quote !== undefined) {
    const found = quotedValue(text, name, start, quote, { tight, prose, field: between.includes(':') })
    return { ...found, quote, listed: between.trimEnd().endsWith('[') }
  }
  // An unquoted name has its value on the same line.
  return between.includes('\n') ? undefined : bareValue(text, name, start, { tight, prose })
}

/** `["a", "b"]`: what holds for the first holds for all. */
function nextItem(text: string, name: Name, { quote, listed, writing }: Found, end: number): Found | undefined {
  if (!listed || quote === undefined || !text.startsWith(quote, end)) return undefined
  NEXT_ITEM.lastIndex = end + quote.length
  if (!NEXT_ITEM.test(text) || quoteAt(text, NEXT_ITEM.lastIndex) !== quote) return undefined
  return quotedValue(text, name, NEXT_ITEM.lastIndex, quote, writing)
}

const NEXT_ITEM = /\s{0,80},\s{0,80}/y

function quotedValue(text: string, name: Name, at: number, quote: string, writing: Writing): Found {
  const start = at + quote.length
  const { end, closed } = endOfQuoted(text, start, quote, LONGEST_JUDGED)
  const isKey = quote.endsWith('"') && text.startsWith(quote, name.start - quote.length)
  return {
    value: text.slice(start, end),
    start,
    end: () => (end - start < LONGEST_JUDGED ? end : endOfQuoted(text, start, quote, text.length).end),
    writing: {
      ...writing,
      quoted: true,
      field: writing.field === true && isKey,
      alone: closed && !writing.prose && isAlone(text, end + quote.length, lineEndFor(text, name)),
    },
  }
}

function bareValue(text: string, name: Name, start: number, writing: Writing): Found | undefined {
  const token = /^(?:[^\s\\]|\\(?![nrt"]))*/.exec(text.slice(start, start + LONGEST_JUDGED))?.[0] ?? ''
  const inQuotes = /^[^"'`<>]*/.exec(token)?.[0] ?? ''
  const lineEnd = writing.prose ? undefined : lineEndFor(text, name)
  const whole = lineEnd === LINE_END ? token : inQuotes
  const alone = isAlone(text, start + whole.length, lineEnd)
  const first = firstOf(alone ? whole : inQuotes)
  // Whatever ends a sentence, a list or a call is not part of it.
  const value = first.replace(/[.,;:)\]}\\…]+$/, '')
  const end = start + (alone ? first.replace(/[,;]$/, '') : value).length
  if (text[end] === '(' && /^[\w$.?!]+$/.test(value)) return undefined
  return {
    value,
    start,
    end: () => (token.length < LONGEST_JUDGED ? end : endOfToken(text, end)),
    // Arguments and code end like that; a command or a configuration file does not.
    writing: {
      tight: writing.tight === true && !/[,;)\]}]$/.test(first),
      alone: alone && !/[,;]$/.test(whole),
      prose: writing.prose === true,
    },
  }
}

function separatorAt(text: string, name: Name): { start: number; prose: boolean } | undefined {
  const isFlag = /^--?[a-zA-Z]/.test(name.text)
  for (const pattern of isFlag ? [ASSIGNED, BLANK] : [ASSIGNED, IN_PROSE, IN_ELEMENT]) {
    pattern.lastIndex = name.end
    if (pattern.test(text)) return { start: pattern.lastIndex, prose: pattern === IN_PROSE }
  }
  return undefined
}

function quoteAt(text: string, at: number): string | undefined {
  return /^\\{0,15}["'`]/.exec(text.slice(at, at + 16))?.[0]
}

/** `a=1&b=2` and `a=1;b=2` are two values. */
function firstOf(token: string): string {
  const end = token.search(/[&,;](?=[\w.-]+[=:])|&&|&$/)
  return end === -1 ? token : token.slice(0, end)
}

/**
 * How a line that begins before the name ends: quoted text has lines too, as in "a
 * password: x
 * b".
 */
function lineEndFor(text: string, name: Name): RegExp | undefined {
  const [, start = ''] = LINE_START.exec(text.slice(Math.max(0, name.start - 80), name.start)) ?? [undefined, 'none']
  if (start === 'none') return undefined
  if (start === '' || start === '\n') return LINE_END
  return /["'`]$/.test(start) ? QUOTE_ENDS[start.at(-1) ?? ''] : SPELLED_END
}

const LINE_START = /(^|\n|\\[nr]|\\{0,15}["'`])[ \t]*(?:-\s+|export\s+|set\s+)?$/i
const LINE_END = /^[ \t\r]*(?:$|\n)/
const SPELLED_END = /^[ \t]*\\{1,15}[nr"'`]|^["'`]/
const QUOTE_ENDS: Readonly<Record<string, RegExp>> = {
  '"': /^[ \t]*(?:\\{1,15}[nr]|\\{0,15}")/,
  "'": /^[ \t]*(?:\\{1,15}[nr]|\\{0,15}')/,
  '`': /^[ \t]*(?:\\{1,15}[nr]|\\{0,15}`)/,
}

/** `- password: x`, `export TOKEN=x`: nothing else is on the line. */
function isAlone(text: string, end: number, lineEnd: RegExp | undefined): boolean {
  return lineEnd?.test(text.slice(end, end + 80)) === true
}

function endOfToken(text: string, at: number): number {
  let end = at
  while (end < text.length && !/[\s"'`<>]/.test(text[end] ?? '')) end += 1
  return end
}

/** `closed`: at a quote like the opening one, not at the end of the line or after `most` characters. */
function endOfQuoted(text: string, from: number, quote: string, most: number): { end: number; closed: boolean } {
  const mark = quote.at(-1)
  const own = quote.length - 1
  const last = Math.min(text.length, from + most)
  let backslashes = 0
  for (let at = from; at < last; at += 1) {
    const character = text[at]
    if (character === '\n') return { end: at, closed: false }
    // Each level of JSON doubles the backslashes and adds one.
    const ends = backslashes < own || (backslashes - own) % (2 * (own + 1)) === 0
    if (character === mark && ends) return { end: at - Math.min(backslashes, own), closed: backslashes >= own }
    backslashes = character === '\\' ? backslashes + 1 : 0
  }
  return { end: last, closed: false }
}
