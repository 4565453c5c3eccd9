// How Node is started for a module agent: as it was started for Viva, so that its flags and `--inspect` reach the agent.
import { url as inspectorUrl } from 'node:inspector'

const INSPECT = /^--inspect(?:-brk|-wait)?(?=$|=)/

/** `number`: of this process within the run, for its own port. */
export function nodeArgs(number: number): string[] {
  const others = process.execArgv.filter((arg) => !arg.startsWith('--inspect'))
  const listening = inspectorUrl()
  if (listening === undefined) return others
  const { hostname, port } = new URL(listening)
  // Viva keeps its port; the flag itself may also come from NODE_OPTIONS, which the child inherits.
  const flags = process.execArgv.flatMap((arg) => INSPECT.exec(arg)?.[0] ?? [])
  return [...others, ...flags, `--inspect-port=${hostname}:${Number(port) + number}`]
}

/** It is being debugged: it may stand still for as long as the person likes. */
export function isInspected(): boolean {
  return inspectorUrl() !== undefined
}
