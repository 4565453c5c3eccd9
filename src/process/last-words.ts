// What the error output of a dead Node process says about why it died.
import { clip } from '../base/text.js'

export function isOutOfMemory(stderr: string): boolean {
  return /out of memory|Allocation failed|ERR_WORKER_OUT_OF_MEMORY|std::bad_alloc/i.test(stderr)
}

/** The most telling line, after a colon: V8's own, else the last one. */
export function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\d+: 0x|-----|<---|\[\d+:|at |Node\.js v)/.test(line))
  const line = lines.find((item) => /^(?:FATAL ERROR|[A-Z]\w*Error\b)/.test(item)) ?? lines.at(-1)
  return line === undefined ? '' : `: ${clip(line, 300)}`
}
