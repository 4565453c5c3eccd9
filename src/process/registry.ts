// Every process group that is running now, so that nothing outlives Viva.
import { findMarked, findOrphans } from './marked-processes.js'

export interface TrackedGroup {
  /** Process id of the group's leader, which is the group's id. */
  pid: number
  marker: string
}

const running = new Set<TrackedGroup>()

/** For every child started with `detached: true`. Call the returned function once the group is gone. */
export function trackGroup(group: TrackedGroup): () => void {
  running.add(group)
  return () => running.delete(group)
}

/** Ends everything at once, without waiting: for the very end of Viva's own life. */
export function killAll(): void {
  if (running.size === 0) return
  signalAll('SIGKILL')
  for (const list of findMarked(new Set([...running].map((group) => group.marker))).values()) {
    for (const { pid } of list) sendSignal(pid, 'SIGKILL')
  }
  running.clear()
}

let swept = false

/** Once per Viva: ends what an earlier one left behind when it was killed. */
export function sweepOrphansOnce(): void {
  if (swept) return
  swept = true
  sweepOrphans()
}

export function sweepOrphans(): string[] {
  return findOrphans().map(({ pid, command }) => {
    sendSignal(pid, 'SIGKILL')
    return command
  })
}

/** For Ctrl-Z and its end (SIGSTOP, SIGCONT): the agents pause with us. */
export function signalAll(signal: NodeJS.Signals): void {
  for (const { pid } of running) sendSignal(-pid, signal)
}

/** A negative id means the whole group. False: there is no such process. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
