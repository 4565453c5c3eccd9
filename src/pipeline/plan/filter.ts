// Which cases are selected: `--run`, `--tag`, `--shard`. Pure.
import { createHash } from 'node:crypto'
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

/** Throws an Error that says what was expected. */
export function parseShard(text: string): Shard {
  const found = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text)
  const index = Number(found?.[1])
  const count = Number(found?.[2])
  if (found && index <= count) return { index, count }
  throw new Error(`expected i/n with 1 ≤ i ≤ n, found "${text}"`)
}

export function isFiltering(selection: Selection): boolean {
  return selection.match !== undefined || selection.tags.length > 0 || selection.shard !== undefined
}
