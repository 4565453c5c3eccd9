// Whether event files are the shards of one run: the same cases, the same agent, the same options, each shard once.
import { isDeepStrictEqual } from 'node:util'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import type { StartEvent } from '../model/event.js'
import { flagOf, optionsWhere } from '../config/options.js'
import type { ShardFile } from './read-shard.js'

export interface CheckedShards {
  /** In the order of their numbers, the last try of each. */
  shards: ShardFile[]
  /** Earlier tries of them. */
  replaced: ShardFile[]
  count: number
  /** What is missing, in words; only with `--allow-missing`. */
  lacking: string[]
  /** What could not be checked. */
  notes: string[]
}

export interface MergeRules {
  allow_missing: boolean
  /** The user's assurance that files without a group belong together. */
  run_group?: string
}

export function checkShards(files: readonly ShardFile[], rules: MergeRules): CheckedShards {
  const [first] = files
  if (!first) throw none()
  const all = files.toSorted((a, b) => a.shard.index - b.shard.index || attemptOf(a) - attemptOf(b))
  for (const file of all) requireSameRun(first, file, rules)
  const replaced = all.filter((file, index) => {
    const next = all[index + 1]
    if (next?.shard.index !== file.shard.index) return false
    // Without a later try there is no telling which of them counts.
    if (attemptOf(next) === attemptOf(file)) throw doubled(file, next)
    return true
  })
  const shards = all.filter((file) => !replaced.includes(file))
  const { count } = first.shard
  const lacking = [...missingOf(shards, count), ...shards.flatMap(cutOff)]
  if (lacking.length > 0 && !rules.allow_missing) throw incomplete(lacking)
  const notes = first.start.plan ? [] : ['the shards have no fingerprints of their cases: only their file was compared']
  return { shards, replaced, count, lacking, notes }
}

function attemptOf({ start }: ShardFile): number {
  return start.run_attempt ?? 0
}

function missingOf(shards: readonly ShardFile[], count: number): string[] {
  const there = new Set(shards.map(({ shard }) => shard.index))
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !there.has(index))
  return missing.map((index) => `shard ${index}/${count} is missing`)
}

function cutOff({ path, shard, summary }: ShardFile): string[] {
  if (summary && summary.interrupted !== true) return []
  return [`shard ${shard.index}/${shard.count} was cut off (${path})`]
}

function requireSameRun(one: ShardFile, other: ShardFile, rules: MergeRules): void {
  if (one.shard.count !== other.shard.count)
    throw different('shards', [one, `of ${one.shard.count}`], [other, `of ${other.shard.count}`])
  requireGroup(other, rules)
  const [before, after] = [factsOf(one.start), factsOf(other.start)]
  // Both ways: an option without a default is recorded only where it was given.
  const names = new Set([...before.keys(), ...after.keys()])
  // Last: an option says more about why the cases differ.
  names.delete('cases')
  for (const name of [...names, 'cases']) {
    const [value, found] = [before.get(name), after.get(name)]
    if (!isDeepStrictEqual(value, found)) throw different(name, [one, shown(value)], [other, shown(found)])
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : show(value, 80)
}

/** Without one, the first half of yesterday's run and the second of today's look alike. */
function requireGroup({ path, start: { run_group } }: ShardFile, rules: MergeRules): void {
  if ((run_group ?? rules.run_group ?? '').trim() === '')
    throw new UserError({
      code: 'NO_RUN_GROUP',
      message: `${path} does not say which run it is a shard of`,
      hint: 'run the shards with --run-group NAME (on CI systems it is set automatically); if you know that the files belong together, say so with viva merge --run-group NAME',
    })
  if (run_group !== undefined && rules.run_group !== undefined && run_group !== rules.run_group)
    throw new UserError({
      code: 'DIFFERENT_RUNS',
      message: `${path} is a shard of ${show(run_group, 80)}, not of ${show(rules.run_group, 80)}`,
      hint: 'give the files of one run',
    })
}

/** What must be the same, by its user-visible name. */
function factsOf(start: StartEvent): Map<string, unknown> {
  const told = { ...start.options, ...start.plan?.options }
  const options = Object.entries(told).filter(([key]) => !MAY_DIFFER.has(key))
  return new Map<string, unknown>([
    ['run group', start.run_group],
    ['shard plan', start.shard_plan_hash],
    ['input', start.input],
    ['mode', start.mode],
    ['agent', start.agent_id],
    ['connector', start.connector],
    ['variants', start.variants],
    ['runs', start.runs_per_case],
    ['environment', start.environment],
    ['version', start.version],
    ...options.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]): [string, unknown] => [flagOf(key), value]),
    ['cases', start.plan ? `${start.plan.count}, ${start.plan.digest}` : start.input_hash],
  ])
}

const MAY_DIFFER = new Set(['cwd', ...optionsWhere(({ rules }) => rules.merge === 'may differ')])

type Told = [file: ShardFile, value: string]

function different(name: string, [one, before]: Told, [other, after]: Told): UserError {
  return new UserError({
    code: 'DIFFERENT_RUNS',
    message: `not shards of one run: ${name} is ${before} in ${one.path} and ${after} in ${other.path}`,
    hint: 'give the files of one run',
  })
}

function doubled(one: ShardFile, other: ShardFile): UserError {
  const { index, count } = one.shard
  return new UserError({
    code: 'DOUBLED_SHARD',
    message: `shard ${index}/${count} was given twice: ${one.path} and ${other.path}`,
    hint: 'leave one of them out',
  })
}

function incomplete(lacking: string[]): UserError {
  return new UserError({
    code: 'MISSING_SHARD',
    message: lacking.join('; '),
    hint: 'add or finish it (viva test --resume FILE), or merge what there is with --allow-missing: the run is then red',
  })
}

function none(): UserError {
  return new UserError({
    code: 'NO_SHARDS',
    message: 'there is nothing to merge',
    hint: 'give the event files of all shards: viva merge shard-*.jsonl -o run.jsonl',
  })
}
