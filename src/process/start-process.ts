// Starts a program in its own process group and makes sure that all of it ends: with its leader, on abort, with us.
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { childEnv } from './child-env.js'
import { findExecutable } from './find-executable.js'
import type { Member, Platform, Tree } from './platform/platform.js'
import { cannotStart, isShortage, NO_MORE_PROCESSES } from './start-errors.js'

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
  /** Aborting ends the wait for free descriptors, which many concurrent programs can cause; default: `signal`. */
  patience?: AbortSignal
  /** Our own code, which ends when its channel does: it runs even where other programs may not. */
  own?: boolean
  /** A private pipe, both ways, beside the standard streams: `CHANNEL_FD` in the program. */
  channel?: boolean
  /** MB of memory it may allocate, if the system can limit that. */
  memoryMb?: number
  /**
   * The tree it belongs to, for many short-lived processes of one owner: its group is killed as soon as it exits, and the
   * owner looks for what has left the group when it closes the tree.
   */
  tree?: Tree
}

export interface LeaderExit {
  exitCode: number | null
  signal: NodeJS.Signals | null
}

export interface ProcessEnd extends LeaderExit {
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
  /** Settles when the program has exited and all it said has been read. Never rejects. */
  exited: Promise<LeaderExit>
  /** Settles when nothing of it is alive any more. Rejects if it never ran, or if the system could not be asked. */
  done: Promise<ProcessEnd>
  /** Closes the private pipe: our own programs then end on their own. */
  hangUp(): void
  /** Asks it to end, then makes it. */
  end(): void
  /** Ends it immediately. */
  kill(): void
}

/** What a run provides to the processes it starts. */
export interface ProcessHost {
  platform: Platform
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** A new tree, tracked until it is closed. */
  openTree(): Tree
  dropTree(tree: Tree): void
  /** What is alive of a tree. */
  members(tree: Tree): Promise<Member[]>
  /** The last wait for a shortage timed out: until something starts, the others do not wait either. */
  isStarved: boolean
}

const DEFAULT_GRACE_MS = 5000
/** A grandchild may hold the pipes open forever: this long after the leader's exit they are closed. */
const DRAIN_MS = 200
/** A process in the middle of a system call may take a while to die. */
const MAX_ROUNDS = 200
const ROUND_MS = 2
/** After this many, a remaining group is examined: its dead may wait for a parent that never reaps them. */
const GROUP_ROUNDS = 3
/** The system may be short of descriptors or processes for a moment. */
const SHORTAGE_MS = 5000
const SHORTAGE_STEP_MS = 100

export async function startProcess(spec: ProcessSpec, host: ProcessHost): Promise<RunningProcess> {
  const cwd = spec.cwd ?? host.cwd
  const tree = spec.tree ?? host.openTree()
  try {
    const env = childEnv({ own: host.env, cwd, marker: tree.marker, ...pick(spec) })
    const file = findExecutable(spec.command, spec.commandDir ?? cwd, env['PATH'] ?? '')
    const { channel = false, memoryMb } = spec
    const command = host.platform.command({ file, args: spec.args ?? [], channel, ...(memoryMb && { memoryMb }) })
    const { groups } = host.platform
    const stdio = Array.from({ length: 3 + Number(channel) + Number(groups) }, () => 'pipe' as const)
    const child = await spawnPatiently(
      () => spawn(command.file, command.args, { cwd, env, detached: groups, stdio, windowsHide: true }),
      spec,
      cwd,
      host,
    )
    return supervise(child, spec, tree, host)
  } catch (error) {
    if (!spec.tree) host.dropTree(tree)
    throw error
  }
}

function pick({ env, passEnv }: ProcessSpec): Pick<ProcessSpec, 'env' | 'passEnv'> {
  return { ...(env && { env }), ...(passEnv && { passEnv }) }
}

type Spawned = ChildProcess & { pid: number }

async function spawnPatiently(
  start: () => ChildProcess,
  spec: ProcessSpec,
  cwd: string,
  host: ProcessHost,
): Promise<Spawned> {
  const patience = spec.patience ?? spec.signal
  for (let waited = 0; ; waited += SHORTAGE_STEP_MS) {
    try {
      const child = await spawned(start())
      host.isStarved = false
      return child
    } catch (error) {
      const cause = error as NodeJS.ErrnoException
      if (!isShortage(cause) || patience?.aborted || host.isStarved) throw cannotStart(spec.command, cwd, cause)
      if (waited >= SHORTAGE_MS) {
        host.isStarved = true
        throw cannotStart(spec.command, cwd, cause)
      }
    }
    await delay(SHORTAGE_STEP_MS)
  }
}

/** Without a process id there may be no pipes either: Node gives up before it creates them. */
function spawned(child: ChildProcess): Promise<Spawned> | Spawned {
  if (child.pid !== undefined) return child as Spawned
  return new Promise((_, reject) => child.once('error', reject))
}

function supervise(child: Spawned, spec: ProcessSpec, tree: Tree, host: ProcessHost): RunningProcess {
  const { platform } = host
  const { pid } = child
  const streams = child.stdio as unknown as Duplex[]
  const [stdin, stdout, stderr, ...others] = streams as [Duplex, Duplex, Duplex, ...Duplex[]]
  const channel = spec.channel ? others.shift() : undefined
  const [deadman] = others
  tree.groups.add(pid)
  // A program may end without reading its input; that is not our error.
  for (const stream of streams) stream.on('error', () => {})
  // Failures after the start, such as of a signal, show in how it ends.
  child.on('error', () => {})

  let hasWatcher = true
  deadman?.once('data', () => (hasWatcher = false))
  let ended = false
  let gone = false
  let killTimer: NodeJS.Timeout | undefined
  const kill = (): void => {
    if (gone) return
    ended = true
    remember(platform, tree)
    platform.signal(-pid, 'SIGKILL')
  }
  const end = (): void => {
    if (ended || gone) return
    ended = true
    remember(platform, tree)
    platform.signal(-pid, 'SIGTERM')
    // A stopped process would only see SIGTERM after it is continued.
    platform.signal(-pid, 'SIGCONT')
    killTimer = setTimeout(kill, spec.graceMs ?? DEFAULT_GRACE_MS)
  }

  const hangUp = (): void => {
    if (!gone) remember(platform, tree)
    channel?.end()
  }

  const leader = new Promise<LeaderExit>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
  )
  // Not the child's own `close`: that would also wait for the watcher's pipe.
  const outputs = [stdout, stderr, ...(channel ? [channel] : [])]

  const finish = async (): Promise<ProcessEnd> => {
    const { exitCode, signal } = await leader
    clearTimeout(killTimer)
    try {
      const leaked = spec.tree ? [] : await endRemains({ group: pid, tree, outputs, ended: () => ended, host })
      if (!hasWatcher) throw cannotStart(spec.command, spec.cwd ?? host.cwd, NO_MORE_PROCESSES)
      return { exitCode, signal, leaked, ended }
    } finally {
      platform.signal(-pid, 'SIGKILL')
      gone = true
      clearTimeout(killTimer)
      spec.signal?.removeEventListener('abort', end)
      if (spec.tree) await drained(outputs)
      tree.groups.delete(pid)
      for (const stream of streams) stream.destroy()
      if (!spec.tree) host.dropTree(tree)
    }
  }

  if (spec.signal?.aborted) end()
  else spec.signal?.addEventListener('abort', end, { once: true })
  const exited = leader.then(async (how) => {
    await drained(outputs)
    return how
  })
  return { pid, stdin, stdout, stderr, ...(channel && { channel }), exited, done: finish(), hangUp, end, kill }
}

/** Before a tree is ended. If the system cannot be asked, that shows when the remains of the tree are looked for. */
function remember(platform: Platform, tree: Tree): void {
  try {
    platform.remember([tree])
  } catch {
    // See above.
  }
}

/** Everything it said has been read; output from others who hold its pipes does not count. */
async function drained(outputs: Duplex[]): Promise<void> {
  const timer = new AbortController()
  const closed = Promise.all(outputs.map((stream) => closing(stream)))
  await Promise.race([closed, delay(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => {})])
  timer.abort()
  // We may have been too busy to read all this time: time alone does not prove that there is nothing more.
  let read = -1
  for (let round = 0; round < MAX_ROUNDS && read !== bytesRead(outputs); round++) {
    read = bytesRead(outputs)
    await nextTurn()
  }
}

function closing(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve()
    else stream.once('close', resolve)
  })
}

function bytesRead(streams: Duplex[]): number {
  return streams.reduce((sum, stream) => sum + (stream as Socket).bytesRead, 0)
}

interface Remains {
  group: number
  tree: Tree
  outputs: Duplex[]
  ended: () => boolean
  host: ProcessHost
}

/** After the leader's exit: lets the pipes drain, then ends what is left and reports what that was. */
async function endRemains({ group, tree, outputs, ended, host }: Remains): Promise<string[]> {
  const timer = new AbortController()
  const grace = delay(DRAIN_MS, undefined, { signal: timer.signal }).catch(() => {})
  await drained(outputs)

  const look = async (): Promise<Member[]> => (await host.members(tree)).filter(({ watcher }) => !watcher)
  let left = await look()
  if (left.length > 0 && !ended()) {
    // Children that are just ending are not a leak: they get the rest of the draining time.
    await grace
    left = await look()
  }
  timer.abort()
  host.platform.signal(-group, 'SIGKILL')

  // When we ended it ourselves, only those that had left the group escaped.
  const leaked = ended() ? left.filter((item) => item.group !== group) : left
  const commands = leaked.map((item) => item.command)
  // Asking for the group alone is cheap: usually only the watcher was left of it, and it is gone immediately.
  if (left.length > 0 || (await groupLingers(group, host))) await endMembers(tree, host)
  return commands
}

async function groupLingers(group: number, { platform }: ProcessHost): Promise<boolean> {
  for (let round = 0; round < GROUP_ROUNDS; round++) {
    if (!platform.signal(-group, 0)) return false
    await delay(ROUND_MS)
  }
  return platform.signal(-group, 0)
}

/** Signals are delivered when the system gets to it: it is over when no process is left, not when all were signalled. */
export async function endMembers(tree: Tree, host: ProcessHost): Promise<void> {
  let left = await host.members(tree)
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round++) {
    for (const { pid } of left) host.platform.signal(pid, 'SIGKILL')
    await delay(ROUND_MS)
    left = await host.members(tree)
  }
}
