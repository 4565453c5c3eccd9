// What the shards of one run have in common: a given name, or that of the CI run they are part of.
import type { RunOptions } from '../config/options.js'

/**
 * By CI system: the same on all machines of one run, and on no other. Without the attempt, so that the shards of failed
 * jobs that run again merge with those that passed before.
 */
const CI_RUNS = [
  'GITHUB_RUN_ID',
  'CI_PIPELINE_ID',
  'BUILDKITE_BUILD_ID',
  'CIRCLE_WORKFLOW_ID',
  'BUILD_BUILDID',
  'BUILD_TAG',
]

/** Which try of the CI run this is: a shard that was run again replaces its predecessor. Only shards have one. */
export function runAttemptOf({ shard }: Pick<RunOptions, 'shard'>, env: NodeJS.ProcessEnv): number | undefined {
  const attempt = Number(env['GITHUB_RUN_ATTEMPT'])
  return shard !== undefined && Number.isSafeInteger(attempt) && attempt > 0 ? attempt : undefined
}

/** Only shards have one. */
export function runGroupOf(
  { shard, run_group }: Pick<RunOptions, 'shard' | 'run_group'>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (shard === undefined) return undefined
  if (run_group !== undefined) return run_group
  const known = CI_RUNS.find((name) => Boolean(env[name]))
  return known === undefined ? undefined : env[known]
}
