// A cassette read by `yaml`: for the lines of mistakes.
import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import type { Problem } from '../errors.js'
import { parseStrictYaml } from '../files/strict-yaml.js'
import type { FastDocument } from './fast-yaml.js'

export interface YamlCassette extends FastDocument {
  /** The line of what is there, or of what should contain it. Without steps: the last one. */
  lineOf(at: Array<string | number>): number
}

export function openYaml(text: string): YamlCassette | { problems: Problem[] } {
  const { parts, lines } = parseStrictYaml(text, { plain: true })
  const wrong = parts.flatMap((part) => ('problems' in part ? part.problems : []))
  if (wrong.length > 0) return { problems: wrong }
  const [document] = parts
  if (!document || 'problems' in document || parts.length > 1)
    return { problems: [{ line: 1, message: `expected one YAML document, found ${parts.length}` }] }
  const { contents } = document
  const lineAt = (node: ParsedNode | null | undefined): number => lines.linePos(node?.range[0] ?? 0).line
  const list = isMap(contents) ? contents.get('interactions', true) : undefined
  return {
    value: contents?.toJSON(),
    itemLines: isSeq(list) ? (list.items as ParsedNode[]).map(lineAt) : [],
    lineOf: (at) => {
      if (at.length === 0) return lines.lineStarts.length
      let node: ParsedNode | null | undefined = contents
      let line = lineAt(node)
      for (const step of at) {
        const next: { key: ParsedNode | null; value: ParsedNode | null } | undefined = childOf(node, step)
        // If it is missing: where the map that lacks it begins.
        if (!next) return node ? lineAt(node) : line
        line = lineAt(next.key)
        node = next.value
      }
      return line
    },
  }
}

function childOf(
  node: ParsedNode | null | undefined,
  step: string | number,
): { key: ParsedNode | null; value: ParsedNode | null } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)]
    return item && { key: item, value: item }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
  return pair && { key: pair.key, value: pair.value }
}
