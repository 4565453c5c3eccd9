import { expect, test } from 'vitest'
import type { RunEvent } from '../../model/event.js'
import { createVerdicts } from './verdicts.js'

const result = (id: string, more: object): RunEvent =>
  ({ type: 'result', run_id: 'r', id, run: 1, duration_ms: 0, ...more }) as RunEvent

test('what makes a round red is run again: failed cases, and those that were not shown', () => {
  const verdicts = createVerdicts()
  const { sink } = verdicts.round({ runs: 1, variants: 1 })
  sink.write(result('passed', { status: 'passed' }))
  sink.write(result('failed', { status: 'failed', error: 'x', error_kind: 'assertion' }))
  sink.write(result('asked', { status: 'skipped', skip_reason: 'x', skipped_by: 'not_shown' }))
  sink.write(result('left out', { status: 'skipped', skip_reason: 'x', skip: true }))
  expect([...verdicts.failed]).toEqual(['failed', 'asked'])
})
