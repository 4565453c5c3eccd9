// A .yaml file → values: a list, `cases` in a map, or one case per document. Bounded in size, aliases included; unknown tags
// are refused.
import type { FileHandle } from 'node:fs/promises'
import { isMap, isScalar, isSeq, Scalar, visit, type Document, type ParsedNode } from 'yaml'
import { fieldSteps } from '../../base/field-name.js'
import { parseStrictYaml, positionOfNode, type StrictYaml } from '../../files/strict-yaml.js'
import { MAX_VALUE_BYTES, readWholeText, UnreadableText } from './lines.js'
import { brokenValue, type Position, type RawValue } from './raw-value.js'
import { strayKeys } from './stray-keys.js'

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

/** How much aliases expand to has already been checked. */
const UNBOUNDED = { maxAliasCount: -1 }

export function parseYamlCases(text: string): RawValue[] {
  const yaml = parseStrictYaml(text, { aliasLimit: MAX_VALUE_BYTES })
  for (const part of yaml.parts) if (!('problems' in part)) keepWrittenNumbers(part, yaml)
  return yaml.parts.flatMap((part) =>
    'problems' in part
      ? part.problems.map(brokenValue)
      : [...strayValues(part, yaml), ...caseNodes(part.contents, yaml).map((node) => rawValue(node, part, yaml))],
  )
}

const IN_TEXT = ['contains', 'not_contains']

/** `contains: 1.0` looks for "1.0": as a number it would be 1, which occurs in many more answers. */
function keepWrittenNumbers(document: Document.Parsed, { targets }: StrictYaml): void {
  visit(document, {
    Map(_key, map) {
      const type: unknown = map.get('type')
      if (typeof type !== 'string' || !IN_TEXT.includes(type)) return
      const pair = map.items.find(({ key }) => isScalar(key) && key.value === 'value')
      if (!pair) return
      if (isSeq(pair.value)) pair.value.items = pair.value.items.map((item) => asWritten(item, targets))
      else pair.value = asWritten(pair.value, targets)
    },
  })
}

function asWritten(node: unknown, targets: StrictYaml['targets']): unknown {
  const scalar = targets.get(node) ?? node
  if (!isScalar(scalar) || typeof scalar.value !== 'number' || scalar.source === undefined) return node
  if (scalar.source === String(scalar.value)) return node
  const text = new Scalar(scalar.source)
  text.range = (node as ParsedNode).range
  return text
}

function caseNodes(contents: ParsedNode | null, { targets }: StrictYaml): ParsedNode[] {
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  if (isSeq(contents)) return contents.items
  if (isMap(contents)) {
    const written = contents.get('cases', true) as ParsedNode | undefined
    const cases = targets.get(written) ?? written
    if (isSeq(cases)) return cases.items
  }
  return [contents]
}

/** What is beside the list of cases. */
function strayValues(document: Document.Parsed, yaml: StrictYaml): RawValue[] {
  const { contents } = document
  if (!isMap(contents) || !isSeq(contents.get('cases', true))) return []
  return strayKeys(contents.toJS(document, UNBOUNDED)).map((stray) =>
    brokenValue({ line: 1, column: 1, ...locate(contents, stray.field, yaml), ...stray }),
  )
}

function rawValue(node: ParsedNode, document: Document.Parsed, yaml: StrictYaml): RawValue {
  const start = positionOfNode(node, yaml.lines)
  const value = node.toJS(document, UNBOUNDED) as unknown
  return {
    // Two cases that refer to one anchor share nothing afterwards.
    value: yaml.targets.size === 0 ? value : structuredClone(value),
    text: '',
    ...start,
    locate: (field) => locate(node, field, yaml) ?? start,
  }
}

/** The key of the field, or of the nearest thing around it that exists. */
function locate(node: ParsedNode, field: string, { lines, targets }: StrictYaml): Position | undefined {
  let position: Position | undefined
  let current: unknown = node
  for (const step of fieldSteps(field)) {
    current = targets.get(current) ?? current
    if (isSeq(current) && typeof step === 'number') current = current.items[step]
    else if (isMap(current)) {
      const pair = current.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      if (!pair) break
      position = positionOfNode(pair.key as ParsedNode, lines)
      current = pair.value
      continue
    } else break
    if (current === undefined) break
    position = positionOfNode(current as ParsedNode, lines)
  }
  return position
}
