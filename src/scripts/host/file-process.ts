// The tests of a file in one process: verdicts as they arrive, the deadline of each test, and what a sudden end means.
import { setMaxListeners } from 'node:events'
import { defined } from '../../base/defined.js'
import { fileCase } from '../../model/cassette.js'
import type { ModelCall } from '../../model/model-call.js'
import type { ScriptFileRun, ScriptOutcome, ScriptTest } from '../../model/script.js'
import type { Clock } from '../../time/clock.js'
import type { Compiler } from '../compile/compile.js'
import { describeEnd } from './describe-end.js'
import { LogKeeper } from './log-keeper.js'
import type { Pool } from './pool.js'
import type { ChildMessage, CompiledScript, FunctionCoverage, TestOutcome } from '../protocol.js'
import type { ScriptProcess, ScriptProcessEnd } from './script-process.js'
import { Session, type SessionServices } from './session.js'
import { timeoutText } from './timeout-text.js'
import { withFrames } from './with-frames.js'

export interface FileDeps {
  compiler: Compiler
  pool: Pool
  services: SessionServices
  clock: Clock
  onCoverage(path: string, code: string, functions: FunctionCoverage[]): void
}

export interface FileProcessEnd {
  /** How many of the tests have an outcome. */
  reported: number
  /** How many of those have failed. */
  failed: number
  /** No test of the file can run: it does not load, BeforeAll failed. */
  refused?: Partial<ScriptOutcome>
  /** The run is over: cancelled, or failed fast. */
  stop: boolean
}

const PHASES: Record<string, string> = {
  load: 'while the file was loaded',
  between: 'after a test',
  over: 'after the last test',
}

export class FileProcess {
  readonly finished: Promise<FileProcessEnd>
  readonly #run: ScriptFileRun
  readonly #tests: ScriptTest[]
  readonly #child: ScriptProcess
  readonly #script: CompiledScript
  readonly #deps: FileDeps
  readonly #session: Session
  readonly #abort = new AbortController()
  #settle: (end: FileProcessEnd) => void = () => {}
  #logs = new LogKeeper()
  #current: { index: number; test: ScriptTest; began: number } | undefined
  #phase = 'load'
  #reported = 0
  #refused: Partial<ScriptOutcome> | undefined
  #done = false
  #ended = false
  #failed = 0
  #timedOut = false
  #disarm = (): void => {}

  constructor(run: ScriptFileRun, tests: ScriptTest[], child: ScriptProcess, script: CompiledScript, deps: FileDeps) {
    this.#run = run
    this.#tests = tests
    this.#child = child
    this.#script = script
    this.#deps = deps
    // What a test calls is what is being tested.
    this.#session = new Session(child, deps.services, this.#abort.signal, 'agent')
    this.#session.origin = this.#originOf(fileCase(run.file.ref))
    this.#session.onLog = (line) => this.#logs.add(line)
    this.finished = new Promise((resolve) => {
      this.#settle = resolve
    })
    setMaxListeners(0, this.#abort.signal)
    run.signal.addEventListener('abort', this.#onAbort, { once: true })
    child.attach({
      message: (message) => this.#accept(message),
      printed: (text) => this.#print(text),
      ended: (end) => this.#onEnd(end),
    })
    if (run.signal.aborted) this.#onAbort()
    else this.#begin()
  }

  #begin(): void {
    const { file, context, max_failures } = this.#run
    this.#arm()
    this.#child.send({
      k: 'tests',
      script: this.#child.introduce(this.#script),
      ref: file.ref,
      tests: this.#tests.map(({ name, id }) => ({ name, id })),
      ...(this.#tests === this.#run.tests && { known: file.tests.map(({ name }) => name) }),
      context,
      ...defined({ max_failures }),
    })
  }

  readonly #onAbort = (): void => {
    this.#abort.abort(this.#run.signal.reason)
    this.#child.kill()
  }

  #accept(message: ChildMessage): void {
    if (this.#session.accept(message)) return
    switch (message.k) {
      case 'phase':
        this.#phase = message.name
        this.#session.origin = this.#originOf(fileCase(this.#run.file.ref))
        this.#arm()
        return
      case 'start':
        return this.#start(message.index)
      case 'verdict':
        return this.#onVerdict(message.index, message.verdict)
      case 'refused':
        this.#refused = {
          error: message.error,
          error_kind: 'script',
          ...(message.stack ? { stack: message.stack } : {}),
        }
        return
      case 'log':
        for (const line of message.lines) this.#logs.add(line)
        return
      case 'send':
        return this.#logs.add(`[send] ${JSON.stringify(message.message)}`)
      case 'late':
        return this.#late(message.message, message.where, message.stack)
      case 'coverage':
        return this.#deps.onCoverage(message.path, this.#script.code, message.functions)
      case 'ended':
        this.#ended = this.#done
        return
      case 'done':
        this.#done = true
        this.#phase = 'over'
        // It ends on its own in a moment, unless what is left keeps it busy.
        this.#arm()
        return
      default:
    }
  }

  #start(index: number): void {
    const test = this.#tests[index]
    if (!test || index !== this.#reported) return this.#child.kill('forged')
    this.#phase = ''
    this.#current = { index, test, began: this.#deps.clock.now() }
    this.#session.origin = this.#originOf(test.id)
    this.#run.onStart(test)
    this.#arm()
  }

  #originOf(case_id: string): ModelCall {
    const { run, file } = this.#run
    return { lane: 'agent', role: file.agent_id, case_id, run, attempt: 1 }
  }

  #onVerdict(index: number, verdict: TestOutcome): void {
    if (this.#current?.index !== index) return this.#child.kill('forged')
    const { duration_ms, ...rest } = verdict
    this.#report({ ...rest, duration_ms })
    // Timers of the test that has just ended may still run: what they ask for belongs to no test.
    this.#session.origin = undefined
    this.#phase = 'between'
    this.#arm()
  }

  #report(outcome: Omit<ScriptOutcome, 'logs'>): void {
    const current = this.#current
    if (!current) return
    this.#current = undefined
    this.#reported++
    if (outcome.status === 'failed') this.#failed += 1
    const logs = this.#logs
    this.#logs = new LogKeeper()
    this.#run.onOutcome(current.test, {
      ...outcome,
      logs: logs.lines(),
      ...(logs.dropped > 0 ? { logs_dropped: logs.dropped } : {}),
    })
  }

  #print(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.#logs.add(line)
  }

  #late(message: string, where: string, stack?: string): void {
    const { file } = this.#run
    const place = where === '' ? file.ref : `${file.ref}.${where}`
    this.#run.onError(withFrames(message, stack), place)
  }

  /** One limit for each test, and for each piece of work outside them. */
  #arm(): void {
    this.#disarm()
    this.#disarm = this.#deps.clock.after(this.#run.timeout_ms, this.#onTimeout)
  }

  readonly #onTimeout = (): void => {
    this.#timedOut = true
    const text = timeoutText(this.#run.timeout_ms)
    this.#abort.abort(new Error(text))
    this.#child.kill()
  }

  #onEnd(end: ScriptProcessEnd): void {
    this.#disarm()
    this.#run.signal.removeEventListener('abort', this.#onAbort)
    // The host's remaining work for it has no one to report to.
    this.#abort.abort(new Error('the test has ended'))
    this.#session.close()
    this.#child.detach()
    if (this.#run.signal.aborted) return this.#finish(true)
    if (!this.#ended) this.#explain(end)
    this.#finish(this.#failed >= (this.#run.max_failures ?? Infinity))
  }

  #finish(stop: boolean): void {
    const end: FileProcessEnd = { reported: this.#reported, failed: this.#failed, stop }
    if (this.#refused) end.refused = this.#refused
    // Nothing is left to run, and yet some tests have no verdict: they must not go missing silently.
    else if (this.#done && !stop) end.refused = { error: 'the test was never run', error_kind: 'script' }
    this.#settle(end)
  }

  /** It ended too early: the running test has failed, whatever the exit code says. */
  #explain(end: ScriptProcessEnd): void {
    const timeout = timeoutText(this.#run.timeout_ms)
    const why = this.#timedOut ? timeout : describeEnd(this.#child, end)
    const kind = this.#timedOut ? 'timeout' : 'crashed'
    if (this.#current) {
      const duration_ms = Math.round(this.#deps.clock.now() - this.#current.began)
      return this.#report({ status: 'failed', duration_ms, error: why, error_kind: kind })
    }
    const where = PHASES[this.#phase] ?? `in ${this.#phase}`
    if (this.#reported === 0) this.#refused ??= { error: `${why} (${where})`, error_kind: kind }
    else this.#run.onError(`${why} (${where})`, this.#run.file.ref)
  }
}
