// Choices against what was expected: the matrix, precision and recall, and what must not be counted.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { failedEvent, resultEvent, startEvent } from '../../../test/support/events.js'
import { choiceMatrix, choiceSections, choiceSentence } from '../../model/choices-text.js'
import type { ChoicesSummary, ResultEvent } from '../../model/event.js'
import type { Choice } from '../../model/result-schema.js'
import { wilson } from './statistics/intervals.js'
import { createSummaryFold } from './summary.js'

function chosen(
  id: string,
  expected: string | null,
  taken?: string | null,
  rest: Partial<ResultEvent> = {},
): ResultEvent {
  const choice: Choice = { of: 'tool', expected, ...(taken !== undefined && { taken }) }
  return resultEvent(id, { choice, ...rest })
}

function fold(results: ResultEvent[], variants?: string[], runs = 1) {
  const summary = createSummaryFold({ run_id: 'r', runs, variants })
  summary.add(startEvent())
  for (const result of results) summary.add(result)
  return summary.summary({ duration_ms: 1, timestamp: 't' })
}

function only(results: ResultEvent[], runs = 1): ChoicesSummary {
  const [choices, ...more] = fold(results, undefined, runs).choices ?? []
  if (!choices || more.length > 0) throw new Error('expected one summary of choices')
  return choices
}

test('the matrix is what was planted, with precision and recall by name', () => {
  const choices = only([
    chosen('a', 'find', 'find'),
    chosen('b', 'find', 'find'),
    chosen('c', 'find', 'list'),
    chosen('d', 'list', 'list'),
    chosen('e', null, 'list'),
    chosen('f', 'find', null),
    chosen('g', null, null),
  ])
  expect(choices).toMatchObject({ of: 'tool', runs: 7, cases: 7, right: 4, confidence: 0.95 })
  expect(choices.matrix).toEqual([
    { expected: 'find', taken: 'find', runs: 2 },
    { expected: 'find', taken: 'list', runs: 1 },
    { expected: 'find', taken: null, runs: 1 },
    { expected: 'list', taken: 'list', runs: 1 },
    { expected: null, taken: 'list', runs: 1 },
    { expected: null, taken: null, runs: 1 },
  ])
  const [find, list, none] = choices.names
  const { low, high } = wilson(2, 4)
  expect(find).toMatchObject({ name: 'find', expected: 4, taken: 2, right: 2, precision: { percent: 100 } })
  expect(find?.recall?.percent).toBe(50)
  expect(find?.recall?.low).toBeCloseTo(low * 100, 6)
  expect(find?.recall?.high).toBeCloseTo(high * 100, 6)
  expect(list).toMatchObject({ expected: 1, taken: 3, right: 1, recall: { percent: 100 } })
  expect(list?.precision?.percent).toBeCloseTo(100 / 3, 6)
  expect(none).toMatchObject({ name: null, expected: 2, taken: 2, right: 1 })
})

test('a run without an answer is not "no call": it is counted apart, and nowhere else', () => {
  const lost = failedEvent('b', 'timeout after 30s', 'timeout', { choice: { of: 'tool', expected: 'find' } })
  const choices = only([chosen('a', 'find', 'find'), lost])
  expect(choices).toMatchObject({ runs: 1, lost: 1, right: 1, cases: 2 })
  expect(choices.matrix).toEqual([{ expected: 'find', taken: 'find', runs: 1 }])
  expect(choices.names).toHaveLength(1)
  expect(choiceSentence(choices)).toContain('1 run without a known choice not counted')
  const none = only([lost])
  expect(none).not.toHaveProperty('rate')
  expect(choiceSentence(none)).toBe('Right tool: not known, 1 run ended without a choice that can be read')
})

test('skipped cases and cases about something else have no part in it', () => {
  expect(fold([resultEvent('a')])).not.toHaveProperty('choices')
  const skipped = chosen('a', 'find', 'find', { status: 'skipped', skip_reason: 'x' })
  expect(fold([skipped])).not.toHaveProperty('choices')
})

test('each repeat counts once, and the words say what is counted', () => {
  const choices = only(
    [1, 2, 3].map((run) => chosen('a', 'find', run === 1 ? 'list' : 'find', { run })),
    3,
  )
  expect(choices).toMatchObject({ runs: 3, cases: 1, right: 2 })
  expect(choiceSentence(choices)).toMatch(/^Right tool in 2 of 3 runs of 1 case, each repeat counted once: 66\.7% /)
})

test('variants have their own, and all of them together', () => {
  const summary = fold(
    [chosen('a', 'find', 'find', { variant: 'own' }), chosen('a', 'find', 'list', { variant: 'other' })],
    ['own', 'other'],
  )
  expect(summary.choices?.[0]).toMatchObject({ runs: 2, right: 1 })
  expect(summary.variants?.map(({ choices }) => choices?.[0]?.right)).toEqual([1, 0])
})

test('near misses are listed by id, whatever the order of the results', () => {
  const results = Array.from({ length: 30 }, (_, at) =>
    resultEvent(`T${String(at).padStart(2, '0')}`, {
      choice: { of: 'tool', expected: 'find', taken: 'find', near: `limit is ${at}` },
    }),
  )
  const choices = only(results.toReversed())
  expect(choices.near_misses).toBe(30)
  expect(choices.near?.map(({ id }) => id)).toEqual(results.slice(0, 20).map(({ id }) => id))
})

test('names that an agent makes up do not fill the memory, and those that are listed are whole', () => {
  const made = Array.from({ length: 7_000 }, (_, at) => chosen(`x${at}`, 'find', `made_up_${at}`))
  const choices = only([chosen('a', 'find', 'find'), ...made, chosen('z', 'find', 'find')])
  expect(choices.names).toHaveLength(1_000)
  expect(choices.names_left_out).toBe(true)
  expect(choices.matrix).toHaveLength(5_000)
  expect(choices.matrix_left_out).toBe(2_001)
  expect(choices.names.find(({ name }) => name === 'find')).toMatchObject({ expected: 7_002, right: 2 })
})

test('the matrix adds up to the runs, by row, by column and on the diagonal', () => {
  const name = fc.constantFrom('a', 'b', 'c', null)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 40 }), (pairs) => {
      const { matrix, names, runs, right } = only(
        pairs.map(([expected, taken], at) => chosen(`T${at}`, expected, taken)),
      )
      const sum = (cells: typeof matrix): number => cells.reduce((total, cell) => total + cell.runs, 0)
      expect(sum(matrix)).toBe(runs)
      expect(sum(matrix.filter((cell) => cell.expected === cell.taken))).toBe(right)
      for (const row of names) {
        expect(sum(matrix.filter((cell) => cell.expected === row.name))).toBe(row.expected)
        expect(sum(matrix.filter((cell) => cell.taken === row.name))).toBe(row.taken)
      }
    }),
  )
})

test('the tables show a whole matrix while it can be read, then only what is wrong in it', () => {
  const choices = only([chosen('a', 'find', 'find'), chosen('b', 'find', 'list'), chosen('c', null, 'list')])
  expect(choiceMatrix(choices, 3)).toMatchObject({
    head: ['Expected', 'find', 'list', '(no tool)'],
    rows: [
      ['find', '1', '1', '0'],
      ['(no tool)', '0', '1', '0'],
    ],
  })
  expect(choiceMatrix(choices, 2)).toBeUndefined()
  const [confusions, names] = choiceSections(choices, 1)
  expect(confusions).toMatchObject({ rows: [['find', 'list', '1']], more: 1 })
  expect(names).toMatchObject({ head: ['Tool', 'Precision', 'Recall'], more: 2 })
})
