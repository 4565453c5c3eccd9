// How the process ends other than by finishing: immediately, by a crash, or because foreign code ended it.
import { writeSync } from 'node:fs'
import type { Redactor } from '../redact/redactor.js'
import { messageOf } from '../base/message-of.js'
import { stderr } from './terminal.js'

/** True: the error is not ours and has been dealt with. */
export type TakeStray = (error: unknown) => boolean

const CRASHED = 3
/** What is still running at the very end (an agent's server, a timer) does not hold the terminal for longer. */
const LINGER_MS = 1000

let over = false
let redactor: Redactor | undefined
let takeStray: TakeStray | undefined
/** Standard output could not take what was written there. */
let outputLost = false
/** Nothing is only there. */
let isBestEffort = false
/** Called if the process ends in a disorderly way. */
const killers = new Set<() => void>()

/** Once, first of all. */
export function watchEnding(): void {
  const onError = (error: unknown): void => {
    if (over || takeStray?.(error)) return
    over = true
    void crash(error)
  }
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  process.on('exit', (code) => {
    if (over) return
    // A configuration may call process.exit(0): that must not look like a success.
    process.exitCode = code === 0 ? CRASHED : code
    killAll()
    try {
      writeSync(2, `error: the process was ended (exit code ${code}) before Viva was done\n${WHO}\n`)
    } catch {
      // Nobody reads it.
    }
  })
}

async function crash(error: unknown): Promise<void> {
  try {
    await printError(error)
  } catch (second) {
    // Not even what prints errors could be loaded: the first error, unredacted, may hold a secret, this one cannot.
    writeSync(2, `error: part of Viva could not be loaded: ${messageOf(second)}\n  hint: install it again\n`)
  } finally {
    endNow(CRASHED)
  }
}

const WHO = '  hint: a configuration that runs in this process called process.exit, or nothing was left to wait for'

/** The regular end. */
export function finish(code: number): void {
  over = true
  process.exitCode = code
  // After every listener of a configuration or of a program with cases: none of them has the last word.
  process.on('exit', () => void (process.exitCode = code === 0 && outputLost && !isBestEffort ? CRASHED : code))
  // With nothing left to wait for, exiting is faster than an orderly teardown.
  process.once('beforeExit', () => process.exit())
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

/** A full disk behind `>`, for example: a truncated file must not pass for a whole one. */
export function loseOutput(): void {
  outputLost = true
}

/** What is printed is only for people to watch, so losing it is not a failure. */
export function bestEffort(): void {
  isBestEffort = true
}

/** Everything that was started dies with us. */
export function endNow(code: number): never {
  over = true
  killAll()
  process.exit(code)
}

/** For what must not outlive the process. Returns a function that removes it from the list. */
export function onSuddenEnd(kill: () => void): () => void {
  killers.add(kill)
  return () => void killers.delete(kill)
}

function killAll(): void {
  for (const kill of killers) kill()
}

/** What the run knows to be secret; until then, what the environment says is. */
export function useRedactor(known: Redactor): void {
  redactor = known
}

/** During a run, uncaught errors are offered to it first. */
export function onStray(take: TakeStray | undefined): void {
  takeStray = take
}

export async function printError(error: unknown, { classic = false } = {}): Promise<void> {
  const { describeError } = await import('./print-error.js')
  if (!redactor) {
    const { createRedactor } = await import('../redact/redactor.js')
    redactor = createRedactor({ env: process.env })
  }
  const { programOf } = await import('./screen.js')
  stderr.write(redactor.text(describeError(error, { classic, program: programOf(process.env) })))
}
