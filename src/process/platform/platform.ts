// What Viva asks of an operating system: start a program, find what it started, limit it, stop it, end it.

export interface Platform {
  /** The name its users know it by. */
  readonly name: string
  /** Why Viva starts no third-party programs here; undefined if it does. */
  readonly refusal: string | undefined
  /** Whether a program leads a group, with a dead-man watcher in it on its own pipe. */
  readonly groups: boolean
  /** Whether a terminal stops and continues programs (Ctrl-Z, fg). */
  readonly pauses: boolean
  /** What to spawn so that the program's group dies with us and its memory is limited. */
  command(launch: Launch): Command
  /** A negative id means the whole group; signal 0 only asks. False: there is no such process. */
  signal(id: number, signal: NodeJS.Signals | 0): boolean
  /** What is alive of these trees. Throws if the system cannot be asked: that is not the same as nothing. */
  members(trees: Iterable<Tree>): Map<Tree, Member[]>
  /** Called before a tree is ended: notes what can only be found while the parents are alive. */
  remember(trees: Iterable<Tree>): void
  /** What a dead Viva left behind, as far as the system can tell. */
  orphans(): Member[]
  /** Goes into every marker: says which Viva it was. */
  identity(): string
  /** When a process started, in the system's own format; undefined if it does not exist or the system does not say. */
  startTime(pid: number): string | undefined
  /** A zombie is not running, nor is a later process with the same id. */
  isRunning(pid: number, started: string | undefined): boolean
  /** How many files we may have open, and how many are; undefined if there is no limit. */
  openFiles(): OpenFiles | undefined
  /** The command that shows a file to the user. */
  viewer(file: string): Command
}

export interface OpenFiles {
  limit: number
  open: number
}

export interface Launch {
  file: string
  args: readonly string[]
  /** Descriptor 3 is the program's. The dead-man pipe is the last one. */
  channel: boolean
  /** MB of data the program may allocate, if the system can limit that. */
  memoryMb?: number
}

export interface Command {
  file: string
  args: string[]
}

/** A program and everything it started. */
export interface Tree {
  /** In the environment of every process of it. */
  readonly marker: string
  /** Groups led by processes that we started. */
  readonly groups: Set<number>
  /** Processes that left the groups, with their start times: for systems that do not show environments. */
  readonly strays: Map<number, string>
}

export interface Member {
  pid: number
  group: number
  command: string
  /** The dead-man watcher of the group: ours, not the program's. */
  watcher: boolean
}
