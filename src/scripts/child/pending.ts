// Work that a script has started and not awaited: async functions and promise callbacks that have yet to run, and
// timers that hold an assertion. Only what the script's own file starts counts: what a library does in the background is
// its own affair, and so is a promise that lost a race.
import { createHook, executionAsyncId } from 'node:async_hooks'
import { framesOf } from './exception.js'
import {
  append,
  execute,
  mapDelete,
  mapEach,
  mapGet,
  mapSet,
  OriginalError,
  OriginalMap,
  sourceText,
  textIncludes,
} from './primordials.js'

export interface LeftWork {
  owner: object
  /** Where it was started. */
  stack: string
}

interface Piece {
  owner: object | undefined
  site: { stack?: unknown }
  /** Created from another promise by `then`, `await` and the like. */
  chained: boolean
  /** The promise it was created from. */
  parent?: number
  /** How many are waiting for it. */
  consumers: number
  timer?: Timer
}

interface Timer {
  _destroyed?: boolean
  _onTimeout?: unknown
}

const FRAMES = 8
const MAX_TIMERS = 1000
const { captureStackTrace } = Error

const promises = new OriginalMap<unknown, unknown>()
let timers: Piece[] = []
let started = false
let ownerNow: (() => object | undefined) | undefined

/** From now on. `owner`: on whose behalf code runs. */
export function watchWork(owner: () => object | undefined): void {
  if (!ownerNow) createHook({ init, promiseResolve: (id) => void mapDelete(promises, id) }).enable()
  ownerNow = owner
}

/** Nothing from before counts any more. */
export function forgetWork(): void {
  mapEach(promises, (_, id) => mapDelete(promises, id))
  timers = []
  started = false
}

/** Something has been started since then that may surface later: a rejection, a timer. */
export function hasStartedWork(): boolean {
  return started
}

function init(id: number, type: string, trigger: number, resource: object): void {
  if (type === 'PROMISE') addPromise(id, trigger !== executionAsyncId(), trigger)
  else if (type === 'Timeout') addTimer(resource)
}

function addPromise(id: number, chained: boolean, parent: number): void {
  const awaited = chained ? (mapGet(promises, parent) as Piece | undefined) : undefined
  if (awaited) awaited.consumers++
  const owner = ownerNow?.()
  started = true
  if (owner) mapSet(promises, id, { owner, site: capture(), chained, parent, consumers: 0 })
}

function addTimer(timer: Timer): void {
  const owner = ownerNow?.()
  started = true
  if (!owner) return
  if (timers.length >= MAX_TIMERS) timers = waitingTimers()
  if (timers.length < MAX_TIMERS) append(timers, { owner, site: capture(), chained: false, consumers: 0, timer })
}

/** Stack frames are only formatted when read. */
function capture(): { stack?: unknown } {
  const site = {}
  try {
    const limit = OriginalError.stackTraceLimit
    OriginalError.stackTraceLimit = FRAMES
    captureStackTrace(site, init)
    OriginalError.stackTraceLimit = limit
  } catch {
    // A script that has frozen Error hides where its work began.
  }
  return site
}

function waitingTimers(): Piece[] {
  const waiting: Piece[] = []
  for (let at = 0; at < timers.length; at++) {
    const piece = timers[at] as Piece
    if (piece.timer?._destroyed === false) append(waiting, piece)
  }
  return waiting
}

/** What `file` has started and not awaited: the first for each owner. */
export function leftWork(file: string): LeftWork[] {
  const left: LeftWork[] = []
  mapEach(promises, (given) => {
    const piece = given as Piece
    if (piece.consumers === 0) note(left, piece, (frames) => isWaiting(frames, piece, file))
  })
  const waiting = waitingTimers()
  for (let at = 0; at < waiting.length; at++) {
    const piece = waiting[at] as Piece
    if (holdsAssertion(piece.timer?._onTimeout)) note(left, piece, () => true)
  }
  return left
}

/** A timer that `file` has set would fire while something else runs. */
export function hasTimers(file: string): boolean {
  const found: LeftWork[] = []
  const waiting = waitingTimers()
  const isOwn = (frames: string[]): boolean => textIncludes(frames.find((frame) => isCode(frame)) ?? '', file)
  for (let at = 0; at < waiting.length; at++) note(found, waiting[at] as Piece, isOwn)
  return found.length > 0
}

function note(left: LeftWork[], { owner, site }: Piece, counts: (frames: string[]) => boolean): void {
  for (let at = 0; at < left.length; at++) if (left[at]?.owner === owner) return
  try {
    const stack = typeof site.stack === 'string' ? site.stack : ''
    if (owner && counts(linesOf(stack))) append(left, { owner, stack: framesOf(stack) })
  } catch {
    // A script that formats stacks its own way hides where its work began.
  }
}

const NEW = /^\s+at new Promise \(<anonymous>\)/
/** Called for an event: nothing could wait for it. */
const LISTENER = /\(?node:(?:events|_http|net\b|internal\/streams)/
const CALLBACK = /^\s+at Promise\.(?:then|catch|finally) \(<anonymous>\)/
const CATCH = /^\s+at Promise\.catch \(<anonymous>\)/

function linesOf(stack: string): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:internal/async_hooks'))
}

/** An async function that the file contains or calls, or a callback or promise that it has created. */
function isWaiting(frames: string[], { chained, parent }: Piece, file: string): boolean {
  const isOwn = (frame: string | undefined): boolean => frame !== undefined && textIncludes(frame, file)
  // `catch` beside a race only keeps the loser quiet.
  if (has(CATCH, frames[1]) && consumersOf(parent) > 1) return false
  if (has(CALLBACK, frames[0])) return isOwn(frames[has(CALLBACK, frames[1]) ? 2 : 1])
  if (chained) return false
  if (has(NEW, frames[0])) return isOwn(frames[1])
  // Some tests need a server that never answers.
  if (has(LISTENER, frames[1])) return false
  return isOwn(frames[0]) || (isCode(frames[0]) && isOwn(frames[1]))
}

function consumersOf(promise: number | undefined): number {
  return (mapGet(promises, promise) as Piece | undefined)?.consumers ?? 0
}

/** Not a function of Node's or of a package. */
function isCode(frame: string | undefined): boolean {
  return frame !== undefined && !/\(<anonymous>\)$|\(?node:|[/\\]node_modules[/\\]/.test(frame)
}

function has(pattern: RegExp, frame: string | undefined): boolean {
  return frame !== undefined && execute(pattern, frame) !== null
}

const ASSERTION = /\bassert\b|\bt\.(?:error|fail|fatal)\b/i

function holdsAssertion(callback: unknown): boolean {
  return typeof callback === 'function' && execute(ASSERTION, sourceText(callback)) !== null
}
