// The two kinds of thrown error: what a user can fix, and what an agent did.
import type { ErrorCode } from './model/error-codes.js'
import type { ApiRetry } from './model/agent.js'
import { TRANSIENT_CODES, type AGENT_ERROR_CODES } from './model/status.js'

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
  /** What to do about it, if the message does not say. */
  hint?: string
}

/** What an error is about, as the person wrote it: a flag, or a field in a file. */
export interface Subject {
  /** `--timeout` */
  flag?: string
  file?: string
  /** `defaults.timeout` */
  field?: string
}

export interface UserErrorInit {
  /** Explained in `model/error-codes.ts`. */
  code: ErrorCode
  /** Printed in front of the message. */
  subject?: Subject | undefined
  message: string
  hint?: string | undefined
  problems?: Problem[]
  /** 2 = found before anything ran, 3 = the run could not go on. */
  exitCode?: 2 | 3
  cause?: unknown
}

/** What a person can fix. Printed by `cli/print-error.ts`, nowhere else; every other exception is a bug. */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly subject: Subject | undefined
  /** The message without its subject. */
  readonly reason: string
  readonly hint: string | undefined
  readonly problems: Problem[]
  readonly exitCode: 2 | 3

  constructor(init: UserErrorInit) {
    super(init.subject ? `${subjectText(init.subject)}: ${init.message}` : init.message, { cause: init.cause })
    this.name = 'UserError'
    this.code = init.code
    this.subject = init.subject
    this.reason = init.message
    this.hint = init.hint
    this.problems = init.problems ?? []
    this.exitCode = init.exitCode ?? 2
  }

  /** The same mistake, reported where the person made it. */
  as(changes: Partial<Omit<UserErrorInit, 'cause'>>): UserError {
    const { code, subject, reason: message, hint, problems, exitCode } = this
    return new UserError({ code, subject, message, hint, problems, exitCode, ...changes, cause: this })
  }
}

/** Where nothing live is allowed. `what` starts the sentence: `the hooks in src/index.ts`. */
export function liveRefused(what: string): UserError {
  return new UserError({
    code: 'LIVE_REFUSED',
    message: `${what}: live agents are disabled`,
    hint: 'use scripted answers or a recording, or start the server with --allow-live',
  })
}

function subjectText({ flag, file, field }: Subject): string {
  return flag ?? [field, file].filter((part) => part !== undefined).join(' in ')
}

export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number]

export interface AgentErrorInit {
  code: AgentErrorCode
  message: string
  hint?: string
  status?: number
  retry_after_ms?: number
  /** The server itself said whether another try makes sense. */
  retry?: boolean
  /** What had been gathered by then. */
  partial?: unknown
  /** Where in the agent's own code it came from: lines of a stack. */
  frames?: string
  cause?: unknown
}

/** A failed agent call. It becomes a result's `error` (`agent error: …`), never a crash of the run. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly hint: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly retry: boolean | undefined
  readonly partial: unknown
  readonly frames: string | undefined
  /** The transport retries made before giving up on this error. */
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
    this.frames = init.frames
  }

  /** The same error, with what had been gathered when it happened. */
  having(partial: unknown): AgentError {
    const { code, message, cause, hint, status, retry, retryAfterMs, retries } = this
    const init: AgentErrorInit = { code, message, cause, partial }
    if (hint !== undefined) init.hint = hint
    if (status !== undefined) init.status = status
    if (retry !== undefined) init.retry = retry
    if (retryAfterMs !== undefined) init.retry_after_ms = retryAfterMs
    const error = new AgentError(init)
    error.retries = retries
    return error
  }

  get transient(): boolean {
    return this.retry ?? (TRANSIENT_CODES as readonly string[]).includes(this.code)
  }
}

/** SDKs and packages wrap what their transport threw, and that transport may be ours. */
export function agentErrorIn(error: unknown, depth = 0): AgentError | undefined {
  if (error instanceof AgentError) return error
  return error instanceof Error && depth < 5 ? agentErrorIn(error.cause, depth + 1) : undefined
}

export function answerTooLarge(limit: number, { of = '', end = '' } = {}): AgentError {
  return new AgentError({
    code: 'too_large',
    message: `the answer${of && ` of ${of}`} is larger than ${limit / 1024 / 1024} MB${end && `; ${end}`}`,
  })
}
