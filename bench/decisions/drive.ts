// The simulations behind what a decision promises, with fixed seeds; prints the tables as JSON.
import { decideChange, type CaseSides, type ChangeDecision } from '../../src/pipeline/fold/decide/decide-change.js'
import { driftTest } from '../../src/pipeline/fold/behaviour/drift-test.js'
import { seededRandom, type Random } from '../../src/pipeline/fold/statistics/random.js'
import { behaviourBySimulation, STEADY, type SimulatedAgent } from '../../test/support/simulated-behaviour.js'
import {
  bestBySimulation,
  concentrated,
  decideBySimulation,
  RULE,
  SHAPES,
  spread,
  type Sides,
} from '../../test/support/simulated-runs.js'

const [what = '', tries = '0'] = process.argv.slice(2)
const TABLES: Record<string, (tries: number) => unknown[]> = { found, unchanged, margin, best, behaviour, speed }
process.stdout.write(JSON.stringify(TABLES[what]?.(Number(tries))))

function found(count: number): unknown[] {
  const before = Array<number>(100).fill(0.9)
  return [['spread evenly', spread(before, 0.2)] as const, ['in few cases', concentrated(before, 0.2)] as const].map(
    ([how, after]) => {
      const decisions = repeat(count, 1, () => ({ before, after }))
      const within = (runs: number) => share(decisions, (each) => each.verdict === 'worse' && each.runs <= runs)
      return { how, one: within(1), two: within(2), three: within(3), runs: meanRuns(decisions) }
    },
  )
}

function unchanged(count: number): unknown[] {
  return Object.entries(SHAPES).flatMap(([shape, rates]) =>
    [100, 20, 5].flatMap((cases) =>
      [0, 0.1].map((lost) => {
        const decisions = repeat(count, cases + lost, (random) => {
          const before = rates(cases, random)
          return { before, after: before, lost: [lost, lost] }
        })
        const worse = share(decisions, isWorse)
        const notWorse = share(decisions, (each) => each.verdict === 'not_worse')
        return { shape, cases, lost, worse, notWorse, runs: meanRuns(decisions) }
      }),
    ),
  )
}

function margin(count: number): unknown[] {
  return Object.entries(SHAPES).flatMap(([shape, rates]) =>
    [100, 20, 5].map((cases) => {
      const wrong = (fall: typeof spread) =>
        share(
          // A hair beyond the margin: exactly at it the claim would be true.
          repeat(count, cases, (random) => {
            const before = rates(cases, random)
            return { before, after: fall(before, 0.0501) }
          }),
          isNotWorse,
        )
      return { shape, cases, spread: wrong(spread), concentrated: wrong(concentrated) }
    }),
  )
}

function best(count: number): unknown[] {
  const cases = (rate: number) => Array<number>(100).fill(rate)
  return [0.9, 0.6].flatMap((rate) =>
    [0, 0.02, 0.05].map((second) => {
      const random = seededRandom(4)
      let [kept, out] = [0, 0]
      for (let attempt = 0; attempt < count; attempt++) {
        const set = bestBySimulation([cases(rate), cases(rate - second), cases(rate - 0.2)], 3, random)
        if (set[0]) kept++
        if (!set[2]) out++
      }
      return { rate, second: rate - second, third: rate - 0.2, kept: kept / count, out: out / count }
    }),
  )
}

function behaviour(count: number): unknown[] {
  const pairs: Array<[string, SimulatedAgent]> = [
    ['another tool first in a fifth of the cases', { ...STEADY, other_tool: { part: 0.2, in: 'cases' } }],
    ['another tool first in a fifth of the runs', { ...STEADY, other_tool: { part: 0.2, in: 'runs' } }],
    ['the same agent on a machine 1.5 times slower', { ...STEADY, slower: 1.5 }],
  ]
  return [3, 1].flatMap((runs) =>
    pairs.map(([how, after]) => {
      let drifted = 0
      for (let seed = 1; seed <= count; seed++)
        if (behaviourBySimulation({ before: STEADY, after }, { cases: 50, runs }, seed).verdict === 'drift') drifted++
      return { how, runs, drifted: drifted / count }
    }),
  )
}

function speed(): unknown[] {
  const random = seededRandom(1)
  const side = () => {
    const passes = Math.floor(random() * 31)
    return { passes, fails: 30 - passes, lost: 0 }
  }
  const cases = Array.from({ length: 10_000 }, (_, at): CaseSides => ({ id: `T${at}`, before: side(), after: side() }))
  const prints = Array.from({ length: 5_000 }, () => Array.from({ length: 12 }, () => Math.floor(random() * 60)))
  const print = () => Math.floor(random() * prints.length)
  const acts = Array.from({ length: 10_000 }, () => ({
    before: [print(), print(), print()],
    after: [print(), print(), print()],
  }))
  return [
    ['a decision, 10,000 cases × 30 runs', timed(() => decideChange(cases, 30, RULE))],
    ['behaviour, 10,000 cases × 3 runs', timed(() => driftTest(acts, (number) => prints[number] ?? []))],
  ]
}

function repeat(count: number, seed: number, make: (random: Random) => Sides): ChangeDecision[] {
  const random = seededRandom(Math.round(seed * 1000))
  return Array.from({ length: count }, () => decideBySimulation(make(random), random))
}

function isWorse({ verdict }: ChangeDecision): boolean {
  return verdict === 'worse' || verdict === 'slightly_worse'
}

function isNotWorse({ verdict }: ChangeDecision): boolean {
  return verdict === 'not_worse' || verdict === 'slightly_worse'
}

function share(decisions: ChangeDecision[], isHit: (decision: ChangeDecision) => boolean): number {
  return decisions.filter(isHit).length / decisions.length
}

function meanRuns(decisions: ChangeDecision[]): number {
  return decisions.reduce((sum, { runs }) => sum + runs, 0) / decisions.length
}

/** Milliseconds of CPU: the machine may be busy. */
function timed(work: () => unknown): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}
