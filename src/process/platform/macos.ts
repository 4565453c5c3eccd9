// macOS, using what every Unix has: `ps` shows groups, parents and start times, but no environments. So a program that leaves
// its group and loses its parent is out of sight; the others are found and killed.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Member, OpenFiles, Platform, Tree } from './platform.js'
import { exists, isWatcher, signal, underWatcher } from './posix.js'

export const macos: Platform = {
  name: 'macOS',
  refusal: undefined,
  groups: true,
  pauses: true,
  // The system does not count mapped memory, so V8's own limit is the only one.
  command: (launch) => underWatcher(launch),
  signal,
  members: findMembers,
  remember: (trees) => void findMembers(trees),
  orphans: () => [],
  identity: () => `${process.pid}`,
  startTime: (pid) => readRow(pid)?.started,
  isRunning,
  openFiles: readOpenFiles,
  viewer: (file) => ({ file: 'open', args: [file] }),
}

interface Row {
  pid: number
  parent: number
  group: number
  dead: boolean
  started: string
  command: string
}

/** Members of a group, their descendants, and strays seen before. Strays are noted for the next time. */
function findMembers(trees: Iterable<Tree>): Map<Tree, Member[]> {
  const rows = readRows(['-A'])
  const children = new Map<number, Row[]>()
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row])
  return new Map(Array.from(trees, (tree) => [tree, membersOf(tree, rows, children)]))
}

function membersOf(tree: Tree, rows: Row[], children: ReadonlyMap<number, Row[]>): Member[] {
  const found = new Set<Row>()
  const add = (row: Row): void => {
    if (found.has(row) || row.pid === process.pid) return
    found.add(row)
    for (const child of children.get(row.pid) ?? []) add(child)
  }
  for (const row of rows) if (tree.groups.has(row.group) || tree.strays.get(row.pid) === row.started) add(row)
  tree.strays.clear()
  for (const { pid, group, started } of found) if (!tree.groups.has(group)) tree.strays.set(pid, started)
  return Array.from(found)
    .filter((row) => !row.dead)
    .map(({ pid, group, command }) => ({
      pid,
      group,
      command,
      watcher: isWatcher({ pid, group, command }, tree.groups),
    }))
}

function isRunning(pid: number, started: string | undefined): boolean {
  const row = readRow(pid)
  if (!row) return exists(pid)
  return !row.dead && (started === undefined || row.started === started)
}

function readRow(pid: number): Row | undefined {
  return readRows(['-p', String(pid)])[0]
}

const COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'lstart', 'args'].flatMap((name) => ['-o', `${name}=`])
const MAX_BYTES = 64 * 1024 * 1024

function readRows(which: string[]): Row[] {
  // The date in one language and one time zone: start times are compared as strings, also by a later Viva.
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  const options = { env, encoding: 'utf8', maxBuffer: MAX_BYTES } as const
  const { stdout, stderr, error } = spawnSync('ps', ['-ww', ...which, ...COLUMNS], options)
  if (error) throw error
  // It also fails, but silently, when no process has that id.
  if (stdout === '' && stderr !== '') throw new Error(`ps failed: ${stderr.trim()}`)
  return stdout.split('\n').flatMap((line) => parseRow(line) ?? [])
}

function parseRow(line: string): Row | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s*(.*)$/.exec(line)
  if (!match) return undefined
  const [, pid, parent, group, state = '', started = '', command = ''] = match
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    dead: state.startsWith('Z') || state.startsWith('X'),
    started: started.replaceAll(/\s+/g, ' '),
    command,
  }
}

function readOpenFiles(): OpenFiles | undefined {
  const limit = Number(spawnSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout)
  return Number.isInteger(limit) && limit > 0 ? { limit, open: readdirSync('/dev/fd').length } : undefined
}
