// What the user's code in this process (an agent that is a function, a configuration) left unhandled, as an event.
import { fileURLToPath } from 'node:url'
import type { ErrorEvent } from '../model/event.js'
import { isoNow } from '../time/iso-now.js'

const ownFolder = (): string => fileURLToPath(new URL('.', import.meta.url))

/** Undefined if the error is Viva's own: then the run cannot be trusted to continue. */
export function strayError(error: unknown, where: string): ErrorEvent | undefined {
  if (error instanceof Error && isOwn(error)) return undefined
  const message = error instanceof Error ? withTheirFrames(error) : `unhandled rejection: ${String(error)}`
  return { type: 'error', message, where, timestamp: isoNow() }
}

function withTheirFrames({ stack, name, message }: Error): string {
  const lines = stack?.split('\n') ?? [`${name}: ${message}`]
  return lines.filter((line) => !/^\s+at /.test(line) || !line.includes(ownFolder())).join('\n')
}

/** By where it was thrown: the first stack line that is not Node's. */
function isOwn({ stack = '' }: Error): boolean {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'))
  return frame?.includes(ownFolder()) ?? false
}
