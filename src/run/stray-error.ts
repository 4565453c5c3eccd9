// What the user's code in this process (an agent that is a function, a configuration) left unhandled, as an event.
import { fileURLToPath } from 'node:url'
import type { ErrorEvent } from '../model/event.js'
import { isoNow } from '../time/iso-now.js'

/** Undefined if the error is Viva's own: then the run cannot be trusted to continue. */
export function strayError(error: unknown, where: string, own = new URL('.', import.meta.url)): ErrorEvent | undefined {
  if (error instanceof Error && isOwn(error, own)) return undefined
  const message = error instanceof Error ? withTheirFrames(error, own) : `unhandled rejection: ${String(error)}`
  return { type: 'error', message, where, timestamp: isoNow() }
}

function withTheirFrames({ stack, name, message }: Error, own: URL): string {
  const lines = stack?.split('\n') ?? [`${name}: ${message}`]
  return lines.filter((line) => !/^\s+at /.test(line) || !isIn(line, own)).join('\n')
}

/** By where it was thrown: the first stack line that is not Node's. */
function isOwn({ stack = '' }: Error, own: URL): boolean {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'))
  return frame !== undefined && isIn(frame, own)
}

/** Frames name ES modules by URL, others by path. */
function isIn(frame: string, folder: URL): boolean {
  return frame.includes(folder.href) || frame.includes(fileURLToPath(folder))
}
