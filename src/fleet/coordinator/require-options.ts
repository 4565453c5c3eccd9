// What `viva test` can do alone and a fleet cannot: reported before anything runs.
import { UserError } from '../../errors.js'
import type { RunOptions } from '../../model/options.js'

export function requireFleetOptions(options: RunOptions): void {
  const alone = [
    [
      options.cache !== undefined && options.cache !== false,
      '--cache',
      'each worker would have its own cache; record once and continue from there: --record FILE, then --replay FILE --record-new',
    ],
    [options.interactive, '--interactive', 'there is nobody at the workers'],
    [
      options.update_snapshots && options.runs !== 1,
      '--update-snapshots with --runs',
      'run each case once to accept its answer: leave --runs out',
    ],
    [
      options.keep_workspaces,
      '--keep-workspaces',
      'workspaces are on the workers; run what failed here: --last-failed --keep-workspaces',
    ],
  ] as const
  const found = alone.find(([isGiven]) => isGiven)
  if (!found) return
  const [, flag, hint] = found
  throw new UserError({ code: 'NOT_WITH_QUEUE', message: `${flag} does not work with --queue`, hint })
}
