// `Exception(message, code)`, and errors on their way between processes.
import type { WireError } from '../protocol.js'
import { isError, text, toJson } from './primordials.js'

/** The file this process was started from: frames in it are ours. */
const OWN_FILE = process.argv[1] ?? ''

export interface ExceptionObject extends Error {
  code: unknown
}

/** Works with and without `new`, as scripts written for Yao use both. */
export const Exception = function (this: unknown, message?: unknown, code: unknown = 500): ExceptionObject {
  const error = new Error(
    typeof message === 'string' ? message : message === undefined ? '' : describe(message),
  ) as ExceptionObject
  Object.setPrototypeOf(error, Exception.prototype)
  Object.defineProperty(error, 'code', { value: code, writable: true, enumerable: true, configurable: true })
  Error.captureStackTrace(error, Exception)
  return error
} as unknown as {
  new (message?: unknown, code?: unknown): ExceptionObject
  (message?: unknown, code?: unknown): ExceptionObject
  prototype: object
}

Exception.prototype = Object.create(Error.prototype, {
  constructor: { value: Exception, writable: true, configurable: true },
  name: { value: 'Exception', writable: true, configurable: true },
}) as object

/** An error that came from the host or another script: thrown here, with the place where it began. */
export function revive(error: WireError): Error {
  const revived = Exception(error.message, error.code ?? 500)
  if (error.name !== 'Error') revived.name = error.name
  const began = error.stack === undefined ? '' : framesOf(error.stack)
  if (began !== '') {
    // Innermost first, as in every stack: the calls continue across the processes.
    const stack = `${errorText(revived)}\n${began}\n${framesOf(revived.stack ?? '')}`
    Object.defineProperty(revived, 'stack', { value: stack, writable: true, configurable: true })
  }
  return revived
}

/** Whatever was thrown, and however it behaves when inspected. */
export function toWire(thrown: unknown): WireError {
  try {
    return describeThrown(thrown)
  } catch {
    return { name: 'Error', message: 'threw something that cannot be shown' }
  }
}

function describeThrown(thrown: unknown): WireError {
  if (isError(thrown)) {
    const { code, stack } = thrown as { code?: unknown; stack?: unknown }
    const clean = typeof stack === 'string' ? cleaned(stack) : undefined
    return {
      name: text(thrown.name),
      message: text(thrown.message),
      ...(isScalar(code) ? { code } : {}),
      ...(clean === undefined ? {} : { stack: clean }),
    }
  }
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    const { message, code } = thrown as { message: unknown; code?: unknown }
    return { name: 'Exception', message: text(message), ...(isScalar(code) ? { code } : {}) }
  }
  return { name: 'Error', message: typeof thrown === 'string' ? thrown : `threw ${describe(thrown)}` }
}

function cleaned(stack: string): string | undefined {
  try {
    return text(cleanStack(stack))
  } catch {
    return undefined
  }
}

export function errorText(error: WireError): string {
  return `${error.name}: ${error.message}`
}

/** Without the frames of this runtime and of Node: what is left is the user's own. */
export function cleanStack(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || isUserFrame(line))
    .join('\n')
}

/** The frames of a stack without the message lines before them. */
export function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && isUserFrame(line))
    .join('\n')
}

function isUserFrame(line: string): boolean {
  return !line.includes(OWN_FILE) && !/\(?node:|at new Promise \(<anonymous>\)|at Array\.\w+ \(<anonymous>\)/.test(line)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string'
}

function describe(value: unknown): string {
  try {
    return toJson(value) ?? text(value)
  } catch {
    return text(value)
  }
}
