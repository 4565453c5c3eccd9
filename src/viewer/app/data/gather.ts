// What the variants of a case amount to together: as bad as the worst of them, so that no failure hides behind a success.
import type { ListedStatus } from '../../../model/status.js'
import type { Case, Result } from './case.js'

/** Mutates `group`. Plain loops: there may be tens of thousands. */
export function gather(group: Case): void {
  const { members = [] } = group
  let worst: Case | undefined
  let [known, durations, passed] = [0, 0, 0]
  let cost: number | null = null
  let flaky = false
  const results: Result[] = []
  for (const member of members) {
    if (!member) continue
    known += 1
    durations += member.durationMs
    passed += member.passed
    if (member.cost !== null) cost = (cost ?? 0) + member.cost
    if (member.flaky) flaky = true
    if (!worst || RANK[member.status] < RANK[worst.status]) worst = member
    for (const result of member.results) results.push(result)
  }
  if (!worst) return
  // A variant that has no result has not passed.
  group.status = worst.status === 'passed' && known < members.length ? 'undetermined' : worst.status
  group.kind = worst.kind
  group.error = worst.status === 'failed' ? `${worst.variant}: ${worst.error}` : worst.error
  group.tags = worst.tags
  group.turns = worst.turns
  group.results = results
  group.durationMs = durations / known
  group.cost = cost
  group.flaky = flaky
  group.passed = passed
  group.differs = { verdicts: haveOtherVerdicts(members), answers: haveOtherAnswers(members) }
  group.haystack = ''
}

const RANK: Record<ListedStatus, number> = { failed: 0, not_shown: 1, undetermined: 2, passed: 3, skipped: 4 }

/** In the table, missing ones have none; their share of runs may differ. */
function haveOtherVerdicts(members: ReadonlyArray<Case | undefined>): boolean {
  let first: Case | undefined
  for (const member of members) {
    if (!member) continue
    first ??= member
    if (member.status !== first.status || shareOf(member) !== shareOf(first)) return true
  }
  return false
}

function shareOf({ passed, results }: Case): number {
  return passed / results.length
}

/** As between two runs: no answer in common with the first. */
function haveOtherAnswers(members: ReadonlyArray<Case | undefined>): boolean {
  let first: Result[] | undefined
  for (const member of members) {
    if (!member || member.status === 'skipped' || member.status === 'not_shown') continue
    if (!first) first = member.results
    else if (!member.results.some((result) => has(first, result))) return true
  }
  return false
}

function has(results: readonly Result[] | undefined, { answers }: Result): boolean {
  return results?.some((other) => other.answers === answers) ?? false
}
