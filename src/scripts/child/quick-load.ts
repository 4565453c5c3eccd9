// Imported first. Node ships its own modules precompiled, but V8 accepts compiled code only under the flags it was compiled
// with, and our heap limit is one: without this a process spends a quarter of its start compiling Node.

type SetFlags = (flags: string) => void

const LIMIT = /^--max[-_]old[-_]space[-_]size=\d+$/
const limit = process.execArgv.find((arg) => LIMIT.test(arg))
// Flags apply to the whole process: a thread that loads this file leaves them alone.
const setFlags = require.main === module && limit !== undefined ? rawSetFlags() : undefined
setFlags?.('--max-old-space-size=0')

/** Call before a script is loaded. The heap of this process has its limit from the start; threads get it from the flag. */
export function restoreFlags(): void {
  if (limit !== undefined) setFlags?.(limit)
}

/** `node:v8` itself is one of the slow modules. */
function rawSetFlags(): SetFlags | undefined {
  const { binding, emitWarning } = process as unknown as Record<string, unknown> & {
    binding?(name: string): { setFlagsFromString?: SetFlags }
  }
  try {
    // It is deprecated, but the person running a script cannot do anything about it.
    process.emitWarning = () => {}
    return binding?.('v8').setFlagsFromString
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning as typeof process.emitWarning
  }
}
