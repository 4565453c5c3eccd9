// Entry of a script's process: waits for work on the private channel, runs it, waits again.
import { isMainThread } from 'node:worker_threads'
import { installCapture } from './capture.js'
import { exitNow, openChannel, receive, send } from './channel.js'
import { makeContext } from './context.js'
import { startCoverage } from './coverage.js'
import { errorText, toWire } from './exception.js'
import { installGlobals } from './globals.js'
import { lockDoors } from './locked.js'
import { leftWork, watchWork } from './pending.js'
import { afterUnlessOver, nextTurn } from './primordials.js'
import { runCall, spoilProcess } from './run-call.js'
import { currentTest, runTests } from './run-tests.js'
import { installMocks } from './sync-call.js'
import { testInCourse, type TestState } from './test-state.js'

let verbose = false
let finished = false
let calling = false
let testFile = ''

/** After the last test: its timers and rejections may still surface. A file that leaves nothing open ends immediately. */
const LATE_MS = 250

// A thread that a script starts loads this file too, and only for its locks.
if (isMainThread) start()
else lockDoors()

function start(): void {
  process.setSourceMapsEnabled(true)
  process.on('uncaughtException', escaped)
  process.on('unhandledRejection', escaped)
  process.on('beforeExit', nothingLeft)
  installCapture()
  installMocks(makeContext)
  next()
}

function next(): void {
  const message = receive()
  switch (message.k) {
    case 'hello':
      openChannel(message.key)
      verbose = message.verbose
      installGlobals(message.app_root)
      if (message.coverage) startCoverage()
      lockDoors()
      return next()
    case 'tests':
      testFile = message.script.path
      watchWork(() => testInCourse()?.root)
      return runTests(message, verbose, finish)
    case 'call':
      // One turn of the loop, so that what the call left behind is not blamed on the next one.
      calling = true
      return runCall(message, () => {
        calling = false
        nextTurn(next)
      })
    case 'reply':
    case 'invoke':
      return next()
  }
}

/** From here on the process only stays alive while something in it is still pending, and not for long. */
function finish(): void {
  finished = true
  send({ k: 'done' })
  afterUnlessOver(LATE_MS, end)
}

/** Reports what the tests have left behind; then the process ends. */
function end(): void {
  const left = leftWork(testFile)
  for (let at = 0; at < left.length; at++) {
    const { owner, stack } = left[at] as (typeof left)[number]
    const { name, failed } = owner as TestState
    // A test that stops in the middle leaves things behind.
    if (failed) continue
    const message = `${name} has ended, and work that it started has not: forgot await?`
    send({ k: 'late', message, where: name, ...(stack === '' ? {} : { stack }) })
  }
  // Sent last: without it, the script has ended the process itself.
  send({ k: 'ended' })
  exitNow(0)
}

/** An uncaught exception or rejection: it belongs to the test during which it arose. */
function escaped(thrown: unknown): void {
  const state = testInCourse()
  if (state && !state.root.ended && state.root === currentTest()) return state.root.stopWith(thrown)
  const error = toWire(thrown)
  const where = state?.name ?? ''
  spoilProcess()
  send({ k: 'late', message: errorText(error), where, ...(error.stack ? { stack: error.stack } : {}) })
}

/** The event loop is empty. If a test or a call is still waiting, nothing can ever settle its promise. */
function nothingLeft(): void {
  const state = currentTest()
  const why = 'waits for a promise that nothing can settle any more'
  if (finished) return end()
  if (state) return state.stopWith(new Error(`${state.name} ${why}`))
  if (!calling) return
  send({ k: 'result', error: { name: 'Error', message: `the function ${why}` }, dirty: true })
  exitNow(0)
}
