// `t`: assertions, logs, control, subtests, cleanup and mocks of one test.
import { CHECKS, type FailedCheck } from './assertions.js'
import { addLog, logText } from './capture.js'
import { reported } from './plain.js'
import { ask, useMocks } from './sync-call.js'
import { isLate, running, STOP, TestState } from './test-state.js'

type AnyFunction = (...args: unknown[]) => unknown

export function makeT(state: TestState): Record<string, unknown> {
  const t: Record<string, unknown> = {}
  const define = (name: string, call: AnyFunction): void => {
    const guarded: AnyFunction = (...args) => (isLate(state, `t.${name}`) ? undefined : call(...args))
    t[name] = guarded
    t[`${name[0]?.toUpperCase()}${name.slice(1)}`] = guarded
  }
  defineLogging(state, define)
  defineControl(state, define)
  define('run', (name, fn) => runSubtest(state, name, fn))
  define('cleanup', (fn) => void state.cleanups.push(fn as () => unknown))
  define('mock', (name, answer) => addMock(state, name, answer))
  const live = { enumerable: true, configurable: true }
  Object.defineProperties(t, {
    name: { ...live, value: state.name },
    Name: { ...live, value: state.name },
    failed: { ...live, get: () => state.failed },
    Failed: { ...live, get: () => state.failed },
    skipped: { ...live, get: () => state.skipped },
    calls: { ...live, get: () => state.root.mocks.calls },
    Calls: { ...live, get: () => state.root.mocks.calls },
    assert: { ...live, value: makeAssert(state) },
  })
  return t
}

function defineLogging(state: TestState, define: (name: string, call: AnyFunction) => void): void {
  define('log', (...args) => addLog(logText(args)))
  define('error', (...args) => {
    const text = logText(args)
    addLog(text)
    state.failHere(text === '' ? 'test failed' : text, 'assertion')
  })
}

function defineControl(state: TestState, define: (name: string, call: AnyFunction) => void): void {
  define('fail', (...args) => state.failHere(reasonOf(args, 'test failed'), 'assertion'))
  define('fatal', (...args) => {
    state.failHere(reasonOf(args, 'fatal error'), 'assertion')
    throw STOP
  })
  define('skip', (...args) => {
    state.skipped = true
    state.skipReason ??= args.length > 0 ? logText(args) : undefined
    throw STOP
  })
}

function reasonOf(args: unknown[], fallback: string): string {
  const text = logText(args)
  return text === '' ? fallback : text
}

function makeAssert(state: TestState): Record<string, AnyFunction> {
  const assert: Record<string, AnyFunction> = {}
  const define = (name: string, call: AnyFunction): void => {
    const guarded: AnyFunction = (...args) => (isLate(state, `t.assert.${name}`) ? false : call(...args))
    assert[name] = guarded
    assert[`${name[0]?.toLowerCase()}${name.slice(1)}`] = guarded
  }
  for (const [name, { arity, needs, check }] of Object.entries(CHECKS)) {
    define(name, (...args) => {
      const enough = args.length >= arity
      const failure = enough ? check(args) : { message: `${name} requires ${needs}` }
      return note(state, name, failure, args[arity], enough)
    })
  }
  define('Panic', (fn, message) => panicCheck(state, 'Panic', fn, message))
  define('NoPanic', (fn, message) => panicCheck(state, 'NoPanic', fn, message))
  define('Agent', (response, agent, options, message) => judge(state, response, agent, options, message))
  assert['jsonPath'] = assert['JSONPath'] as AnyFunction
  return assert
}

function note(state: TestState, type: string, failure: FailedCheck | undefined, given: unknown, own = true): boolean {
  const message = own && typeof given === 'string' && given !== '' ? given : undefined
  if (!failure) {
    if (state.verbose)
      state.addAssertion(message === undefined ? { type, passed: true } : { type, passed: true, message })
    return true
  }
  const text = message ?? failure.message
  const assertion = { type, passed: false, message: text }
  if ('expected' in failure) Object.assign(assertion, { expected: reported(failure.expected) })
  if ('actual' in failure) Object.assign(assertion, { actual: reported(failure.actual) })
  state.addAssertion(assertion)
  state.failHere(`assertion failed: ${text}`, failure.broken ? 'validator' : 'assertion')
  return false
}

function panicCheck(state: TestState, type: string, fn: unknown, message: unknown): unknown {
  if (typeof fn !== 'function') return note(state, type, { message: `${type} requires a function argument` }, message)
  const settle = (thrown: { error: unknown } | undefined): boolean =>
    note(state, type, panicFailure(type, thrown), message)
  let result: unknown
  try {
    result = (fn as () => unknown)()
  } catch (error) {
    return settle({ error })
  }
  if (!isThenable(result)) return settle(undefined)
  const checked = Promise.resolve(result).then(
    () => settle(undefined),
    (error: unknown) => settle({ error }),
  )
  state.pending.push(checked)
  return checked
}

function panicFailure(type: string, thrown: { error: unknown } | undefined): FailedCheck | undefined {
  if (type === 'Panic') return thrown ? undefined : { message: 'expected the function to throw, it did not' }
  if (!thrown) return undefined
  const { error } = thrown
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { message: `expected the function not to throw, it threw ${text}`, actual: error }
}

interface Judgement {
  passed: boolean
  score?: number
  reason?: string
}

/** `t.assert.Agent(response, "agent", {metadata: {criteria}})`. A judge that cannot answer is never a pass. */
function judge(state: TestState, response: unknown, agent: unknown, options: unknown, message: unknown): boolean {
  if (typeof agent !== 'string' || agent === '') {
    return note(state, 'Agent', { message: 'Agent requires a response and an agent id' }, undefined)
  }
  let answer: Judgement
  try {
    answer = ask('judge', [response, agent, options, state.root.name]) as Judgement
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return note(
      state,
      'Agent',
      { message: `${agent} could not judge: ${reason}`, actual: response, broken: true },
      message,
    )
  }
  const criteria = (options as { metadata?: { criteria?: unknown } } | undefined)?.metadata?.criteria
  const failure = {
    message: answer.reason ?? `${agent} did not accept the response`,
    expected: criteria ?? `accepted by ${agent}`,
    actual: response,
  }
  return note(state, 'Agent', answer.passed ? undefined : failure, message)
}

function runSubtest(parent: TestState, name: unknown, fn: unknown): unknown {
  if (typeof fn !== 'function') throw new TypeError('t.run needs a name and a function')
  const state = new TestState(`${parent.name}/${String(name)}`, parent.verbose, parent)
  const finish = (): boolean => {
    state.ended = true
    if (state.failed) takeOver(parent, state, String(name))
    else if (state.skipped) addLog(`${state.name}: skipped${state.skipReason ? ` (${state.skipReason})` : ''}`)
    return !state.failed
  }
  const result = runBody(state, fn as AnyFunction)
  if (!isThenable(result)) return finish()
  const done = Promise.resolve(result).then(finish)
  parent.pending.push(done)
  return done
}

/** Runs the function, its pending assertions and its cleanups. A promise only where something in it is asynchronous. */
export function runBody(state: TestState, fn: AnyFunction, ...more: unknown[]): unknown {
  const t = makeT(state)
  const clean = (): unknown => runCleanups(state)
  return andThen(
    attempt(state, () => running.run(state, () => fn(t, ...more))),
    () => andThen(settlePending(state), clean),
  )
}

/** Keeps synchronous work synchronous, so that `t.run` and `TestMain` work in functions that are not async. */
export function andThen(value: unknown, next: () => unknown): unknown {
  return isThenable(value) ? Promise.resolve(value).then(next) : next()
}

export function attempt(state: TestState, work: () => unknown): unknown {
  try {
    const result = work()
    if (!isThenable(result)) return undefined
    return Promise.resolve(result).then(undefined, (error: unknown) => noteThrown(state, error))
  } catch (error) {
    return noteThrown(state, error)
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

function noteThrown(state: TestState, error: unknown): void {
  if (error !== STOP) state.failThrown(error)
}

function settlePending(state: TestState): unknown {
  const pending = state.pending.splice(0)
  if (pending.length === 0) return undefined
  return Promise.allSettled(pending).then(() => settlePending(state))
}

function runCleanups(state: TestState): unknown {
  const cleanup = state.cleanups.pop()
  if (!cleanup) return undefined
  return andThen(
    attempt(state, () => running.run(state, cleanup)),
    () => runCleanups(state),
  )
}

function takeOver(parent: TestState, state: TestState, name: string): void {
  for (const assertion of state.assertions) {
    parent.addAssertion({ ...assertion, message: `${name}: ${assertion.message ?? assertion.type}` })
  }
  parent.fail(`${name}: ${state.error ?? 'failed'}`, state.errorKind ?? 'assertion', state.stack)
}

function addMock(state: TestState, name: unknown, answer: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('t.mock needs the name of a process')
  const { mocks } = state.root
  mocks.answers.set(name, answer)
  useMocks(mocks)
}
