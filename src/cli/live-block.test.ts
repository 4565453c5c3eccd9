import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../base/width.js'
import { runKey } from '../model/run-key.js'
import { liveBlock, type LiveState } from './live-block.js'

function running(ids: string[]): LiveState['running'] {
  return new Map(ids.map((id) => [runKey({ id, run: 1 }), { title: id, since: 0 }]))
}

function state(over: Partial<LiveState> = {}): LiveState {
  return { running: running(['T001']), done: 4, failed: 1, skipped: 1, total: 8, started: 0, ...over }
}

test('running cases with their time, the progress with counts, rate and time left', () =>
  expect(liveBlock(state(), { columns: 90, color: false, now: 2000 })).toEqual([
    '  ▸ T001 2.0s',
    '  ████████████░░░░░░░░░░░░ 4/8 · 2 passed, 1 failed, 1 skipped · 2.0/s · 2.0s left',
  ]))

test('a narrow terminal gets fewer words', () => {
  const long = running(['経費精算の流れを最初から最後まで確認する長い識別子のテスト'])
  expect(liveBlock(state({ running: long }), { columns: 40, color: false, now: 2000 })).toEqual([
    '  ▸ 経費精算の流れを最初から最後… 2.0s',
    '  4/8 · 2 passed, 1 failed, 1 skipped',
  ])
})

test('of many running cases a few are named', () => {
  const nine = running(Array.from({ length: 9 }, (_, index) => `C${index}`))
  const lines = liveBlock(state({ running: nine }), { columns: 80, color: false, now: 0 })
  expect(lines).toHaveLength(7)
  expect(lines[5]).toBe('  … and 4 more running')
})

test('no line is ever as wide as the terminal', () => {
  const id = fc.string({
    unit: fc.constantFrom('a', '経', '👩‍👧', 'é', '\u001b', '\n', ' '),
    minLength: 1,
    maxLength: 90,
  })
  fc.assert(
    fc.property(
      fc.array(id, { maxLength: 8 }),
      fc.nat(100_000),
      fc.option(fc.nat(100_000), { nil: undefined }),
      fc.integer({ min: 20, max: 200 }),
      fc.boolean(),
      (ids, done, total, columns, color) => {
        const live = {
          running: running(ids),
          done,
          failed: 0,
          skipped: 0,
          started: 0,
          ...(total !== undefined && { total }),
        }
        for (const line of liveBlock(live, { columns, color, now: 12_345_678 })) {
          expect(displayWidth(line)).toBeLessThan(columns)
          expect(line).not.toContain('\n')
        }
      },
    ),
  )
})
