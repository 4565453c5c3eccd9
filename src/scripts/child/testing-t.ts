// `t`: assertions, logs, control, subtests, cleanup and mocks of one test.
import { CHECKS, FORGOT_AWAIT, inWords, isUnawaited, refuseArguments, type FailedCheck } from './assertions.js'
import { addLog, logText } from './capture.js'
import { reported } from './plain.js'
import {
  append,
  apply,
  define,
  defineLive,
  hasOwn,
  isError,
  isGenerator,
  mapSet,
  OriginalPromise,
  text,
  whenSettled,
} from './primordials.js'
import { ask, useMocks } from './sync-call.js'
import { inCourseOf, isLate, STOP, TestState } from './test-state.js'

type AnyFunction = (...args: unknown[]) => unknown
type Done = () => void

export function makeT(state: TestState): Record<string, unknown> {
  const t: Record<string, unknown> = {}
  const method = (name: string, other: string, call: AnyFunction): void => {
    const guarded: AnyFunction = (...args) => (isLate(state, `t.${name}`) ? undefined : apply(call, undefined, args))
    define(t, name, guarded)
    define(t, other, guarded)
  }
  method('log', 'Log', (...args) => addLog(wordsOf(args)))
  method('error', 'Error', (...args) => {
    state.failHere(reasonOf(args, 'test failed'), 'assertion')
    addLog(wordsOf(args))
  })
  method('fail', 'Fail', (...args) => state.failHere(reasonOf(args, 'test failed'), 'assertion'))
  method('fatal', 'Fatal', (...args) => {
    state.failHere(reasonOf(args, 'fatal error'), 'assertion')
    throw STOP
  })
  method('skip', 'Skip', (...args) => {
    state.skipped = true
    state.skipReason ??= args.length > 0 ? wordsOf(args) : undefined
    throw STOP
  })
  method('run', 'Run', (name, fn) => runSubtest(state, name, fn))
  method('cleanup', 'Cleanup', (fn) => append(state.cleanups, fn as () => unknown))
  method('mock', 'Mock', (name, answer) => addMock(state, name, answer))
  define(t, 'name', state.name)
  define(t, 'Name', state.name)
  define(t, 'assert', makeAssert(state))
  defineLive(t, 'failed', () => state.failed)
  defineLive(t, 'Failed', () => state.failed)
  defineLive(t, 'skipped', () => state.skipped)
  defineLive(t, 'calls', () => state.root.mocks.calls)
  defineLive(t, 'Calls', () => state.root.mocks.calls)
  return t
}

function wordsOf(args: unknown[]): string {
  return inWords(() => logText(args))
}

function reasonOf(args: unknown[], fallback: string): string {
  const words = wordsOf(args)
  return words === '' ? fallback : words
}

/** `t.assert.Equal`, and `t.assert.equal`. Derived once, before a script can change how strings are sliced. */
const OTHER_NAMES: string[] = CHECKS.map(({ name }) =>
  name === 'JSONPath' ? 'jsonPath' : `${name[0]?.toLowerCase()}${name.slice(1)}`,
)

function makeAssert(state: TestState): Record<string, AnyFunction> {
  const assert: Record<string, AnyFunction> = {}
  const method = (name: string, other: string, call: AnyFunction): void => {
    const guarded: AnyFunction = (...args) => (isLate(state, `t.assert.${name}`) ? false : apply(call, undefined, args))
    define(assert, name, guarded)
    define(assert, other, guarded)
  }
  for (let at = 0; at < CHECKS.length; at++) {
    const definition = CHECKS[at] as (typeof CHECKS)[number]
    const { name, arity, check } = definition
    method(name, OTHER_NAMES[at] as string, (...args) => {
      const refused = refuseArguments(definition, args)
      const message = args.length > arity ? args[arity] : undefined
      return note(state, name, refused ?? check(args), refused ? undefined : message)
    })
  }
  method('Panic', 'panic', (fn, message) => panicCheck(state, 'Panic', fn, message))
  method('NoPanic', 'noPanic', (fn, message) => panicCheck(state, 'NoPanic', fn, message))
  method('Agent', 'agent', (response, agent, options, message) => judge(state, response, agent, options, message))
  method('Check', 'check', (subject, assertions, message) => checkAll(state, subject, assertions, message))
  return assert
}

function note(state: TestState, type: string, failure: FailedCheck | undefined, given: unknown): boolean {
  const message = typeof given === 'string' && given !== '' ? given : undefined
  if (!failure) {
    if (state.verbose)
      state.addAssertion(message === undefined ? { type, passed: true } : { type, passed: true, message })
    return true
  }
  state.failed = true
  const words = message ?? failure.message
  state.addAssertion({
    type,
    passed: false,
    message: words,
    ...('expected' in failure ? { expected: valueOf(failure.expected) } : {}),
    ...('actual' in failure ? { actual: valueOf(failure.actual) } : {}),
  })
  state.failHere(`assertion failed: ${words}`, failure.broken === true ? 'validator' : 'assertion')
  return false
}

function valueOf(value: unknown): unknown {
  try {
    return reported(value)
  } catch {
    return '[cannot be shown]'
  }
}

function panicCheck(state: TestState, type: string, fn: unknown, message: unknown): unknown {
  if (typeof fn !== 'function') {
    const found = isUnawaited(fn) ? ', got a promise: pass the function itself' : ''
    return note(state, type, { message: `${type} requires a function argument${found}` }, message)
  }
  let result: unknown
  try {
    result = apply(fn as AnyFunction, undefined, [])
  } catch (error) {
    return note(state, type, panicFailure(type, { error }), message)
  }
  return settledLater(state, (settle) =>
    whenSettled(
      result,
      () => settle(note(state, type, panicFailure(type, undefined), message)),
      (error) => settle(note(state, type, panicFailure(type, { error }), message)),
    ),
  )
}

/** The answer if it is available immediately, else a promise of it. The test does not end before that. */
function settledLater(state: TestState, start: (settle: (answer: boolean) => void) => void): unknown {
  let answer: boolean | undefined
  let tell: ((answer: boolean) => void) | undefined
  state.open++
  start((given) => {
    answer = given
    state.open--
    tell?.(given)
    if (state.open === 0) state.onSettled?.()
  })
  if (answer !== undefined) return answer
  return new OriginalPromise<boolean>((resolve) => {
    tell = resolve
  })
}

function panicFailure(type: string, thrown: { error: unknown } | undefined): FailedCheck | undefined {
  if (type === 'Panic') return thrown ? undefined : { message: 'expected the function to throw, it did not' }
  if (!thrown) return undefined
  const { error } = thrown
  const words = inWords(() => (isError(error) ? `${error.name}: ${error.message}` : text(error)))
  return { message: `expected the function not to throw, it threw ${words}`, actual: error }
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
  if (isUnawaited(response)) return note(state, 'Agent', { message: FORGOT_AWAIT }, undefined)
  let answer: Judgement
  try {
    answer = ask('judge', [response, agent, options, state.root.name]) as Judgement
  } catch (error) {
    const reason = inWords(() => (isError(error) ? error.message : text(error)))
    const broken = { message: `${agent} could not judge: ${reason}`, actual: response, broken: true }
    return note(state, 'Agent', broken, message)
  }
  if (answer.passed === true) return note(state, 'Agent', undefined, message)
  const criteria = (options as { metadata?: { criteria?: unknown } } | null | undefined)?.metadata?.criteria
  const failure = {
    message: answer.reason ?? `${agent} did not accept the response`,
    expected: criteria ?? `accepted by ${agent}`,
    actual: response,
  }
  return note(state, 'Agent', failure, message)
}

interface Checked {
  type: string
  passed: boolean
  message?: string
  error?: string
  expected?: unknown
  actual?: unknown
}

/** `t.assert.Check(response, {type: "tool_called", …})`: whatever case files can assert. What cannot be checked is never a pass. */
function checkAll(state: TestState, subject: unknown, assertions: unknown, message: unknown): boolean {
  if (isUnawaited(subject)) return note(state, 'Check', { message: FORGOT_AWAIT }, undefined)
  let results: Checked[]
  try {
    results = ask('check', [subject, assertions, state.root.name]) as Checked[]
  } catch (error) {
    const reason = inWords(() => (isError(error) ? error.message : text(error)))
    return note(state, 'Check', { message: `could not be checked: ${reason}`, broken: true }, undefined)
  }
  if (results.length === 0) return note(state, 'Check', { message: 'nothing was checked', broken: true }, undefined)
  let holds = true
  for (let at = 0; at < results.length; at++) {
    const result = results[at] as Checked
    if (!note(state, result.type, failureOf(result), message)) holds = false
  }
  return holds
}

/** Fields missing from a result are not looked up in a prototype that the script may have changed. */
function failureOf(result: Checked): FailedCheck | undefined {
  if (result.passed === true) return undefined
  if (hasOwn(result, 'error')) return { message: text(result.error), broken: true }
  return {
    message: hasOwn(result, 'message') ? text(result.message) : `${result.type} does not hold`,
    ...(hasOwn(result, 'expected') ? { expected: result.expected } : {}),
    ...(hasOwn(result, 'actual') ? { actual: result.actual } : {}),
  }
}

function runSubtest(parent: TestState, name: unknown, fn: unknown): unknown {
  if (typeof fn !== 'function') throw new TypeError('t.run needs a name and a function')
  const title = text(name)
  const state = new TestState(`${parent.name}/${title}`, parent.verbose, parent)
  return settledLater(parent, (settle) =>
    runBody(state, fn as AnyFunction, [], () => {
      state.ended = true
      if (!state.ran && !state.failed && !state.skipped) state.fail(`${state.name} was never run`, 'script')
      if (state.failed) takeOver(parent, state, title)
      else if (state.skipped) addLog(`${state.name}: skipped${state.skipReason ? ` (${state.skipReason})` : ''}`)
      settle(!state.failed)
    }),
  )
}

/** Runs the function, what it left open and its cleanups; then `done`, immediately if nothing in it is asynchronous. */
export function runBody(state: TestState, fn: AnyFunction, more: unknown[], done: Done): void {
  const args: unknown[] = [makeT(state)]
  for (let at = 0; at < more.length; at++) append(args, more[at])
  const work = (): unknown => {
    state.ran = true
    return apply(fn, undefined, args)
  }
  const rest = (): void => runCleanups(state, () => whenNothingIsOpen(state, done))
  const ended = (value?: unknown): void => {
    // `const TestPaid = () => withShop((t) => …)`
    if (typeof value === 'function') state.failThrown(new Error('a function was returned: nothing in it has run'))
    whenNothingIsOpen(state, rest)
  }
  attempt(state, work, ended)
}

/** As part of the test: what it throws fails the test. */
export function attempt(state: TestState, work: () => unknown, done: (value?: unknown) => void): void {
  let result: unknown
  try {
    result = inCourseOf(state, work)
  } catch (error) {
    noteThrown(state, error)
    return done()
  }
  const ended = (value: unknown): void => {
    if (isGenerator(value)) state.failThrown(new Error('a generator was returned: nothing in it has run'))
    done(value)
  }
  whenSettled(result, ended, (error) => {
    noteThrown(state, error)
    done()
  })
}

function noteThrown(state: TestState, error: unknown): void {
  if (error !== STOP) state.failThrown(error)
}

function whenNothingIsOpen(state: TestState, done: Done): void {
  if (state.open === 0) return done()
  state.onSettled = () => {
    state.onSettled = undefined
    whenNothingIsOpen(state, done)
  }
}

function runCleanups(state: TestState, done: Done): void {
  const { cleanups } = state
  const last = cleanups.length - 1
  if (last < 0) return done()
  const cleanup = cleanups[last] as () => unknown
  cleanups.length = last
  attempt(state, cleanup, () => runCleanups(state, done))
}

function takeOver(parent: TestState, state: TestState, name: string): void {
  parent.failed = true
  for (let at = 0; at < state.assertions.length; at++) {
    const assertion = state.assertions[at] as (typeof state.assertions)[number]
    parent.addAssertion({ ...assertion, message: `${name}: ${assertion.message ?? assertion.type}` })
  }
  parent.fail(`${name}: ${state.error ?? 'failed'}`, state.errorKind ?? 'assertion', state.stack)
}

function addMock(state: TestState, name: unknown, answer: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('t.mock needs the name of a process')
  const { mocks } = state.root
  mapSet(mocks.answers, name, answer)
  useMocks(mocks)
}
