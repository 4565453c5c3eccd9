// Linux: /proc shows the environment of every process, so a marker finds what has left its group, session and parent. A
// process that has dropped the marker too is found through its parent, as long as that lives.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { MARKER_NAME } from '../marker.js'
import type { Launch, Member, OpenFiles, Platform, Tree } from './platform.js'
import { exists, isWatcher, signal, underWatcher } from './posix.js'

export const linux: Platform = {
  name: 'Linux',
  refusal: undefined,
  groups: true,
  pauses: true,
  command: (launch) => underWatcher(launch, DIE_FIRST + limitMemory(launch)),
  signal,
  members: findMembers,
  remember,
  orphans: findOrphans,
  identity: ownIdentity,
  startTime: (pid) => readStat(pid)?.started,
  isRunning,
  openFiles: readOpenFiles,
  viewer: (file) => ({ file: 'xdg-open', args: [file] }),
}

/** When memory runs out, the system should kill a program and not Viva, however it ranks the two. */
const DIE_FIRST =
  '{ read o </proc/self/oom_score_adj && echo $((o > 500 ? 1000 : o + 500)) >/proc/self/oom_score_adj; } 2>/dev/null; '

/** `-d` ignores reserved address space, of which V8 has plenty. A lower limit that is already set stays. */
function limitMemory({ memoryMb }: Launch): string {
  return memoryMb === undefined ? '' : `ulimit -d ${Math.ceil(memoryMb * 1024)} 2>/dev/null; `
}

/** One walk for all trees. */
function findMembers(trees: Iterable<Tree>): Map<Tree, Member[]> {
  const byMarker = new Map(Array.from(trees, (tree) => [tree.marker, tree]))
  const found = new Map(Array.from(byMarker.values(), (tree) => [tree, [] as Member[]]))
  for (const pid of otherPids()) {
    const tree = treeOf(readMarker(pid), byMarker)
    const member = tree && readMember(pid, tree.groups)
    if (member) found.get(tree)?.push(member)
  }
  for (const [tree, members] of found) {
    noteStrays(tree, members)
    for (const pid of strayPids(tree)) {
      const member = members.some((known) => known.pid === pid) ? undefined : readMember(pid, tree.groups)
      if (member) members.push(member)
    }
  }
  return found
}

function remember(trees: Iterable<Tree>): void {
  for (const tree of trees)
    noteStrays(
      tree,
      Array.from(tree.groups, (pid) => ({ pid })),
    )
}

/** The descendants of these processes that do not show a marker. */
function noteStrays(tree: Tree, members: ReadonlyArray<{ pid: number }>): void {
  const seen = new Set<number>()
  const left = [...members.map(({ pid }) => pid), ...strayPids(tree)]
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    if (seen.has(pid)) continue
    seen.add(pid)
    for (const child of childrenOf(pid)) {
      left.push(child)
      const started = isMarked(child, tree) ? undefined : readStat(child)?.started
      if (started !== undefined) tree.strays.set(child, started)
    }
  }
}

function isMarked(pid: number, tree: Tree): boolean {
  return treeOf(readMarker(pid), new Map([[tree.marker, tree]])) !== undefined
}

/** A later process with the same id is another one. */
function strayPids({ strays }: Tree): number[] {
  for (const [pid, started] of strays) if (readStat(pid)?.started !== started) strays.delete(pid)
  return [...strays.keys()]
}

/** Each thread has its own. Some kernels do not say. */
function childrenOf(pid: number): number[] {
  let threads: string[]
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return threads
    .flatMap((thread) => readProc(`${pid}/task/${thread}/children`)?.split(' ') ?? [])
    .map(Number)
    .filter((child) => child > 1)
}

/** A nested Viva's marker is `outer,inner`: each prefix of it belongs to a Viva. */
function treeOf(marker: string | undefined, byMarker: ReadonlyMap<string, Tree>): Tree | undefined {
  if (marker === undefined) return undefined
  for (let length = marker.length; length > 0; length = marker.lastIndexOf(',', length - 1)) {
    const tree = byMarker.get(marker.slice(0, length))
    if (tree) return tree
  }
  return undefined
}

function findOrphans(): Member[] {
  const namespace = pidNamespace()
  if (namespace === undefined) return []
  return otherPids().flatMap((pid) => {
    const owners = readMarker(pid)?.split(',') ?? []
    const orphaned = owners.length > 0 && owners.every((owner) => isDead(owner, namespace))
    return orphaned ? (readMember(pid, new Set()) ?? []) : []
  })
}

/** In another namespace the id means another process: that owner counts as alive. */
function isDead(owner: string, namespace: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)-/.exec(owner)
  if (!match || match[1] !== namespace) return false
  return !isRunning(Number(match[2]), match[3])
}

/** Process id and start time, and the namespace in which that id means something. */
function ownIdentity(): string {
  const namespace = pidNamespace()
  const started = readStat(process.pid)?.started
  return namespace === undefined || started === undefined ? `${process.pid}` : `${namespace}.${process.pid}.${started}`
}

function pidNamespace(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]
  } catch {
    return undefined
  }
}

function isRunning(pid: number, started: string | undefined): boolean {
  const stat = readStat(pid)
  // Processes of other users may be hidden.
  if (!stat) return exists(pid)
  return !stat.dead && (started === undefined || stat.started === started)
}

function readMember(pid: number, groups: ReadonlySet<number>): Member | undefined {
  const stat = readStat(pid)
  if (!stat || stat.dead) return undefined
  const command = (readProc(`${pid}/cmdline`) ?? '').split('\0').join(' ').trim()
  const member = { pid, group: stat.group, command }
  return { ...member, watcher: isWatcher(member, groups) }
}

interface Stat {
  dead: boolean
  group: number
  /** In clock ticks since boot. */
  started: string
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(`${pid}/stat`)
  // `pid (name) state ppid pgrp …`; the name may hold spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  const [state, , group, started] = [fields[0], fields[1], fields[2], fields[19]]
  if (state === undefined || group === undefined || started === undefined) return undefined
  return { dead: state === 'Z' || state === 'X', group: Number(group), started }
}

function readMarker(pid: number): string | undefined {
  const text = readProc(`${pid}/environ`)
  if (text === undefined) return undefined
  const environment = `\0${text}`
  const start = environment.indexOf(`\0${MARKER_NAME}=`)
  if (start === -1) return undefined
  const end = environment.indexOf('\0', start + 1)
  return environment.slice(start + MARKER_NAME.length + 2, end === -1 ? undefined : end)
}

function otherPids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
}

const GONE_OR_HIDDEN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'latin1')
  } catch (error) {
    if (GONE_OR_HIDDEN.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function readOpenFiles(): OpenFiles | undefined {
  const limit = /^Max open files\s+(\d+)/m.exec(readProc('self/limits') ?? '')?.[1]
  return limit === undefined ? undefined : { limit: Number(limit), open: readdirSync('/proc/self/fd').length }
}
