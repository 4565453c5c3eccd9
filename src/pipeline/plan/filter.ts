// Which cases are selected: `--run`, `--tag`, `--shard`, `--last-failed`. Pure.
import { createHash } from 'node:crypto'
import type { Fingerprint } from '../../model/fingerprint.js'
import type { LoadedCase } from '../../model/source.js'

export interface Selection {
  /** Compiled `--run`: tried on the id, and on the name of a script test. */
  match?: (text: string) => boolean
  /** Any of these. */
  tags: string[]
  /** None of these. */
  without?: string[]
  shard?: Shard
  /** Only these ids are wanted; undefined while they are not known yet. `print`: of the case as it is now. */
  only?: { has?(id: string, print?: Fingerprint): boolean }
}

export interface Shard {
  index: number
  count: number
  /** Where a case goes, as far as `--shard-plan` says. */
  plan?: ReadonlyMap<string, number>
  /** Of the file that says so. */
  plan_hash?: string
}

export function isSelected({ testCase, print }: LoadedCase, selection: Selection): boolean {
  if (selection.match && !selection.match(testCase.id)) return false
  const { tags = [] } = testCase
  if (selection.tags.length > 0 && !selection.tags.some((tag) => tags.includes(tag))) return false
  if (selection.without?.some((tag) => tags.includes(tag))) return false
  return isWanted(testCase.id, selection, print) && isInShard(testCase.id, selection.shard)
}

export function isWanted(id: string, { only }: Selection, print?: Fingerprint): boolean {
  return only?.has === undefined || only.has(id, print)
}

/** `smoke` and `!slow`. Throws an Error that says what was expected. */
export function parseTags(given: readonly string[]): Pick<Selection, 'tags' | 'without'> {
  const without = given.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1))
  if (given.includes('') || without.includes('')) throw new Error('expected a tag, or ! and a tag, found nothing')
  const tags = given.filter((tag) => !tag.startsWith('!'))
  return { tags, ...(without.length > 0 && { without }) }
}

/** By the plan, or else by id alone, so that adding a case moves no other case to another shard. */
export function isInShard(id: string, shard: Shard | undefined): boolean {
  if (!shard) return true
  const planned = shard.plan?.get(id)
  if (planned !== undefined) return planned === shard.index
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
  const { match, tags, without, shard, only } = selection
  return match !== undefined || tags.length > 0 || without !== undefined || shard !== undefined || only !== undefined
}
