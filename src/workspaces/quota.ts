// How large a workspace may become while something runs in it.
import { setTimeout as delay } from 'node:timers/promises'
import { AgentError } from '../errors.js'
import { walkWorkspace } from './walk.js'
import type { Workspace } from './workspace.js'

// An agent cannot exceed the limit by more than the disk takes in a second.
const LOOK_EVERY_MS = 1000

/** Resolves with the problem as soon as the workspace is too large, or with undefined when `signal` aborts. */
export async function watchSize(
  workspace: Workspace,
  limit: number,
  signal: AbortSignal,
): Promise<AgentError | undefined> {
  while (!signal.aborted) {
    const problem = await sizeProblem(workspace, limit)
    if (problem) return problem
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}

/** Too much in it, or too many files to look at. */
export async function sizeProblem(workspace: Workspace, limit: number): Promise<AgentError | undefined> {
  try {
    const files = await walkWorkspace(workspace)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return bytes > limit ? tooLarge(`it holds ${megabytes(bytes)}, at most ${megabytes(limit)} are allowed`) : undefined
  } catch (error) {
    return tooLarge(error instanceof Error ? error.message : String(error))
  }
}

function tooLarge(why: string): AgentError {
  return new AgentError({ code: 'too_large', message: `the workspace is too large: ${why}`, retry: false })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
