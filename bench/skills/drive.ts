// Simulations of skills whose effect is planted, through the summary and the benchmark of a run; prints the tables as JSON.
import { readFileSync } from 'node:fs'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { benchmark } from '../../src/pipeline/report/reporters/benchmark.js'
import { openFold } from '../../src/pipeline/report/overview.js'
import { stratifiedTest } from '../../src/pipeline/fold/statistics/stratified.js'
import { seededRandom, type Random } from '../../src/pipeline/fold/statistics/random.js'

const [, , what = '', tries = '200', file = ''] = process.argv
const SEED = 20_261_118
const SIDES = ['without_skill', 'with_skill'] as const
const SCREEN = { columns: 80, color: false, verbose: false }

/** Of each eval, of each expectation: how often it is met, without the skill and with it. */
type Plan = Array<Array<[without: number, with_: number]>>

interface Shape {
  name: string
  rates(at: number, of: number): [without: number, with_: number]
}

const SHAPES: Shape[] = [
  { name: 'none: 50%', rates: () => [0.5, 0.5] },
  { name: 'none: 90%', rates: () => [0.9, 0.9] },
  { name: 'none: 10% to 95%', rates: (at, of) => both(0.1 + (0.85 * at) / (of - 1)) },
  { name: '40% → 90%', rates: () => [0.4, 0.9] },
  { name: '60% → 80%', rates: () => [0.6, 0.8] },
  { name: '90% → 60%', rates: () => [0.9, 0.6] },
  { name: 'one eval in three: 20% → 95%', rates: (at, of) => (at < of / 3 ? [0.2, 0.95] : [0.7, 0.7]) },
]

function both(rate: number): [number, number] {
  return [rate, rate]
}

/** The expectations of the public evals; more evals are copies of them. */
function counts(evals: number): number[] {
  const read = JSON.parse(readFileSync(file, 'utf8')) as { evals: Array<{ expectations: string[] }> }
  const own = read.evals.map(({ expectations }) => expectations.length)
  return Array.from({ length: evals === 0 ? own.length : evals }, (_, at) => own[at % own.length] ?? 1)
}

function planOf({ rates }: Shape, evals: number): Plan {
  const sizes = counts(evals)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  let at = 0
  return sizes.map((size) => Array.from({ length: size }, () => rates(at++, all)))
}

/** `together`: how often one number decides all expectations of a run. */
function truth(plan: Plan, together: number): { met: number; passed: number } {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const whole = (rates: number[]): number =>
    together * Math.min(...rates) + (1 - together) * rates.reduce((product, rate) => product * rate, 1)
  const difference = (read: (rates: number[]) => number): number =>
    mean(plan.map((each) => read(each.map(([, with_]) => with_)) - read(each.map(([without]) => without))))
  return { met: difference(mean), passed: difference(whole) }
}

function simulate(plan: Plan, runs: number, together: number, random: Random): RunEvent[] {
  const results = plan.flatMap((rates, id) =>
    SIDES.flatMap((variant, side) =>
      Array.from({ length: runs }, (_, run) => {
        const shared = random() < together ? random() : undefined
        const met = rates.map((pair) => (shared ?? random()) < (pair[side] ?? 0))
        return result(String(id + 1), variant, run + 1, met)
      }),
    ),
  )
  const start: RunEvent = {
    type: 'start',
    format: 2,
    timestamp: '2026-01-01T00:00:00Z',
    run_id: 'r',
    mode: 'agent',
    agent_id: 'cli:claude',
    input: 'evals.json',
    runs_per_case: runs,
    total_cases: plan.length,
    environment: { user_id: '', team_id: '', locale: '' },
    options: { name: 'skill:s' },
    version: '0',
    variants: SIDES.map((name) => ({ name, agent_id: 'cli:claude' })),
  }
  const fold = openFold(start, runs > 1)
  for (const event of results) fold.add(event)
  const summary = fold.summary({ duration_ms: 0, timestamp: start.timestamp, total_cases: plan.length })
  return [start, ...results, summary]
}

function result(id: string, variant: string, run: number, met: boolean[]): ResultEvent {
  const assertions = met.map((passed, at) => ({ type: 'rubric', criterion: `Expectation ${at + 1}`, passed }))
  const fields = { type: 'result', run_id: 'r', id, variant, run, duration_ms: 1000, output: 'Done.', assertions }
  return (
    met.every(Boolean)
      ? { ...fields, status: 'passed' }
      : { ...fields, status: 'failed', error: 'not met', error_kind: 'assertion' }
  ) as ResultEvent
}

interface Found {
  difference: number
  low: number
  high: number
  p_value: number
}

async function reported(events: RunEvent[]): Promise<{ met: Found; passed: Found }> {
  let text = ''
  const recording = {
    async *events() {
      yield* events
    },
  }
  for await (const chunk of benchmark(recording, SCREEN)) text += chunk
  const { intervals } = JSON.parse(text) as {
    intervals: Record<string, { expectations_met: Found; evals_passed: Found }>
  }
  const found = intervals['with_skill']
  if (!found) throw new Error('nothing was compared')
  return { met: found.expectations_met, passed: found.evals_passed }
}

/** As if every expectation were a case of its own. */
function naive(events: RunEvent[]): Found {
  const strata = new Map<string, { before: { hits: number; runs: number }; after: { hits: number; runs: number } }>()
  for (const event of events) {
    if (event.type !== 'result') continue
    for (const { criterion, passed } of event.assertions ?? []) {
      const key = `${event.id} ${String(criterion)}`
      const own = strata.get(key) ?? { before: { hits: 0, runs: 0 }, after: { hits: 0, runs: 0 } }
      const side = event.variant === 'with_skill' ? own.after : own.before
      side.runs++
      if (passed) side.hits++
      strata.set(key, own)
    }
  }
  const { difference, p_value, interval } = stratifiedTest([...strata.values()])
  return { difference, p_value, ...interval(0.05) }
}

function tally(planted: number) {
  let [count, inside, claims, width] = [0, 0, 0, 0]
  return {
    add: ({ low, high, p_value }: Found) => {
      count++
      // Four digits are reported.
      if (low - 1e-4 <= planted && planted <= high + 1e-4) inside++
      if (p_value < 0.05) claims++
      width += high - low
    },
    result: () => ({ planted, inside: inside / count, claims: claims / count, width: width / count }),
  }
}

async function cell(shape: Shape, evals: number, runs: number, together: number, count: number): Promise<object> {
  const plan = planOf(shape, evals)
  const known = truth(plan, together)
  // Each cell draws its own numbers: cells that share them would share their luck.
  const random = seededRandom(SEED + 1_000 * SHAPES.indexOf(shape) + 100 * plan.length + 10 * runs + 2 * together)
  const [met, passed, single] = [tally(known.met), tally(known.passed), tally(known.met)]
  for (let attempt = 0; attempt < count; attempt++) {
    const events = simulate(plan, runs, together, random)
    const found = await reported(events)
    met.add(found.met)
    passed.add(found.passed)
    single.add(naive(events))
  }
  return {
    shape: shape.name,
    evals: plan.length,
    runs,
    together,
    met: met.result(),
    passed: passed.result(),
    naive: single.result(),
  }
}

async function cells(count: number, sizes: number[], repeats: number[], ties: number[]): Promise<object[]> {
  const rows: object[] = []
  for (const shape of SHAPES)
    for (const evals of sizes)
      for (const runs of repeats)
        for (const together of ties) rows.push(await cell(shape, evals, runs, together, count))
  return rows
}

const count = Number(tries)
const rows =
  what === 'public'
    ? await cells(count, [0], [1, 3, 5, 10], [0, 0.5, 1])
    : await cells(count, [1, 10, 30], [1, 3], [0.5])
console.log(JSON.stringify(rows))
