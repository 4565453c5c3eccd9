// What went wrong in a call of a user's script, as the rest of Viva sees it.
import type { WireError } from './protocol.js'

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

/** An error of ours on its way into a script. */
export function wireError(error: unknown): WireError {
  if (error instanceof ScriptError) {
    const wire: WireError = { name: 'Exception', message: error.message }
    if (error.code !== undefined) wire.code = error.code
    if (error.scriptStack !== undefined) wire.stack = error.scriptStack
    return wire
  }
  if (error instanceof Error) {
    const hint = (error as { hint?: unknown }).hint
    const message = typeof hint === 'string' ? `${error.message} (${hint})` : error.message
    return { name: 'Exception', message }
  }
  return { name: 'Exception', message: String(error) }
}
