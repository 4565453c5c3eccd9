// What went wrong in a call of a user's script, as the rest of Viva sees it.
import { sep } from 'node:path'
import type { WireError } from '../protocol.js'
import { messageOf } from '../../base/message-of.js'

export type ScriptErrorKind = 'exception' | 'crashed' | 'compile'

export interface ScriptErrorInit {
  kind: ScriptErrorKind
  message: string
  /** The exception's own code, as in `new Exception("no", 403)`. */
  code?: unknown
  /** The user's frames only. */
  stack?: string
  /** What was called. */
  where: string
  cause?: unknown
}

export class ScriptError extends Error {
  readonly kind: ScriptErrorKind
  readonly code: unknown
  readonly where: string
  /** Frames of the script, with the user's files and lines. */
  readonly scriptStack: string | undefined

  constructor(init: ScriptErrorInit) {
    super(init.message, { cause: init.cause })
    this.name = 'ScriptError'
    this.kind = init.kind
    this.code = init.code
    this.where = init.where
    this.scriptStack = init.stack
  }
}

/** The exception of a script behind an error: the error itself, or its cause. */
export function scriptErrorOf(error: unknown): ScriptError | undefined {
  let current = error
  for (let depth = 0; depth < 10 && current instanceof Error; depth++) {
    if (current instanceof ScriptError) return current
    current = current.cause
  }
  return undefined
}

/** What was thrown and at which line, for messages without room for a stack. */
export function describeWithPosition(error: unknown, root?: string): string {
  const message = messageOf(error)
  const frame = /^\s+at (?:.*\()?(.+?:\d+:\d+)\)?$/m.exec(scriptErrorOf(error)?.scriptStack ?? '')?.[1]
  if (frame === undefined) return message
  const place = root !== undefined && frame.startsWith(root + sep) ? frame.slice(root.length + 1) : frame
  return `${message} (${place})`
}

/** One of our errors on its way into a script. */
export function wireError(error: unknown): WireError {
  const wire: WireError = { name: 'Exception', message: messageWithHint(error) }
  const script = scriptErrorOf(error)
  if (script?.code !== undefined) wire.code = script.code
  if (script?.scriptStack !== undefined) wire.stack = script.scriptStack
  return wire
}

function messageWithHint(error: unknown): string {
  const hint = error instanceof Error ? (error as { hint?: unknown }).hint : undefined
  return typeof hint === 'string' ? `${messageOf(error)} (${hint})` : messageOf(error)
}
