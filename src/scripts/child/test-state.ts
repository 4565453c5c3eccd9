// What is known about one running test: its failures, whether it was skipped, what must be cleaned up.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorKind } from '../../model/status.js'
import type { ScriptAssertion } from '../../model/script.js'
import type { TestOutcome } from '../protocol.js'
import { send } from './channel.js'
import { cleanStack, errorText, framesOf, toWire } from './exception.js'
import { append, OriginalError, OriginalMap, weakMapGet, weakMapSet } from './primordials.js'
import type { Mocks } from './sync-call.js'

/** A file with a million failing assertions must not produce a report of a million lines. */
const MAX_ASSERTIONS = 100

export class TestState {
  readonly name: string
  readonly verbose: boolean
  readonly parent: TestState | undefined
  readonly cleanups: (() => unknown)[] = []
  /** Subtests and checks of it that have not finished. */
  open = 0
  /** Called when the last of them has. */
  onSettled: (() => void) | undefined
  readonly mocks: Mocks = { answers: new OriginalMap(), calls: [] }
  readonly assertions: ScriptAssertion[] = []
  #dropped = 0
  failed = false
  skipped = false
  skipReason: string | undefined
  error: string | undefined
  errorKind: ErrorKind | undefined
  stack: string | undefined
  first: ScriptAssertion | undefined
  ended = false
  /** Its function was called. A test that never ran has no verdict of its own. */
  ran = false
  /** Ends the test from outside: an exception in a timer, a promise that nothing can settle any more. */
  stopWith: (error: unknown) => void = () => {}

  /** Represents it where scripts can see it. */
  readonly token: object = freeze(create(null) as object)

  constructor(name: string, verbose: boolean, parent?: TestState) {
    weakMapSet(states, this.token, this)
    this.name = name
    this.verbose = verbose
    this.parent = parent
  }

  /** The test function itself, if this is a part of it. */
  get root(): TestState {
    return this.parent?.root ?? this
  }

  fail(error: string, kind: ErrorKind, stack?: string): void {
    this.failed = true
    if (this.error !== undefined) return
    this.error = error
    this.errorKind = kind
    this.stack = stack
  }

  /** Fails at the user's line that led here. */
  failHere(error: string, kind: ErrorKind): void {
    this.failed = true
    // Finding the line is slow, and only the first is shown.
    this.fail(error, kind, this.error === undefined ? here() : undefined)
  }

  /** An exception always shows its stack, even after an assertion has failed first. */
  failThrown(thrown: unknown): void {
    this.failed = true
    const error = toWire(thrown)
    this.fail(errorText(error), 'script')
    this.stack = error.stack ?? this.stack
  }

  addAssertion(assertion: ScriptAssertion): void {
    if (!assertion.passed) this.first ??= assertion
    if (this.assertions.length < MAX_ASSERTIONS) append(this.assertions, assertion)
    else this.#dropped++
  }

  /** Its final verdict. A test whose function was never called has not passed. */
  verdict(durationMs: number): TestOutcome {
    if (!this.ran && !this.failed && !this.skipped) this.fail(`${this.name} was never run`, 'script')
    const assertions = this.assertions
    if (this.#dropped > 0) {
      append(assertions, { type: 'more', passed: false, message: `${this.#dropped} more assertions are not listed` })
    }
    const { error, errorKind, first, stack, skipReason } = this
    const listed = assertions.length > 0 ? { assertions } : {}
    if (this.failed) {
      return {
        status: 'failed',
        duration_ms: durationMs,
        ...listed,
        ...(error === undefined ? {} : { error }),
        ...(errorKind === undefined ? {} : { error_kind: errorKind }),
        ...(first === undefined ? {} : { assertion: first }),
        ...(stack === undefined ? {} : { stack }),
      }
    }
    if (!this.skipped) return { status: 'passed', duration_ms: durationMs, ...listed }
    const reason = skipReason === undefined ? {} : { skip_reason: skipReason }
    return { status: 'skipped', duration_ms: durationMs, ...listed, ...reason }
  }
}

/** Stops a test at `t.fatal` and `t.skip`. Not an Error: there is nothing in it for a `catch (error)` in a test to show. */
export const STOP = Symbol('the test was stopped')

/** Node stores this in promises, visible to scripts: a token, and not the state itself. */
const running = new AsyncLocalStorage<object>()
// Own methods, so that replacing them on the class changes nothing for us.
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(AsyncLocalStorage.prototype))) {
  if (typeof value === 'function') Object.defineProperty(running, name, { value })
}
/** Runs what it is given in no test at all. */
const withoutContext = AsyncLocalStorage.snapshot()
const states = new WeakMap<object, TestState>()
const { freeze, create } = Object

/** Whatever the work starts, in timers and promises too, belongs to the test. */
export function inCourseOf(state: TestState, work: () => unknown): unknown {
  const outcome: { began: boolean; threw: boolean; value?: unknown } = { began: false, threw: false }
  const begin = (): void => {
    outcome.began = true
    try {
      outcome.value = work()
    } catch (error) {
      outcome.threw = true
      outcome.value = error
    }
  }
  const enter = (): void => running.run(state.token, begin)
  // Newer versions of Node copy a Map before and after the work: a script that has replaced its iterator makes that throw.
  try {
    enter()
  } catch (error) {
    if (!outcome.began) enterAfresh(enter, outcome, error)
  }
  if (outcome.threw) throw outcome.value
  return outcome.value
}

/** Without the stores around it there is nothing to copy on the way in. */
function enterAfresh(enter: () => void, outcome: { readonly began: boolean }, refused: unknown): void {
  try {
    withoutContext(enter)
  } catch {
    if (!outcome.began) throw refused
  }
}

/** The test to which the running code belongs. */
export function testInCourse(): TestState | undefined {
  const token = running.getStore()
  return token && weakMapGet(states, token)
}

/** True: the test is over, and the call was reported as late. */
export function isLate(state: TestState, what: string): boolean {
  if (!state.ended) return false
  const stack = here()
  const late = { k: 'late', message: `${what} was called after ${state.name} had ended`, where: state.name } as const
  send(stack === undefined ? late : { ...late, stack })
  return true
}

/** The current line in the user's code. A script may format stacks its own way. */
function here(): string | undefined {
  try {
    return framesOf(cleanStack(new OriginalError('here').stack ?? ''))
  } catch {
    return undefined
  }
}
