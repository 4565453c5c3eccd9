// `--shard-plan FILE`: the file that all shards of a run share.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '../base/message-of.js'
import { isRecord } from '../base/record.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import type { Shard } from '../pipeline/plan/filter.js'

export interface PlannedShard extends Shard {
  plan: ReadonlyMap<string, number>
  /** Of the file: shards of one run have the same. */
  plan_hash: string
}

export function readShardPlan(path: string, shard: Shard, cwd: string): PlannedShard {
  const text = readText(resolve(cwd, path), path)
  const { shards, cases } = parse(text, path)
  if (shards !== shard.count)
    throw bad(
      path,
      `it is for ${shards} shards, but --shard says ${shard.count}`,
      `viva shard-plan --shards ${shard.count}`,
    )
  for (const [id, number] of Object.entries(cases))
    if (!isShardNumber(number, shards))
      throw bad(path, `cases.${id} must be a shard from 1 to ${shards}, found ${show(number)}`)
  const plan = new Map(Object.entries(cases as Record<string, number>))
  return { ...shard, plan, plan_hash: createHash('sha256').update(text).digest('hex') }
}

function parse(text: string, path: string): { shards: number; cases: Record<string, unknown> } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw bad(path, messageOf(error))
  }
  if (!isRecord(value) || value['format'] !== 1 || !isRecord(value['cases']) || !isCount(value['shards']))
    throw bad(path, 'expected {"format": 1, "shards": 4, "cases": {"id": 1, …}}')
  return { shards: value['shards'], cases: value['cases'] }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1
}

function isShardNumber(value: unknown, shards: number): boolean {
  return isCount(value) && value <= shards
}

function readText(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw bad(path, messageOf(error))
  }
}

function bad(path: string, message: string, command = 'viva shard-plan'): UserError {
  return new UserError({
    code: 'BAD_SHARD_PLAN',
    subject: { flag: '--shard-plan' },
    message: `${path}: ${message}`,
    hint: `create it from an earlier run: ${command} run.jsonl -o plan.json`,
  })
}
