// The head of a SKILL.md: YAML between two lines of dashes, with the place of every field.
import type { Field } from '../subject.js'

export interface Frontmatter {
  fields: Map<string, Field> | undefined
  problem: { message: string; line: number; column: number } | undefined
  body: string
  /** 1-based line of the body. */
  bodyLine: number
}

const LARGEST = 64 * 1024

export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const whole = { fields: undefined, body: text, bodyLine: 1 }
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (!start) {
    const later = /^\s*\n---[ \t]*\r?\n/.test(text)
      ? 'it must start on the first line'
      : 'the file does not start with ---'
    return { ...whole, problem: { message: `no frontmatter: ${later}`, line: 1, column: 1 } }
  }
  const end = /^---[ \t]*\r?$/m.exec(text.slice(start[0].length))
  if (!end) return { ...whole, problem: { message: 'the frontmatter is not closed with ---', line: 1, column: 1 } }
  const head = text.slice(start[0].length, start[0].length + end.index)
  const bodyStart = start[0].length + end.index + end[0].length
  const rest = { body: text.slice(bodyStart), bodyLine: text.slice(0, bodyStart).split('\n').length }
  if (head.length > LARGEST)
    return {
      ...rest,
      fields: undefined,
      problem: { message: `the frontmatter is larger than ${LARGEST / 1024} KB`, line: 1, column: 1 },
    }
  return { ...rest, ...(await parseHead(head)) }
}

async function parseHead(head: string): Promise<Pick<Frontmatter, 'fields' | 'problem'>> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(head, { version: '1.2', uniqueKeys: true, lineCounter: lines, prettyErrors: false })
  // The first line of the file is the dashes.
  const placeOf = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset)
    return { line: line + 1, column: Math.max(1, col) }
  }
  const [error] = document.errors
  if (error)
    return {
      fields: undefined,
      problem: { ...placeOf(error.pos[0]), message: `the frontmatter is not valid YAML: ${error.message}` },
    }
  const { contents } = document
  if (contents === null) return { fields: new Map(), problem: undefined }
  if (!isMap(contents))
    return {
      fields: undefined,
      problem: { line: 2, column: 1, message: 'the frontmatter is not a list of "field: value"' },
    }
  const fields = new Map<string, Field>()
  for (const { key, value } of contents.items) {
    if (!isScalar(key)) continue
    fields.set(String(key.value), { value: valueOf(value, document), ...placeOf(key.range?.[0] ?? 0) })
  }
  return { fields, problem: undefined }
}

/** An alias that grows without limit is not a value. */
function valueOf(node: unknown, document: import('yaml').Document): unknown {
  try {
    return (node as import('yaml').Node | null)?.toJS(document, { maxAliasCount: 10 }) ?? null
  } catch {
    return null
  }
}
