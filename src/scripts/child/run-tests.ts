// Runs the tests of one file in order: setup functions, each test with its own `t` and `ctx`, verdicts over the channel.
import type { TestsMessage } from '../protocol.js'
import { resetCapture } from './capture.js'
import { send } from './channel.js'
import { Context } from './context.js'
import { reportCoverage } from './coverage.js'
import { errorText, toWire } from './exception.js'
import { setSurroundings } from './globals.js'
import { findFunction, loadScript, type Exports, type ScriptFunction } from './load.js'
import { plain } from './plain.js'
import { useMocks } from './sync-call.js'
import { running, TestState } from './test-state.js'
import { attempt, isThenable, makeT, runBody, andThen } from './testing-t.js'

let current: TestState | undefined

/** The test that runs now. */
export function currentTest(): TestState | undefined {
  return current
}

export async function runTests(message: TestsMessage, verbose: boolean): Promise<void> {
  setSurroundings(message.context)
  send({ k: 'phase', name: 'load' })
  let exports: Exports
  try {
    exports = loadScript(message.script)
  } catch (error) {
    refuse(error)
    return
  }
  const file = new FileRun(message, exports, verbose)
  const main = findFunction(exports, 'TestMain')
  await (main ? file.runMain(main) : file.runAll())
  reportCoverage(message.script.path)
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
  #failed = 0

  constructor(message: TestsMessage, exports: Exports, verbose: boolean) {
    this.#message = message
    this.#exports = exports
    this.#verbose = verbose
  }

  /** `TestMain(m)` decides when the tests run; `m.run()` gives 0 when all passed, as in Go. */
  async runMain(main: ScriptFunction): Promise<void> {
    let ran: unknown
    const run = (): unknown => {
      if (!this.#started) ran = this.runAll()
      return andThen(ran, () => (this.#failed > 0 ? 1 : 0))
    }
    send({ k: 'phase', name: 'TestMain' })
    try {
      await main({ run, Run: run })
      await ran
    } catch (error) {
      if (!this.#started) return refuse(error, 'TestMain: ')
      this.#late('TestMain', error)
      return
    }
    if (!this.#started) refuse(new Error('TestMain did not call m.run(), so no test was run'))
  }

  /** Synchronous as long as every function in the file is. */
  runAll(): unknown {
    this.#started = true
    const beforeAll = this.#setup('BeforeAll')
    const go = (): unknown =>
      andThen(this.#runFrom(0), () => {
        const afterAll = this.#setup('AfterAll')
        return afterAll ? this.#runAfterAll(afterAll) : undefined
      })
    if (!beforeAll) return go()
    try {
      const result = beforeAll(this.#context())
      if (!isThenable(result)) return go()
      return Promise.resolve(result).then(go, (error: unknown) => refuse(error, 'BeforeAll: '))
    } catch (error) {
      return refuse(error, 'BeforeAll: ')
    }
  }

  #runAfterAll(afterAll: ScriptFunction): unknown {
    try {
      const result = afterAll(this.#context())
      if (!isThenable(result)) return undefined
      return Promise.resolve(result).then(undefined, (error: unknown) => this.#late('AfterAll', error))
    } catch (error) {
      return this.#late('AfterAll', error)
    }
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

  #runFrom(start: number): unknown {
    for (let index = start; index < this.#message.tests.length; index++) {
      const result = this.#runOne(index)
      if (isThenable(result))
        return Promise.resolve(result).then(() => (this.#stops() ? undefined : this.#runFrom(index + 1)))
      if (this.#stops()) return undefined
    }
    return undefined
  }

  #stops(): boolean {
    return this.#message.fail_fast && this.#failed > 0
  }

  #runOne(index: number): unknown {
    const test = this.#message.tests[index]
    if (!test) return undefined
    resetCapture()
    send({ k: 'start', index })
    const state = new TestState(test.name, this.#verbose)
    const began = process.hrtime.bigint()
    current = state
    const body = this.#guarded(state, this.#testBody(state, test))
    return andThen(body, () => {
      state.ended = true
      current = undefined
      useMocks(undefined)
      if (state.failed) this.#failed++
      send({ k: 'verdict', index, verdict: state.verdict(millisecondsSince(began)) })
      reportCoverage(this.#message.script.path)
      return isThenable(body) ? turn() : undefined
    })
  }

  #testBody(state: TestState, test: { name: string; id: string }): unknown {
    const fn = findFunction(this.#exports, test.name)
    if (!fn) {
      state.fail(`${test.name} is not a function when the file has been loaded`, 'script')
      return undefined
    }
    const ctx = this.#context(test.id)
    const beforeEach = findFunction(this.#exports, 'BeforeEach')
    const afterEach = findFunction(this.#exports, 'AfterEach')
    const around = (hook: ScriptFunction | undefined): unknown =>
      hook ? attempt(state, () => running.run(state, () => hook(makeT(state), ctx))) : undefined
    return andThen(around(beforeEach), () => {
      const body = state.failed || state.skipped ? undefined : runBody(state, fn, ctx)
      return andThen(body, () => around(afterEach))
    })
  }

  /** An asynchronous test can also be ended from outside; see `stopWith`. */
  #guarded(state: TestState, body: unknown): unknown {
    if (!isThenable(body)) return body
    return new Promise<void>((resolve) => {
      state.stopWith = (error) => {
        state.failThrown(error)
        resolve()
      }
      void Promise.resolve(body).then(() => resolve())
    })
  }

  /** Each test has a conversation of its own: what it remembers and what mock models answer is not another's. */
  #context(id?: string): Context {
    const data = plain(this.#message.context) as Record<string, unknown>
    return new Context(id === undefined ? data : { ...data, chat_id: `${String(data['chat_id'])}/${id}` })
  }
}

function millisecondsSince(began: bigint): number {
  return Math.round(Number(process.hrtime.bigint() - began) / 10_000) / 100
}

/** Lets timers and rejections of the test that has just ended come out before the next one starts. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
