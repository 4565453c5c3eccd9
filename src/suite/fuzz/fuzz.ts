// Fuzzing a suite: cases are changed in ways after which their assertions must still hold. What fails is confirmed by
// repeats against the unchanged case, reduced to the smallest change, and confirmed once more.
import { defined } from '../../base/defined.js'
import type { TestCase } from '../../model/case.js'
import { seededRandom } from '../../pipeline/fold/statistics/random.js'
import type { AttachmentContext } from '../../pipeline/sources/attachment-source.js'
import { confirmed, repeatsFor, type Pair } from './confirm.js'
import { describeEdits } from './describe.js'
import { edited, withEdits } from './edit.js'
import { foundCase } from './found-case.js'
import type { Change, Operator } from './operator.js'
import { paraphraseOperator, type AskParaphrases } from './paraphrase.js'
import { planTries, type Try } from './plan.js'
import type { FuzzReport, Unconfirmed, Weakness } from './report.js'
import { entryOf, plainEntry, Rounds, tryEntry, unchangedId, type RunRound, type Tally } from './rounds.js'
import { smallest, wholeChange, type Smallest } from './smallest.js'
import { examine, type Examined } from './subject.js'

export interface FuzzInit {
  input: string
  agent_id: string
  cases: AsyncIterable<TestCase>
  files: AttachmentContext
  operators: readonly Operator[]
  seed: number
  tries: number
  /** Failures that are confirmed and reduced. */
  most: number
  /** Asked for other wordings, if that is wanted. */
  paraphrase?: AskParaphrases | undefined
}

export interface Fuzzed {
  report: FuzzReport
  /** Cases that fail, as they can be written to a case file. */
  found: object[]
}

/** Agent runs that reducing one failure may take. */
const SEARCH_RUNS = 60

export async function fuzz(init: FuzzInit, runRound: RunRound): Promise<Fuzzed> {
  const { seed, tries, most } = init
  const cases = await drawCases(init.cases, tries, seed)
  const rounds = new Rounds(runRound)
  const unchanged = await rounds.run(
    cases.map((each) => plainEntry(each)),
    1,
    'unchanged',
  )
  const passing = cases.filter(({ id }) => unchanged.get(unchangedId(id))?.passed === 1)
  const examined: Examined[] = []
  for (const testCase of passing) examined.push(await examine(testCase, init.files))
  const subjects = examined.map(({ subject }) => subject)
  const more = init.paraphrase ? [await paraphraseOperator(subjects, init.paraphrase)] : []
  const plan = planTries({ subjects, operators: [...init.operators, ...more], seed, tries })
  const seen = plan.length === 0 ? new Map<string, Tally>() : await rounds.run(plan.map(tryEntry), 1, 'changed')
  const suspects = firstFailures(plan, seen)
  const looked = suspects.slice(0, most)
  const held = await confirmTries(looked, rounds)
  const shown = await confirmSmallest(await reduceAll(held, rounds), rounds)
  const tried = countBy(plan.map(({ operator }) => operator.name))
  const silent = plan
    .map(({ id }) => ({ id, tally: seen.get(id) }))
    .filter(({ tally }) => !tally || tally.passed + tally.failed === 0)
  const report: FuzzReport = {
    format: 1,
    input: init.input,
    agent_id: init.agent_id,
    seed,
    budget: { tries, most_runs: mostRuns(cases.length, tries, most), runs: rounds.count },
    cases: cases.length,
    tried,
    weaknesses: shown.map(weaknessOf),
    unconfirmed: held.filter(({ p_value }) => p_value === undefined).map(unconfirmedOf),
    not_examined: suspects.length - looked.length,
    failing: cases.filter((each) => !passing.includes(each)).map(({ id }) => id),
    left_alone: examined.flatMap(({ subject, why }) => why.map((reason) => ({ id: subject.testCase.id, why: reason }))),
    unreached: silent.filter(({ tally }) => tally && !tally.isUnknown).map(silentOf),
    unknown: silent.filter(({ tally }) => !tally || tally.isUnknown).map(silentOf),
  }
  return { report, found: shown.map(({ item, small, id }) => foundCase({ item, small, id, seed })) }
}

/** What a whole fuzz may take, at most. */
export function mostRuns(cases: number, tries: number, most: number): number {
  return cases + tries + most * (4 * repeatsFor(most) + SEARCH_RUNS)
}

/** No more cases than tries; which ones, by the seed. In the order of the file. */
async function drawCases(cases: AsyncIterable<TestCase>, most: number, seed: number): Promise<TestCase[]> {
  const random = seededRandom(seed)
  const kept: Array<{ testCase: TestCase; index: number }> = []
  let index = 0
  for await (const testCase of cases) {
    if (kept.length < most) kept.push({ testCase, index })
    else {
      const at = Math.floor(random() * (index + 1))
      if (at < most) kept[at] = { testCase, index }
    }
    index++
  }
  return kept.toSorted((a, b) => a.index - b.index).map(({ testCase }) => testCase)
}

/** One for each case and operator: others would most likely show the same again. */
function firstFailures(plan: readonly Try[], seen: ReadonlyMap<string, Tally>): Try[] {
  const found = new Map<string, Try>()
  for (const each of plan) {
    const key = JSON.stringify([each.subject.testCase.id, each.operator.name])
    if (!found.has(key) && (seen.get(each.id)?.failed ?? 0) > 0) found.set(key, each)
  }
  return [...found.values()]
}

interface Held {
  item: Try
  before: Pair['before']
  after: Pair['after']
  reason?: string
  p_value?: number
}

async function confirmTries(tries: readonly Try[], rounds: Rounds): Promise<Held[]> {
  if (tries.length === 0) return []
  const repeats = repeatsFor(tries.length)
  const originals = new Set(tries.map(({ subject }) => subject.testCase))
  const tallies = await rounds.run(
    [...[...originals].map((each) => plainEntry(each)), ...tries.map(tryEntry)],
    repeats,
    'repeated',
  )
  const pairs = tries.map(({ id, subject, change }): Pair => {
    const { id: from } = subject.testCase
    return pairOf(tallies.get(unchangedId(from)), tallies.get(id), change)
  })
  const p_values = confirmed(pairs)
  return tries.map((item, index) => {
    const { id } = item
    const { before, after } = pairs[index] ?? NOTHING
    return { item, before, after, ...defined({ reason: tallies.get(id)?.reason, p_value: p_values.get(index) }) }
  })
}

const NOTHING: Pair = { before: { hits: 0, runs: 0 }, after: { hits: 0, runs: 0 } }

/** Without the planted instruction nothing of it can take effect, whatever else the case asserts. */
function pairOf(unchanged: Tally | undefined, changed: Tally | undefined, { injection }: Change): Pair {
  const before = rateOf(unchanged)
  return { before: injection ? { ...before, hits: before.runs } : before, after: rateOf(changed) }
}

function rateOf({ passed, failed }: Tally = { passed: 0, failed: 0 }): Pair['before'] {
  return { hits: passed, runs: passed + failed }
}

interface Reduced {
  item: Try
  held: Held
  small: Smallest
  id: string
}

async function reduceAll(all: readonly Held[], rounds: Rounds): Promise<Reduced[]> {
  const reduced: Reduced[] = []
  for (const held of all) {
    if (held.p_value === undefined) continue
    const isSteady = held.after.hits === 0 && held.before.hits === held.before.runs
    const small = await smallest(held.item, { rounds, repeats: isSteady ? 1 : 3, budget: SEARCH_RUNS })
    reduced.push({ item: held.item, held, small, id: held.item.id })
  }
  return reduced
}

/** The search asked many questions: what it came to must hold once more. If not, the change stays as it was confirmed. */
async function confirmSmallest(reduced: readonly Reduced[], rounds: Rounds): Promise<Reduced[]> {
  if (reduced.length === 0) return []
  const repeats = repeatsFor(reduced.length)
  const entries = reduced.flatMap(({ item, small, id }) => [
    plainEntry(withEdits(item.subject.testCase, small.cuts), unchangedId(id)),
    entryOf(id, item.subject.testCase, wholeChange(small)),
  ])
  const tallies = await rounds.run(entries, repeats, 'repeated')
  const pairs = reduced.map(({ id, small }) => pairOf(tallies.get(unchangedId(id)), tallies.get(id), small.change))
  const p_values = confirmed(pairs)
  return reduced.map((each, index) => {
    const { before, after } = pairs[index] ?? NOTHING
    const p_value = p_values.get(index)
    if (p_value === undefined) return { ...each, small: { change: each.item.change, cuts: [], isMinimal: false } }
    const reason = tallies.get(each.id)?.reason
    return { ...each, held: { ...each.held, before, after, p_value, ...(reason !== undefined && { reason }) } }
  })
}

function weaknessOf({ item, held, small, id }: Reduced): Weakness {
  const { before, after, reason, p_value = 1 } = held
  const { edits } = wholeChange(small)
  const slot = small.change.edits[0]?.slot
  const own = edits.filter((edit) => edit.slot === slot)
  return {
    id,
    from: item.subject.testCase.id,
    operator: item.operator.name,
    summary: item.operator.summary,
    changes: describeEdits(small.change.edits),
    minimal: small.isMinimal,
    text: edited(slot?.text ?? '', own),
    ...(reason !== undefined && { reason }),
    failed: after.runs - after.hits,
    runs: after.runs,
    unchanged_failed: before.runs - before.hits,
    unchanged_runs: before.runs,
    p_value,
  }
}

function unconfirmedOf({ item: { subject, operator }, before, after }: Held): Unconfirmed {
  return {
    from: subject.testCase.id,
    operator: operator.name,
    failed: after.runs - after.hits,
    runs: after.runs,
    unchanged_failed: before.runs - before.hits,
  }
}

function silentOf({ id, tally }: { id: string; tally: Tally | undefined }): { id: string; why: string } {
  return { id, why: tally?.reason ?? 'there is no result' }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
