// YAML 1.2 without surprises: no aliases, no unknown tags, no repeated keys, no numbers that change when they are read.
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document,
  type ParsedNode,
  type YAMLError,
} from 'yaml'
import type { Problem } from '../errors.js'
import { MAX_DEPTH, numberProblem } from '../base/json/json-text.js'

export interface StrictYaml {
  /** The documents of the text, each as it was parsed or with what is wrong with it. */
  parts: Array<Document.Parsed | { problems: Problem[] }>
  lines: LineCounter
}

/** `plain`: anchors and tags are refused even where they change nothing. */
export function parseStrictYaml(text: string, { plain = false }: { plain?: boolean } = {}): StrictYaml {
  const lines = new LineCounter()
  try {
    const documents = parseAllDocuments(text, {
      version: '1.2',
      uniqueKeys: true,
      merge: false,
      lineCounter: lines,
      prettyErrors: false,
    })
    if (!Array.isArray(documents)) return { parts: [], lines }
    return { parts: documents.map((document) => checked(document, lines, plain)), lines }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const problem = { line: 1, column: 1, message: `nesting deeper than ${MAX_DEPTH} levels` }
    return { parts: [{ problems: [problem] }], lines }
  }
}

export function placeAt(node: ParsedNode, lines: LineCounter): { line: number; column: number } {
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}

function checked(document: Document.Parsed, lines: LineCounter, plain: boolean): StrictYaml['parts'][number] {
  // A warning (an unknown tag) means that the value is not what the author wrote.
  const mistakes = [...document.errors, ...document.warnings].map((error) => syntaxProblem(error, lines))
  const problems = mistakes.length > 0 ? mistakes : findOddNodes(document, lines, plain)
  return problems.length > 0 ? { problems } : document
}

function syntaxProblem(error: YAMLError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(error.pos[0])
  return { line, column: col, message: error.message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '') }
}

/** Values that would not survive as JSON: aliases, numbers that change, deep nesting. */
function findOddNodes(document: Document.Parsed, lines: LineCounter, plain: boolean): Problem[] {
  const problems: Problem[] = []
  visit(document, (_key, node, path) => {
    if (path.filter((step) => isMap(step) || isSeq(step)).length > MAX_DEPTH) {
      problems.push({ line: 1, column: 1, message: `nesting deeper than ${MAX_DEPTH} levels` })
      return visit.BREAK
    }
    if (isPair(node)) {
      if (!isScalar(node.key))
        problems.push({ ...placeAt(node.key as ParsedNode, lines), message: 'a key must be text' })
      return undefined
    }
    if (node === null) return undefined
    const message = isWritten(node, plain) ? undefined : (oddNode(node) ?? (plain ? decorated(node) : undefined))
    if (message !== undefined) problems.push({ ...placeAt(node as ParsedNode, lines), message })
    return undefined
  })
  return problems
}

/** A number as we write it ourselves. */
function isWritten(node: unknown, plain: boolean): boolean {
  return plain && isScalar(node) && typeof node.value === 'number' && node.source === String(node.value)
}

function oddNode(node: unknown): string | undefined {
  if (isAlias(node)) return `alias "*${node.source}": write the value out, aliases are not allowed`
  if (!isScalar(node) || typeof node.value !== 'number') return undefined
  if (!Number.isFinite(node.value) && /[a-z]{3}/i.test(node.source ?? ''))
    return `${node.source} cannot be used in a case: write null or a string`
  return numberProblem(node.source ?? String(node.value))
}

function decorated(node: unknown): string | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return undefined
  if (node.anchor !== undefined) return `anchor "&${node.anchor}": anchors are not allowed`
  return node.tag === undefined ? undefined : `tag "${node.tag}": tags are not allowed`
}
