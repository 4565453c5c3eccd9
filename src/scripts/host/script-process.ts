// One child process for scripts, as the host sees it: messages in and out, what it printed, how it ended.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { TailBuffer } from '../../base/output-buffer.js'
import { sendSignal, trackGroup } from '../../process/registry.js'
import { encodeFrame, ForgedFrameError, FrameReader } from './frame-reader.js'
import type { Guard } from './guard.js'
import {
  CHANNEL_FD,
  NONCE_BYTES,
  type ChildMessage,
  type CompiledScript,
  type HostMessage,
  type ScriptMessage,
} from '../protocol.js'

export interface SpawnOptions {
  entry: string
  appRoot: string
  env: Record<string, string>
  marker: string
  guard: Guard
  memoryMb: number
  coverage: boolean
  verbose: boolean
}

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** Set when it was not the script's own doing. */
  why?: 'forged' | 'killed'
}

export interface Listener {
  message(message: ChildMessage): void
  /** Printed past our capture: by native code, `fs.writeSync(1)`, or a program the script started. */
  printed(text: string): void
  ended(end: ProcessEnd): void
}

const STDERR_TAIL_BYTES = 8 * 1024
const DRAIN_MS = 200
const IDLE: Listener = { message() {}, printed() {}, ended() {} }

export class ScriptProcess {
  readonly pid: number
  readonly exited: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #channel: Duplex
  #listener: Listener = IDLE
  readonly #stderr = new TailBuffer(STDERR_TAIL_BYTES)
  readonly #known = new Set<number>()
  #why: 'forged' | 'killed' | undefined
  #end: ProcessEnd | undefined
  uses = 0

  constructor(options: SpawnOptions) {
    const nonce = randomBytes(NONCE_BYTES)
    this.#child = spawnChild(options)
    this.pid = this.#child.pid ?? 0
    this.#channel = this.#child.stdio[CHANNEL_FD] as Duplex
    const untrack = this.pid === 0 ? () => {} : trackGroup({ pid: this.pid, marker: options.marker })
    if (this.pid !== 0) options.guard.add(this.pid)
    this.#listen(new FrameReader(nonce))
    this.exited = this.#watch(() => {
      untrack()
      // What it started and left behind is in its group.
      sendSignal(-this.pid, 'SIGKILL')
      options.guard.remove(this.pid)
    })
    this.send({
      k: 'hello',
      nonce,
      app_root: options.appRoot,
      coverage: options.coverage,
      verbose: options.verbose,
    })
  }

  get end(): ProcessEnd | undefined {
    return this.#end
  }

  /** The last it printed as an error: why it crashed, as Node says it. */
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

  /** What to tell it about a script: the code only the first time. */
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
    sendSignal(-this.pid, 'SIGKILL')
  }

  /** The end is announced after everything it said has been read; a program it started may hold a pipe, but not for long. */
  #watch(cleanUp: () => void): Promise<ProcessEnd> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (this.#end) return
        clearTimeout(timer)
        this.#end = this.#why === undefined ? { code, signal } : { code, signal, why: this.#why }
        resolve(this.#end)
        this.#listener.ended(this.#end)
        for (const stream of this.#child.stdio) (stream as Duplex | null)?.destroy()
      }
      this.#child.once('exit', (code, signal) => {
        cleanUp()
        timer = setTimeout(() => finish(code, signal), DRAIN_MS)
      })
      this.#child.once('close', finish)
      this.#child.once('error', (error) => {
        this.#stderr.push(Buffer.from(error.message))
        cleanUp()
        finish(null, null)
      })
    })
  }

  #listen(reader: FrameReader): void {
    this.#channel.on('error', () => {})
    this.#channel.on('data', (chunk: Buffer) => {
      if (this.#why !== undefined) return
      try {
        for (const message of reader.push(chunk)) this.#listener.message(message)
      } catch (error) {
        if (!(error instanceof ForgedFrameError) && !isDecodeError(error)) throw error
        this.kill('forged')
      }
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('error', () => {})
      stream?.on('data', (chunk: Buffer) => {
        if (stream === this.#child.stderr) this.#stderr.push(chunk)
        this.#listener.printed(chunk.toString())
      })
    }
  }
}

/** Memory outside V8's heap (buffers) is limited by the system: `ulimit -d`, which leaves reserved address space alone. */
function spawnChild({ entry, appRoot, env, memoryMb }: SpawnOptions): ChildProcess {
  const args = [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning', entry]
  const options = { cwd: appRoot, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] as const }
  if (process.platform !== 'linux') return spawn(process.execPath, args, { ...options, stdio: [...options.stdio] })
  // Beside the heap: buffers, code, and the stacks of Node's own threads.
  const limit = (memoryMb + Math.max(256, 2 * memoryMb) + reservedMb()) * 1024
  return spawn('/bin/sh', ['-c', `ulimit -d ${limit} 2>/dev/null; exec "$@"`, 'sh', process.execPath, ...args], {
    ...options,
    stdio: [...options.stdio],
  })
}

/** From version 13 on V8 asks for some 500 MB at its start, of which it uses little; the system counts them all. */
function reservedMb(): number {
  return Number.parseInt(process.versions.v8, 10) >= 13 ? 512 : 0
}

function isDecodeError(error: unknown): boolean {
  return error instanceof Error && /deserialize/i.test(error.message)
}
