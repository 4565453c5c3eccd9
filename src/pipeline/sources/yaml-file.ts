// A .yaml file → values: a list, `cases` in a map, or one case a document. Bounded in size; aliases and tags are refused.
import type { FileHandle } from 'node:fs/promises'
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
import type { Problem } from '../../errors.js'
import { fieldSteps } from '../../base/field-name.js'
import { MAX_DEPTH, numberProblem } from '../../base/json/json-text.js'
import { MAX_VALUE_BYTES, readWholeText, UnreadableText } from './lines.js'
import { brokenValue, type Place, type RawValue } from './raw-value.js'

export async function* readYamlFile(
  file: FileHandle,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<RawValue[]> {
  try {
    yield parseYamlCases(await readWholeText(file, MAX_VALUE_BYTES, onBytes))
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    const hint = error.isTooLong ? '; JSONL has no such limit' : ''
    yield [brokenValue({ line: error.line + 1, column: error.column, message: `${error.message}${hint}` })]
  }
}

export function parseYamlCases(text: string): RawValue[] {
  const lines = new LineCounter()
  try {
    const documents = parseAllDocuments(text, {
      version: '1.2',
      uniqueKeys: true,
      merge: false,
      lineCounter: lines,
      prettyErrors: false,
    })
    if (!Array.isArray(documents)) return []
    return documents.flatMap((document) => readDocument(document, lines))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [brokenValue({ line: 1, column: 1, message: `nesting deeper than ${MAX_DEPTH} levels` })]
  }
}

function readDocument(document: Document.Parsed, lines: LineCounter): RawValue[] {
  // A warning (an unknown tag) means that the value is not what the author wrote.
  const mistakes = [...document.errors, ...document.warnings].map((error) => syntaxProblem(error, lines))
  const problems = mistakes.length > 0 ? mistakes : findOddNodes(document, lines)
  if (problems.length > 0) return problems.map(brokenValue)
  return caseNodes(document.contents).map((node) => rawValue(node, document, lines))
}

function syntaxProblem(error: YAMLError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(error.pos[0])
  return { line, column: col, message: error.message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '') }
}

function caseNodes(contents: ParsedNode | null): ParsedNode[] {
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  if (isSeq(contents)) return contents.items
  if (isMap(contents)) {
    const cases = contents.get('cases', true) as ParsedNode | undefined
    if (isSeq(cases)) return cases.items
  }
  return [contents]
}

function rawValue(node: ParsedNode, document: Document.Parsed, lines: LineCounter): RawValue {
  const start = placeAt(node, lines)
  return {
    value: node.toJS(document, { maxAliasCount: 0 }) as unknown,
    text: '',
    ...start,
    locate: (field) => locate(node, field, lines) ?? start,
  }
}

/** The key of the field, or of the nearest thing around it that exists. */
function locate(node: ParsedNode, field: string, lines: LineCounter): Place | undefined {
  let place: Place | undefined
  let current: unknown = node
  for (const step of fieldSteps(field)) {
    if (isSeq(current) && typeof step === 'number') current = current.items[step]
    else if (isMap(current)) {
      const pair = current.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      if (!pair) break
      place = placeAt(pair.key as ParsedNode, lines)
      current = pair.value
      continue
    } else break
    if (current === undefined) break
    place = placeAt(current as ParsedNode, lines)
  }
  return place
}

function placeAt(node: ParsedNode, lines: LineCounter): Place {
  const { line, col } = lines.linePos(node.range[0])
  return { line, column: col }
}

/** Values that would not survive as JSON: aliases, numbers that change, deep nesting. */
function findOddNodes(document: Document.Parsed, lines: LineCounter): Problem[] {
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
    const message = oddNode(node)
    if (message !== undefined) problems.push({ ...placeAt(node as ParsedNode, lines), message })
    return undefined
  })
  return problems
}

function oddNode(node: unknown): string | undefined {
  if (isAlias(node)) return `alias "*${node.source}": write the value out, aliases are not allowed`
  if (!isScalar(node) || typeof node.value !== 'number') return undefined
  if (!Number.isFinite(node.value) && /[a-z]{3}/i.test(node.source ?? ''))
    return `${node.source} has no place in a case: write null or a text`
  return numberProblem(node.source ?? String(node.value))
}
