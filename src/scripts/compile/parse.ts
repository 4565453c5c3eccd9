// What a script file declares at its top level, read by syntax.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { positionAt } from '../../base/position-at.js'
import type { Problem } from '../../errors.js'
import { parseSource, type Node } from './syntax-tree.js'

export interface TopFunction {
  name: string
  line: number
  exported: boolean
  node: Node
}

export interface ScriptSyntax {
  /** `function F`, `async function F`, `const F = function or arrow`, `const TestF = wrap(function)`, in source order. */
  functions: TopFunction[]
  /** Variables named like a test or a setup function: what they hold is known when the file has been loaded. */
  maybeFunctions: string[]
  /** Tests inside a block, where nothing calls them. */
  buried: Array<{ name: string; line: number }>
  /** Every name bound at the top level, imports included. */
  bindings: Set<string>
  /** Names of exported values; types are left out. */
  exports: string[]
  hasDefault: boolean
  /** Files whose exports are passed on with `export * from`. */
  stars: string[]
  /** `module.exports = …` and no import or export. */
  isCommonJs: boolean
  problem?: Problem
}

export async function parseFile(file: string, root: string): Promise<ScriptSyntax> {
  return parseScript(file, readFileSync(file, 'utf8'), root)
}

export async function parseScript(file: string, source: string, root: string): Promise<ScriptSyntax> {
  const tree = await parseSource(file, source)
  const syntax: ScriptSyntax = {
    functions: [],
    maybeFunctions: [],
    buried: [],
    bindings: new Set(),
    exports: [],
    hasDefault: false,
    stars: [],
    isCommonJs: !tree.hasModuleSyntax && /\b(?:module\.exports|exports\.\w+)\b/.test(source),
  }
  if (tree.error) {
    const { line, column } = positionAt(source, tree.error.offset)
    syntax.problem = { file: relative(root, file), line, column, message: tree.error.message }
    return syntax
  }
  const values = new Set<string>()
  const reader = { syntax, values, lineAt: (offset: number) => positionAt(source, offset).line }
  for (const node of tree.body) readStatement(node, reader)
  syntax.buried = tree.body.flatMap((node) => buriedTests(node, reader.lineAt))
  const functions = new Set(syntax.functions.map(({ name }) => name))
  syntax.maybeFunctions = [...new Set(syntax.maybeFunctions)].filter((name) => !functions.has(name))
  // `export { T }` of an interface exports no value. What was imported may be one.
  syntax.exports = syntax.exports.filter((name) => !typeOnly(name, tree.body) || values.has(name))
  return syntax
}

interface Reader {
  syntax: ScriptSyntax
  values: Set<string>
  lineAt: (offset: number) => number
}

function readStatement(node: Node, reader: Reader): void {
  const { syntax } = reader
  switch (node.type) {
    case 'ImportDeclaration':
      for (const specifier of node.specifiers ?? [])
        if (specifier.local?.name) syntax.bindings.add(specifier.local.name)
      return
    case 'ExportNamedDeclaration':
      if (node.exportKind === 'type') return
      if (node.declaration) readDeclaration(node.declaration, reader, true)
      for (const specifier of node.specifiers ?? []) {
        if (specifier.exportKind !== 'type' && specifier.exported?.name) syntax.exports.push(specifier.exported.name)
      }
      return
    case 'ExportDefaultDeclaration':
      syntax.hasDefault = true
      if (node.declaration?.id) readDeclaration(node.declaration, reader, false)
      return
    case 'ExportAllDeclaration':
      if (node.exportKind === 'type') return
      if (node.exported?.name) syntax.exports.push(node.exported.name)
      else if (node.source?.value) syntax.stars.push(node.source.value)
      return
    default:
      readDeclaration(node, reader, false)
  }
}

function readDeclaration(node: Node, { syntax, values, lineAt }: Reader, exported: boolean): void {
  if (node.declare) return
  const bind = (name: string): void => {
    syntax.bindings.add(name)
    values.add(name)
    if (exported) syntax.exports.push(name)
  }
  switch (node.type) {
    case 'FunctionDeclaration':
      if (!node.id?.name) return
      bind(node.id.name)
      syntax.functions.push({ name: node.id.name, line: lineAt(node.start), exported, node })
      return
    case 'VariableDeclaration':
      for (const declarator of node.declarations ?? []) {
        const names = boundNames(declarator.id)
        for (const name of names) bind(name)
        const node = functionIn(declarator.init) ?? wrappedTest(declarator)
        if (declarator.id?.type === 'Identifier' && declarator.id.name && node) {
          syntax.functions.push({ name: declarator.id.name, line: lineAt(declarator.start), exported, node })
        } else syntax.maybeFunctions.push(...names.filter((name) => CALLED_BY_NAME.test(name)))
      }
      return
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      if (node.id?.name) bind(node.id.name)
      return
    default:
  }
}

/** `if (…) { function TestX(t) { … } }`: looks like a test, and would never run. Functions inside functions are their own. */
function buriedTests(statement: Node, lineAt: Reader['lineAt'], isInside = false): ScriptSyntax['buried'] {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration)
    return buriedTests(statement.declaration, lineAt, isInside)
  const found = isInside ? declaredTests(statement) : []
  return [
    ...found.map(({ name, node }) => ({ name, line: lineAt(node.start) })),
    ...statementsIn(statement).flatMap((inner) => buriedTests(inner, lineAt, true)),
  ]
}

function declaredTests(statement: Node): Array<{ name: string; node: Node }> {
  const declared =
    statement.type === 'FunctionDeclaration'
      ? [statement]
      : statement.type === 'VariableDeclaration'
        ? (statement.declarations ?? []).filter((node) => functionIn(node.init) ?? wrappedTest(node))
        : []
  return declared.flatMap((node) => {
    const name = node.id?.name
    return name !== undefined && CALLED_BY_NAME.test(name) ? [{ name, node }] : []
  })
}

/** Statements that run where this one stands. */
function statementsIn(statement: Node): Node[] {
  switch (statement.type) {
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return Array.isArray(statement.body) ? (statement.body as Node[]) : []
    case 'SwitchStatement':
      return (statement.cases ?? []).flatMap(({ consequent }) => consequent)
    case 'IfStatement':
    case 'TryStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'WithStatement':
    case 'TSModuleDeclaration':
      return [
        statement.consequent,
        statement.alternate,
        statement.block,
        statement.handler?.body as Node | undefined,
        statement.finalizer,
        statement.body as Node | undefined,
      ].filter((part) => part !== undefined && part !== null)
    default:
      return []
  }
}

const CALLED_BY_NAME = /^(?:Test.*|(?:Before|After)(?:All|Each))$/

const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
])

function functionIn(node: Node | null | undefined): Node | undefined {
  if (!node) return undefined
  if (WRAPPERS.has(node.type)) return functionIn(node.expression)
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' ? node : undefined
}

/** `const TestPaid = withShop((t) => …)`: if the notation kept it from running, a test would be lost. */
function wrappedTest({ id, init }: Node): Node | undefined {
  if (!id?.name?.startsWith('Test') || init?.type !== 'CallExpression') return undefined
  return init.callee?.type === 'Identifier' ? init.arguments?.findLast(isWrapped) : undefined
}

function isWrapped(argument: Node): boolean {
  return functionIn(argument) === argument && (argument.params?.length ?? 0) > 0
}

function boundNames(pattern: Node | null | undefined): string[] {
  if (!pattern) return []
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === undefined ? [] : [pattern.name]
    case 'ObjectPattern':
      return (pattern.properties ?? []).flatMap((item) => boundNames(item.type === 'RestElement' ? item : item.value))
    case 'ArrayPattern':
      return (pattern.elements ?? []).flatMap(boundNames)
    case 'RestElement':
      return boundNames(pattern.argument)
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    default:
      return []
  }
}

function typeOnly(name: string, body: Node[]): boolean {
  return body.some(
    (node) =>
      (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') && node.id?.name === name,
  )
}
