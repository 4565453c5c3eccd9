// Data as people read it: indented like JSON, but text keeps its line breaks and quotation marks unescaped. For exact
// JSON there is the raw view.
import { isRecord } from '../../../base/record.js'
import { asJson } from '../../../base/text.js'

export interface Token {
  text: string
  kind?: 'key' | 'string' | 'atom'
}

/** `sorted`: keys in a fixed order, so that two structures can be compared line by line. */
export function readable(value: unknown, sorted = false): Token[] {
  const tokens: Token[] = []
  write(value, 0, sorted, tokens)
  return tokens
}

export function readableText(value: unknown, sorted = false): string {
  if (typeof value === 'string') return value
  return readable(value, sorted)
    .map((token) => token.text)
    .join('')
}

/** The object or list that a text is JSON for; undefined for any other text. */
export function jsonIn(text: string): object | undefined {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const DEEPEST = 60

function write(value: unknown, depth: number, sorted: boolean, tokens: Token[]): void {
  if (typeof value === 'string') tokens.push({ text: quoted(value, depth), kind: 'string' })
  else if (typeof value !== 'object' || value === null || depth > DEEPEST)
    tokens.push({ text: asJson(value), kind: 'atom' })
  else if (Array.isArray(value))
    writeItems(
      value.map((item: unknown) => [undefined, item]),
      '[]',
      depth,
      sorted,
      tokens,
    )
  else if (isRecord(value)) {
    const entries = Object.entries(value)
    if (sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    writeItems(entries, '{}', depth, sorted, tokens)
  }
}

function writeItems(
  items: [key: string | undefined, item: unknown][],
  brackets: string,
  depth: number,
  sorted: boolean,
  tokens: Token[],
): void {
  if (items.length === 0) {
    tokens.push({ text: brackets })
    return
  }
  const margin = `\n${'  '.repeat(depth + 1)}`
  tokens.push({ text: brackets.charAt(0) })
  items.forEach(([key, item], index) => {
    tokens.push({ text: index === 0 ? margin : `,${margin}` })
    if (key !== undefined) tokens.push({ text: `"${key}"`, kind: 'key' }, { text: ': ' })
    write(item, depth + 1, sorted, tokens)
  })
  tokens.push({ text: `\n${'  '.repeat(depth)}${brackets.charAt(1)}` })
}

function quoted(text: string, depth: number): string {
  return `"${text.replaceAll('\n', `\n${'  '.repeat(depth + 1)}`)}"`
}
