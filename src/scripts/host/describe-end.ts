// Why a script's process ended without an answer, in words for the person who has to fix it.
import type { ScriptProcess, ScriptProcessEnd } from './script-process.js'
import { isOutOfMemory, lastWords } from '../../process/last-words.js'

export function describeEnd(child: ScriptProcess, end: ScriptProcessEnd): string {
  if (end.why === 'forged') return 'the script wrote to the private channel of Viva, so nothing it said can be trusted'
  const stderr = child.stderr()
  if (isOutOfMemory(stderr)) return `the script's process ran out of memory${lastWords(stderr)}`
  if (end.signal) return `the script's process was killed by ${end.signal}${lastWords(stderr)}`
  return `the script's process exited before reporting (exit code ${end.code})${lastWords(stderr)}`
}
