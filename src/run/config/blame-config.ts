// A bad value is where it is written: who gave no flag is not told about one.
import { UserError } from '../../errors.js'
import type { RunOptions, VivaConfig } from '../../model/options.js'

/** Flags that are looked at only here; the others were fine before the configuration was read. */
const CHECKED_LATE: ReadonlySet<string> = new Set(['timeout', 'shard', 'run'])

/** The error about a flag, as one about the `defaults` of the configuration where the value is from there. */
export function blameConfig(error: unknown, given: RunOptions, config: VivaConfig): unknown {
  if (!(error instanceof UserError) || error.code !== 'BAD_FLAG') return error
  const flag = /^--[a-z-]+(?=:)/.exec(error.message)?.[0]
  const key = flag?.slice(2).replaceAll('-', '_') as keyof RunOptions | undefined
  if (flag === undefined || key === undefined || !Object.hasOwn(config.defaults ?? {}, key)) return error
  if (CHECKED_LATE.has(key) && given[key] !== undefined) return error
  return new UserError({
    code: 'BAD_CONFIG',
    message: error.message.replace(flag, `defaults.${key} of the configuration`),
    hint: 'correct it in viva.config.*; a flag would win over it',
    cause: error,
  })
}
