// What a tool needs from the world around it. One per call; what is behind it lives as long as the tools are open.
import { liveRefused, UserError } from '../errors.js'
import type { VivaConfig } from '../model/config.js'
import type { Processes } from '../process/processes.js'
import type { GrowingRedactor } from '../redact/growing-redactor.js'
import type { Clock } from '../time/clock.js'
import type { Place } from '../workspaces/place.js'

export interface Progress {
  /** Grows. */
  progress: number
  total?: number
  message: string
}

export interface ToolContext {
  /** Where the workspaces are. */
  place: Place
  /** The project: what is saved beyond a workspace goes here. Undefined: there is none. */
  project: string | undefined
  /** Of the project. */
  config: VivaConfig
  env: Readonly<Record<string, string | undefined>>
  /** Programs that tools start end with them. */
  processes: Processes
  redactor: GrowingRedactor
  clock: Clock
  /** Whether real backends may be called. */
  allow_live: boolean
  newRunId(): string
  /** Aborts when the caller no longer wants the answer. */
  signal: AbortSignal
  progress(progress: Progress): void
}

/** Throws a UserError if there is none: workspaces work without one, what outlives them does not. */
export function requireProject({ project }: Pick<ToolContext, 'project'>): string {
  if (project !== undefined) return project
  throw new UserError({
    code: 'NO_PROJECT',
    message: 'no project folder: the client names none, and the server was not started in a project',
    hint: 'start the server with --project DIR',
  })
}

/** `what` starts the sentence: `the backend claude`. */
export function requireLive({ allow_live }: Pick<ToolContext, 'allow_live'>, what: string): void {
  if (!allow_live) throw liveRefused(what)
}
