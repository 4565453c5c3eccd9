// Why a script's process ended without an answer, in words for the person who has to mend it.
import type { ScriptProcess, ScriptProcessEnd } from './script-process.js'

export function describeEnd(child: ScriptProcess, end: ScriptProcessEnd): string {
  if (end.why === 'forged') return 'the script wrote to the private channel of Viva, so nothing it said can be trusted'
  const stderr = child.stderr()
  if (isOutOfMemory(stderr)) return `the script's process ran out of memory${lastWords(stderr)}`
  if (end.signal) return `the script's process was killed by ${end.signal}${lastWords(stderr)}`
  return `the script's process exited before reporting (exit code ${end.code})${lastWords(stderr)}`
}

function isOutOfMemory(stderr: string): boolean {
  return /out of memory|Allocation failed|ERR_WORKER_OUT_OF_MEMORY|std::bad_alloc/i.test(stderr)
}

/** The line that says most: V8's own, else the last one. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\d+: 0x|-----|<---|\[\d+:|at |Node\.js v)/.test(line))
  const line = lines.find((item) => /^(?:FATAL ERROR|[A-Z]\w*Error\b)/.test(item)) ?? lines.at(-1)
  return line === undefined ? '' : `: ${line.slice(0, 300)}`
}
