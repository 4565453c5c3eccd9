// The one place where users' patterns are compiled: RE2 in linear time, in Go's dialect and JavaScript's alike.
import { createRequire } from 'node:module'
import { messageOf } from './message-of.js'

const MAX_PATTERN_LENGTH = 100_000
/** Instructions: every one of them may be looked at for every character. */
const MAX_PROGRAM_SIZE = 200_000
/** Text beyond this is not searched; the verdict says so. */
const MAX_SEARCHED_LENGTH = 1024 * 1024

export interface Pattern {
  source: string
  test(text: string): boolean
  find(text: string): { index: number; text: string } | undefined
}

/** A pattern that cannot be compiled: why, where, and whether the JavaScript engine would take it. */
export class PatternError extends Error {
  /** 0-based offset in the pattern. */
  readonly position: number | undefined
  readonly needsJs: boolean

  constructor(message: string, position?: number, needsJs = false) {
    super(position === undefined ? message : `${message} at position ${position + 1}`)
    this.name = 'PatternError'
    this.position = position
    this.needsJs = needsJs
  }
}

/** Throws a PatternError. Compiled patterns are kept: files with many cases repeat a few patterns. */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source)
  if (known) return known
  const pattern = compileNew(source)
  if (compiled.size >= 500) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}

/** Whether only the beginning of a text is searched. */
export function isCutForSearch(text: string): boolean {
  return text.length > MAX_SEARCHED_LENGTH
}

export function searchedPart(text: string): string {
  return isCutForSearch(text) ? text.slice(0, MAX_SEARCHED_LENGTH) : text
}

export function assertPatternLength(source: string): void {
  if (source.length <= MAX_PATTERN_LENGTH) return
  throw new PatternError(`the pattern has ${source.length} characters, at most ${MAX_PATTERN_LENGTH} are allowed`)
}

type Re2 = typeof import('re2js').RE2JS

const compiled = new Map<string, Pattern>()
const PLAIN = /^[^\\^$.|?*+()[\]{}]*$/
let engine: Re2 | undefined

function compileNew(source: string): Pattern {
  assertPatternLength(source)
  // Most patterns of `--run` are plain names: no engine is loaded for them.
  if (PLAIN.test(source)) return plainPattern(source)
  const re2 = loadEngine()
  const expression = compileRe2(re2, source, toRe2(source))
  return {
    source,
    test: (text) => expression.test(searchedPart(text)),
    find(text) {
      const matcher = expression.matcher(searchedPart(text))
      return matcher.find() ? { index: matcher.start(), text: matcher.group() ?? '' } : undefined
    },
  }
}

function plainPattern(source: string): Pattern {
  return {
    source,
    test: (text) => searchedPart(text).includes(source),
    find(text) {
      const index = searchedPart(text).indexOf(source)
      return index < 0 ? undefined : { index, text: source }
    },
  }
}

function loadEngine(): Re2 {
  engine ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS
  return engine
}

function compileRe2(re2: Re2, source: string, translated: string): InstanceType<Re2> {
  try {
    const expression = re2.compile(translated)
    if (expression.programSize() <= MAX_PROGRAM_SIZE) return expression
  } catch (error) {
    // `[^]` is "any character" in JavaScript and an open class in Go.
    if (source.includes('[^]') && !source.includes('[^]]')) {
      return compileRe2(re2, source.replaceAll('[^]', ''), translated.replaceAll('[^]', '[\\s\\S]'))
    }
    throw syntaxError(source, error)
  }
  throw new PatternError('the pattern is too large once its repetitions are written out')
}

function syntaxError(source: string, error: unknown): PatternError {
  const { error: reason, input } = error as { error?: unknown; input?: unknown }
  if (typeof reason !== 'string') return new PatternError(messageOf(error))
  return new PatternError(reason, positionOf(source, reason, typeof input === 'string' ? input : undefined))
}

function positionOf(source: string, reason: string, fragment: string | undefined): number | undefined {
  if (reason.includes(')')) return unmatchedParenthesis(source)
  if (reason.startsWith('trailing backslash')) return source.length - 1
  const index = fragment ? source.indexOf(fragment) : -1
  return index < 0 ? undefined : index
}

function unmatchedParenthesis(source: string): number | undefined {
  const open: number[] = []
  for (const { text, index, inClass } of tokens(source)) {
    if (inClass) continue
    if (text.startsWith('(')) open.push(index)
    if (text === ')' && open.pop() === undefined) return index
  }
  return open.at(-1)
}

/** JavaScript's spellings become RE2's; what RE2 lacks or would silently read as letters is refused. */
function toRe2(source: string): string {
  let result = ''
  for (const { text, index, inClass } of tokens(source)) {
    if (!inClass && /^\(\?<?[=!]$/.test(text)) throw lacking('look-around', index)
    if (text[0] !== '\\' || text.length < 2) {
      result += text
      continue
    }
    const kind = text[1] ?? ''
    if (!inClass && (kind === 'k' || /^\\[1-9]$/.test(text))) throw lacking('a back-reference', index)
    const unicode = /^\\u\{?([0-9a-fA-F]+)\}?$/.exec(text)?.[1]
    const control = /^\\c([A-Za-z])$/.exec(text)?.[1]
    if (unicode !== undefined) result += `\\x{${unicode}}`
    else if (control !== undefined) result += `\\x{${(control.charCodeAt(0) % 32).toString(16)}}`
    else if (/[A-Za-z]/.test(kind) && !'aftnrvxdDsSwWbBAzQEpPC'.includes(kind)) {
      throw new PatternError(
        `unknown escape \`${text}\`${kind === 'Z' ? ' (use \\z for the end of the text)' : ''}`,
        index,
      )
    } else result += text
  }
  return result
}

function lacking(what: string, position: number): PatternError {
  return new PatternError(`${what} is not supported (add "engine": "js" to use it, with a time limit)`, position, true)
}

interface RegexToken {
  text: string
  index: number
  inClass: boolean
}

const TOKEN =
  /\\(?:Q[\s\S]*?(?:\\E|$)|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[0-7]{2,3}|[\s\S])|\(\?<?[=!]|\\$|[\s\S]/gu

/** Escapes and openings as whole tokens, with whether they stand inside `[…]`. */
function* tokens(source: string): Generator<RegexToken> {
  let classStart = -1
  for (const match of source.matchAll(TOKEN)) {
    const text = match[0]
    const index = match.index
    yield { text, index, inClass: classStart >= 0 }
    if (classStart < 0) {
      if (text === '[') classStart = source[index + 1] === '^' ? index + 1 : index
    } else if (text === ']' && index > classStart + 1) classStart = -1
  }
}
