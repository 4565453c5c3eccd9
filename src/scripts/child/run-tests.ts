// Runs the tests of one file in order: setup functions, each test with its own `t` and `ctx`, verdicts over the channel.
import type { TestOutcome, TestsMessage } from '../protocol.js'
import { resetCapture } from './capture.js'
import { send } from './channel.js'
import { Context } from './context.js'
import { reportCoverage } from './coverage.js'
import { errorText, toWire } from './exception.js'
import { setSurroundings } from './globals.js'
import { findFunction, loadScript, testsLeftOut, type Exports, type ScriptFunction } from './load.js'
import { plain } from './plain.js'
import { append, hrtime, nextTurn, number, OriginalPromise, round, text, whenSettled } from './primordials.js'
import { useMocks } from './sync-call.js'
import { TestState } from './test-state.js'
import { attempt, makeT, runBody } from './testing-t.js'

type Done = () => void

let current: TestState | undefined

/** The running test. */
export function currentTest(): TestState | undefined {
  return current
}

export function runTests(message: TestsMessage, verbose: boolean, done: Done): void {
  setSurroundings(message.context)
  send({ k: 'phase', name: 'load' })
  let exports: Exports
  try {
    exports = loadScript(message.script)
  } catch (error) {
    refuse(error)
    return done()
  }
  const file = new FileRun(message, exports, verbose)
  if (message.known) reportLeftOut(exports, message.known)
  const main = findFunction(exports, 'TestMain')
  const finish = (): void => {
    reportCoverage(message.script.path)
    done()
  }
  if (main) file.runMain(main, finish)
  else file.runAll(finish)
}

/** Functions named like tests that were not recognised as such: they must not be missed without a word. */
function reportLeftOut(exports: Exports, known: string[]): void {
  const left = testsLeftOut(exports, known)
  for (let at = 0; at < left.length; at++) {
    const name = left[at] as string
    send({ k: 'late', message: `${name} was not run: write it as function ${name}(t, ctx) { … }`, where: name })
  }
}

function refuse(thrown: unknown, prefix = ''): void {
  const error = toWire(thrown)
  send({ k: 'refused', error: `${prefix}${errorText(error)}`, ...(error.stack ? { stack: error.stack } : {}) })
}

class FileRun {
  readonly #message: TestsMessage
  readonly #exports: Exports
  readonly #verbose: boolean
  #started = false
  #over = false
  readonly #waiting: Done[] = []
  #failed = 0

  constructor(message: TestsMessage, exports: Exports, verbose: boolean) {
    this.#message = message
    this.#exports = exports
    this.#verbose = verbose
  }

  /** `TestMain(m)` decides when the tests run; `m.run()` returns 0 if all passed, as in Go. */
  runMain(main: ScriptFunction, done: Done): void {
    const code = (): number => (this.#failed > 0 ? 1 : 0)
    const run = (): unknown => {
      if (!this.#started) this.runAll(() => {})
      if (this.#over) return code()
      return new OriginalPromise((resolve) => append(this.#waiting, () => resolve(code())))
    }
    const ended = (): void => {
      if (!this.#started) refuse(new Error('TestMain did not call m.run(), so no test was run'))
      if (this.#over || !this.#started) done()
      else append(this.#waiting, done)
    }
    const failed = (error: unknown): void => {
      if (this.#started) this.#late('TestMain', error)
      else refuse(error, 'TestMain: ')
      if (this.#over || !this.#started) done()
      else append(this.#waiting, done)
    }
    send({ k: 'phase', name: 'TestMain' })
    settle(() => main({ run, Run: run }), ended, failed)
  }

  /** Synchronous as long as every function in the file is. */
  runAll(done: Done): void {
    this.#started = true
    const finish = (): void => {
      this.#over = true
      for (let at = 0; at < this.#waiting.length; at++) this.#waiting[at]?.()
      done()
    }
    const go = (): void => this.#runFrom(0, () => this.#runAfterAll(finish))
    const beforeAll = this.#setup('BeforeAll')
    if (!beforeAll) return go()
    settle(
      () => beforeAll(this.#context()),
      go,
      (error) => {
        refuse(error, 'BeforeAll: ')
        finish()
      },
    )
  }

  #runAfterAll(done: Done): void {
    const afterAll = this.#setup('AfterAll')
    if (!afterAll) return done()
    settle(
      () => afterAll(this.#context()),
      done,
      (error) => {
        this.#late('AfterAll', error)
        done()
      },
    )
  }

  #setup(name: string): ScriptFunction | undefined {
    const found = findFunction(this.#exports, name)
    if (found) send({ k: 'phase', name })
    return found
  }

  #late(where: string, thrown: unknown): void {
    const error = toWire(thrown)
    send({ k: 'late', message: errorText(error), where, ...(error.stack ? { stack: error.stack } : {}) })
  }

  /** A loop while tests are synchronous: a call for each would fill the stack. */
  #runFrom(start: number, done: Done): void {
    for (let index = start; index < this.#message.tests.length && !this.#stops(); index++) {
      let isOver = false
      let isWaiting = false
      this.#runOne(index, () => {
        isOver = true
        if (isWaiting) this.#runFrom(index + 1, done)
      })
      isWaiting = !isOver
      if (isWaiting) return
    }
    done()
  }

  #stops(): boolean {
    const { max_failures: most } = this.#message
    return most !== undefined && this.#failed >= most
  }

  #runOne(index: number, done: Done): void {
    const test = this.#message.tests[index]
    if (!test) return done()
    resetCapture()
    send({ k: 'start', index })
    const state = new TestState(test.name, this.#verbose)
    const began = hrtime()
    let isAsync = false
    current = state
    const finish = (): void => {
      if (state.ended) return
      state.ended = true
      current = undefined
      useMocks(undefined)
      const verdict = state.verdict(millisecondsSince(began))
      if (state.failed) this.#failed++
      sendVerdict(index, verdict)
      reportCoverage(this.#message.script.path)
      // Lets timers and rejections of the test surface before the next one starts.
      if (isAsync) nextTurn(done)
      else done()
    }
    // From outside: an exception in a timer, a promise that nothing can settle.
    state.stopWith = (error) => {
      state.failThrown(error)
      finish()
    }
    this.#runAround(state, test, finish)
    isAsync = true
  }

  #runAround(state: TestState, test: { name: string; id: string }, done: Done): void {
    const fn = findFunction(this.#exports, test.name)
    if (!fn) {
      state.fail(`${test.name} is not a function when the file has been loaded`, 'script')
      return done()
    }
    const ctx = this.#context(test.id)
    const around = (name: string, next: Done): void => {
      const hook = findFunction(this.#exports, name)
      if (hook) attempt(state, () => hook(makeT(state), ctx), next)
      else next()
    }
    const after = (): void => around('AfterEach', done)
    around('BeforeEach', () => {
      if (state.failed || state.skipped) after()
      else runBody(state, fn, [ctx], after)
    })
  }

  /** Each test has its own conversation: what it remembers and what mock models answer is not shared with another. */
  #context(id?: string): Context {
    const data = plain(this.#message.context) as Record<string, unknown>
    return new Context(id === undefined ? data : { ...data, chat_id: `${text(data['chat_id'])}/${id}` })
  }
}

/** Calls it and waits for what it returns. */
function settle(work: () => unknown, done: Done, failed: (error: unknown) => void): void {
  let result: unknown
  try {
    result = work()
  } catch (error) {
    return failed(error)
  }
  whenSettled(result, done, failed)
}

/** Details that cannot be sent are left out; a verdict never is. */
function sendVerdict(index: number, verdict: TestOutcome): void {
  try {
    send({ k: 'verdict', index, verdict })
  } catch (thrown) {
    const error = verdict.error ?? `the result cannot be sent: ${toWire(thrown).message}`
    const { duration_ms, error_kind = 'script' } = verdict
    send({ k: 'verdict', index, verdict: { status: 'failed', duration_ms, error, error_kind } })
  }
}

function millisecondsSince(began: bigint): number {
  return round(number(hrtime() - began) / 10_000) / 100
}
