// Reads the YAML files of a package strictly: warnings count as errors, every problem has its line.
import type { Document, Node } from 'yaml'
import type { Problem } from '../../../errors.js'
import { readText } from './yao-file.js'

export interface YamlFile {
  file: string
  value: unknown
  /** 1-based line of the item at a path. */
  lineOf(path: (string | number)[]): number
}

export async function readYaml(file: string, problems: Problem[]): Promise<YamlFile | undefined> {
  const text = readText(file, problems)
  if (text === undefined) return undefined
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(quoteAssets(text), {
    version: '1.2',
    merge: false,
    uniqueKeys: true,
    lineCounter: lines,
  })
  const faults = [...document.errors, ...document.warnings]
  for (const fault of faults.slice(0, 20)) {
    const { line, col } = lines.linePos(fault.pos[0])
    problems.push({
      file,
      line,
      column: col,
      message: (fault.message.split('\n')[0] ?? '').replace(/ at line \d+.*$/, ''),
    })
  }
  if (faults.length > 0) return undefined
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { file, value, lineOf: (path) => lines.linePos(offsetOf(document, path)).line }
  } catch (error) {
    problems.push({ file, line: 1, message: (error as Error).message })
    return undefined
  }
}

// `@` cannot start plain text in YAML, yet `content: @assets/x.md` is how prompts name their files.
function quoteAssets(text: string): string {
  return text.replaceAll(/^(\s*(?:- +)?[\w-]+: +)(@assets\/[^\s"'#]+)[ \t]*$/gm, '$1"$2"')
}

function offsetOf(document: Document.Parsed, path: (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined
    if (node?.range) return node.range[0]
  }
  return 0
}
