// What runs, how often, and that a unit could run on another machine.
import { expect, test } from 'vitest'
import { checkAssertion } from '../assert/compile.js'
import { BARRIER, type Job, type Planned, type Unit } from '../../model/plan.js'
import { caseTitle, runKey, type RunKey } from '../../model/run-key.js'
import type { ScriptFile } from '../../model/script.js'
import { casesFromValues } from '../sources/values.js'
import { planCases, planScripts } from './build-plan.js'
import { expandLooks, expandRuns, type Expansion } from './expand-runs.js'
import { orderPlanned, parseOrder, rankBy } from './order.js'

const ALL = { tags: [] }

const FILE: ScriptFile = {
  ref: 'scripts.expense.setup',
  agent_id: 'expense',
  agent_dir: '/app/assistants/expense',
  path: '/app/assistants/expense/src/setup_test.ts',
  script_path: 'assistants/expense/src/setup_test.ts',
  tests: ['TestA', 'TestB'].map((name, line) => ({ id: `scripts.expense.setup.${name}`, name, line })),
}

async function collect<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

async function plan(values: Array<Record<string, unknown>>, selection = ALL): Promise<Planned[]> {
  const source = await casesFromValues(values, { kind: 'generator', label: 'test', dir: '/app', checkAssertion })
  return collect(planCases(source.cases(), selection))
}

async function expand(planned: Planned[], expansion: Partial<Expansion>): Promise<Job[]> {
  async function* batches(): AsyncGenerator<Planned[]> {
    yield planned
  }
  return collect(expandRuns(batches(), { runs: 1, variants: [undefined], ...expansion }))
}

/** `id × run` of each unit; of a repeated one the first three. */
function shown(jobs: Job[]): string[] {
  return jobs.map((job) => {
    if (job.kind === 'run') return name(job.unit)
    const [...runs] = take(job.units, 3)
    return `${job.keys.map((key) => key.replace('\0', '')).join(' ')}: ${runs.map((unit) => (unit ? name(unit) : 'done')).join(', ')}, …`
  })
}

function name(unit: Unit): string {
  return unit.kind === 'case'
    ? `${caseTitle({ id: unit.testCase.id, variant: unit.variant })} × ${unit.run}`
    : `${unit.tests.map((each) => each.name).join('+')} × ${unit.run}`
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const item of items) {
    yield item
    if (--left === 0) return
  }
}

const CASES = [
  { id: 'A', input: 'x' },
  { id: 'B', input: 'x', skip: true },
]

test('every run is a unit of its own; a skipped case is planned once', async () => {
  expect(shown(await expand(await plan(CASES), { runs: 3 }))).toEqual(['A × 1', 'A × 2', 'A × 3', 'B × 1'])
})

test('a case that is not for a variant is planned once for it', async () => {
  const isLeftOut = (_: unknown, variant: string | undefined): boolean => variant === 'old'
  const planned = await plan(CASES.slice(0, 1))
  expect(shown(await expand(planned, { runs: 2, variants: ['old', 'new'], isLeftOut }))).toHaveLength(3)
})

test('runs that have a result are left out', async () => {
  const isDone = (key: RunKey): boolean => key === runKey({ id: 'A', run: 2 })
  expect(shown(await expand(await plan(CASES), { runs: 3, isDone }))).toEqual(['A × 1', 'A × 3', 'B × 1'])
})

test('auto: one run after another, and those that have a result are named as done', async () => {
  const isDone = (key: RunKey): boolean => key === runKey({ id: 'A', run: 1 })
  expect(shown(await expand(await plan(CASES), { runs: 'auto', isDone }))).toEqual([
    'A: done, A × 2, A × 3, …',
    'B × 1',
  ])
})

test('the variants of a case follow each other, run by run', async () => {
  const variants = ['fast', 'slow']
  expect(shown(await expand(await plan(CASES), { runs: 2, variants }))).toEqual([
    'A · fast × 1',
    'A · slow × 1',
    'A · fast × 2',
    'A · slow × 2',
    'B · fast × 1',
    'B · slow × 1',
  ])
  const isDone = (key: RunKey): boolean => key === runKey({ id: 'A', variant: 'slow', run: 1 })
  expect(shown(await expand(await plan(CASES), { variants, isDone }))).toEqual([
    'A · fast × 1',
    'B · fast × 1',
    'B · slow × 1',
  ])
})

test('script files: only the tests without a result', async () => {
  const planned = await collect(planScripts([FILE], ALL))
  const isDone = (key: RunKey): boolean => key === runKey({ id: 'scripts.expense.setup.TestA', run: 1 })
  expect(shown(await expand(planned, { runs: 2, isDone }))).toEqual(['TestB × 1', 'TestA+TestB × 2'])
})

test('a unit is portable: it survives JSON and names no place on this machine', async () => {
  const cases = await plan([
    {
      id: 'A',
      turns: [
        {
          input: 'x',
          assert: { type: 'regex', value: '^x$' },
          attachments: [{ type: 'image', source: 'file://a.png' }],
        },
      ],
      checkpoints: [{ id: 'c', assert: { type: 'contains', value: 'x' } }],
      final_assertions: { type: 'all', assertions: ['awaiting_input'] },
    },
  ])
  const jobs = await expand([...cases, ...(await collect(planScripts([FILE], ALL)))], { runs: 2 })
  for (const job of jobs) {
    if (job.kind !== 'run') throw new Error('not a run')
    const text = JSON.stringify(job.unit)
    expect(JSON.parse(text)).toStrictEqual(job.unit)
    expect(text).not.toContain('/app')
  }
  expect(cases[0]?.checks).toHaveLength(3)
})

test('an order is stable, and the same however few cases are held at once', async () => {
  const planned = await plan(['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, input: id })))
  async function* batches(): AsyncGenerator<Planned[]> {
    yield planned.slice(0, 3)
    yield planned.slice(3)
  }
  const past = { hasFailed: (id: string) => 'bd'.includes(id), duration: (id: string) => (id === 'c' ? undefined : 5) }
  const ids = async (order: string, held?: number): Promise<string> => {
    const rank = rankBy(parseOrder(order), past)
    if (!rank) return 'file'
    const units = await collect(orderPlanned(batches, rank, held))
    return units.map(({ unit }) => (unit.kind === 'case' ? unit.testCase.id : '')).join('')
  }
  expect(await ids('file')).toBe('file')
  expect([await ids('failed-first'), await ids('failed-first', 2)]).toEqual(['bdace', 'bdace'])
  expect(await ids('slow-first')).toBe('cabde')
  expect(await ids('random:1', 1)).toBe(await ids('random:1'))
  expect(new Set([await ids('random:1'), await ids('random:2'), await ids('random:3')]).size).toBeGreaterThan(1)
})

test('looks: all cases have their runs before any has more, and a skipped one is planned once', async () => {
  const planned = await plan(CASES)
  async function* again(): AsyncGenerator<Planned[]> {
    yield planned
  }
  const asked: number[] = []
  const goOn = (runs: number): boolean => asked.push(runs) < 2
  const steps: string[][] = []
  for await (const step of expandLooks(again, { looks: [1, 3, 5], goOn, variants: ['old', 'new'] }))
    steps.push(step === BARRIER ? [step] : shown(step))
  expect(steps).toEqual([
    ['A · old × 1', 'A · new × 1', 'B · old × 1', 'B · new × 1'],
    ['barrier'],
    ['A · old × 2', 'A · new × 2', 'A · old × 3', 'A · new × 3'],
    ['barrier'],
  ])
  expect(asked).toEqual([1, 3])
})
