// How often `viva compare`, for pairs of run plans, and the variants of one run call equal agents different; prints the
// tables as JSON. Pairs that are refused have no rate.
import { decide, fewestRuns } from '../../src/pipeline/fold/auto-runs.js'
import { variantClaims, type RatedVariant } from '../../src/pipeline/fold/decide/variant-claims.js'
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
const TABLES: Record<string, (tries: number) => unknown[]> = { plans, single, variants, broken }
process.stdout.write(JSON.stringify(TABLES[what]?.(Number(tries))))

interface Plan {
  name: string
  runs: number | 'auto'
  threshold?: number
  max_runs?: number
}

function auto(threshold: number, max_runs: number): Plan {
  return { name: `auto ${threshold}/${max_runs}`, runs: 'auto', threshold, max_runs }
}

function fixed(runs: number): Plan {
  return { name: `${runs}`, runs }
}

function plans(count: number): unknown[] {
  const five = fixed(5)
  const pairs: Array<[Plan, Plan]> = [
    [five, auto(80, 30)],
    [auto(50, 30), auto(80, 30)],
    [auto(80, 30), auto(80, 100)],
    [fixed(3), fixed(10)],
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
    const plan = fixed(runs)
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

/** Equal agents: anything claimed about any of them is wrong. */
function variants(count: number): unknown[] {
  const rates: Record<string, (random: Random) => number> = {
    '0.5': () => 0.5,
    '0.8': () => 0.8,
    '0.95': () => 0.95,
    'Beta(4, 1)': (random) => random() ** (1 / 4),
  }
  return [fixed(1), fixed(5), fixed(10), auto(80, 30), auto(50, 30)].flatMap((plan) =>
    [2, 3, 5].flatMap((sides) =>
      Object.entries(rates).flatMap(([shape, rateOf]) =>
        [20, 200].map((cases) => {
          const random = seededRandom(cases * 10 + sides)
          let wrong = 0
          for (let attempt = 0; attempt < count; attempt++) {
            const own = Array.from({ length: cases }, () => rateOf(random))
            const { against, ranked } = variantClaims(
              Array.from({ length: sides }, (_, at) => ratedOf(`${at}`, own, plan, random)),
            )
            const isFound = against.some(({ p_value, changed }) => p_value < 0.05 || changed.length > 0)
            if (isFound || ranked.some(({ best }) => !best)) wrong++
          }
          return { plan: plan.name, sides, shape, cases, wrong: wrong / count }
        }),
      ),
    ),
  )
}

/** One case of one variant always fails, and always passes in the baseline. */
function broken(count: number): unknown[] {
  return [fixed(5), fixed(10), auto(50, 30)].flatMap((plan) =>
    [2, 3].flatMap((sides) =>
      [1, 0.8].flatMap((others) =>
        [20, 100].map((cases) => {
          const random = seededRandom(cases * 10 + sides)
          const rates = (first: number): number[] =>
            Array.from({ length: cases }, (_, at) => (at === 0 ? first : others))
          let found = 0
          for (let attempt = 0; attempt < count; attempt++) {
            const { against } = variantClaims(
              Array.from({ length: sides }, (_, at) => ratedOf(`${at}`, rates(at === 1 ? 0 : 1), plan, random)),
            )
            if (against[0]?.changed.some(({ index }) => index === 0)) found++
          }
          return { plan: plan.name, sides, others, cases, found: found / count }
        }),
      ),
    ),
  )
}

function ratedOf(name: string, rates: readonly number[], plan: Plan, random: Random): RatedVariant {
  const { runs, threshold = 80 } = plan
  const first = runs === 'auto' ? fewestRuns(threshold / 100, 0.95) : runs
  const drawnRates = rates.map((rate) => {
    let firstHits = 0
    const { passes, fails } = drawn(rate, plan, random, (run, isPass) => {
      if (isPass && run < first) firstHits++
    })
    return { all: { hits: passes, runs: passes + fails }, single: { hits: firstHits, runs: first } }
  })
  return { name, cases: drawnRates.map(({ all }) => all), single: drawnRates.map(({ single: own }) => own) }
}

function startOf({ runs, threshold = 80, max_runs = 30 }: Plan): StartEvent {
  return startEvent({ runs_per_case: runs, options: { runs, threshold, max_runs, confidence: 95 } })
}

function drawn(
  rate: number,
  { runs, threshold = 80, max_runs = 30 }: Plan,
  random: Random,
  onRun: (run: number, isPass: boolean) => void = () => {},
): CaseRecord {
  let [passes, fails] = [0, 0]
  for (let run = 0; run < (runs === 'auto' ? max_runs : runs); run++) {
    const isPass = random() < rate
    onRun(run, isPass)
    if (isPass) passes++
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
