// The options of `viva diff` besides those of a run.
import { UserError } from '../errors.js'
import { plannedLooks } from '../pipeline/fold/decide/looks.js'
import type { DecisionRule } from '../pipeline/fold/decide/decide-change.js'
import type { FailOn } from '../pipeline/fold/exit-code.js'
import type { GivenOptions, RunOptions } from '../config/options.js'

export interface DiffOptions {
  /** `main..HEAD` */
  range: string
  worktree: boolean
  /** A command for each side. */
  setup?: string
  /** Files that git ignores, for both sides. */
  link: string[]
  /** Points. */
  margin: number
  practical_points: number
  /** Percent. */
  practical: number
  fail_on: FailOn[]
  /** With `regression`: the cases need not check what those of the left side did. */
  allow_changed_cases: boolean
  /** As `viva test` takes them. */
  run: GivenOptions
}

export const DEFAULT_MARGIN = 5
export const DEFAULT_PRACTICAL_POINTS = 1

export function requireRule({ margin, practical_points }: DiffOptions): void {
  if (practical_points <= margin) return
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--practical-points' },
    message: `${practical_points} points is more than the margin of ${margin}: a fall between the two could never be decided`,
    hint: 'raise --margin, or lower --practical-points',
  })
}

/** A fixed number of runs is checked once. */
export function ruleFor({ margin, practical_points }: DiffOptions, { runs, max_runs }: RunOptions): DecisionRule {
  return runs === 'auto'
    ? { margin, practical_points, looks: plannedLooks(max_runs) }
    : { margin, practical_points, looks: [runs], most_runs: Math.max(runs, max_runs) }
}
