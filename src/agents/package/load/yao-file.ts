// Reads .yao files (JSON with comments). Plain JSON takes the fast path; line numbers are looked up only for problems.
import { readFileSync } from 'node:fs'
import type { Problem } from '../../../errors.js'
import { defined } from '../../../base/defined.js'
import { type FieldProblem } from '../../../base/field-name.js'
import { positionAt } from '../../../base/position-at.js'
import { statOf } from '../../../files/stat.js'

export interface YaoFile {
  file: string
  text: string
  value: unknown
}

const MAX_BYTES = 4 * 1024 * 1024

/** The parsed file, or undefined after adding what is wrong with it to `problems`. */
export async function readYao(file: string, problems: Problem[]): Promise<YaoFile | undefined> {
  const text = readText(file, problems)
  if (text === undefined) return undefined
  if (text.trim() === '') {
    problems.push({ file, line: 1, message: 'the file is empty; expected an object: { … }' })
    return undefined
  }
  const value = parsePlain(text)
  if (value !== undefined) return { file, text, value }
  return readWithComments(file, text, problems)
}

/** UTF-8 text without its byte order mark. */
export function readText(file: string, problems: Problem[]): string | undefined {
  // Opening a pipe would wait forever.
  if (isOther(file)) {
    problems.push({ file, message: 'it is not a file' })
    return undefined
  }
  try {
    const bytes = readFileSync(file)
    if (bytes.length > MAX_BYTES) {
      problems.push({ file, message: `the file has ${bytes.length} bytes; at most ${MAX_BYTES} are read` })
      return undefined
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const isEncoding = error instanceof TypeError
    problems.push({ file, message: isEncoding ? 'the file is not UTF-8 text' : (error as Error).message })
    return undefined
  }
}

function isOther(path: string): boolean {
  const stats = statOf(path)
  return stats !== undefined && !stats.isFile()
}

export async function locateProblems(source: YaoFile, found: FieldProblem[]): Promise<Problem[]> {
  if (found.length === 0) return []
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser')
  const root = parseTree(source.text, [], { allowTrailingComma: true })
  return found.map(({ path, message, suggestion }) => {
    let node = root
    // The nearest part that exists: a missing field is reported at its parent.
    for (let length = path.length; root && length >= 0; length--) {
      node = findNodeAtLocation(root, path.slice(0, length))
      if (node) break
    }
    const property = node?.parent?.type === 'property' ? node.parent : node
    return {
      file: source.file,
      line: positionAt(source.text, property?.offset ?? 0).line,
      message,
      ...defined({ field: path.length > 0 ? fieldName(path) : undefined, suggestion }),
    }
  })
}

function fieldName(path: (string | number)[]): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
}

/** Undefined if it is not plain JSON, or has a repeated key, which `JSON.parse` would not report. */
function parsePlain(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const written = text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0
    return countKeys(value) === written && !text.includes('__proto__') ? value : undefined
  } catch {
    return undefined
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items = Array.isArray(value) ? value : Object.values(value)
  return items.reduce<number>((sum, item) => sum + countKeys(item), Array.isArray(value) ? 0 : items.length)
}

async function readWithComments(file: string, text: string, problems: Problem[]): Promise<YaoFile | undefined> {
  const { getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const before = problems.length
  if (!root && isOnlyComments(text)) {
    problems.push({ file, line: 1, message: 'there are only comments; expected { … }' })
    return undefined
  }
  for (const { error, offset } of errors.slice(0, 20)) {
    const found = JSON.stringify(text.slice(offset, offset + 20).split('\n')[0])
    problems.push({
      file,
      ...positionAt(text, offset),
      message: `${words(printParseErrorCode(error))}, found ${found}`,
    })
  }
  if (root) findBadKeys(root, file, text, problems)
  if (!root || problems.length > before) return undefined
  return { file, text, value: getNodeValue(root) as unknown }
}

function isOnlyComments(text: string): boolean {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim() === ''
}

function findBadKeys(node: import('jsonc-parser').Node, file: string, text: string, problems: Problem[]): void {
  const seen = new Map<string, number>()
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined
    if (key) {
      const name = String(key.value)
      const position = positionAt(text, key.offset)
      const first = seen.get(name)
      if (first !== undefined)
        problems.push({ file, ...position, field: name, message: `"${name}" is given twice, first on line ${first}` })
      if (name === '__proto__')
        problems.push({ file, ...position, field: name, message: '"__proto__" is not allowed as a key' })
      seen.set(name, position.line)
    }
    findBadKeys(child, file, text, problems)
  }
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
