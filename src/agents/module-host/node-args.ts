// How Node is started for a module agent: as it was started for Viva, so that its flags and `--inspect` reach the agent.
import { url as inspectorUrl } from 'node:inspector'

const INSPECT = /^--inspect(?:-brk|-wait)?(?=$|=)/

/** `number`: of this process among those of the run, for a port of its own. */
export function nodeArgs(number: number): string[] {
  const others = process.execArgv.filter((arg) => !arg.startsWith('--inspect'))
  const listening = inspectorUrl()
  if (listening === undefined) return others
  const { hostname, port } = new URL(listening)
  // Viva keeps its port; the flag itself may also come from NODE_OPTIONS, which the child has too.
  const flags = process.execArgv.flatMap((arg) => INSPECT.exec(arg)?.[0] ?? [])
  return [...others, ...flags, `--inspect-port=${hostname}:${Number(port) + number}`]
}

/** Someone is looking at it step by step: it may stand still for as long as they like. */
export function isInspected(): boolean {
  return inspectorUrl() !== undefined
}
