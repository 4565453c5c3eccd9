// One call in a module agent's process: what has come of it so far, and settling it exactly once.
import { AgentError } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { LogKeeper } from '../../scripts/host/log-keeper.js'
import { offAbort, onAbort } from '../../time/abort.js'
import type { ModuleRequest, WireError } from './protocol.js'
import { isRecord } from '../../base/record.js'

const NOTHING = (): void => {}

export class PendingCall {
  readonly id: number
  readonly request: ModuleRequest
  readonly answer: Promise<AgentReply>
  /** Nothing waits for it any more, but it may still run. */
  settled = false
  /** Cancels the timer that is set for it. */
  clearTimer: () => void = NOTHING
  #resolve: (reply: AgentReply) => void = NOTHING
  #reject: (error: Error) => void = NOTHING
  #onAbort: (() => void) | undefined
  #text = ''
  #logs: LogKeeper | undefined

  constructor(id: number, request: ModuleRequest) {
    this.id = id
    this.request = request
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  whenAborted(callback: () => void): void {
    this.#onAbort = callback
    onAbort(this.request.signal, callback)
  }

  addChunk(text: string): void {
    if (this.settled) return
    this.#text += text
    this.request.onChunk?.(text)
  }

  addLog(lines: string[]): void {
    this.#logs ??= new LogKeeper()
    for (const line of lines) this.#logs.add(line)
  }

  reply(reply: AgentReply): void {
    if (this.#settle()) this.#resolve(this.#logs ? Object.assign(reply, this.#printed()) : reply)
  }

  error(wire: WireError): void {
    const partial = wire.partial ?? { content: this.#text }
    this.fail(new AgentError({ ...wire, partial: isRecord(partial) ? { ...partial, ...this.#printed() } : partial }))
  }

  /** The deadline has passed, or the run is over. */
  giveUp(): void {
    this.fail(abortedCall(this.request.signal, this.partial()))
  }

  fail(error: Error): void {
    if (this.#settle()) this.#reject(error)
  }

  /** What it had said and printed. */
  partial(): Partial<AgentReply> {
    return { content: this.#text, ...this.#printed() }
  }

  #printed(): Pick<AgentReply, 'logs' | 'logs_dropped'> {
    if (!this.#logs) return {}
    const { dropped } = this.#logs
    return { logs: this.#logs.lines(), ...(dropped > 0 && { logs_dropped: dropped }) }
  }

  /** False if it already was. */
  #settle(): boolean {
    if (this.settled) return false
    this.settled = true
    if (this.#onAbort) offAbort(this.request.signal, this.#onAbort)
    return true
  }
}
