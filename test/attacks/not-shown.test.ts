// Agents, simulators and judges that try to keep a case from failing.
import { expect, test } from 'vitest'
import { makeFolder } from '../support/run-cli.js'
import { ANSWERS_ITS_INPUT, verdictsOf } from '../support/attack.js'

const PAID = { type: 'contains', value: 'PAID' }
const OK = { type: 'contains', value: 'ok' }
const ask = { input: '{content:"ok which?",awaiting_input:true}' }
const silent = { input: '{content:"",awaiting_input:true}' }
const paid = { input: '{content:"ok PAID"}' }
const tool = { input: '{content:"ok",tool_calls:[{name:"ask_user",args:{question:"q"}}]}' }
const final = { final_assertions: [PAID] }
const plays = (name: string) => ({ simulator: { use: `./people.mjs#${name}` } })
const judge = (name: string, more: object = {}) => ({
  type: 'agent',
  use: `./people.mjs#${name}`,
  value: 'paid?',
  ...more,
})

const PEOPLE = `
export const fails = () => { throw new Error('down') }
export const silent = () => ''
export const nonsense = () => ({ foo: 1 })
export const done = () => ({ goal_achieved: true })
export const maybe = () => 'maybe'
`

const TRIES: ReadonlyArray<[given: object, verdict: string]> = [
  [{ turns: [ask], ...final }, 'not_shown'],
  [{ turns: [ask], assert: [PAID] }, 'not_shown'],
  [{ turns: [ask], expected: 'PAID' }, 'not_shown'],
  [{ turns: [ask, { assert: [PAID] }] }, 'not_shown'],
  [{ turns: [paid, { assert: [PAID] }] }, 'not_shown'],
  [{ turns: [paid, { assert: [{ type: 'contains', value: 'never' }] }], on_missing_input: 'end' }, 'not_shown'],
  [{ turns: [ask, { assert: [PAID] }], on_missing_input: 'end', ...plays('done') }, 'not_shown'],
  [{ turns: [paid, {}], on_missing_input: 'end', ...final }, 'passed'],
  [{ turns: [ask], on_missing_input: 'end', ...final }, 'failed'],
  [{ turns: [ask], on_missing_input: 'skip', ...final }, 'skipped'],
  [{ turns: [ask], on_missing_input: 'fail', ...final }, 'error'],
  [{ turns: [tool], ...final }, 'not_shown'],
  [{ ...ask, assert: [PAID] }, 'failed'],
  [{ messages: [{ role: 'user', content: ask.input }], assert: [PAID] }, 'failed'],
  [{ turns: [ask], ...plays('fails'), ...final }, 'not_shown'],
  [{ turns: [ask], ...plays('silent'), ...final }, 'not_shown'],
  [{ turns: [ask], ...plays('nonsense'), ...final }, 'not_shown'],
  [{ turns: [ask], ...plays('done'), ...final }, 'failed'],
  [{ turns: [ask, { assert: [PAID] }], ...plays('done') }, 'not_shown'],
  [{ turns: [ask], ...plays('fails'), ...final, on_missing_input: 'skip' }, 'not_shown'],
  [{ ...ask, ...plays('fails'), checkpoints: [{ id: 'c', assert: PAID }] }, 'failed'],
  [{ ...ask, ...plays('done'), checkpoints: [{ id: 'c', assert: PAID }] }, 'failed'],
  [{ ...plays('done'), ...final }, 'failed'],
  [{ ...paid, assert: [judge('fails')] }, 'error'],
  [{ ...paid, assert: [judge('maybe')] }, 'error'],
  [{ ...paid, assert: [judge('fails', { negate: true })] }, 'error'],
  [{ ...paid, assert: [{ type: 'none', assertions: [judge('fails')] }] }, 'error'],
  [{ ...paid, min_score: 0.5, assert: [PAID, judge('fails')] }, 'error'],
  [{ ...paid, assert: [PAID, judge('fails', { weight: 0 })] }, 'error'],
  [{ min_score: 0.1, turns: [{ ...ask, assert: [OK] }], ...final }, 'not_shown'],
  [{ max_turns: 1, turns: [paid, { ...paid, assert: [PAID] }] }, 'failed'],
  [{ turns: [ask], final_assertions: [{ type: 'snapshot' }] }, 'not_shown'],
  [{ turns: [ask], final_assertions: [{ type: 'not_contains', value: 'zzz' }] }, 'not_shown'],
  [{ turns: [silent], ...final }, 'not_shown'],
  [{ ...silent, assert: [{ type: 'not_contains', value: 'x' }] }, 'failed'],
  [{ ...silent }, 'failed'],
  [{ ...silent, assert: [{ type: 'awaiting_input' }] }, 'passed'],
  [{ turns: [{ input: '{content:"ok",status:"skipped",skip:true,skipped_by:"author"}' }], ...final }, 'failed'],
  [{ turns: [{ input: '{content:"ok",awaiting_input:"yes"}' }], ...final }, 'failed'],
]

test('none of them passes, or is skipped unseen', async () => {
  const cwd = makeFolder({ ...ANSWERS_ITS_INPUT, 'people.mjs': PEOPLE })
  const found = await verdictsOf(
    cwd,
    TRIES.map(([given]) => given),
    './agent.mjs#run',
  )
  expect(found.map((verdict, index) => [TRIES[index]?.[0], verdict])).toEqual(TRIES)
})
