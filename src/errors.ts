// The two kinds of thrown error: what a user can mend, and what an agent did.
import type { ApiRetry } from './model/agent.js'

/** One mistake in a file or a flag: where it is, what was found, what was expected, what to do. */
export interface Problem {
  file?: string
  line?: number
  column?: number
  /** Path of the field, e.g. `assert[1].path`. */
  field?: string
  message: string
  /** The near miss, e.g. `assert` for `asert`. */
  suggestion?: string
  /** What to do about it, where the message does not say. */
  hint?: string
}

export interface UserErrorInit {
  code: string
  message: string
  hint?: string
  problems?: Problem[]
  /** 2 = found before anything ran, 3 = the run could not go on. */
  exitCode?: 2 | 3
  cause?: unknown
}

/** What a person can mend. Printed by `cli/print-error.ts`, nowhere else; every other exception is a bug. */
export class UserError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly problems: Problem[]
  readonly exitCode: 2 | 3

  constructor(init: UserErrorInit) {
    super(init.message, { cause: init.cause })
    this.name = 'UserError'
    this.code = init.code
    this.hint = init.hint
    this.problems = init.problems ?? []
    this.exitCode = init.exitCode ?? 2
  }
}

/** Why a call to an agent, model or tool server failed. `rate_limit`, `timeout`, `server`, `connection` and `overloaded` are transient. */
export type AgentErrorCode =
  | 'timeout'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'connection'
  | 'cut_off'
  | 'bad_response'
  | 'too_large'
  | 'auth'
  | 'quota'
  | 'not_found'
  | 'bad_request'
  | 'crashed'
  | 'exhausted'
  | 'config'
  | 'failed'

export interface AgentErrorInit {
  code: AgentErrorCode
  message: string
  hint?: string
  status?: number
  retry_after_ms?: number
  /** The server itself said whether another try makes sense. */
  retry?: boolean
  /** What had been gathered until then. */
  partial?: unknown
  cause?: unknown
}

const TRANSIENT: ReadonlySet<AgentErrorCode> = new Set([
  'timeout',
  'rate_limit',
  'overloaded',
  'server',
  'connection',
  'cut_off',
])

/** A failed agent call. It becomes a result's `error` (`agent error: …`), never a crash of the run. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly hint: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly retry: boolean | undefined
  readonly partial: unknown
  /** The transport retries made before this error was given up on. */
  retries: ApiRetry[] | undefined

  constructor(init: AgentErrorInit) {
    super(init.message, { cause: init.cause })
    this.name = 'AgentError'
    this.code = init.code
    this.hint = init.hint
    this.status = init.status
    this.retryAfterMs = init.retry_after_ms
    this.retry = init.retry
    this.partial = init.partial
  }

  get transient(): boolean {
    return TRANSIENT.has(this.code)
  }
}
