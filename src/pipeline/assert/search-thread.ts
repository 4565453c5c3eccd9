// Searches with JavaScript's own regular expressions, in a thread that is terminated after one second.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { PatternError } from '../../base/regex.js'

const TIME_LIMIT_MS = 1000

const THREAD = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ expression, text }) => parentPort.postMessage(expression.test(text)))
`

/** One per run, started with the first search. */
export class SearchThread {
  #queue: Promise<unknown> = Promise.resolve()
  #worker: Worker | undefined
  #closed = false

  /** Rejects with a PatternError when the time limit is reached. One at a time: waiting does not count against a search's time. */
  search(expression: RegExp, text: string): Promise<boolean> {
    const result = this.#queue.then(() => this.#run(expression, text))
    this.#queue = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#stop()
  }

  async #stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #run(expression: RegExp, text: string): Promise<boolean> {
    const worker = this.#worker ?? (await this.#start())
    worker.ref()
    try {
      return await this.#answerOf(worker, expression, text)
    } finally {
      worker.unref()
    }
  }

  async #start(): Promise<Worker> {
    const threads = await import('node:worker_threads')
    if (this.#closed) throw new Error('the search was stopped')
    // Otherwise its standard streams would be joined to ours.
    const worker = new threads.Worker(THREAD, { eval: true, execArgv: [], env: {}, stdout: true, stderr: true })
    this.#worker = worker
    await once(worker, 'online')
    return worker
  }

  #answerOf(worker: Worker, expression: RegExp, text: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle(() => reject(new PatternError(`no answer within ${TIME_LIMIT_MS / 1000} s, the search was stopped`)))
        void this.#stop()
      }, TIME_LIMIT_MS)
      const onMessage = (matched: unknown): void => settle(() => resolve(matched === true))
      const onError = (error: unknown): void => {
        this.#worker = undefined
        settle(() => reject(error instanceof Error ? error : new Error(String(error))))
      }
      // The caller of close does not wait for the answer, but someone else may.
      const onExit = (): void => settle(() => reject(new Error('the search was stopped')))
      const settle = (finish: () => void): void => {
        clearTimeout(timer)
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.off('exit', onExit)
        finish()
      }
      worker.once('message', onMessage)
      worker.once('error', onError)
      worker.once('exit', onExit)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ expression, text })
    })
  }
}
