// The parser, loaded when the first script is read, and the few parts of its tree that we use.
import { basename } from 'node:path'

export interface Node {
  type: string
  start: number
  name?: string
  id?: Node | null
  init?: Node | null
  left?: Node
  argument?: Node
  expression?: Node
  value?: Node
  declaration?: Node | null
  declarations?: Node[]
  specifiers?: { local?: Node; exported?: Node | null; exportKind?: string }[]
  exported?: Node | null
  source?: { value?: string } | null
  properties?: Node[]
  elements?: (Node | null)[]
  declare?: boolean
  exportKind?: string
  params?: Node[]
  body?: unknown
  consequent?: Node | null
  alternate?: Node | null
  block?: Node | null
  handler?: Node | null
  finalizer?: Node | null
  cases?: Array<{ consequent: Node[] }>
  callee?: Node
  arguments?: Node[]
  object?: Node
  property?: Node
  key?: Node
  computed?: boolean
}

export interface SyntaxTree {
  body: Node[]
  hasModuleSyntax: boolean
  error?: { message: string; offset: number }
}

let parser: Promise<typeof import('oxc-parser')> | undefined

export async function parseSource(file: string, source: string): Promise<SyntaxTree> {
  parser ??= import('oxc-parser')
  const { parseSync } = await parser
  const result = parseSync(basename(file), source)
  const [error] = result.errors
  const tree: SyntaxTree = {
    body: error ? [] : (result.program.body as unknown as Node[]),
    hasModuleSyntax: result.module.hasModuleSyntax,
  }
  if (error) tree.error = { message: error.message, offset: error.labels[0]?.start ?? 0 }
  return tree
}
