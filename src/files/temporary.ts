// A file that is written beside its target and then takes its place. Its name says who writes it: what a killed process has
// left behind can be told from what another one is still writing.
import { hash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Names may have 255 bytes. */
const SHOWN = 40

export function temporaryFor(target: string): string {
  const writer = `${process.pid}-${hostId()}-${randomBytes(6).toString('hex')}`
  return join(dirname(target), `.${basename(target).slice(0, SHOWN)}.${writer}.tmp`)
}

export interface Writer {
  pid: number
  /** Otherwise the process id says nothing here. */
  isThisHost: boolean
}

/** Undefined for files that are not ours. */
export function writerOf(name: string): Writer | undefined {
  const [, pid, host] = /^\..*\.(\d+)-([0-9a-f]{8})-[0-9a-f]{12}\.tmp$/s.exec(name) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), isThisHost: host === hostId() }
}

function hostId(): string {
  return hash('sha256', hostname()).slice(0, 8)
}
