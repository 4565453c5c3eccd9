// One process that runs a module agent, as Viva sees it: calls and answers, what it printed, how it ended.
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { UserError } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import { defined } from '../../base/defined.js'
import { TailBuffer } from '../../base/output-buffer.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import type { Processes } from '../../process/processes.js'
import { createSeal, ForgedLineError, LineReader, LineWriter, type Seal } from '../../process/sealed-lines.js'
import type { LeaderExit, RunningProcess } from '../../process/start-process.js'
import { writeNow } from '../../process/write-now.js'
import type { Clock } from '../../time/clock.js'
import { CancelledError, DeadlineError, orAborted } from '../../time/deadline.js'
import { failedToLoad, type ModuleSource } from '../targets/load-module.js'
import { crashed, lostCall, neverLoaded, type End, type KilledFor } from './ends.js'
import { isInspected, nodeArgs } from './node-args.js'
import { PendingCall } from './pending-call.js'
import type { CallMessage, ChildMessage, HostMessage, ModuleExport, ModuleRequest } from './protocol.js'
import { readMessages } from './read-messages.js'
import { ContextWriter } from './same-context.js'

export interface ModuleProcessSpec {
  file: string
  programs: Processes
  source: Promise<ModuleSource>
  entry: string
  /** Of this process among those of the run. */
  number: number
  /** Loading the module may take this long. */
  loadMs: number
  clock: Clock
  events: ModuleEvents
  /** In addition to those it is started with anyway. */
  env?: Record<string, string>
  /** It is retired, and may now be empty. */
  onIdle(): void
}

/** What does not belong to a single call. */
export interface ModuleEvents {
  /** Printed outside any call, or by a call that cannot be determined. */
  log(lines: string[]): void
  /** Uncaught. `caseId`: the case during which it arose. */
  stray(message: string, caseId: string | undefined): void
  /** For the person at the terminal: where the debugger listens. */
  notice(text: string): void
}

/** After an abort the event loop must turn within this time; otherwise the process hangs. */
const STALL_MS = 500
/** With other calls in flight, which would be lost and have to be run again. */
const SHARED_STALL_MS = 2000
/** An agent that ignores its abort for this long makes its process unfit for further conversations. */
const IGNORED_ABORT_MS = 5000
/** After the channel is closed: for the agent's own exit handlers, shorter if it was in the middle of something. */
const EXIT_MS = 2000
const BUSY_EXIT_MS = 500
/** Longer lines are cut. */
const MAX_LINE_CHARACTERS = 64 * 1024
const STDERR_BYTES = 8 * 1024

export class ModuleProcess {
  /** What the module exports. Rejects with a UserError. */
  readonly ready: Promise<ModuleExport[]>
  /** Settles when nothing of it is alive. */
  readonly ended: Promise<End>
  end: End | undefined
  isLoaded = false
  /** It gets no new conversations. */
  retired = false
  /** Conversations whose next turn must find it. */
  held = 0
  /** Calls running in it, including those given up on. */
  readonly #calls = new Map<number, PendingCall>()
  readonly #spec: ModuleProcessSpec
  /** Undefined until it has been started. */
  #child: RunningProcess | undefined
  readonly #writer = new LineWriter()
  readonly #contexts = new ContextWriter()
  readonly #stderr = new TailBuffer(STDERR_BYTES)
  #loaded: (exports: ModuleExport[]) => void = () => {}
  #refused: (cause: unknown) => void = () => {}
  #outbox: string[] = []
  #killedFor: KilledFor | undefined
  #answered = 0
  #lastId = 0
  #ended: string[] = []

  constructor(spec: ModuleProcessSpec) {
    this.#spec = spec
    this.ready = new Promise((resolve, reject) => {
      this.#loaded = resolve
      this.#refused = (cause) => reject(cause instanceof UserError ? cause : failedToLoad(spec.file, cause))
    })
    this.ready.catch(() => {})
    this.ended = this.#run()
  }

  /** Calls that are being waited for. */
  get load(): number {
    let count = 0
    for (const call of this.#calls.values()) if (!call.settled) count++
    return count
  }

  call(name: string, request: ModuleRequest): Promise<AgentReply> {
    if (!this.isLoaded) return orAborted(this.ready, request.signal, 0).then(() => this.#call(name, request))
    return this.#call(name, request)
  }

  #call(name: string, request: ModuleRequest): Promise<AgentReply> {
    if (request.signal.aborted) return Promise.reject(abortedCall(request.signal))
    if (this.end) return Promise.reject(lostCall(this.end, 0))
    const call = new PendingCall(++this.#lastId, request)
    const { messages, context, options, turn, workspace } = request
    const message: CallMessage = { k: 'call', id: call.id, name, messages, options }
    this.#contexts.addTo(message, context)
    if (turn !== undefined) message.turn = turn
    if (this.#ended.length > 0) message.over = this.#ended.splice(0)
    if (workspace !== undefined) message.workspace = workspace
    this.#send(message)
    this.#calls.set(call.id, call)
    call.whenAborted(() => this.#abort(call))
    return call.answer
  }

  /** The conversation is over; the process hears of it with its next call. */
  forget(chatId: string): void {
    this.#ended.push(chatId)
  }

  /** Lets the agent's own exit handlers run, but not for long. */
  async close(): Promise<void> {
    this.#killedFor ??= 'closed'
    this.#child?.hangUp()
    const patience = this.#calls.size > 0 ? BUSY_EXIT_MS : EXIT_MS
    const clear = this.#spec.clock.after(patience, () => this.#kill('closed'))
    await this.ended
    clear()
  }

  #kill(why: KilledFor): void {
    if (this.end) return
    this.#killedFor ??= why
    this.#child?.kill()
  }

  async #run(): Promise<End> {
    let how: LeaderExit = { exitCode: null, signal: null }
    try {
      const child = await this.#start()
      how = await child.exited
      this.end = this.#endOf(how)
      this.#refused(neverLoaded(this.end))
      this.#failAll(this.end)
      await child.done
    } catch (error) {
      this.#refused(error)
    }
    return (this.end ??= this.#endOf(how))
  }

  async #start(): Promise<RunningProcess> {
    const { programs, number, entry, env } = this.#spec
    const child = await programs.start({
      command: process.execPath,
      args: [...nodeArgs(number), entry],
      env: { ...asGiven(programs.env), ...env },
      channel: true,
      own: true,
    })
    this.#child = child
    child.stdin.end()
    const key = randomBytes(32).toString('hex')
    this.#listen(child, createSeal(key))
    this.#send({ k: 'hello', key })
    if (this.#killedFor === undefined) void this.#load().catch(this.#refused)
    else child.kill()
    return child
  }

  async #load(): Promise<void> {
    const { source, file, loadMs, clock } = this.#spec
    const place = (await source).place()
    this.#send({ k: 'load', url: place.url, file })
    const clear = isInspected() ? () => {} : clock.after(loadMs, () => this.#kill('load timeout'))
    await this.ready.catch(() => {})
    clear()
    place.imported()
    await this.ended
    place.release()
  }

  #endOf({ exitCode, signal }: LeaderExit): End {
    const end = { exitCode, signal, stderr: this.#stderr.text(), answered: this.#answered }
    return this.#killedFor === undefined ? end : { ...end, why: this.#killedFor }
  }

  #abort(call: PendingCall): void {
    const { reason } = call.request.signal as { reason: unknown }
    const message = reason instanceof Error ? reason.message : String(reason)
    const text = reason instanceof DeadlineError ? reason.text : undefined
    this.#send({ k: 'abort', id: call.id, message, ...defined({ text }) })
    // The run is over, and soon the process is too.
    if (reason instanceof CancelledError) return call.giveUp()
    call.clearTimer = this.#spec.clock.after(this.#calls.size > 1 ? SHARED_STALL_MS : STALL_MS, () => {
      // We may have been busy ourselves: what it said in the meantime is read first.
      setImmediate(() => setImmediate(() => this.#notHeard(call)))
    })
  }

  #notHeard(call: PendingCall): void {
    if (call.settled || this.end) return
    if (isInspected()) call.giveUp()
    else this.#kill('stalled')
  }

  #accept(message: ChildMessage): void {
    if (message.k === 'loaded') {
      this.isLoaded = true
      return this.#loaded(message.value)
    }
    if (message.k === 'refused') return this.#refused(new Error(message.value))
    const call = this.#calls.get(message.id)
    switch (message.k) {
      case 'log':
        return call ? call.addLog(message.value) : this.#spec.events.log(message.value)
      case 'stray':
        return this.#spec.events.stray(this.#theirFrames(message.value), call?.request.call.case_id)
      case 'chunk':
        return call?.addChunk(message.value)
      case 'heard':
        return call && this.#heard(call)
      case 'reply':
        this.#answered++
        call?.reply(message.value)
        return this.#over(call)
      case 'error':
        call?.error(message.value)
        return this.#over(call)
    }
  }

  /** The agent has been told to stop. If it does not, others must not share a process with it forever. */
  #heard(call: PendingCall): void {
    call.clearTimer()
    call.giveUp()
    call.clearTimer = this.#spec.clock.after(IGNORED_ABORT_MS, () => {
      this.retired = true
      this.#spec.onIdle()
    })
  }

  #over(call: PendingCall | undefined): void {
    if (!call) return
    call.clearTimer()
    this.#calls.delete(call.id)
    if (this.retired) this.#spec.onIdle()
  }

  /** A call that was alone in it is to blame. With several there is no telling, and that includes calls nothing waits for any more. */
  #failAll(end: End): void {
    const all = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of all) {
      call.clearTimer()
      if (all.length > 1) call.fail(lostCall(end, all.length))
      else if (call.request.signal.aborted) call.giveUp()
      else call.fail(crashed(end, call.partial()))
    }
  }

  #listen({ channel, stdout, stderr }: RunningProcess, seal: Seal): void {
    const reader = new LineReader(seal)
    channel?.on('data', (chunk: Buffer) => {
      if (this.#killedFor === 'forged') return
      try {
        for (const line of reader.push(chunk)) for (const message of readMessages(line)) this.#accept(message)
      } catch (error) {
        if (!(error instanceof ForgedLineError)) throw error
        this.#kill('forged')
      }
    })
    eachLine(stdout, (line) => this.#printed(line))
    eachLine(stderr, (line) => this.#printed(line))
    stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
  }

  /** Past our capture: by native code, `fs.writeSync(1)`, or a program that the agent started. */
  #printed(line: string): void {
    if (isInspected() && /^(?:Debugger |For help, see|Waiting for the debugger)/.test(line)) {
      return this.#spec.events.notice(line)
    }
    const [only, ...others] = this.#calls.values()
    if (only && others.length === 0) only.addLog([line])
    else this.#spec.events.log([line])
  }

  #theirFrames(stack: string): string {
    return stack
      .split('\n')
      .filter((line) => !line.includes(this.#spec.entry))
      .join('\n')
  }

  #send(message: HostMessage): void {
    this.#outbox.push(JSON.stringify(message))
    // Other calls may have something to send in this turn: that goes along.
    if (this.#calls.size === 0) this.#flush()
    else if (this.#outbox.length === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    const batch = this.#outbox
    this.#outbox = []
    const { channel } = this.#child ?? {}
    if (batch.length > 0 && channel) writeNow(channel, this.#writer.encode(`[${batch.join(',')}]`))
  }
}

/** The agent is the user's own code: it sees what it would see without Viva. */
function asGiven(env: Processes['env']): Record<string, string> {
  const { GIT_CEILING_DIRECTORIES = '', ...rest } = env
  return { ...(defined(rest) as Record<string, string>), GIT_CEILING_DIRECTORIES }
}

function eachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder()
  let partial = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (partial + decoder.write(chunk)).split('\n')
    partial = lines.pop() ?? ''
    if (partial.length > MAX_LINE_CHARACTERS) {
      lines.push(partial)
      partial = ''
    }
    for (const line of lines) onLine(line)
  })
  stream.once('close', () => {
    if (partial !== '') onLine(partial)
  })
}
