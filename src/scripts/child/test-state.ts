// What is known about one running test: its failures, whether it was skipped, what must be cleaned up.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ErrorKind } from '../../model/outcome.js'
import type { ScriptAssertion } from '../../model/script.js'
import type { TestOutcome } from '../protocol.js'
import { send } from './channel.js'
import { cleanStack, errorText, framesOf, toWire } from './exception.js'
import type { Mocks } from './sync-call.js'

/** A file of a million failing assertions must not make a report of a million lines. */
const MAX_ASSERTIONS = 100

export class TestState {
  readonly name: string
  readonly verbose: boolean
  readonly parent: TestState | undefined
  readonly cleanups: (() => unknown)[] = []
  readonly pending: Promise<unknown>[] = []
  readonly mocks: Mocks = { answers: new Map(), calls: [] }
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
  /** Ends the test from outside: an exception in a timer, a promise that nothing can settle any more. */
  stopWith: (error: unknown) => void = () => {}

  constructor(name: string, verbose: boolean, parent?: TestState) {
    this.name = name
    this.verbose = verbose
    this.parent = parent
  }

  /** The test function itself, where this is a part of it. */
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

  /** Fails at the place in the user's code from which this is called. */
  failHere(error: string, kind: ErrorKind): void {
    // Looking the place up is slow, and only the first is shown.
    this.fail(error, kind, this.error === undefined ? here() : undefined)
  }

  /** An exception always shows its stack, even after an assertion has failed first. */
  failThrown(thrown: unknown): void {
    const error = toWire(thrown)
    this.fail(errorText(error), 'script')
    this.stack = error.stack ?? this.stack
  }

  addAssertion(assertion: ScriptAssertion): void {
    if (!assertion.passed) this.first ??= assertion
    if (this.assertions.length < MAX_ASSERTIONS) this.assertions.push(assertion)
    else this.#dropped++
  }

  verdict(durationMs: number): TestOutcome {
    const assertions = [...this.assertions]
    if (this.#dropped > 0) {
      assertions.push({ type: 'more', passed: false, message: `${this.#dropped} more assertions are not listed` })
    }
    const status = this.failed ? 'failed' : this.skipped ? 'skipped' : 'passed'
    const verdict: TestOutcome = { status, duration_ms: durationMs }
    if (assertions.length > 0) verdict.assertions = assertions
    if (status === 'skipped' && this.skipReason !== undefined) verdict.skip_reason = this.skipReason
    if (status !== 'failed') return verdict
    if (this.error !== undefined) verdict.error = this.error
    if (this.errorKind !== undefined) verdict.error_kind = this.errorKind
    if (this.first !== undefined) verdict.assertion = this.first
    if (this.stack !== undefined) verdict.stack = this.stack
    return verdict
  }
}

/** Stops a test at `t.fatal` and `t.skip`. Not an Error: `catch (error)` in a test has nothing to show for it. */
export const STOP = Symbol('the test was stopped')

export const running = new AsyncLocalStorage<TestState>()

/** True: the test is over, and the call was reported as what it is. */
export function isLate(state: TestState, what: string): boolean {
  if (!state.ended) return false
  send({ k: 'late', message: `${what} was called after ${state.name} had ended`, where: state.name, stack: here() })
  return true
}

/** Where in the user's code we are. */
function here(): string {
  const stack = new Error('here').stack ?? ''
  return framesOf(cleanStack(stack))
}
