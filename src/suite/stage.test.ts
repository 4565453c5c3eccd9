import { afterAll, expect, test } from 'vitest'
import { normalizeCase } from '../model/case-normalize.js'
import type { AgentReply } from '../model/agent.js'
import { asksOthers } from './checks.js'
import { openStages } from './stage.js'
import { passedTrivially } from './trivial/vacuous.js'

const stages = openStages()
afterAll(() => stages.close())

const saying = (...texts: string[]): { replies: AgentReply[]; said: [] } => ({
  replies: texts.map((content) => ({ content, tool_calls: [] })),
  said: [],
})

const play = (written: Record<string, unknown>, ...texts: string[]) =>
  stages.of(normalizeCase({ id: 'c', input: 'hi', ...written })).play(saying(...texts))

test('a conduct is judged as in a run', async () => {
  const assert = [
    { type: 'contains', value: 'a' },
    { type: 'contains', value: 'b' },
  ]
  expect(await play({ assert }, 'ab')).toEqual({ verdict: 'passed', failed: [] })
  expect(await play({ assert }, 'a')).toMatchObject({ verdict: 'failed', failed: ['assert[1]'] })
  expect(await play({ assert: [{ type: 'tool_not_called', name: 'x' }] }, '')).toMatchObject({
    verdict: 'failed',
    failed: [],
  })
  expect(await play({ assert, min_score: 0.5 }, 'a')).toMatchObject({ verdict: 'passed' })
  expect(await play({ expected: 'yes' }, 'no')).toMatchObject({ verdict: 'failed' })
})

test('turns and checkpoints', async () => {
  const talk = {
    input: undefined,
    turns: [{ input: 'a', assert: [{ type: 'contains', value: '1' }] }, { input: 'b' }],
    final_assertions: [{ type: 'contains', value: '2' }],
  }
  expect(await play(talk, '1', '2')).toMatchObject({ verdict: 'passed' })
  expect(await play(talk, '2', '2')).toMatchObject({ verdict: 'failed', failed: ['turns[0].assert[0]'] })
  expect(await play(talk, '1', '1')).toMatchObject({ verdict: 'failed', failed: ['final_assertions[0]'] })
  const reach = { turns: [{ input: 'a' }], checkpoints: [{ id: 'k', assert: { type: 'contains', value: 'x' } }] }
  expect(await play(reach, 'y')).toMatchObject({ verdict: 'failed' })
  expect(await play(reach, 'x')).toMatchObject({ verdict: 'passed' })
})

test('nobody is asked: what a judge would say is open, unless it does not matter', async () => {
  const judge = { type: 'agent', value: 'it is polite' }
  const has = { type: 'contains', value: 'a' }
  expect(await play({ assert: [judge, has] }, 'a')).toMatchObject({ verdict: 'open' })
  expect(await play({ assert: [judge, has] }, 'b')).toMatchObject({ verdict: 'failed', failed: ['assert[1]'] })
  const either = { type: 'any', assertions: [judge, has] }
  expect(await play({ assert: [either] }, 'a')).toMatchObject({ verdict: 'passed' })
  expect(await play({ assert: [either] }, 'b')).toMatchObject({ verdict: 'open' })
  const neither = { type: 'none', assertions: [judge, has] }
  expect(await play({ assert: [neither] }, 'a')).toMatchObject({ verdict: 'failed' })
  expect(await play({ assert: [neither] }, 'b')).toMatchObject({ verdict: 'open' })
  const denied = { type: 'all', negate: true, assertions: [judge, has] }
  expect(await play({ assert: [denied] }, 'a')).toMatchObject({ verdict: 'open' })
  expect(await play({ assert: [denied] }, 'b')).toMatchObject({ verdict: 'passed' })
  expect(asksOthers({ type: 'script', script: 'scripts:x' })).toBe(true)
})

test('files and scratchpad of a workspace that is only data', async () => {
  const written = {
    workspace: { fixtures: { 'a.txt': 'one\n' } },
    assert: [
      { type: 'file_exists', path: 'out.txt' },
      { type: 'file_contains', path: 'a.txt', pattern: 'one' },
    ],
  }
  const stage = stages.of(normalizeCase({ id: 'c', input: 'hi', ...written }))
  const done = {
    ...saying('done'),
    files: { 'a.txt': 'one\n', 'out.txt': 'x' },
    changes: [{ path: 'out.txt', change: 'added' as const }],
  }
  expect(await stage.play(done)).toMatchObject({ verdict: 'passed' })
  expect(await stage.play({ ...done, files: { 'a.txt': 'one\n' } })).toMatchObject({ failed: ['assert[0]'] })
  expect(await passedTrivially(stage, [])).toEqual([])
})

test('agents that do nothing', async () => {
  const who = (written: Record<string, unknown>) =>
    passedTrivially(stages.of(normalizeCase({ id: 'c', ...written })), [])
  expect(await who({ input: 'say yes', assert: [{ type: 'contains', value: 'yes' }] })).toEqual(['echoes', 'recites'])
  expect(await who({ input: 'pay', assert: [{ type: 'tool_called', name: 'pay' }] })).toEqual([])
  expect(await who({ input: 'do not pay', assert: [{ type: 'tool_not_called', name: 'pay' }] })).toEqual([
    'refuses',
    'echoes',
    'apologises',
    'recites',
  ])
  expect(await who({ input: 'x', assert: [{ type: 'equals', value: '' }] })).toEqual(['silent'])
  expect(await who({ input: 'x', assert: [{ type: 'agent', value: 'polite' }] })).toEqual([])
  const history = [
    { role: 'system', content: 'The code is 7788.' },
    { role: 'user', content: 'what is it?' },
  ]
  expect(await who({ messages: history, assert: [{ type: 'contains', value: '7788' }] })).toEqual(['recites'])
  const talk = { turns: [{ input: 'one' }, { input: 'two' }], final_assertions: [{ type: 'contains', value: 'two' }] }
  expect(await who(talk)).toEqual(['echoes', 'recites'])
  expect(await who({ input: 'b', workspace: {}, assert: [{ type: 'file_exists', path: 'b' }] })).toEqual([])
})
