// Why a text is not JSON, in words, and where. Loads a parser library: import it only when there is something to explain.
import { findNodeAtLocation, parseTree, printParseErrorCode, visit, type Node, type ParseErrorCode } from 'jsonc-parser'
import { fieldName, fieldSteps } from '../field-name.js'
import { MAX_DEPTH, scanJson } from './json-text.js'
import { show } from '../text.js'

export interface JsonMistake {
  offset: number
  message: string
  suggestion?: string
}

interface RawError {
  code: string
  offset: number
  length: number
}

/** What surrounds a value decides what may follow it: the lines of JSONL, the items of a list, the end of a file. */
export type Around = 'lines' | 'list' | 'file'

export function explainJson(text: string, around: Around = 'lines'): JsonMistake {
  if (scanJson(text).deepest > MAX_DEPTH) return tooDeep(text)
  const error = firstError(text)
  const mistake = error ? explain(text, error, around) : { offset: 0, message: 'not JSON' }
  return { ...mistake, message: `${mistake.message}${near(text, mistake.offset)}` }
}

function tooDeep(text: string): JsonMistake {
  return { offset: text.search(/\S/), message: `nesting deeper than ${MAX_DEPTH} levels` }
}

function firstError(text: string): RawError | undefined {
  const errors: RawError[] = []
  const onError = (code: ParseErrorCode, offset: number, length: number): void => {
    errors.push({ code: printParseErrorCode(code), offset, length })
  }
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  return errors.toSorted((a, b) => a.offset - b.offset)[0]
}

function explain(text: string, error: RawError, around: Around): JsonMistake {
  const { offset } = error
  const char = text[offset]
  if (char === '\uFEFF') return { offset, message: 'byte order mark (BOM) inside the file: remove it' }
  if (char === '\0') return { offset, message: 'NUL byte: the file is damaged, or not text' }
  if (/^\r(?!\n)/.test(text.slice(previousSolid(text, offset) + 1, offset))) return carriageReturn(text, offset)
  switch (error.code) {
    case 'InvalidCommentToken':
      return { offset, message: 'comment beside JSON: a comment needs a line of its own' }
    case 'InvalidCharacter':
      return controlCharacter(text, offset)
    case 'UnexpectedEndOfString':
      return { offset, message: 'text is not closed: missing double quote' }
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return badEscape(text, offset, error.length)
    case 'UnexpectedEndOfNumber':
      return { offset, message: `incomplete number ${text.slice(offset, offset + error.length)}` }
    case 'InvalidSymbol':
      return symbol(text, offset, text.slice(offset, offset + error.length))
    case 'ColonExpected':
      return { offset, message: `missing ":" after the key${char === undefined ? '' : `, found ${show(char)}`}` }
    case 'CommaExpected':
      return comma(text, offset)
    case 'CloseBraceExpected':
    case 'CloseBracketExpected':
      return cutOff(text, offset)
    case 'EndOfFileExpected':
      return around === 'list' ? comma(text, offset) : afterValue(text, offset, around)
    default:
      return unexpected(text, offset)
  }
}

function carriageReturn(text: string, offset: number): JsonMistake {
  return { offset: text.lastIndexOf('\r', offset), message: 'CR line endings: save the file with LF or CRLF' }
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\b': '\\b', '\f': '\\f' }

function controlCharacter(text: string, start: number): JsonMistake {
  let offset = start + 1
  while (offset < text.length && text.charCodeAt(offset) >= 0x20) offset++
  const code = text.charCodeAt(offset)
  const written = ESCAPES[text[offset] ?? ''] ?? `\\u${code.toString(16).padStart(4, '0')}`
  const name = code === 9 ? 'raw tab' : `raw control character U+${code.toString(16).padStart(4, '0').toUpperCase()}`
  return { offset, message: `${name} in text: control characters must be escaped, write ${written}` }
}

function badEscape(text: string, start: number, length: number): JsonMistake {
  const found = /\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(
    text.slice(start, start + length).replace(/\\\\/g, '  '), // pairs are fine and keep their width
  )
  const offset = start + (found?.index ?? 0)
  return { offset, message: `bad escape ${show(text.slice(offset, offset + 2))}: write \\\\ for a backslash` }
}

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', undefined: 'null' }

function symbol(text: string, offset: number, token: string): JsonMistake {
  if (token.startsWith("'") || token.startsWith('`')) {
    return { offset, message: `JSON needs double quotes, found ${token[0] === "'" ? 'single quotes' : 'backticks'}` }
  }
  if (/^[“”‘’]/.test(token)) return { offset, message: 'JSON needs straight double quotes, found curly quotes' }
  if (token.startsWith('#')) return { offset, message: 'comment beside JSON: a comment needs a line of its own' }
  const notFinite = /^[+-]?(?:NaN|Infinity)\b/.exec(text.slice(offset, offset + 16))
  if (notFinite) return { offset, message: `${notFinite[0]} is not JSON: write null or a string` }
  const word = WORDS[token]
  if (word !== undefined) return { offset, message: `${token} is not JSON`, suggestion: word }
  const isKey = /^\s*:/.test(text.slice(offset + token.length)) || /^[\w$]+:/.test(text.slice(offset))
  const name = /^[\w$]+/.exec(token)?.[0]
  if (isKey && name !== undefined) {
    return { offset, message: 'key without quotes: JSON needs double quotes', suggestion: name }
  }
  return { offset, message: `unexpected ${show(token)}` }
}

function comma(text: string, offset: number): JsonMistake {
  if (/\d/.test(text[offset] ?? '') && text[offset - 1] === '0') {
    return { offset: offset - 1, message: 'a number must not begin with 0' }
  }
  return { offset, message: `missing "," before ${show(text.slice(offset, offset + 12))}` }
}

function cutOff(text: string, offset: number): JsonMistake {
  return { offset, message: 'unexpected end: the value is not complete (a closing bracket is missing)' }
}

function afterValue(text: string, offset: number, around: Around): JsonMistake {
  const char = text[offset] ?? ''
  if (around === 'file') return { offset, message: `expected the end of the file, found ${show(char)}` }
  if (char === ',') return { offset, message: 'comma after the value: cases are separated by line ends alone' }
  if (char === '}' || char === ']') return { offset, message: `unexpected "${char}": nothing is open here` }
  if ('{["'.includes(char)) {
    return { offset, message: 'a second value on this line: each value starts on a line of its own' }
  }
  return { offset, message: `unexpected ${show(text.slice(offset, offset + 12))} after the value` }
}

function unexpected(text: string, offset: number): JsonMistake {
  const char = text[offset]
  if (char === undefined) return cutOff(text, offset)
  const before = previousSolid(text, offset)
  if ((char === '}' || char === ']') && text[before] === ',') {
    return { offset: before, message: `trailing comma before "${char}"` }
  }
  if (text[before] === ':') return { offset, message: `missing value after ":", found ${show(char)}` }
  if (char === ',') return { offset, message: 'unexpected ","' }
  return { offset, message: `expected a key in double quotes, found ${show(text.slice(offset, offset + 12))}` }
}

function previousSolid(text: string, offset: number): number {
  let at = offset - 1
  while (at >= 0 && /\s/.test(text[at] ?? '')) at--
  return at
}

function near(text: string, offset: number): string {
  const line = text.slice(Math.max(0, offset - 24), offset + 24)
  return line.trim() === '' ? '' : `, near ${show(line)}`
}

/** Keys written twice in one object, with the offsets of both. */
export function findRepeatedKeys(text: string): Array<{ key: string; path: string; offset: number; first: number }> {
  const repeated: Array<{ key: string; path: string; offset: number; first: number }> = []
  const objects: Array<Map<string, number>> = []
  visit(text, {
    onObjectBegin: () => {
      objects.push(new Map())
    },
    onObjectEnd: () => {
      objects.pop()
    },
    onObjectProperty: (key, offset, _length, _line, _character, pathSupplier) => {
      const first = objects.at(-1)?.get(key)
      if (first === undefined) objects.at(-1)?.set(key, offset)
      else repeated.push({ key, path: fieldName([...pathSupplier(), key]), offset, first })
    },
  })
  return repeated
}

/** Where a field is: its key, or the nearest thing around it that exists. */
export function locateField(text: string, field: string): number {
  return fieldLocator(text)(fieldSteps(field))
}

/** The same for many fields of one text, which is read once. */
export function fieldLocator(text: string): (steps: ReadonlyArray<string | number>) => number {
  const root = parseTree(text)
  return (steps) => {
    let node: Node | undefined = root
    let offset = node?.offset ?? 0
    for (const step of steps) {
      const next: Node | undefined = node && findNodeAtLocation(node, [step])
      if (!next) break
      offset = next.parent?.type === 'property' ? next.parent.offset : next.offset
      node = next
    }
    return offset
  }
}
