// YAML 1.2 without surprises: no unknown tags, no repeated keys, no numbers that change when read; aliases only
// where they are allowed, and never beyond a limit.
import {
  isAlias,
  isMap,
  isNode,
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
  /** What each alias refers to. */
  targets: ReadonlyMap<unknown, ParsedNode>
}

export interface StrictYamlOptions {
  /** Anchors and tags are refused even where they change nothing. */
  plain?: boolean
  /** Aliases and merge keys (`<<`) are allowed, as long as the text would not grow beyond this many characters. */
  aliasLimit?: number
}

export function parseStrictYaml(text: string, { plain = false, aliasLimit }: StrictYamlOptions = {}): StrictYaml {
  const lines = new LineCounter()
  const targets = new Map<unknown, ParsedNode>()
  try {
    const documents = parseAllDocuments(text, {
      version: '1.2',
      uniqueKeys: true,
      merge: aliasLimit !== undefined,
      lineCounter: lines,
      prettyErrors: false,
    })
    if (!Array.isArray(documents)) return { parts: [], lines, targets }
    const rules = { plain, aliasLimit, targets }
    return { parts: documents.map((document) => checked(document, lines, rules)), lines, targets }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const problem = { line: 1, column: 1, message: `nesting deeper than ${MAX_DEPTH} levels` }
    return { parts: [{ problems: [problem] }], lines, targets }
  }
}

export function positionOfNode(node: ParsedNode, lines: LineCounter): { line: number; column: number } {
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}

interface Rules {
  plain: boolean
  aliasLimit: number | undefined
  targets: Map<unknown, ParsedNode>
}

function checked(document: Document.Parsed, lines: LineCounter, rules: Rules): StrictYaml['parts'][number] {
  // A warning (an unknown tag) means that the value is not what the author wrote.
  const mistakes = [...document.errors, ...document.warnings].map((error) => syntaxProblem(error, lines))
  const problems = mistakes.length > 0 ? mistakes : findOddNodes(document, lines, rules)
  return problems.length > 0 ? { problems } : document
}

function syntaxProblem(error: YAMLError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(error.pos[0])
  // The parser reports its own stack overflow as a mistake in the text.
  if (/call stack/.test(error.message)) return { line, column: col, message: `nesting deeper than ${MAX_DEPTH} levels` }
  return { line, column: col, message: error.message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '') }
}

/** Values that would not survive as JSON: aliases, numbers that change, deep nesting. */
function findOddNodes(document: Document.Parsed, lines: LineCounter, rules: Rules): Problem[] {
  const { plain, aliasLimit, targets } = rules
  const problems: Problem[] = []
  const anchors = new Map<string, ParsedNode>()
  const before = targets.size
  visit(document, (_key, node, path) => {
    if (path.filter((step) => isMap(step) || isSeq(step)).length > MAX_DEPTH) {
      problems.push({ line: 1, column: 1, message: `nesting deeper than ${MAX_DEPTH} levels` })
      return visit.BREAK
    }
    if (isPair(node)) {
      if (!isScalar(node.key))
        problems.push({ ...positionOfNode(node.key as ParsedNode, lines), message: 'a key must be text' })
      return undefined
    }
    if (node === null) return undefined
    if (aliasLimit !== undefined && isAlias(node)) {
      const target = anchors.get(node.source)
      if (target) targets.set(node, target)
      else
        problems.push({
          ...positionOfNode(node as ParsedNode, lines),
          message: `alias "*${node.source}": no anchor of this name before it`,
        })
      return undefined
    }
    if (aliasLimit !== undefined && isNode(node) && 'anchor' in node && node.anchor !== undefined)
      anchors.set(node.anchor, node as ParsedNode)
    const message = isWritten(node, plain) ? undefined : (oddNode(node) ?? (plain ? decorated(node) : undefined))
    if (message !== undefined) problems.push({ ...positionOfNode(node as ParsedNode, lines), message })
    return undefined
  })
  if (problems.length > 0 || aliasLimit === undefined || targets.size === before) return problems
  return expansionProblems(document, lines, targets, aliasLimit)
}

/** Nine lines can expand to gigabytes: the size after expansion is computed, not produced. */
function expansionProblems(
  document: Document.Parsed,
  lines: LineCounter,
  targets: ReadonlyMap<unknown, ParsedNode>,
  limit: number,
): Problem[] {
  const sizes = new Map<unknown, number>()
  const inside = new Set<unknown>()
  let circle: ParsedNode | undefined
  const sizeOf = (node: unknown, depth: number): number => {
    const known = sizes.get(node)
    if (known !== undefined) return known
    if (depth > MAX_DEPTH * 2) return Infinity
    if (isScalar(node)) return (node.source ?? '').length + 2
    if (isPair(node)) return sizeOf(node.key, depth) + sizeOf(node.value, depth) + 2
    if (isAlias(node)) {
      const target = targets.get(node)
      if (target === undefined || inside.has(target)) {
        circle ??= node as ParsedNode
        return Infinity
      }
      return sizeOf(target, depth + 1)
    }
    if (!isMap(node) && !isSeq(node)) return 2
    inside.add(node)
    const items: unknown[] = node.items
    const size = items.reduce<number>((sum, item) => sum + sizeOf(item, depth + 1), 2)
    inside.delete(node)
    sizes.set(node, size)
    return size
  }
  const total = sizeOf(document.contents, 0)
  if (circle) return [{ ...positionOfNode(circle, lines), message: `alias inside its own anchor: write the value out` }]
  if (total <= limit) return []
  const shown = Math.floor(limit / 1024 / 1024)
  return [
    {
      line: 1,
      column: 1,
      message: `aliases expand this file to more than ${shown} MB, or nest too deeply: write the values out`,
    },
  ]
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
