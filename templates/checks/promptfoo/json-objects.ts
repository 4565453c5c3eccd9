// Objects in a text, where promptfoo finds them: from a brace to its closing one, ignoring quotes, read as flow YAML.
import { readFlow } from './flow-yaml'

interface FoundObject {
  value: unknown
  /** It is JSON as it stands. */
  strict: boolean
}

const LONGEST = 100_000

/** One that was cut off is closed first. */
export function objectsIn(text: string): FoundObject[] {
  const found: FoundObject[] = []
  // A brace that ends the text begins nothing.
  for (let start = text.indexOf('{'); start >= 0 && start < text.length - 1; start = text.indexOf('{', start)) {
    const { end, open } = extent(text, start)
    const piece = text.slice(start, end)
    const value = readFlow(withHashes(piece + '}'.repeat(open)))
    if (value !== undefined) found.push({ value, strict: open === 0 && isJson(piece) })
    start = value === undefined ? start + 1 : end
  }
  return found
}

/** The objects that are JSON as they stand, none of them inside another. Braces in quotes do not count. */
export function strictObjectsIn(text: string): unknown[] {
  const found: unknown[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start)) {
    const end = closing(text, start)
    const piece = end === undefined ? '' : text.slice(start, end)
    const isOne = isJson(piece)
    if (isOne) found.push(JSON.parse(piece))
    start = isOne ? start + piece.length : start + 1
  }
  return found
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function extent(text: string, start: number): { end: number; open: number } {
  const last = Math.min(start + LONGEST, text.length)
  let open = 1
  let end = start + 1
  for (; end < last && open > 0; end += 1) {
    if (text[end] === '{') open += 1
    else if (text[end] === '}') open -= 1
  }
  return { end, open }
}

/** The index after the brace that closes an object of JSON. */
function closing(text: string, start: number): number | undefined {
  let open = 0
  const last = Math.min(start + LONGEST, text.length)
  for (let at = start; at < last; at += 1) {
    const char = text[at]
    if (char === '"') {
      for (at += 1; at < last && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    } else if (char === '{') open += 1
    else if (char === '}' && (open -= 1) === 0) return at + 1
  }
  return undefined
}

/** Comments that begin with two slashes → comments of YAML. Quotes end with their line; a URL is not a comment. */
function withHashes(text: string): string {
  return text.split('\n').map(hashed).join('\n')
}

function hashed(line: string): string {
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]
    if (quote !== '') {
      if (char === quote && !isEscaped(line, at) && !(quote === "'" && /[a-zA-Z]/.test(line[at + 1] ?? 'undefined')))
        quote = ''
    } else if (char === '"' || (char === "'" && !/[a-zA-Z]/.test(line[at - 1] ?? ''))) quote = char
    else if (char === '/' && line[at + 1] === '/') {
      const word = /\S*$/.exec(line.slice(0, at))?.[0] ?? ''
      if ((word + '//').includes('://')) continue
      const slashes = /^\/+/.exec(line.slice(at))?.[0].length ?? 2
      return line.slice(0, at) + '#'.repeat(Math.floor(slashes / 2)) + line.slice(at + slashes)
    }
  }
  return line
}

function isEscaped(line: string, at: number): boolean {
  return (/\\*$/.exec(line.slice(0, at))?.[0].length ?? 0) % 2 === 1
}
