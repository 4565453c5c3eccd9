// How often `viva compare` calls equal agents different, for pairs of run plans; prints the table as JSON. Pairs that it
// refuses have no rate.
import { decide } from '../../src/pipeline/fold/auto-runs.js'
import { seededRandom, type Random } from '../../src/pipeline/fold/statistics/random.js'
import type { StartEvent } from '../../src/model/event.js'
import { testClaims } from '../../src/pipeline/report/compare/claims.js'
import { differentPlans } from '../../src/pipeline/report/compare/plans.js'
import type { CaseRecord } from '../../src/pipeline/report/compare/records.js'
import { startEvent } from '../../test/support/events.js'

// Before the first draw.
const EMPTY = { lost: 0, skipped: 0, withheld: 0, status: 'passed' } as unknown as CaseRecord
const decided = new Map<number, boolean>()

const [what = '', tries = '0'] = process.argv.slice(2)
const TABLES: Record<string, (tries: number) => unknown[]> = { plans, single }
process.stdout.write(JSON.stringify(TABLES[what]?.(Number(tries))))

interface Plan {
  name: string
  runs: number | 'auto'
  threshold?: number
  max_runs?: number
}

function plans(count: number): unknown[] {
  const five: Plan = { name: '5', runs: 5 }
  const auto = (threshold: number, max_runs: number): Plan => ({
    name: `auto ${threshold}/${max_runs}`,
    runs: 'auto',
    threshold,
    max_runs,
  })
  const pairs: Array<[Plan, Plan]> = [
    [five, auto(80, 30)],
    [auto(50, 30), auto(80, 30)],
    [auto(80, 30), auto(80, 100)],
    [
      { name: '3', runs: 3 },
      { name: '10', runs: 10 },
    ],
    [five, five],
    [auto(80, 30), auto(80, 30)],
  ]
  const rates: Record<string, (random: Random) => number> = {
    '0.5': () => 0.5,
    '0.6': () => 0.6,
    '0.8': () => 0.8,
    'Beta(2, 1)': (random) => random() ** (1 / 2),
    'Beta(4, 1)': (random) => random() ** (1 / 4),
  }
  return pairs.flatMap(([before, after]) => {
    const row = { plans: `${before.name} → ${after.name}` }
    if (differentPlans(startOf(before), startOf(after)) !== undefined) return [{ ...row, refused: true }]
    return Object.entries(rates).flatMap(([shape, rateOf]) =>
      [20, 50, 200, 500].map((cases) => ({
        ...row,
        shape,
        cases,
        wrong: wrongShare(count, cases, before, after, rateOf),
      })),
    )
  })
}

function wrongShare(
  count: number,
  cases: number,
  before: Plan,
  after: Plan,
  rateOf: (random: Random) => number,
): number {
  const random = seededRandom(cases)
  let wrong = 0
  for (let attempt = 0; attempt < count; attempt++) {
    const pairs = Array.from({ length: cases }, (_, at) => {
      const rate = rateOf(random)
      return { id: `T${at}`, before: drawn(rate, before, random), after: drawn(rate, after, random) }
    })
    const { pass_rate, lost, regressed } = testClaims(pairs, 0.95)
    if (pass_rate.verdict === 'worse' || lost.verdict === 'worse' || regressed.length > 0) wrong++
  }
  return wrong / count
}

/** A case that always passed and never does now, among 99 that pass at 80%. */
function single(count: number): unknown[] {
  return [5, 6, 8, 10].map((runs) => {
    const plan: Plan = { name: `${runs}`, runs }
    const random = seededRandom(runs)
    let found = 0
    for (let attempt = 0; attempt < count; attempt++) {
      const pairs = Array.from({ length: 100 }, (_, at) => ({
        id: `T${at}`,
        before: drawn(at === 0 ? 1 : 0.8, plan, random),
        after: drawn(at === 0 ? 0 : 0.8, plan, random),
      }))
      if (testClaims(pairs, 0.95).regressed.some(({ id }) => id === 'T0')) found++
    }
    return { runs, found: found / count }
  })
}

function startOf({ runs, threshold = 80, max_runs = 30 }: Plan): StartEvent {
  return startEvent({ runs_per_case: runs, options: { runs, threshold, max_runs, confidence: 95 } })
}

function drawn(rate: number, { runs, threshold = 80, max_runs = 30 }: Plan, random: Random): CaseRecord {
  let [passes, fails] = [0, 0]
  for (let run = 0; run < (runs === 'auto' ? max_runs : runs); run++) {
    if (random() < rate) passes++
    else fails++
    if (runs === 'auto' && isDecided(passes, fails, threshold)) break
  }
  return { ...EMPTY, passes, fails }
}

function isDecided(passes: number, fails: number, threshold: number): boolean {
  const key = (threshold * 1_000 + passes) * 1_000 + fails
  const known = decided.get(key)
  if (known !== undefined) return known
  const found = decide({ passes, fails, threshold: threshold / 100, confidence: 0.95 }) !== 'continue'
  decided.set(key, found)
  return found
}
