// Files that are imported: read inside one folder, parsed strictly, with the line of every value.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import { compileGlob } from '../base/glob.js'
import { fieldLocator } from '../base/json/json-error.js'
import { messageOf } from '../base/message-of.js'
import { UserError, type Problem } from '../errors.js'
import { isForeign, sortedEntries } from '../files/entries.js'
import { resolveInside } from '../files/inside.js'
import { parseStrictYaml, positionOfNode } from '../files/strict-yaml.js'
import { isFile, isFolder } from '../files/stat.js'
import { parseStrictJson, repeatedKeys } from '../pipeline/sources/strict-json.js'
import { commentsAt } from './yaml-comments.js'

export type Steps = ReadonlyArray<string | number>

export interface Located {
  /** As it is named in notes. */
  file: string
  value: unknown
  lineOf(steps: Steps): number
  /** What its author says about it in comments, a line each. */
  commentsOf?(steps: Steps): string[]
}

const MOST_FILES = 1000
const MAX_BYTES = 64 * 1024 * 1024
/** Of a file that is no JSON, every line is a problem. */
const MOST_PROBLEMS = 10

/** Reads nothing outside the folder of the file that is imported, whatever that names. */
export class SourceFolder {
  readonly root: string
  readonly start: string

  constructor(file: string) {
    this.start = resolve(file)
    this.root = dirname(this.start)
  }

  shown(path: string): string {
    return relative(this.root, path) || basename(path)
  }

  /** Throws an Error whose message is the reason. `from`: the folder that a relative path starts from. */
  text(path: string, from = this.root): { path: string; text: string } {
    const full = resolve(from, path)
    const bytes = this.#bytes(path, full)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
    try {
      return { path: full, text: text.decode(bytes) }
    } catch {
      throw new Error(`${path} is not UTF-8 text`)
    }
  }

  #bytes(path: string, full: string): Buffer {
    const real = resolveInside(this.root, full)
    if (real === undefined) throw new Error(`${path} lies outside the folder that is imported`)
    if (!isFile(real)) throw new Error(`there is no file ${path}`)
    if (statSync(real).size > MAX_BYTES) throw new Error(`${path} is larger than 64 MB`)
    return readFileSync(real)
  }

  has(path: string, from = this.root): boolean {
    const real = resolveInside(this.root, resolve(from, path))
    return real !== undefined && isFile(real)
  }

  /** Whether a text that could be anything is the path of a file or folder, or a glob that stands for files. */
  names(text: string): boolean {
    if (text.length > 1024 || /[\n\0]|\{\{/.test(text)) return false
    const real = resolveInside(this.root, resolve(this.root, text))
    if (real !== undefined && real !== this.root && (isFile(real) || isFolder(real))) return true
    return /^\S*\*\S*$/.test(text) && this.matching(text).length > 0
  }

  /** Paths from `from`, of files that a glob or a name stands for. */
  matching(pattern: string, from = this.root): string[] {
    if (this.has(pattern, from)) return [pattern]
    if (!/[*?[{]/.test(pattern)) return []
    const matches = compileGlob(pattern.replace(/^(?:\.\/)+/, ''))
    const found: string[] = []
    const visit = (folder: string, depth: number): void => {
      for (const entry of sortedEntries(join(from, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory() && !isForeign(entry.name) && depth < 16) visit(path, depth + 1)
        else if (entry.isFile() && matches(path) && found.push(path) > MOST_FILES)
          throw new Error(`${pattern} stands for more than ${MOST_FILES} files`)
      }
    }
    visit('', 0)
    return found
  }

  /** YAML or JSON. Throws a UserError with every problem. */
  async structured(path: string, from = this.root): Promise<Located> {
    const { path: full, text } = this.read(path, from)
    const file = this.shown(full)
    const located = /^\.(?:json|jsonl|ndjson)$/i.test(extname(full)) ? await fromJson(text) : fromYaml(text)
    if ('problems' in located) throw unreadable(file, located.problems)
    return { file, ...located }
  }

  /** The file as text, or a UserError. */
  read(path: string, from = this.root): { path: string; text: string } {
    return this.#orError(path, () => this.text(path, from))
  }

  /** The file as it is, or a UserError. */
  bytes(path: string): Buffer {
    return this.#orError(path, () => this.#bytes(path, resolve(path)))
  }

  #orError<T>(path: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new UserError({
        code: 'CANNOT_IMPORT',
        message: `cannot read ${path}: ${messageOf(error)}`,
        cause: error,
      })
    }
  }
}

type Parsed = Omit<Located, 'file'> | { problems: Problem[] }

/** One JSON value a line; blank lines are skipped. Throws a UserError with every problem. */
export async function jsonLines(text: string, file: string): Promise<Array<{ value: unknown; line: number }>> {
  const found: Array<{ value: unknown; line: number }> = []
  const problems: Problem[] = []
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    if (each.trim() === '') continue
    const parsed = await jsonValue(each, index + 1)
    if ('problems' in parsed) problems.push(...parsed.problems)
    else found.push({ value: parsed.value, line: index + 1 })
    if (problems.length >= MOST_PROBLEMS) {
      problems.push({ line: index + 1, message: 'the lines after this one were not read' })
      break
    }
  }
  if (problems.length > 0) throw unreadable(file, problems)
  return found
}

async function fromJson(text: string): Promise<Parsed> {
  const parsed = await jsonValue(text, 1)
  if ('problems' in parsed) return parsed
  const lines = lineStarts(text)
  const locate = fieldLocator(text)
  return { ...parsed, lineOf: (steps) => lineAt(lines, locate(steps)) }
}

async function jsonValue(text: string, line: number): Promise<{ value: unknown } | { problems: Problem[] }> {
  const { value, problems } = await parseStrictJson(text, line)
  if (value === undefined && problems.length > 0) return { problems }
  // Numbers that lose digits are of no consequence here: ids and times of traces are such.
  const repeated = problems.length > 0 ? await repeatedKeys({ text, line, column: 1 }) : []
  return repeated.length > 0 ? { problems: repeated } : { value }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** How many lines start at or before this place. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

function fromYaml(text: string): Parsed {
  const yaml = parseStrictYaml(text, { aliasLimit: 16 * 1024 * 1024 })
  const [document, ...more] = yaml.parts
  if (!document) return { problems: [{ line: 1, message: 'the file is empty' }] }
  if ('problems' in document) return document
  if (more.length > 0) return { problems: [{ line: 1, message: 'several YAML documents: expected one' }] }
  const value: unknown = structuredClone(document.toJS({ maxAliasCount: -1 }))
  return {
    value,
    commentsOf: (steps) => commentsAt(text, document.contents, steps),
    lineOf: (steps) => {
      let node: unknown = document.contents
      let line = 1
      for (const step of steps) {
        if (isAlias(node)) node = yaml.targets.get(node)
        if (isSeq(node) && typeof step === 'number') node = node.items[step]
        else if (isMap(node)) {
          const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
          if (!pair) break
          line = positionOfNode(pair.key as ParsedNode, yaml.lines).line
          node = pair.value
          continue
        } else break
        if (node === undefined || node === null) break
        line = positionOfNode(node as ParsedNode, yaml.lines).line
      }
      return line
    },
  }
}

export function unreadable(file: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} cannot be read; nothing was written`,
    problems: problems.map((problem) => ({ file, ...problem })),
  })
}
