// A module of tools that a test provides: its exports `tools` and `store`, as the host asks for them. The store is data that
// the host keeps: a call gets it, and returns it as the tool left it.
import { lostInJson } from '../../base/json/lost-in-json.js'
import type { ToolModuleCall } from '../../model/script.js'
import { toWire } from './exception.js'
import type { Exports, ScriptFunction } from './load.js'
import { apply, fromJson, hasOwn, isArray, keys, OriginalPromise, toJson, whenSettled } from './primordials.js'

export function callToolModule(exports: Exports, { op, tool = '' }: ToolModuleCall, args: unknown[]): unknown {
  const module = partsOf(exports)
  switch (op) {
    case 'describe':
      return describe(module)
    case 'store':
      return createStore(module, args[0])
    case 'call':
      return callTool(module, tool, args)
  }
}

interface Parts {
  tools: Record<string, unknown>
  store: unknown
}

/** Named exports, or the same in the default export. */
function partsOf(exports: Exports): Parts {
  const whole = exports['default']
  const from = exports['tools'] === undefined && isObject(whole) ? whole : exports
  const { tools, store } = from
  if (!isObject(tools)) throw new Error('exports no tools: export const tools = {name: {description, parameters, run}}')
  return { tools, store }
}

function describe({ tools, store }: Parts): unknown {
  const described: Record<string, unknown>[] = []
  const names = keys(tools)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const tool = tools[name]
    if (typeof tool === 'function') described[at] = { name }
    else if (!isObject(tool) || typeof tool['run'] !== 'function')
      throw new Error(`the tool ${name} is not a function, and has no function "run"`)
    else described[at] = { ...asJson(withoutRun(tool), `the tool ${name}`), name }
  }
  return { tools: described, store: store !== undefined }
}

function withoutRun({ run: _run, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest
}

function createStore({ store }: Parts, about: unknown): unknown {
  const made = typeof store === 'function' ? apply(store as ScriptFunction, undefined, [about]) : store
  return new OriginalPromise((resolve, reject) =>
    whenSettled(
      made,
      (value) => {
        try {
          if (typeof value !== 'object' || value === null) throw new Error('the store must be an object or a list')
          resolve(asJson(value, 'the store'))
        } catch (error) {
          reject(error)
        }
      },
      reject,
    ),
  )
}

/** What a tool throws is its answer; what cannot be kept of the store ends the case. */
function callTool({ tools }: Parts, name: string, args: unknown[]): unknown {
  const tool = hasOwn(tools, name) ? tools[name] : undefined
  const run = isObject(tool) ? tool['run'] : tool
  if (typeof run !== 'function') throw new Error(`there is no tool ${name}`)
  const store = args[1]
  return new OriginalPromise((resolve, reject) => {
    const end = (outcome: () => object): void => {
      try {
        const kept = store === undefined ? {} : { store: asJson(store, 'the store') }
        resolve({ ...outcome(), ...kept })
      } catch (error) {
        reject(error)
      }
    }
    const failed = (error: unknown): void => end(() => ({ error: toWire(error).message }))
    let given: unknown
    try {
      given = apply(run as ScriptFunction, tool, args)
    } catch (error) {
      return failed(error)
    }
    whenSettled(
      given,
      (value) => end(() => ({ result: value === undefined ? null : asJson(value, 'its result') })),
      failed,
    )
  })
}

function asJson<T>(value: T, what: string): T {
  const lost = lostInJson(value)
  if (lost)
    throw new Error(`${what} is not JSON: ${lost.path === '' ? 'it' : lost.path.replace(/^\./, '')} is ${lost.what}`)
  return fromJson(toJson(value)) as T
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isArray(value)
}
