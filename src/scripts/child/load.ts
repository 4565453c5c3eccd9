// Runs a compiled script in this process and hands out its functions.
import { Module } from 'node:module'
import { dirname } from 'node:path'
import { EXPORT_PREFIX, type ScriptMessage } from '../protocol.js'

export type Exports = Record<string, unknown>
export type ScriptFunction = (...args: unknown[]) => unknown

interface CompilableModule extends Module {
  _compile(code: string, filename: string): void
}

const { _nodeModulePaths: nodeModulePaths } = Module as unknown as { _nodeModulePaths: (from: string) => string[] }

type Factory = (module: { exports: Exports }, exports: Exports) => void

const factories = new Map<number, Factory>()

/** A fresh instance each time; compiled once. */
export function loadScript(script: ScriptMessage): Exports {
  let factory = factories.get(script.id)
  if (!factory) {
    factory = compile(script)
    factories.set(script.id, factory)
  }
  const module = { exports: {} as Exports }
  factory(module, module.exports)
  return module.exports
}

/** Through `_compile`, so that stacks name the user's own file and line. */
function compile({ path, code }: ScriptMessage): Factory {
  const module = new Module(path) as CompilableModule
  module.filename = path
  module.paths = nodeModulePaths(dirname(path))
  module._compile(code ?? '', path)
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
  const found = Object.entries(exports).filter(
    ([name, value]) => typeof value === 'function' && !name.startsWith(EXPORT_PREFIX),
  )
  return found.length === 1 ? (found[0]?.[1] as ScriptFunction) : undefined
}
