// The scratchpad: the hats' shared memory, a file in the workspace. Prompts show its end.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { resolveInside } from '../files/inside.js'

export const SCRATCHPAD = '.agent/scratchpad.md'
const TAIL_BYTES = 16 * 1024

/** '' if there is none, or if it is outside the workspace. */
export function scratchpadTail(cwd: string, path: string): string {
  const real = resolveInside(cwd, resolve(cwd, path))
  if (real === undefined) return ''
  let fd: number
  try {
    // Non-blocking: what an agent left there may be a pipe.
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return ''
  }
  try {
    const info = fstatSync(fd)
    if (!info.isFile()) return ''
    const bytes = Buffer.alloc(Math.min(info.size, TAIL_BYTES))
    const length = readSync(fd, bytes, 0, bytes.length, info.size - bytes.length)
    const text = bytes.subarray(0, length).toString('utf8')
    if (info.size <= TAIL_BYTES) return text.trim()
    // Starting at a whole line.
    return `…\n${text.slice(text.indexOf('\n') + 1).trim()}`
  } finally {
    closeSync(fd)
  }
}
