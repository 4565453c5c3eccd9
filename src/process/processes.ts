// The programs of one run. Two runs in one process share nothing: ending one leaves the other alone.
import { setTimeout as delay } from 'node:timers/promises'
import { plural } from '../base/format.js'
import { liveRefused } from '../errors.js'
import { findExecutable } from './find-executable.js'
import { createMarker, MARKER_NAME } from './marker.js'
import { currentPlatform } from './platform/current.js'
import type { Member, Platform, Tree } from './platform/platform.js'
import { Room } from './room.js'
import type { ProcessHost, ProcessSpec, RunningProcess } from './start-process.js'
import { cannotLook, cannotStart, isShortage, noRoom, notHere } from './start-errors.js'

export interface ProcessesInit {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  warn?(text: string): void
  /** Default: the current system. */
  platform?: Platform
  /** False: none is started, not even our own. */
  live?: boolean | undefined
}

/** Standard input, output and error, and the dead-man pipe. */
const OWN_PIPES = 4
/** How long a start without any other limit waits for a free place. */
const PATIENCE_MS = 10_000
const LOOK_TRIES = 50
const LOOK_AGAIN_MS = 100

export class Processes {
  /** Where programs run unless they say otherwise. */
  readonly cwd: string
  /** Of the run; programs see only what they are given. */
  readonly env: ProcessesInit['env']
  /** What programs have said about themselves, for callers that ask once per run. */
  readonly told = new Map<string, Promise<unknown>>()
  readonly #host: ProcessHost
  readonly #platform: Platform
  readonly #live: boolean
  readonly #warn: (text: string) => void
  readonly #trees = new Set<Tree>()
  readonly #running = new Set<RunningProcess>()
  readonly #starting = new Set<Promise<unknown>>()
  #identity: string | undefined
  #room: Room | undefined
  #asking: Array<{ tree: Tree; resolve(found: Member[]): void; reject(error: unknown): void }> = []
  #swept = false
  #closed = false
  #onClosed = (): void => {}

  constructor({ env, cwd, warn, platform = currentPlatform, live = true }: ProcessesInit) {
    this.cwd = cwd
    this.env = env
    this.#platform = platform
    this.#live = live
    this.#warn = warn ?? (() => {})
    this.#host = {
      platform,
      env,
      cwd,
      openTree: () => this.openTree(),
      dropTree: (tree) => void this.#trees.delete(tree),
      members: (tree) => this.#members(tree),
      isStarved: false,
    }
  }

  /** Throws if the system does not allow it; `what` starts the sentence: "exec agents". */
  requireSupport(what: string): void {
    if (!this.#live) throw liveRefused(what)
    if (this.#platform.refusal !== undefined) throw notHere(what, this.#platform)
  }

  /** The file a shell in `dir` would run. Throws a UserError if there is none. */
  findExecutable(command: string, dir: string): string {
    return findExecutable(command, dir, this.#host.env['PATH'] ?? '')
  }

  /** How many processes can run at the same time, each with a channel. */
  capacity(): number {
    return this.#openRoom().capacity(OWN_PIPES + 1)
  }

  /** Throws a UserError if the program cannot be started. */
  async start(spec: ProcessSpec): Promise<RunningProcess> {
    if (!this.#live || !spec.own) this.requireSupport(`"${spec.command}"`)
    const room = this.#getReady(spec)
    const patience = spec.patience ?? spec.signal ?? AbortSignal.timeout(PATIENCE_MS)
    const leave = await room.take(OWN_PIPES + (spec.channel ? 1 : 0), patience)
    if (!leave) throw noRoom(spec.command, room.capacity(OWN_PIPES))
    const start = this.#start(spec, leave)
    this.#starting.add(start)
    try {
      return await start
    } catch (error) {
      leave()
      throw error
    } finally {
      this.#starting.delete(start)
    }
  }

  async #start(spec: ProcessSpec, leave: () => void): Promise<RunningProcess> {
    const { startProcess } = await import('./start-process.js')
    if (this.#closed) throw new Error(`"${spec.command}" was started after the end of the run`)
    const running = await startProcess(spec, this.#host)
    this.#running.add(running)
    // The run may have ended while it was being started.
    if (this.#closed) running.kill()
    const forget = (): void => {
      this.#running.delete(running)
      leave()
    }
    running.done.then(forget, forget)
    return running
  }

  /** For `ProcessSpec.tree`. */
  openTree(): Tree {
    this.#identity ??= this.#platform.identity()
    const marker = createMarker(this.#identity, this.#host.env[MARKER_NAME])
    const tree: Tree = { marker, groups: new Set(), strays: new Map() }
    this.#trees.add(tree)
    return tree
  }

  /** Ends what has left the groups of a tree. */
  async closeTree(tree: Tree): Promise<void> {
    const { endMembers } = await import('./start-process.js')
    await endMembers(tree, this.#host)
    this.#trees.delete(tree)
  }

  /** Ctrl-Z. The watchers keep running: Viva may be killed while it is stopped. */
  pause(): void {
    const watchers = this.#membersNow().filter(({ watcher }) => watcher)
    this.#signalGroups('SIGSTOP')
    for (const { pid } of watchers) this.#platform.signal(pid, 'SIGCONT')
  }

  resume(): void {
    this.#signalGroups('SIGCONT')
  }

  /** Ends everything immediately, without waiting: for the very end of Viva's own life. */
  killAll(): void {
    this.#closed = true
    if (this.#trees.size === 0) return
    // Before and after: strays may be visible only while their parents live, and new ones may have appeared meanwhile.
    const before = this.#membersNow()
    this.#signalGroups('SIGKILL')
    for (const { pid } of [...before, ...this.#membersNow()]) this.#platform.signal(pid, 'SIGKILL')
  }

  /** Ends what is still running, and waits for it. */
  async close(): Promise<void> {
    this.#closed = true
    for (const running of this.#running) running.kill()
    // What is still being started is killed once it has started.
    await Promise.allSettled(this.#starting)
    await Promise.allSettled(Array.from(this.#running, (running) => running.done))
    for (const tree of this.#trees) await this.closeTree(tree)
    this.#onClosed()
  }

  /** In `all` until everything here has ended: for a caller that kills what is left when it ends itself. */
  keepIn(all: Set<Processes>): void {
    all.add(this)
    this.#onClosed = () => void all.delete(this)
  }

  #getReady(spec: ProcessSpec): Room {
    try {
      this.#sweep()
      return this.#openRoom()
    } catch (error) {
      const cause = error as NodeJS.ErrnoException
      throw isShortage(cause) ? cannotStart(spec.command, spec.cwd ?? this.cwd, cause) : error
    }
  }

  #openRoom(): Room {
    if (this.#room) return this.#room
    const files = this.#platform.openFiles()
    const room = new Room(files, () =>
      this.#warn(
        `${files?.limit} open files are allowed, enough for ${plural(room.capacity(OWN_PIPES), 'program')} at a time: others wait (lower --parallel, or raise the limit)`,
      ),
    )
    this.#room = room
    return room
  }

  /** Once, before anything is started: ends what an earlier Viva left behind when it was killed. */
  #sweep(): void {
    if (this.#swept) return
    for (const { pid } of this.#platform.orphans()) this.#platform.signal(pid, 'SIGKILL')
    this.#swept = true
  }

  #signalGroups(signal: NodeJS.Signals): void {
    for (const { groups } of this.#trees) for (const group of groups) this.#platform.signal(-group, signal)
  }

  #membersNow(): Member[] {
    try {
      return [...this.#platform.members(this.#trees).values()].flat()
    } catch {
      // Only the groups can be reached then.
      return []
    }
  }

  /** All callers within one turn of the event loop share one lookup: with many programs it is the expensive part. */
  #members(tree: Tree): Promise<Member[]> {
    return new Promise((resolve, reject) => {
      if (this.#asking.length === 0) setImmediate(() => void this.#answer())
      this.#asking.push({ tree, resolve, reject })
    })
  }

  async #answer(): Promise<void> {
    const asked = this.#asking
    this.#asking = []
    try {
      const found = await this.#look(new Set(asked.map(({ tree }) => tree)))
      for (const { tree, resolve } of asked) resolve(found.get(tree) ?? [])
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  async #look(trees: Set<Tree>): Promise<Map<Tree, Member[]>> {
    for (let tries = 1; ; tries++) {
      try {
        return this.#platform.members(trees)
      } catch (error) {
        if (!isShortage(error as NodeJS.ErrnoException) || tries === LOOK_TRIES) throw cannotLook(error)
      }
      await delay(LOOK_AGAIN_MS)
    }
  }
}
