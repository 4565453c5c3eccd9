import { expect, test } from 'vitest'
import type { ResultEvent, StabilityEvent } from '../../../model/event.js'
import type { Status } from '../../../model/status.js'
import { packRow, unpackRow } from '../../../model/result-row.js'
import { CaseList } from './cases.js'
import { FAILURES_FIRST, filterCases, NO_FILTER, sortCases } from './filter.js'
import { computeTotals } from './totals.js'

function listOf(results: [id: string, run: number, status: Status, tag?: string][]): CaseList {
  const list = new CaseList()
  results.forEach(([id, run, status, tag], index) => {
    const event = {
      type: 'result' as const,
      run_id: 'r',
      id,
      run,
      status,
      duration_ms: index,
      ...(tag && { tags: [tag] }),
    } as ResultEvent
    list.add(unpackRow(packRow(event)), index)
  })
  return list
}

const statuses = (list: CaseList) => list.cases.map((item) => `${item.id} ${item.status}${item.flaky ? ' flaky' : ''}`)

test('runs of one case are one row, failed unless every run passed', () => {
  const list = listOf([
    ['A', 1, 'passed'],
    ['B', 1, 'passed'],
    ['A', 2, 'failed'],
    ['B', 2, 'passed'],
  ])
  expect(statuses(list)).toEqual(['A failed', 'B passed'])
})

test('a lower bar lets an unsteady case pass, marked as flaky', () => {
  const list = new CaseList()
  list.minPassRate = 50
  for (const [run, status] of [
    [1, 'passed'],
    [2, 'failed'],
  ] as const)
    list.add(
      unpackRow(packRow({ type: 'result', run_id: 'r', id: 'A', run, status, duration_ms: 1 } as ResultEvent)),
      0,
    )
  expect(statuses(list)).toEqual(['A passed flaky'])
})

test('the verdict of the stability event wins', () => {
  const list = listOf([
    ['A', 1, 'passed'],
    ['A', 2, 'failed'],
  ])
  list.addStability({
    id: 'A',
    runs: 2,
    pass_rate: 50,
    decision: 'above',
    run_details: [],
  } as unknown as StabilityEvent)
  expect(statuses(list)).toEqual(['A passed flaky'])
})

test('a case of a run that was cut short has not passed: --runs auto decides, and fixed runs must be complete', () => {
  const auto = new CaseList()
  auto.runsPerCase = 'auto'
  const three = new CaseList()
  three.runsPerCase = 3
  const row = (id: string, run: number, status: Status) =>
    unpackRow(packRow({ type: 'result', run_id: 'r', id, run, status, duration_ms: 1 } as ResultEvent))
  for (const list of [auto, three]) {
    list.add(row('A', 1, 'passed'), 0)
    list.add(row('A', 2, 'passed'), 1)
    expect(statuses(list)).toEqual(['A undetermined'])
    expect(computeTotals(list, undefined)).toMatchObject({
      total: 1,
      passed: 0,
      failed: 0,
      undetermined: 1,
      passRate: 0,
    })
  }
  three.add(row('A', 3, 'passed'), 2)
  expect(statuses(three)).toEqual(['A passed'])
  three.add(row('B', 1, 'failed'), 3)
  expect(statuses(three)).toEqual(['A passed', 'B failed'])
  auto.addStability({
    id: 'A',
    runs: 2,
    pass_rate: 100,
    decision: 'undetermined',
    run_details: [],
  } as unknown as StabilityEvent)
  expect(statuses(auto)).toEqual(['A undetermined'])
})

test('a resumed run replaces its earlier result', () => {
  const list = listOf([
    ['A', 1, 'failed'],
    ['A', 1, 'passed'],
  ])
  expect(statuses(list)).toEqual(['A passed'])
  expect(list.results).toBe(1)
})

test('ids that are names of object properties are ordinary ids', () => {
  const list = listOf([
    ['__proto__', 1, 'failed'],
    ['constructor', 1, 'passed'],
  ])
  expect(statuses(list)).toEqual(['__proto__ failed', 'constructor passed'])
  expect(list.find('toString')).toBeUndefined()
})

test('failures come first, ids sort as people count', () => {
  const list = listOf([
    ['T10', 1, 'passed'],
    ['T2', 1, 'failed'],
    ['T1', 1, 'skipped'],
    ['T3', 1, 'failed'],
  ])
  const ids = (items: { id: string }[]) => items.map((item) => item.id).join(' ')
  expect(ids(sortCases(list.cases, FAILURES_FIRST))).toBe('T2 T3 T10 T1')
  expect(ids(sortCases(list.cases, { key: 'id', descending: false }))).toBe('T1 T2 T3 T10')
  expect(ids(sortCases(list.cases, { key: 'id', descending: true }))).toBe('T10 T3 T2 T1')
})

test('every word of the text must occur, whatever its case', () => {
  const list = listOf([
    ['Alpha', 1, 'passed', 'smoke'],
    ['Beta', 1, 'passed', 'smoke'],
  ])
  expect(filterCases(list.cases, { ...NO_FILTER, text: 'SMOKE alp' })).toHaveLength(1)
  expect(filterCases(list.cases, { ...NO_FILTER, text: 'alpha beta' })).toHaveLength(0)
  expect(filterCases(list.cases, { ...NO_FILTER, tag: 'smok' })).toHaveLength(0)
})

test('skipped cases do not count in the pass rate', () => {
  const totals = computeTotals(
    listOf([
      ['A', 1, 'passed'],
      ['B', 1, 'skipped'],
      ['C', 1, 'failed'],
    ]),
    undefined,
  )
  expect(totals).toMatchObject({ total: 3, passed: 1, failed: 1, skipped: 1, passRate: 50, max: 2 })
})

function variantsOf(results: [id: string, variant: string, status: Status, output?: string][]): CaseList {
  const list = new CaseList()
  list.variants = ['a', 'b']
  results.forEach(([id, variant, status, output = 'x'], index) => {
    const event = { type: 'result', run_id: 'r', run: 1, id, variant, status, output, duration_ms: 1 } as ResultEvent
    list.add(unpackRow(packRow(event)), index)
  })
  return list
}

test('the variants of a case are one row, as bad as the worst of them', () => {
  const list = variantsOf([
    ['A', 'a', 'passed'],
    ['A', 'b', 'failed'],
    ['B', 'a', 'passed'],
    ['B', 'b', 'passed', 'y'],
    ['C', 'a', 'skipped'],
    ['C', 'b', 'skipped'],
    // The other variant never ran.
    ['D', 'a', 'passed'],
  ])
  expect(list.rows.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'A failed',
    'B passed',
    'C skipped',
    'D undetermined',
  ])
  expect(list.cases).toHaveLength(7)
  const shown = (change: Partial<typeof NO_FILTER>) =>
    filterCases(list.rows, { ...NO_FILTER, ...change }).map(({ id }) => id)
  expect(shown({})).toEqual(['A', 'B', 'C', 'D'])
  expect(shown({ differ: 'verdicts' })).toEqual(['A'])
  expect(shown({ differ: 'answers' })).toEqual(['B'])
  expect(shown({ status: 'passed' })).toEqual(['B'])
  expect(shown({ status: 'failed', variant: 'a' })).toEqual([])
  expect(shown({ status: 'failed', variant: 'b' })).toEqual(['A'])
  expect(shown({ status: 'passed', variant: 'b' })).toEqual(['B'])
})

test('an id that looks like the title of another case has a row of its own', () => {
  const list = variantsOf([
    ['A', 'a', 'passed'],
    ['A · a', 'a', 'failed'],
  ])
  expect(list.row('A')?.status).toBe('undetermined')
  expect(list.row('A · a')?.status).toBe('failed')
})
