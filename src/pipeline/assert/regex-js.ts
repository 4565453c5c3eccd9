// JavaScript's own regular expressions (look-around, back-references), in a thread that is ended after one second.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { assertPatternLength, isCutForSearch, MAX_SEARCHED_LENGTH, PatternError } from '../../base/regex.js'
import { messageOf } from '../../base/message-of.js'

export const JS_TIME_LIMIT_MS = 1000

export interface JsPattern {
  source: string
  /** Rejects with a PatternError when the time limit is over. */
  test(text: string): Promise<boolean>
}

/** Throws a PatternError. `(?i)`, `(?m)`, `(?s)` at the beginning are read as flags, as in the other engine. */
export function compileJsPattern(source: string): JsPattern {
  assertPatternLength(source)
  const inline = /^\(\?([ims]+)\)/.exec(source)
  const flags = [...new Set(inline?.[1])].join('')
  const body = inline ? source.slice(inline[0].length) : source
  const expression = requireExpression(body, flags)
  return {
    source,
    test: (text) => enqueue({ expression, text: isCutForSearch(text) ? text.slice(0, MAX_SEARCHED_LENGTH) : text }),
  }
}

function requireExpression(body: string, flags: string): RegExp {
  try {
    return new RegExp(body, flags)
  } catch (error) {
    throw new PatternError(messageOf(error))
  }
}

interface Job {
  expression: RegExp
  text: string
}

const THREAD = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ expression, text }) => parentPort.postMessage(expression.test(text)))
`

let queue: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined

/** One at a time: a job's time limit must not run while it waits for another. */
function enqueue(job: Job): Promise<boolean> {
  const result = queue.then(() => runJob(job))
  queue = result.catch(() => undefined)
  return result
}

async function runJob(job: Job): Promise<boolean> {
  const worker = thread ?? (await startThread())
  worker.ref()
  try {
    return await answerOf(worker, job)
  } finally {
    worker.unref()
  }
}

async function startThread(): Promise<Worker> {
  const threads = await import('node:worker_threads')
  const worker = new threads.Worker(THREAD, { eval: true, execArgv: [], env: {} })
  await once(worker, 'online')
  thread = worker
  return worker
}

function answerOf(worker: Worker, job: Job): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      settle(() => reject(new PatternError(`no answer within ${JS_TIME_LIMIT_MS / 1000} s, the search was stopped`)))
      thread = undefined
      void worker.terminate()
    }, JS_TIME_LIMIT_MS)
    const onMessage = (matched: unknown) => settle(() => resolve(matched === true))
    const onError = (error: unknown) => {
      thread = undefined
      settle(() => reject(error instanceof Error ? error : new Error(String(error))))
    }
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('error', onError)
      finish()
    }
    worker.once('message', onMessage)
    worker.once('error', onError)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job)
  })
}
