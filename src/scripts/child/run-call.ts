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
import { forgetWork, hasStartedWork, hasTimers, leftWork, watchWork } from './pending.js'
import { callToolModule } from './tool-module.js'
import { after, apply, define, nextTurn, whenSettled } from './primordials.js'

/** A script that changes what all scripts share does not get to share its process with the next one. */
let isClean: (() => boolean) | undefined

/** How long a call may take to finish work it has not awaited. */
const LATE_MS = 250
const POLL_MS = 5

/** Represents the running call. */
let current: object | undefined
let spoilt = false

/** An uncaught exception surfaced: what else it has done to the process is unknown. */
export function spoilProcess(): void {
  spoilt = true
}

export function runCall(message: CallMessage, done: () => void): void {
  isClean ??= watchBuiltins()
  resetCapture()
  current = {}
  watchWork(() => current)
  forgetWork()
  const { context_args: contextArgs } = message
  setSurroundings(contextArgs.length > 0 ? message.args[contextArgs[0] as number] : undefined)
  const finish = (result: Result): void => {
    const last = (): void => {
      reportCoverage(message.script.path)
      const dirty = isClean?.() !== true || spoilt || hasTimers(message.script.path)
      current = undefined
      send({ k: 'result', ...result, dirty })
      done()
    }
    if (hasStartedWork()) nextTurn(() => whenNothingIsLeft(message, LATE_MS, last))
    else last()
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

interface Result {
  value?: unknown
  error?: WireError
}

/** Work that a call has not awaited would be lost, or continue during another call. */
function whenNothingIsLeft(message: CallMessage, ms: number, next: () => void): void {
  const left = leftWork(message.script.path)
  if (left.length === 0) return next()
  if (ms > 0) return after(POLL_MS, () => whenNothingIsLeft(message, ms - POLL_MS, next))
  const stack = left[0]?.stack ?? ''
  const text = 'the function has returned, and work that it started has not ended: forgot await?'
  spoilt = true
  send({ k: 'late', message: text, where: '', ...(stack === '' ? {} : { stack }) })
  next()
}

function callScript(message: CallMessage): unknown {
  const exports = loadScript(message.script)
  if (message.tools) return callToolModule(exports, message.tools, message.args)
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
