// Simulations of rates that rest on a judge, with fixed seeds; prints the tables as JSON.
import { readFileSync } from 'node:fs'
import { agreementOf, reasonAgainst } from '../../src/pipeline/fold/statistics/agreement.js'
import { differenceOf, labelledRate, type LabelCounts } from '../../src/pipeline/fold/statistics/judged-rate.js'
import { correctedStratified, correctionOf } from '../../src/pipeline/fold/judged/correct-difference.js'
import type { JudgedSide } from '../../src/pipeline/fold/judged/judged-fold.js'
import { stratifiedTest, type Rate } from '../../src/pipeline/fold/statistics/stratified.js'
import { carriedRate } from '../../src/pipeline/fold/statistics/rogan-gladen.js'
import { seededRandom, type Random } from '../../src/pipeline/fold/statistics/random.js'

/** [what the judge said, what people said]. */
type Pair = [boolean, boolean]

const SEED = 20_260_101
const RATES = [0.2, 0.5, 0.8, 0.9, 0.95]
const JUDGES: Array<[number, number]> = [
  [0.95, 0.95],
  [0.9, 0.8],
  [0.7, 0.6],
]

/** Judges of LLMBar: each try draws a whole run with replacement and labels 100 of it. */
function stored(count: number): unknown[] {
  const judges = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Array<[string, number, string]>>
  return Object.entries(judges).map(([judge, rows]) => {
    const pairs = rows.map(([, label, verdict]): Pair => [verdict === '1', label === 1])
    const truth = share(pairs, ([, people]) => people)
    const random = seededRandom(SEED)
    const with_judge = tally()
    const labels_alone = tally()
    for (let attempt = 0; attempt < count; attempt++) {
      const run = pairs.map((pair) => pairs[Math.floor(random() * pairs.length)] ?? pair)
      const labels = countPairs(run.slice(0, 100))
      const rest = run.slice(100)
      with_judge.add(labelledRate(labels, { passed: rest.filter(([said]) => said).length, count: rest.length }), truth)
      labels_alone.add(labelledRate(labels, { passed: 0, count: 0 }), truth)
    }
    const agreement = agreementOf(countPairs(pairs))
    return {
      judge,
      answers: rows.length,
      unusable: rows.filter(([, , verdict]) => verdict !== '1' && verdict !== '2').length,
      agreement: share(rows, ([, label, verdict]) => String(label) === verdict),
      low: agreement.agreement.interval.low,
      chance: agreement.chance,
      kappa: agreement.kappa,
      licence: reasonAgainst(agreement) ?? 'granted',
      ...with_judge.result(),
      alone: labels_alone.result(),
    }
  })
}

function ppi(count: number): unknown[] {
  return RATES.flatMap((rate) =>
    JUDGES.map(([sensitivity, specificity]) => {
      const random = seededRandom(SEED)
      const seen = tally()
      for (let attempt = 0; attempt < count; attempt++) {
        const run = simulate(1_000, rate, sensitivity, specificity, random)
        const rest = run.slice(200)
        seen.add(
          labelledRate(countPairs(run.slice(0, 200)), {
            passed: rest.filter(([said]) => said).length,
            count: rest.length,
          }),
          rate,
        )
      }
      return { rate, sensitivity, specificity, ...seen.result() }
    }),
  )
}

/** The labels of an older licence come from answers with another pass rate, half of the time. */
function carried(count: number): unknown[] {
  return RATES.flatMap((rate) =>
    [...JUDGES, [0.8, 0.7] as [number, number]].flatMap(([sensitivity, specificity]) =>
      [rate, 0.5].map((licensed) => {
        const random = seededRandom(SEED)
        const seen = tally()
        let refused = 0
        for (let attempt = 0; attempt < count; attempt++) {
          const labels = countPairs(simulate(300, licensed, sensitivity, specificity, random))
          const run = simulate(1_000, rate, sensitivity, specificity, random)
          const found = carriedRate(labels, { passed: run.filter(([said]) => said).length, count: run.length })
          if ('refused' in found) refused++
          else seen.add(found, rate)
        }
        return { rate, licensed, sensitivity, specificity, refused: refused / count, ...seen.result() }
      }),
    ),
  )
}

/** Two runs of 1,000, 200 labels each: how often a difference is claimed, and whether the interval holds the true one. */
function differences(count: number): unknown[] {
  return RATES.flatMap((rate) =>
    JUDGES.flatMap(([sensitivity, specificity]) =>
      [0, -0.1].map((shift) => {
        const random = seededRandom(SEED)
        const seen = tally()
        let claimed = 0
        const side = (true_rate: number) => {
          const run = simulate(1_000, true_rate, sensitivity, specificity, random)
          const rest = run.slice(200)
          return labelledRate(countPairs(run.slice(0, 200)), {
            passed: rest.filter(([said]) => said).length,
            count: rest.length,
          })
        }
        for (let attempt = 0; attempt < count; attempt++) {
          const found = differenceOf(side(rate), side(rate + shift))
          if (found.interval.low > 0 || found.interval.high < 0) claimed++
          seen.add(found, shift)
        }
        return { rate, shift, sensitivity, specificity, claimed: claimed / count, ...seen.result() }
      }),
    ),
  )
}

/** `viva compare`: 200 cases in both runs, some steady, some not; 100 labels each, or a licence from 300 that both share. */
function compared(count: number): unknown[] {
  return JUDGES.flatMap(([sensitivity, specificity]) =>
    ['labels', 'licence'].flatMap((how) =>
      [0, 0.2].map((fall) => {
        const random = seededRandom(SEED)
        const seen = tally()
        let [claimed, plain] = [0, 0]
        for (let attempt = 0; attempt < count; attempt++) {
          const licence =
            how === 'licence' ? countPairs(simulate(300, 0.6, sensitivity, specificity, random)) : undefined
          const [before, after] = [0, fall].map((less) => side(sensitivity, specificity, less, licence, random))
          if (!before || !after) continue
          const strata = before.cases.map((rate, at) => ({ before: rate, after: after.cases[at] ?? rate }))
          const test = stratifiedTest(strata)
          const found = correctedStratified(test, correctionOf(before.judged, after.judged))
          if (found.p_value < 0.05) claimed++
          if (test.p_value < 0.05) plain++
          seen.add({ rate: found.difference, interval: found.interval(0.05) }, -fall * MEAN)
        }
        const shares = { claimed: claimed / count, plain: plain / count }
        return { how, fall, sensitivity, specificity, ...shares, ...seen.result() }
      }),
    ),
  )
}

const STEADY = [0, 0, 0.5, 0.5, 1, 1, 1, 1, 1, 1]
const MEAN = share(STEADY, (rate) => rate === 1) + 0.5 * share(STEADY, (rate) => rate === 0.5)

function side(
  sensitivity: number,
  specificity: number,
  less: number,
  licence: LabelCounts | undefined,
  random: Random,
): { cases: Rate[]; judged: JudgedSide } {
  const pairs = Array.from({ length: 200 }, (_, at): Pair => {
    const good = random() < (STEADY[at % STEADY.length] ?? 1) * (1 - less)
    return [random() < (good ? sensitivity : 1 - specificity), good]
  })
  const order = pairs.map((pair) => ({ pair, at: random() })).toSorted((one, other) => one.at - other.at)
  const labels = countPairs(licence ? [] : order.slice(0, 100).map(({ pair }) => pair))
  const all = { passed: pairs.filter(([said]) => said).length, count: pairs.length }
  const method = licence ? undefined : ('labels' as const)
  const group = { judge: { id: '', criterion: '', hash: '' }, criterion: '', judged: all, labels, method, licence }
  return {
    cases: pairs.map(([said]) => ({ hits: said ? 1 : 0, runs: 1 })),
    judged: { all, groups: new Map([['', group]]), several: 0 },
  }
}

function simulate(count: number, rate: number, sensitivity: number, specificity: number, random: Random): Pair[] {
  return Array.from({ length: count }, (): Pair => {
    const passes = random() < rate
    return [random() < (passes ? sensitivity : 1 - specificity), passes]
  })
}

function countPairs(pairs: readonly Pair[]): LabelCounts {
  const counts = { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 }
  for (const [judge, people] of pairs)
    counts[judge ? (people ? 'both_pass' : 'judge_pass_only') : people ? 'people_pass_only' : 'both_fail']++
  return counts
}

function tally() {
  let [tries, covered, width, sum] = [0, 0, 0, 0]
  let truth = 0
  return {
    add(found: { rate: number; interval: { low: number; high: number } }, rate: number) {
      tries++
      truth = rate
      sum += found.rate
      width += found.interval.high - found.interval.low
      if (found.interval.low <= rate && rate <= found.interval.high) covered++
    },
    result: () => ({ bias: sum / tries - truth, coverage: covered / tries, width: width / tries }),
  }
}

function share<T>(all: readonly T[], holds: (each: T) => boolean): number {
  return all.filter(holds).length / all.length
}

const [what = '', tries = '0', file = ''] = process.argv.slice(2)
const TABLES: Record<string, (tries: number) => unknown[]> = { stored, ppi, carried, differences, compared }
process.stdout.write(JSON.stringify(TABLES[what]?.(Number(tries))))
