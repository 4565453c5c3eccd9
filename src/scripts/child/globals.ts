// The names that scripts written for a synchronous host expect to find.
import { format } from 'node:util'
import { addLog } from './capture.js'
import { Exception } from './exception.js'
import { openFileSystem } from './file-system.js'
import { http } from './http.js'
import { makeSpace } from './store.js'
import { ask, callProcess } from './sync-call.js'
import { translate } from './translate.js'

interface Surroundings {
  authorized: unknown
  locale: string
  assistant_id: string
}

let surroundings: Surroundings = { authorized: null, locale: 'en-us', assistant_id: '' }

/** Who the script runs for: what `Authorized()` and `$L` answer from. */
export function setSurroundings(context: unknown): void {
  const given = (typeof context === 'object' && context !== null ? context : {}) as Partial<Surroundings>
  surroundings = {
    authorized: given.authorized ?? null,
    locale: given.locale ?? 'en-us',
    assistant_id: given.assistant_id ?? '',
  }
}

export function installGlobals(appRoot: string): void {
  const globals: Record<string, unknown> = {
    Process: callProcess,
    Exception,
    log: makeLog(),
    http,
    FS: (name: unknown = 'system') => openFileSystem(appRoot, name),
    Store: (name: unknown) => {
      if (typeof name !== 'string' || name === '') throw new TypeError('Store needs the name of a store')
      return makeSpace({ name }, (op, args) => ask('store', [name, op, ...args]))
    },
    time: { Sleep: sleep, sleep },
    agent: { Call: (request: unknown, context?: unknown) => callProcess('agent.Call', request, context) },
    Authorized: () => surroundings.authorized,
    $L: (text: unknown) =>
      translate(typeof text === 'string' ? text : '', surroundings.assistant_id, surroundings.locale),
  }
  // Once, before any script is loaded: `new Store("cache")` and `new FS("system")` are in use too.
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value: constructible(value), writable: true, configurable: true })
  }
}

/** Arrow functions cannot be called with `new`. */
function constructible(value: unknown): unknown {
  if (typeof value !== 'function' || value === Exception || value === callProcess) return value
  return function (...args: unknown[]): unknown {
    return (value as (...given: unknown[]) => unknown)(...args)
  }
}

function makeLog(): Record<string, unknown> {
  const log: Record<string, unknown> = {}
  for (const level of ['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal', 'Panic']) {
    const write = (...args: unknown[]): void => addLog(`[${level.toLowerCase()}] ${format(...args)}`)
    log[level] = write
    log[level.toLowerCase()] = write
  }
  return log
}

function sleep(ms: unknown): void {
  const duration = Number(ms)
  if (duration > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration)
}
