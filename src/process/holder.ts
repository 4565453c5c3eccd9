// Which process has something, written down so that others can tell whether it still runs.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRecord } from '../base/record.js'
import { currentPlatform } from './platform/current.js'

export interface Holder {
  pid: number
  host: string
  /** Tells a process from a later one with the same id; absent if the system does not say. */
  process_start?: string
}

export function currentHolder(): Holder {
  const started = currentPlatform.startTime(process.pid)
  return { pid: process.pid, host: hostname(), ...(started !== undefined && { process_start: started }) }
}

/** On another machine it counts as running: there is no way to check from here. */
export function isHolderAlive({ host, pid, process_start }: Holder): boolean {
  return host !== hostname() || currentPlatform.isRunning(pid, process_start)
}

/** Undefined where none is named that can be read: what a crash has left behind. */
export function readHolder(path: string): Holder | undefined {
  try {
    return parseHolder(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

function parseHolder(value: unknown): Holder | undefined {
  if (!isRecord(value)) return undefined
  const { pid, host, process_start } = value
  if (typeof pid !== 'number' || typeof host !== 'string') return undefined
  return { pid, host, ...(typeof process_start === 'string' && { process_start }) }
}
