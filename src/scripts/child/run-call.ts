// Calls one function of a script for the host: hooks, assertions, generators, tools.
import type { CallMessage, WireError } from '../protocol.js'
import { watchBuiltins } from './builtins.js'
import { resetCapture } from './capture.js'
import { send } from './channel.js'
import { makeContext } from './context.js'
import { reportCoverage } from './coverage.js'
import { toWire } from './exception.js'
import { setSurroundings } from './globals.js'
import { findFunction, loadScript, onlyFunction } from './load.js'
import { plain } from './plain.js'

/** A script that changes what all scripts share does not get to share its process with the next one. */
let isClean: (() => boolean) | undefined

export async function runCall(message: CallMessage): Promise<void> {
  isClean ??= watchBuiltins()
  resetCapture()
  const firstContext = message.context_args[0]
  setSurroundings(firstContext === undefined ? undefined : message.args[firstContext])
  let result: { value?: unknown; error?: WireError }
  try {
    const exports = loadScript(message.script)
    const fn = message.name === undefined ? onlyFunction(exports) : findFunction(exports, message.name)
    if (!fn) throw notThere(message)
    const args = message.args.map((item, index) => (message.context_args.includes(index) ? makeContext(item) : item))
    result = { value: plain(await fn(...args)) }
  } catch (error) {
    result = { error: toWire(error) }
  }
  reportCoverage(message.script.path)
  send({ k: 'result', ...result, dirty: !isClean() })
}

function notThere(message: CallMessage): Error {
  if (message.name !== undefined) return new Error(`function ${message.name} is not defined in ${message.script.path}`)
  return new Error(`${message.script.path} has no default export and not exactly one exported function`)
}
