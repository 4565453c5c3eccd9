// A .yaml file → values: a list, `cases` in a map, or one case a document. Bounded in size; aliases and tags are refused.
import type { FileHandle } from 'node:fs/promises'
import { isMap, isScalar, isSeq, type Document, type LineCounter, type ParsedNode } from 'yaml'
import { fieldSteps } from '../../base/field-name.js'
import { parseStrictYaml, placeAt } from '../../files/strict-yaml.js'
import { MAX_VALUE_BYTES, readWholeText, UnreadableText } from './lines.js'
import { brokenValue, type Place, type RawValue } from './raw-value.js'
import { strayKey, strayKeys } from './stray-keys.js'

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
  const { parts, lines } = parseStrictYaml(text)
  return parts.flatMap((part) =>
    'problems' in part
      ? part.problems.map(brokenValue)
      : [...strayValues(part, lines), ...caseNodes(part.contents).map((node) => rawValue(node, part, lines))],
  )
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

/** What stands beside the list of cases. */
function strayValues(document: Document.Parsed, lines: LineCounter): RawValue[] {
  const { contents } = document
  if (!isMap(contents) || !isSeq(contents.get('cases', true))) return []
  return strayKeys(contents.toJS(document, { maxAliasCount: 0 })).map((name) =>
    brokenValue({ line: 1, column: 1, ...locate(contents, name, lines), ...strayKey(name) }),
  )
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
