// Runs a compiled script in this process and hands out its functions.
import { Module } from 'node:module'
import { dirname } from 'node:path'
import { EXPORT_PREFIX, type CompiledScript } from '../protocol.js'

export type Exports = Record<string, unknown>
export type ScriptFunction = (...args: unknown[]) => unknown

interface CompilableModule extends Module {
  _compile(code: string, filename: string): void
}

const { _nodeModulePaths: nodeModulePaths } = Module as unknown as { _nodeModulePaths: (from: string) => string[] }

/** A fresh instance each time. Through `_compile`, so that stacks name the user's own file and line. */
export function loadScript(script: CompiledScript): Exports {
  const module = new Module(script.path) as CompilableModule
  module.filename = script.path
  module.paths = nodeModulePaths(dirname(script.path))
  module._compile(script.code, script.path)
  return module.exports as Exports
}

/** A top-level function by its name, exported or not. */
export function findFunction(exports: Exports, name: string): ScriptFunction | undefined {
  const found = exports[`${EXPORT_PREFIX}${name}`] ?? exports[name]
  return typeof found === 'function' ? (found as ScriptFunction) : undefined
}

/** The default export, else the only exported function. */
export function onlyFunction(exports: Exports): ScriptFunction | undefined {
  if (typeof exports['default'] === 'function') return exports['default'] as ScriptFunction
  const found = Object.entries(exports).filter(
    ([name, value]) => typeof value === 'function' && !name.startsWith(EXPORT_PREFIX),
  )
  return found.length === 1 ? (found[0]?.[1] as ScriptFunction) : undefined
}
