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
import { apply, define, whenSettled } from './primordials.js'

/** A script that changes what all scripts share does not get to share its process with the next one. */
let isClean: (() => boolean) | undefined

export function runCall(message: CallMessage, done: () => void): void {
  isClean ??= watchBuiltins()
  resetCapture()
  const { context_args: contextArgs } = message
  setSurroundings(contextArgs.length > 0 ? message.args[contextArgs[0] as number] : undefined)
  const finish = (result: { value?: unknown; error?: WireError }): void => {
    reportCoverage(message.script.path)
    send({ k: 'result', ...result, dirty: isClean?.() !== true })
    done()
  }
  const failed = (error: unknown): void => finish({ error: toWire(error) })
  let returned: unknown
  try {
    returned = callScript(message)
  } catch (error) {
    return failed(error)
  }
  whenSettled(
    returned,
    (value) => {
      let copied: unknown
      try {
        copied = plain(value)
      } catch (error) {
        return failed(error)
      }
      finish({ value: copied })
    },
    failed,
  )
}

function callScript(message: CallMessage): unknown {
  const exports = loadScript(message.script)
  const fn = message.name === undefined ? onlyFunction(exports) : findFunction(exports, message.name)
  if (!fn) throw notThere(message)
  const { args } = message
  for (let at = 0; at < message.context_args.length; at++) {
    const index = message.context_args[at] as number
    define(args, index, makeContext(args[index]))
  }
  return apply(fn, undefined, args)
}

function notThere(message: CallMessage): Error {
  if (message.name !== undefined) return new Error(`function ${message.name} is not defined in ${message.script.path}`)
  return new Error(`${message.script.path} has no default export and not exactly one exported function`)
}
