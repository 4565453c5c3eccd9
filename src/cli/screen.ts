// What the terminal can do: colour, width, whether a person is looking at it.
import { isCi } from '../base/is-ci.js'
import type { Screen } from '../pipeline/report/recording.js'

export interface Terminal extends Screen {
  live: boolean
}

interface Stream {
  isTTY?: boolean
  columns?: number
}

export function screenOf(
  stream: Stream,
  env: NodeJS.ProcessEnv,
  flags: { verbose: boolean; color?: boolean },
): Terminal {
  const tty = stream.isTTY === true
  const live = tty && !isCi(env) && env['TERM'] !== 'dumb'
  const program = programOf(env)
  return {
    columns: tty && stream.columns !== undefined && stream.columns > 0 ? stream.columns : 80,
    color: wantsColor(tty, env, flags.color),
    verbose: flags.verbose,
    // A person watching reads each line; a log is also for looking things up later.
    brief: live && !flags.verbose,
    live,
    ...(program !== undefined && { program }),
  }
}

/** How Viva was called, if not as `viva`. What npx sets reaches everything it starts, so the command must be ours. */
export function programOf(env: NodeJS.ProcessEnv): string | undefined {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env
  return event === 'npx' && /^['"]?viva['"]?(?:\s|$)/.test(script) ? 'npx --no-install viva' : undefined
}

function wantsColor(tty: boolean, env: NodeJS.ProcessEnv, flag: boolean | undefined): boolean {
  if (flag === false) return false
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false'
  return tty && env['TERM'] !== 'dumb'
}
