// `skill_invoked` where nothing is shown: an error, whichever way it is asked.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { Evidence } from '../../model/evidence.js'

test.each<[string, Partial<Evidence>, string]>([
  ['an agent that reports nothing', {}, 'does not report the skills it uses'],
  ['one that only says so', { output: 'I used the skill word-count' }, 'does not report the skills it uses'],
  ['one that has not said what it was offered', { skills: { invoked: [] } }, 'whether it was offered'],
  ['one that was not offered it', { skills: { offered: ['word-count-fast'], invoked: [] } }, 'skill_not_offered'],
  ['a call that failed', { skills: { offered: ['word-count'], invoked: [], unclear: ['word-count'] } }, 'is not clear'],
])('%s', async (_name, evidence, words) => {
  for (const negate of [false, true]) {
    const result = await checkOne({ type: 'skill_invoked', skill: 'word-count', negate }, evidence)
    expect(result).toMatchObject({ passed: false, error: expect.stringContaining(words) as unknown })
  }
})

test('the skill under test need not be named; otherwise one must be', async () => {
  const skills = { tested: 'word-count', offered: ['word-count'], invoked: ['word-count'] }
  expect(await checkOne({ type: 'skill_invoked' }, { skills })).toMatchObject({ passed: true })
  expect((await checkOne({ type: 'skill_invoked' }, {})).error).toContain('no skill is named')
})
