// One child process for scripts, as the host sees it: messages in and out, what it printed, how it ended.
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { TailBuffer } from '../../base/output-buffer.js'
import type { Processes } from '../../process/processes.js'
import type { ProcessSpec, RunningProcess } from '../../process/start-process.js'
import { encodeFrame, ForgedFrameError, FrameReader } from './frame-reader.js'
import type { ChildMessage, CompiledScript, HostMessage, ScriptMessage } from '../protocol.js'
import { KEY_BYTES } from '../siphash.js'

export interface ScriptProcessOptions extends Pick<ProcessSpec, 'tree' | 'patience'> {
  entry: string
  appRoot: string
  env: Record<string, string>
  /** Of V8's heap. */
  memoryMb: number
  coverage: boolean
  verbose: boolean
}

export interface ScriptProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** Set when it was not the script's own doing. */
  why?: 'forged' | 'killed'
}

export interface Listener {
  message(message: ChildMessage): void
  /** Printed past our capture: by native code, `fs.writeSync(1)`, or a program the script started. */
  printed(text: string): void
  ended(end: ScriptProcessEnd): void
}

const STDERR_TAIL_BYTES = 8 * 1024
const IDLE: Listener = { message() {}, printed() {}, ended() {} }

export async function startScriptProcess(options: ScriptProcessOptions, processes: Processes): Promise<ScriptProcess> {
  const { entry, appRoot, env, memoryMb, tree, patience } = options
  const running = await processes.start({
    command: process.execPath,
    args: [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning', entry],
    cwd: appRoot,
    env,
    channel: true,
    memoryMb: wholeMemoryMb(memoryMb),
    ...(tree && { tree }),
    ...(patience && { patience }),
  })
  return new ScriptProcess(running, options)
}

/** Memory outside V8's heap is limited by the system: buffers, code, and the stacks of Node's own threads. */
function wholeMemoryMb(heapMb: number): number {
  return heapMb + Math.max(256, 2 * heapMb) + reservedMb()
}

/** Since version 13, V8 asks for some 500 MB at start and uses little of it; the system counts it all. */
function reservedMb(): number {
  return Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0
}

export class ScriptProcess {
  readonly pid: number
  /** Settles when it has ended and everything it said has been read. */
  readonly exited: Promise<ScriptProcessEnd>
  /** Settles when its group is gone too. */
  readonly done: Promise<unknown>
  readonly #running: RunningProcess
  readonly #channel: Duplex
  #listener: Listener = IDLE
  readonly #stderr = new TailBuffer(STDERR_TAIL_BYTES)
  readonly #known = new Set<number>()
  #why: 'forged' | 'killed' | undefined
  #end: ScriptProcessEnd | undefined
  uses = 0

  constructor(running: RunningProcess, options: ScriptProcessOptions) {
    const { channel } = running
    if (!channel) throw new Error('the process of a script was started without its channel')
    const key = randomBytes(KEY_BYTES)
    this.pid = running.pid
    // If it never ran, that shows in how it ended.
    this.done = running.done.catch(() => {})
    this.#running = running
    this.#channel = channel
    running.stdin.destroy()
    this.#listen(new FrameReader(key))
    this.exited = running.exited.then(({ exitCode, signal }) => {
      const end: ScriptProcessEnd = { code: exitCode, signal, ...(this.#why && { why: this.#why }) }
      this.#end = end
      this.#listener.ended(end)
      return end
    })
    this.send({
      k: 'hello',
      key,
      app_root: options.appRoot,
      coverage: options.coverage,
      verbose: options.verbose,
    })
  }

  get end(): ScriptProcessEnd | undefined {
    return this.#end
  }

  /** The last error output: why it crashed, in Node's words. */
  stderr(): string {
    return this.#stderr.text()
  }

  attach(listener: Listener): void {
    this.#listener = listener
    if (this.#end) listener.ended(this.#end)
  }

  detach(): void {
    this.#listener = IDLE
  }

  /** What to send it about a script: the code only the first time. */
  introduce({ id, path, code }: CompiledScript): ScriptMessage {
    if (this.#known.has(id)) return { id, path }
    this.#known.add(id)
    return { id, path, code }
  }

  send(message: HostMessage): void {
    this.#channel.write(encodeFrame(message))
  }

  kill(why: 'forged' | 'killed' = 'killed'): void {
    if (this.#end) return
    this.#why ??= why
    this.#running.kill()
  }

  #listen(reader: FrameReader): void {
    this.#channel.on('data', (chunk: Buffer) => {
      if (this.#why !== undefined) return
      try {
        for (const message of reader.push(chunk)) this.#listener.message(message)
      } catch (error) {
        if (!(error instanceof ForgedFrameError) && !isDecodeError(error)) throw error
        this.kill('forged')
      }
    })
    const { stdout, stderr } = this.#running
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (stream === stderr) this.#stderr.push(chunk)
        this.#listener.printed(chunk.toString())
      })
    }
  }
}

function isDecodeError(error: unknown): boolean {
  return error instanceof Error && /deserialize/i.test(error.message)
}
