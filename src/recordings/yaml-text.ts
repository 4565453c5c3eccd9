// Values as the YAML of a cassette: words as they are, JSON on one line, literal blocks.

/** A value on one line: JSON, which is YAML too. */
export function flowOf(value: unknown): string {
  return printable(JSON.stringify(value))
}

/** A string as a scalar; `indent` is where the lines of a long one begin. */
export function scalarOf(text: string, indent: number): string {
  if (isPlain(text)) return text
  if (isBlock(text)) {
    const lines = text.endsWith('\n') ? text.slice(0, -1) : text
    return `${text.endsWith('\n') ? '|' : '|-'}\n${lines.replaceAll(/^(?=.)/gm, ' '.repeat(indent))}`
  }
  return isSingleQuoted(text) ? `'${text.replaceAll("'", "''")}'` : flowOf(text)
}

/** A key that needs no quotes. */
export function isKey(key: string): boolean {
  return KEY.test(key) && key !== '__proto__'
}

// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'gu')
/** None of its characters can mean anything in YAML but itself. */
const PLAIN = /^[A-Za-z](?:[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`-]|:(?=\S)| (?=[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`]))*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** The version of YAML that is read has no time type. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/
const KEY = /^[A-Za-z_][\w./-]*$/

function isPlain(text: string): boolean {
  return (PLAIN.test(text) && !WORDS.test(text)) || TIME.test(text)
}

/** Lines that need no escape, and neither begin nor end with white space that could be taken for layout. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || UNPRINTABLE.test(text)) return false
  return /^[^\s]/.test(text) && /\S\n?$/.test(text)
}

function isSingleQuoted(text: string): boolean {
  return text.includes('"') && !text.includes('\n') && !UNPRINTABLE.test(text)
}

function printable(json: string): string {
  if (!UNPRINTABLE.test(json)) return json
  return json.replaceAll(UNPRINTABLES, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}
