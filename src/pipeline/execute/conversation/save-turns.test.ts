// An exploration becomes a regression test.
import { expect, test } from 'vitest'
import { caseOf, run } from '../../../../test/support/scripted-conversation.js'
import type { ResultEvent } from '../../../model/event.js'
import type { Human } from './contract.js'
import { staticTurnsCase, wasLedByPerson } from './save-turns.js'

const WRITTEN = {
  input: 'buy',
  name: 'Buying',
  interactive: { enabled: true },
  assertions: [{ type: 'contains', value: 'PO' }],
  options: { mode: 'chat' },
}

async function explored(): Promise<ResultEvent> {
  const typed = ['PO-1', 'yes']
  const human: Human = {
    ask: async () => {
      const text = typed.shift()
      return text === undefined ? { kind: 'end' } : { kind: 'input', text }
    },
  }
  const outcome = await run(WRITTEN, { replies: ['Which PO number?'], run: { human } })
  return { type: 'result', run_id: 'r', id: 'T001', name: 'Buying', run: 1, duration_ms: 1, ...outcome }
}

/** As it stands in the file. */
function asWritten(saved: object | undefined): unknown {
  return JSON.parse(JSON.stringify(saved))
}

test('what a person typed becomes static turns, with what the author had written', async () => {
  const result = await explored()
  expect(wasLedByPerson(result)).toBe(true)
  expect(asWritten(staticTurnsCase(result, caseOf(WRITTEN)))).toEqual({
    id: 'T001',
    name: 'Buying',
    options: { mode: 'chat' },
    turns: [{ input: 'buy', assertions: [{ type: 'contains', value: 'PO' }] }, { input: 'PO-1' }, { input: 'yes' }],
    on_missing_input: 'end',
  })
})

test('without the written case the echo in the results is used', async () => {
  expect(staticTurnsCase(await explored())).toMatchObject({
    turns: [{ input: 'buy', assertions: [{ type: 'contains', value: 'PO' }] }, { input: 'PO-1' }, { input: 'yes' }],
  })
})

test('the saved case runs and gives the same conversation', async () => {
  const saved = staticTurnsCase(await explored(), caseOf(WRITTEN)) ?? {}
  const again = await run(saved, { replies: ['Which PO number?'] })
  expect(again).toMatchObject({ status: 'passed', total_turns: 3 })
})

test('turns that were skipped or not run are left out', () => {
  const result: ResultEvent = {
    type: 'result',
    run_id: 'r',
    id: 'T',
    run: 1,
    status: 'skipped',
    skip_reason: 'no next turn',
    duration_ms: 0,
    turns: [
      { turn: 1, input: 'a', input_source: 'static', status: 'passed', duration_ms: 1 },
      { turn: 2, input: null, input_source: 'static', status: 'skipped', duration_ms: 0 },
    ],
  }
  expect(wasLedByPerson(result)).toBe(false)
  expect(staticTurnsCase(result)).toMatchObject({ turns: [{ input: 'a' }] })
})

test('everything the author wrote is kept, and what did not run is still there', () => {
  const turn = (input: string, source: 'static' | 'human', status: 'passed' | 'failed' | 'not_run') => ({
    turn: 1,
    input,
    input_source: source,
    status,
    duration_ms: 0,
  })
  const result: ResultEvent = {
    type: 'result',
    run_id: 'r',
    id: 'T001',
    run: 2,
    status: 'failed',
    error: 'turn 2: no',
    error_kind: 'assertion',
    duration_ms: 0,
    turns: [turn('a', 'static', 'passed'), turn('typed', 'human', 'failed'), turn('c', 'static', 'not_run')],
  }
  const written = caseOf({
    user: 'u',
    messages: [{ role: 'user', content: 'before' }],
    turns: [{ input: 'a' }, { assertions: [{ type: 'contains', value: 'x' }] }, { input: 'c', options: { mode: 'm' } }],
    assertions: [{ type: 'contains', value: 'end' }],
    timeout: '3s',
    before: 'scripts:a.b',
    interactive: { enabled: true },
  })
  expect(staticTurnsCase(result, written)).toEqual({
    id: 'T001-2',
    user: 'u',
    messages: [{ role: 'user', content: 'before' }],
    turns: [
      { input: 'a' },
      { input: 'typed', assertions: [{ type: 'contains', value: 'x' }] },
      { input: 'c', options: { mode: 'm' } },
    ],
    assertions: [{ type: 'contains', value: 'end' }],
    timeout: '3s',
    before: 'scripts:a.b',
    on_missing_input: 'end',
  })
})

test('what was expected of the one answer is expected of the first', async () => {
  const result = await explored()
  const { assertions: _assertions, ...rest } = WRITTEN
  const saved = staticTurnsCase(result, caseOf({ ...rest, expected: 'Which PO number?' }))
  expect(saved).not.toHaveProperty('expected')
  expect(saved?.['turns']).toMatchObject([
    { input: 'buy', assertions: [{ type: 'equals', value: 'Which PO number?' }] },
    {},
    {},
  ])
})
