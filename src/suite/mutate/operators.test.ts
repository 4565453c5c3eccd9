import { expect, test } from 'vitest'
import { normalizeCase } from '../../model/case-normalize.js'
import type { AgentReply } from '../../model/agent.js'
import type { Conduct } from '../conduct.js'
import { mutantsOf } from './mutants.js'
import type { Original } from './operator.js'
import { OPERATORS } from './registry.js'
import { factsIn, otherDate, otherId, otherNumber } from './text-facts.js'

const reply = (content: unknown, more: Partial<AgentReply> = {}): AgentReply => ({ content, tool_calls: [], ...more })

const WORDS: Original = {
  testCase: normalizeCase({ id: 'refund', input: 'refund it' }),
  conduct: {
    replies: [
      reply('Order A-1234 is refunded: 42.50 on 2024-05-20, to Mia Li.', {
        tool_calls: [
          { name: 'find', args: { id: 'A-1234' }, result: {} },
          { name: 'refund', args: { id: 'A-1234', amount: 42.5 }, result: {} },
        ],
        duration_ms: 900,
        cost_dollars: 0.01,
      }),
    ],
    said: [],
  },
  judged: [0],
  otherAnswer: 'Something else.',
  tools: new Map([['cancel', { id: 'A-1' }]]),
  names: [],
}

const TALK: Original = {
  ...WORDS,
  testCase: normalizeCase({ id: 'talk', turns: [{ input: 'a' }, { input: 'b' }, { input: 'c' }] }),
  conduct: {
    replies: [reply('Which order?', { tool_calls: [{ name: 'find', args: {} }] }), reply('Sure?'), reply('Done.')],
    said: [],
  },
  judged: [2],
}

const JSON_ANSWER: Original = { ...WORDS, conduct: { replies: [reply('{"name":"Ada","age":36}')], said: [] } }

const WORK: Original = {
  ...WORDS,
  conduct: {
    replies: [
      reply('ok', {
        session: {
          events: ['a', 'b'].map((topic) => ({ topic, payload: '', source: 'x', target: null, iteration: 1 })),
          iterations: [],
        },
      }),
    ],
    said: [],
    files: { 'out.txt': 'text', 'left.txt': 'alone' },
    changes: [{ path: 'out.txt', change: 'added' }],
    state: {
      source: 'store',
      before: { orders: { o1: { status: 'paid', note: 'old' } }, log: [] },
      after: { orders: { o1: { status: 'refunded' } }, log: ['o1'] },
    },
  },
}

test('every operator makes a mutant of something, and each is different from the original', () => {
  const made = new Set<string>()
  for (const original of [WORDS, TALK, JSON_ANSWER, WORK])
    for (const { operator, conduct, what } of mutantsOf(original)) {
      made.add(operator.name)
      expect(conduct, what).not.toEqual(original.conduct)
      expect(what).not.toBe('')
    }
  expect(OPERATORS.map(({ name }) => name).filter((name) => !made.has(name))).toEqual([])
})

test('the original is left as it was', () => {
  const before = JSON.stringify(WORDS.conduct)
  const all = [...mutantsOf(WORDS)]
  expect(all.length).toBeGreaterThan(20)
  expect(JSON.stringify(WORDS.conduct)).toBe(before)
})

test('no two mutants are the same, and one that differs in spelling alone is not made', () => {
  const seen = [...mutantsOf(WORDS)].map(({ conduct }) => JSON.stringify(conduct))
  expect(new Set(seen).size).toBe(seen.length)
  const quiet: Conduct = { replies: [reply('ok')], said: [] }
  const others = [...mutantsOf({ ...WORDS, conduct: quiet, otherAnswer: ' ok\n', tools: new Map() })]
  expect(others.map(({ operator }) => operator.name)).not.toContain('another answer')
})

test('an operator that does no harm is left out', () => {
  const names = [...mutantsOf(WORDS, new Set(['another language']))].map(({ operator }) => operator.name)
  expect(names).not.toContain('another language')
  expect(names).toContain('negation')
})

test('mutants are made one at a time', () => {
  const [first] = mutantsOf(WORDS)
  expect(first?.what).toBe('the answer is empty')
})

test('facts of a text, and what else they could be', () => {
  expect(factsIn('Order A-1234: $42.50 on 2024-05-20, to Mia Li.').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'id A-1234',
    'number 42.50',
    'date 2024-05-20',
    'name Mia Li',
  ])
  expect([otherNumber('42.50'), otherNumber('1,999'), otherNumber('7')]).toEqual(['43.50', '2,000', '8'])
  expect([otherDate('2024-05-20'), otherDate('May 31'), otherDate('3rd May')]).toEqual([
    '2024-05-21',
    'May 30',
    '4rd May',
  ])
  expect(otherId('HAT136')).toBe('HAT137')
})
