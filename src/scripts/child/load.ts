// Runs a compiled script in this process and hands out its functions.
import { Module } from 'node:module'
import { dirname } from 'node:path'
import { EXPORT_PREFIX, type ScriptMessage } from '../protocol.js'
import { append, execute, keys, sourceText } from './primordials.js'

export type Exports = Record<string, unknown>
export type ScriptFunction = (...args: unknown[]) => unknown

interface CompilableModule extends Module {
  _compile(code: string, filename: string): void
}

const { _nodeModulePaths: nodeModulePaths } = Module as unknown as { _nodeModulePaths: (from: string) => string[] }

type Factory = (module: { exports: Exports }, exports: Exports) => void

/** Neither a Map nor the methods of Module: scripts can replace both. */
const factories = Object.create(null) as Record<number, Factory>
// oxlint-disable-next-line typescript/unbound-method -- called with a module
const compileModule = Function.prototype.call.bind((Module.prototype as CompilableModule)._compile) as (
  module: CompilableModule,
  code: string,
  filename: string,
) => void
const Original = Module

/** A fresh instance each time; compiled once. */
export function loadScript(script: ScriptMessage): Exports {
  const factory = (factories[script.id] ??= compile(script))
  const module = { exports: {} as Exports }
  factory(module, module.exports)
  return module.exports
}

/** Through `_compile`, so that stacks name the user's own file and line. */
function compile({ path, code }: ScriptMessage): Factory {
  const module = new Original(path) as CompilableModule
  module.filename = path
  module.paths = nodeModulePaths(dirname(path))
  compileModule(module, code ?? '', path)
  return module.exports as Factory
}

/** A top-level function by its name, exported or not. */
export function findFunction(exports: Exports, name: string): ScriptFunction | undefined {
  const found = exports[`${EXPORT_PREFIX}${name}`] ?? exports[name]
  return typeof found === 'function' ? (found as ScriptFunction) : undefined
}

/** The default export, else the only exported function. */
export function onlyFunction(exports: Exports): ScriptFunction | undefined {
  if (typeof exports['default'] === 'function') return exports['default'] as ScriptFunction
  let only: ScriptFunction | undefined
  const names = keys(exports)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const value = exports[name]
    if (typeof value !== 'function' || isHandedOut(name)) continue
    if (only) return undefined
    only = value as ScriptFunction
  }
  return only
}

/** Functions, not classes, whose names begin with `Test`; `known` are tests. */
export function testsLeftOut(exports: Exports, known: string[]): string[] {
  const left: string[] = []
  const names = keys(exports)
  for (let at = 0; at < names.length; at++) {
    const [, name] = (execute(TEST, names[at] as string) ?? []) as string[]
    if (name === undefined || name === 'TestMain' || listIncludes(known, name) || listIncludes(left, name)) continue
    const found = findFunction(exports, name)
    if (found && execute(CLASS, sourceText(found)) === null) append(left, name)
  }
  return left
}

const TEST = new RegExp(`^(?:${EXPORT_PREFIX})?(Test.*)`)
const CLASS = /^class\b/

function listIncludes(list: string[], item: string): boolean {
  for (let at = 0; at < list.length; at++) if (list[at] === item) return true
  return false
}

function isHandedOut(name: string): boolean {
  for (let at = 0; at < EXPORT_PREFIX.length; at++) if (name[at] !== EXPORT_PREFIX[at]) return false
  return true
}
