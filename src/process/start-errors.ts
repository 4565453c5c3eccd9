// Why a program could not be started, in words for the person who has to fix it.
import { existsSync } from 'node:fs'
import { UserError } from '../errors.js'
import type { Platform } from './platform/platform.js'

const SHORTAGES: Record<string, string> = {
  EMFILE: 'this process has too many open files',
  ENFILE: 'the system has too many open files',
  EAGAIN: 'the system allows no more processes',
  ENOMEM: 'the system has no memory left',
}

/** What the shell that starts a program reports with a line on the dead-man pipe. */
export const NO_MORE_PROCESSES: NodeJS.ErrnoException = Object.assign(new Error('cannot fork'), { code: 'EAGAIN' })

/** Shortages that may pass in a moment. */
export function isShortage({ code }: NodeJS.ErrnoException): boolean {
  return Object.hasOwn(SHORTAGES, code ?? '')
}

export function cannotStart(command: string, cwd: string, cause: NodeJS.ErrnoException): UserError {
  const { why, hint } = reasonOf(cwd, cause)
  return new UserError({
    code: 'CANNOT_START',
    message: `cannot start "${command}" in ${cwd}: ${why}`,
    hint,
    cause,
  })
}

function reasonOf(cwd: string, cause: NodeJS.ErrnoException): { why: string; hint: string } {
  const shortage = SHORTAGES[cause.code ?? '']
  if (shortage !== undefined)
    return {
      why: `${shortage} (${cause.code})`,
      hint: 'run fewer cases at a time (--parallel), or raise the system limit',
    }
  if (cause.code === 'E2BIG')
    return { why: 'its arguments are too long for the system (E2BIG)', hint: 'send long inputs on standard input' }
  if (!existsSync(cwd)) return { why: 'the folder does not exist', hint: 'check the working directory of the agent' }
  return { why: cause.message, hint: 'check that the folder can be entered and that the system allows more processes' }
}

export function noRoom(command: string, places: number): UserError {
  return new UserError({
    code: 'CANNOT_START',
    message: `cannot start "${command}": timed out waiting for others to end (the open file limit allows ${places} at a time)`,
    hint: 'run fewer cases at a time (--parallel), or raise the open file limit',
  })
}

/** `what` starts the sentence. */
export function notHere(what: string, { name, refusal }: Platform): UserError {
  return new UserError({
    code: 'NOT_ON_THIS_SYSTEM',
    message: `${what} cannot run on ${name}: ${refusal}`,
    hint: 'use WSL, or reach the agent as a module (./agent.ts#answer) or by its address (https://…, a2a:…)',
  })
}

export function cannotLook(cause: unknown): UserError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new UserError({
    code: 'CANNOT_LIST_PROCESSES',
    message: `cannot see which processes a program left running: ${why}`,
    hint: 'run fewer cases at a time (--parallel), or raise the open file limit',
    exitCode: 3,
    cause,
  })
}
