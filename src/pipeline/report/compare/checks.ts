// What a case checked, as far as its results tell: a case with fewer assertions, or others, is not the same test.
import { canonicalJson } from '../../../base/json/canonical-json.js'
import { show } from '../../../base/text.js'
import { ECHOED, type AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'
import { outputKey } from '../../fold/output-key.js'
import { assertionLabel } from '../../../model/assertion-label.js'

export interface Checks {
  /** Numbers of the checks that a result lists, sorted; equal lists are kept once. */
  of(event: ResultEvent): readonly number[]
  words(check: number): string
}

/** What is known about the checks of a case. */
export interface KnownChecks {
  /** Of all its runs, by number. */
  checks: readonly number[]
  /** One of its runs lists all of them. */
  hasAllChecks: boolean
}

export interface ChangedChecks {
  /** Gone, or written differently: then the new ones are among those added. */
  removed: number[]
  added: number[]
}

/** For both runs, so that the same check has the same number. */
export function createChecks(): Checks {
  const words: string[] = []
  const numbers = new Map<string, number>()
  const lists = new Map<string, readonly number[]>()
  const numberOf = ({ key, words: wordsOfCheck }: Check): number => {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, words.length)
    return words.push(wordsOfCheck()) - 1
  }
  return {
    of: (event) => {
      const list = checksOf(event).map(numberOf).toSorted(ascending)
      const key = list.join(' ')
      const same = lists.get(key)
      if (same) return same
      lists.set(key, list)
      return list
    },
    words: (check) => words[check] ?? '',
  }
}

/** Whether nothing is missing from the list: a conversation that broke off has not come to its later assertions. */
export function listsAll({ status, turns, checkpoints, assertions }: ResultEvent): boolean {
  if (status === 'passed') return true
  return status === 'failed' && turns === undefined && checkpoints === undefined && assertions !== undefined
}

/** What any of the runs of a case lists. */
export function withChecks(known: readonly number[], more: readonly number[]): readonly number[] {
  const missing = without(more, known)
  return missing.length === 0 ? known : [...known, ...missing].toSorted(ascending)
}

/** Undefined if the case checks what it did, as far as that is known. */
export function changedChecks(before: KnownChecks, after: KnownChecks): ChangedChecks | undefined {
  if (before.checks === after.checks) return undefined
  const removed = after.hasAllChecks ? without(before.checks, after.checks) : []
  const added = before.hasAllChecks ? without(after.checks, before.checks) : []
  return removed.length + added.length === 0 ? undefined : { removed, added }
}

interface Check {
  key: string
  /** Most checks are seen before. */
  words(): string
}

const named = (name: string): Check => ({ key: name, words: () => name })

function checksOf(event: ResultEvent): Check[] {
  // A test function has no list, and a case that was skipped none that was checked.
  if (event.script !== undefined || event.status === 'skipped') return []
  const { assertions = [], final_assertions = [], turns = [], checkpoints = [], min_score } = event
  const all = [...assertions, ...turns.flatMap((turn) => turn.assertions ?? []), ...final_assertions]
  const checks = all
    .filter((each) => each.not_evaluated !== true)
    .map((each): Check => ({ key: keyOf(each), words: () => wordsOf(each) }))
  for (const { id, required, reached, assertion } of checkpoints) {
    const name = `checkpoint ${id}${required ? '' : ' (optional)'}`
    checks.push(named(name))
    // Of the others it depends on the conversation whether they were evaluated.
    if (!required || !reached || !assertion) continue
    checks.push({ key: `${name}: ${keyOf(assertion)}`, words: () => `${name}: ${wordsOf(assertion)}` })
  }
  if (checks.length > 0 || event.status === 'passed')
    checks.push(named(min_score === undefined ? 'every assertion must hold' : `min_score ${min_score}`))
  return checks
}

const LONG = 300

function keyOf(result: AssertionResult): string {
  const identity = identityOf(result)
  // The usual ones hold plain values, in the order of their keys: sorting costs more than all the rest.
  const isPlain = Object.values(identity).every((value) => typeof value !== 'object')
  const json = isPlain ? JSON.stringify(identity) : canonicalJson(identity)
  return json.length > LONG ? outputKey(identity) : json
}

// A label is only for people.
const IDENTIFYING = (['type', ...ECHOED] as const).filter((key) => key !== 'label').toSorted()

function identityOf(result: AssertionResult): Record<string, unknown> {
  const identity: Record<string, unknown> = {}
  for (const key of IDENTIFYING) if (result[key] !== undefined) identity[key] = result[key]
  if (isGroup(result)) identity['assertions'] = result.parts?.map(identityOf)
  return identity
}

function isGroup({ type }: AssertionResult): boolean {
  return type === 'all' || type === 'any' || type === 'none'
}

const DETAILS = ['use', 'weight', 'pattern', 'topic', 'topics', 'hat', 'hats', 'from', 'to', 'snapshot_id'] as const

function wordsOf({ label: _label, ...result }: AssertionResult): string {
  const members = isGroup(result) ? ` (${(result.parts ?? []).map(wordsOf).join(', ')})` : ''
  const details = DETAILS.flatMap((key) => (result[key] === undefined ? [] : `, ${key} ${show(result[key], 40)}`))
  return `${assertionLabel(result)}${members}${details.join('')}`
}

/** Both sorted; what occurs twice must be there twice. */
function without(list: readonly number[], other: readonly number[]): number[] {
  const left: number[] = []
  let at = 0
  for (const each of list) {
    while (at < other.length && (other[at] ?? 0) < each) at++
    if (other[at] === each) at++
    else left.push(each)
  }
  return left
}

function ascending(one: number, other: number): number {
  return one - other
}
