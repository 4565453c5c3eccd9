import { expect, test } from 'vitest'
import { textHash } from '../../../base/text-hash.js'
import { firstBadStep, type AgentStep } from './first-bad-step.js'

const asks: AgentStep = { by: 'user', kind: 'asks', text: 'What does order 4711 cost?' }
const acts = (text: string): AgentStep => ({ by: 'agent', kind: 'acts', text })
const sees = (text: string, failed = false): AgentStep => ({ by: 'agent', kind: 'sees', text, failed })
const says = (text: string): AgentStep => ({ by: 'agent', kind: 'says', text })

function check(steps: AgentStep[], expected: string | undefined, passing?: string[]): void {
  const found = firstBadStep(steps, passing?.map(textHash))
  expect(found && `${found.rule} ${found.at}`).toBe(expected)
}

const FIND = [asks, acts('find(4711)'), sees('{"total": 35}')]

test('where it parts from a run that passed: another call, one too many, or one too few', () => {
  check([...FIND, acts('refund(35)'), says('done')], 'diverges 3', ['find(4711)', 'refund(30)'])
  check([...FIND, acts('refund(35)'), says('done')], 'diverges 3', ['find(4711)'])
  check([...FIND, says('It costs 35.')], 'diverges 3', ['find(4711)', 'refund(30)'])
})

test('the same calls as a run that passed: another rule decides', () =>
  check([...FIND, says('It costs 35.')], 'first-act 1', ['find(4711)']))

test('what it says that it made up', () =>
  check([...FIND, says("Let's assume the price is 40."), says('It costs 40.')], 'unbacked 3'))

test('facts, and nothing was ever looked up', () =>
  check([asks, says('Let me see.'), says('It costs 99.')], 'unbacked 2'))

test('what is in the question needs no backing', () => check([asks, says('You ask about order 4711.')], undefined))

test('a failed call that nothing follows, unless it failed in code of its own', () => {
  const failing = [asks, acts('find(4711)'), sees('timeout', true), says('It costs 35.')]
  check(failing, 'ignored-error 3')
  check(
    failing.map((step) => (step.kind === 'acts' ? { ...step, code: true } : step)),
    'first-act 1',
  )
  check([...failing.slice(0, 3), acts('find("4711")'), sees('35'), says('35')], 'first-act 1')
})

test('the same call again', () => check([...FIND, acts('find(4711)'), sees('{"total": 35}'), says('35')], 'repeated 3'))

test('a result that it does not use', () => check([...FIND, says('It costs nothing.')], 'unused-result 3'))

test('no steps, no finding', () => check([], undefined))
