// Starts a program in its own process group and makes sure that the whole of it ends: with its leader, on abort, with us.
import { spawn, type ChildProcess } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../errors.js'
import { childEnv, createMarker } from './child-env.js'
import { findExecutable } from './find-executable.js'
import { findMarkedSoon, type MarkedProcess } from './marked-processes.js'
import { sendSignal, sweepOrphansOnce, trackGroup } from './registry.js'

export interface ProcessSpec {
  command: string
  args?: string[]
  cwd?: string
  /** Where a relative `command` is looked up; default: `cwd`. */
  commandDir?: string
  env?: Record<string, string>
  passEnv?: string[]
  /** Aborting ends the process: SIGTERM to the group, after `graceMs` SIGKILL. */
  signal?: AbortSignal
  graceMs?: number
  /** Opens a private two-way pipe beside the standard streams: `CHANNEL_FD` in the child. */
  channel?: boolean
}

export const CHANNEL_FD = 4

export interface ProcessEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Command lines of processes it left behind; they have been ended. */
  leaked: string[]
  /** It was ended by `end()` or the abort signal. */
  ended: boolean
}

export interface RunningProcess {
  pid: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Our end of the private pipe, if one was asked for. */
  channel?: Duplex
  /** Settles when nothing of it is alive any more. Never rejects, except when the program could not be started. */
  done: Promise<ProcessEnd>
  /** Asks it to end, then makes it. */
  end(): void
}

export const DEFAULT_GRACE_MS = 5000
/** A grandchild may hold the pipes open for ever: this long after the leader's exit they are closed. */
const DRAIN_MS = 200
/** A process in the middle of a system call may take its time to die. */
const MAX_ROUNDS = 200
const SHIM_NAME = 'viva-deadman'
// The watcher blocks on a pipe that only Viva holds open: when Viva dies, however it dies, the read ends and the group
// is killed. It is started by a subshell that ends at once, so that the program has no child it did not start itself.
// It must not hold the channel open, whose end tells us that the program is gone.
const SHIM = `( ( trap "" TERM INT HUP QUIT; read _ <&3; kill -9 -$$ ) </dev/null >/dev/null 2>&1 ${CHANNEL_FD}<&- & ); exec "$@" 3<&-`

export function startProcess(spec: ProcessSpec): RunningProcess {
  sweepOrphansOnce()
  const cwd = spec.cwd ?? process.cwd()
  const marker = createMarker()
  const env = childEnv({ cwd, marker, env: spec.env ?? {}, passEnv: spec.passEnv ?? [] })
  const file = findExecutable(spec.command, spec.commandDir ?? cwd, env['PATH'])
  const child = spawn('/bin/sh', ['-c', SHIM, SHIM_NAME, file, ...(spec.args ?? [])], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...(spec.channel ? (['pipe'] as const) : [])],
  })
  return superviseChild(child, spec, marker)
}

function superviseChild(child: ChildProcess, spec: ProcessSpec, marker: string): RunningProcess {
  const { stdin, stdout, stderr, pid } = child
  const deadman = child.stdio[3]
  const channel = child.stdio[CHANNEL_FD] as Duplex | null | undefined
  if (!stdin || !stdout || !stderr) throw new Error('the child was started without pipes')
  // A program may end without reading its input; that is no error of ours.
  stdin.on('error', () => {})
  stdout.on('error', () => {})
  stderr.on('error', () => {})
  deadman?.on('error', () => {})
  channel?.on('error', () => {})

  let ended = false
  let killTimer: NodeJS.Timeout | undefined
  const untrack = pid === undefined ? () => {} : trackGroup({ pid, marker })
  const end = (): void => {
    if (ended || pid === undefined) return
    ended = true
    sendSignal(-pid, 'SIGTERM')
    // A stopped process would only see SIGTERM after it is continued.
    sendSignal(-pid, 'SIGCONT')
    killTimer = setTimeout(() => sendSignal(-pid, 'SIGKILL'), spec.graceMs ?? DEFAULT_GRACE_MS)
  }

  const exited = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (cause) => reject(cannotStart(spec, cause)))
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  // Not the child's own `close`: that would also wait for the watcher's pipe.
  const closed = Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))))

  const finish = async (): Promise<ProcessEnd> => {
    try {
      const { exitCode, signal } = await exited
      clearTimeout(killTimer)
      const leaked = await endRemains({ group: pid ?? 0, marker, closed, ended })
      return { exitCode, signal, leaked, ended }
    } finally {
      untrack()
      clearTimeout(killTimer)
      spec.signal?.removeEventListener('abort', end)
      for (const stream of [stdin, stdout, stderr, deadman, channel]) stream?.destroy()
    }
  }

  if (spec.signal?.aborted) end()
  else spec.signal?.addEventListener('abort', end, { once: true })
  return { pid: pid ?? 0, stdin, stdout, stderr, ...(channel && { channel }), done: finish(), end }
}

function cannotStart(spec: ProcessSpec, cause: Error): UserError {
  return new UserError({
    code: 'CANNOT_START',
    message: `cannot start "${spec.command}" in ${spec.cwd ?? process.cwd()}: ${cause.message}`,
    hint: 'check that the working directory exists and that the system allows more processes',
    cause,
  })
}

interface Remains {
  group: number
  marker: string
  closed: Promise<unknown>
  ended: boolean
}

/** After the leader's exit: lets the pipes drain, then ends what is left and says what that was. */
async function endRemains({ group, marker, closed, ended }: Remains): Promise<string[]> {
  const timer = new AbortController()
  const drained = delay(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([closed, drained])

  let left = withoutWatcher(await findMarkedSoon(marker))
  if (left.length > 0 && !ended) {
    // Children that are just ending are no leak: they get the rest of the draining time.
    await drained
    left = withoutWatcher(await findMarkedSoon(marker))
  }
  timer.abort()
  sendSignal(-group, 'SIGKILL')

  // When we ended it ourselves, only those that had left the group escaped.
  const leaked = ended ? left.filter((item) => item.group !== group) : left
  const commands = leaked.map((item) => item.command)
  // Signals are delivered when the system gets to it: it is over when nobody is left, not when all were told.
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round++) {
    for (const item of left) if (item.group !== group) sendSignal(item.pid, 'SIGKILL')
    await delay(2)
    left = withoutWatcher(await findMarkedSoon(marker))
  }
  return commands
}

function withoutWatcher(found: MarkedProcess[]): MarkedProcess[] {
  return found.filter((item) => !item.command.includes(` ${SHIM_NAME} `))
}
