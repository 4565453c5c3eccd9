// Which cases are selected: `--run`, `--tag`, `--shard`. Pure.
import { createHash } from 'node:crypto'
import { UserError } from '../../errors.js'
import type { TestCase } from '../../model/case.js'

export interface Selection {
  /** Compiled `--run`: tried on the id, and on the name of a script test. */
  match?: (text: string) => boolean
  tags: string[]
  shard?: Shard
}

export interface Shard {
  index: number
  count: number
}

export function isSelected(testCase: TestCase, selection: Selection): boolean {
  if (selection.match && !selection.match(testCase.id)) return false
  if (selection.tags.length > 0 && !selection.tags.some((tag) => testCase.tags?.includes(tag))) return false
  return isInShard(testCase.id, selection.shard)
}

/** By the id alone, so that adding a case moves no other one to another shard. */
export function isInShard(id: string, shard: Shard | undefined): boolean {
  if (!shard) return true
  return createHash('sha256').update(id).digest().readUInt32BE(0) % shard.count === shard.index - 1
}

export function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const found = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text)
  const index = Number(found?.[1])
  const count = Number(found?.[2])
  if (found && index <= count) return { index, count }
  throw new UserError({
    code: 'BAD_FLAG',
    message: `--shard: expected i/n with 1 ≤ i ≤ n, found "${text}"`,
    hint: 'for example: --shard 1/4',
  })
}

export function isFiltering(selection: Selection): boolean {
  return selection.match !== undefined || selection.tags.length > 0 || selection.shard !== undefined
}
