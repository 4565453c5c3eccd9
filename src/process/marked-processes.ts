// Finds the processes that carry a marker in their environment, wherever they have moved to (setsid, reparented).
import { readdirSync, readFileSync } from 'node:fs'
import { MARKER_NAME, pidNamespace, startTime } from './child-env.js'

export interface MarkedProcess {
  pid: number
  group: number
  command: string
}

/** One walk over /proc for many markers. Systems without /proc give empty lists: there the group is all we can end. */
export function findMarked(markers: ReadonlySet<string>): Map<string, MarkedProcess[]> {
  const found = new Map<string, MarkedProcess[]>()
  for (const pid of ownPids()) {
    const marker = markerOf(pid, markers)
    if (marker === undefined) continue
    const process = describeProcess(pid)
    if (!process) continue
    const list = found.get(marker)
    if (list) list.push(process)
    else found.set(marker, [process])
  }
  return found
}

/** Marked processes of which the Viva that started them is no longer there: it was killed, and they had left its group. */
export function findOrphans(): MarkedProcess[] {
  const namespace = pidNamespace()
  if (namespace === undefined) return []
  return ownPids().flatMap((pid) => {
    const owners = readMarker(pid)?.split(',') ?? []
    const orphaned = owners.length > 0 && owners.every((owner) => isDead(owner, namespace))
    return orphaned ? (describeProcess(pid) ?? []) : []
  })
}

/** In another namespace the id means another process: that owner counts as alive. */
function isDead(owner: string, namespace: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)-/.exec(owner)
  if (!match || match[1] !== namespace) return false
  return startTime(Number(match[2])) !== match[3]
}

interface Waiting {
  marker: string
  resolve: (found: MarkedProcess[]) => void
}

let waiting: Waiting[] = []

/** The same, but all who ask in one turn of the loop share one walk: with many agents at once it is the costly part. */
export function findMarkedSoon(marker: string): Promise<MarkedProcess[]> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(answerWaiting)
    waiting.push({ marker, resolve })
  })
}

function answerWaiting(): void {
  const asked = waiting
  waiting = []
  const found = findMarked(new Set(asked.map((item) => item.marker)))
  for (const item of asked) item.resolve(found.get(item.marker) ?? [])
}

function ownPids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid)
  } catch {
    return []
  }
}

function markerOf(pid: number, markers: ReadonlySet<string>): string | undefined {
  const value = readMarker(pid)
  if (value === undefined) return undefined
  // A nested Viva's value is `outer,inner`: each prefix of it is somebody's marker.
  for (let length = value.length; length > 0; length = value.lastIndexOf(',', length - 1)) {
    const candidate = value.slice(0, length)
    if (markers.has(candidate)) return candidate
  }
  return undefined
}

function readMarker(pid: number): string | undefined {
  const environment = `\0${readText(`/proc/${pid}/environ`)}`
  const start = environment.indexOf(`\0${MARKER_NAME}=`)
  if (start === -1) return undefined
  const end = environment.indexOf('\0', start + 1)
  return environment.slice(start + MARKER_NAME.length + 2, end === -1 ? undefined : end)
}

function describeProcess(pid: number): MarkedProcess | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // `pid (name) state ppid pgrp …`; the name may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === undefined || fields[0] === '' || fields[0] === 'Z' || fields[0] === 'X') return undefined
  const command = readText(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()
  return { pid, group: Number(fields[2]), command }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
