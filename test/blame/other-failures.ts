// A second set of failures whose culprit is known: other agents, other words. Written after the rules, which have not seen it.
import type { Party } from '../../src/pipeline/report/blame/party.js'
import type { Files } from '../support/run-cli.js'
import type { BuiltFailure } from './built-failures.js'

export const OTHER_FILES: Files = {
  'app.yao': '{}',
  'agent.mjs': `
const flights = { name: 'search_flights', args: { from: 'BER', to: 'LIS', date: '2026-05-12' }, result: [{ flight: 'TP533', price: 129.9, seats: 4 }, { flight: 'LH1172', price: 189, seats: 0 }] }
const replies = {
  cheapest: () => ({ content: 'The cheapest flight is LH1172 at 189 EUR.', tool_calls: [flights] }),
  wrongDate: () => ({ content: 'TP533 leaves at 06:40.', tool_calls: [{ ...flights, args: { ...flights.args, date: '2026-12-05' } }] }),
  booked: () => ({ content: 'Your seat on TP533 is booked, the code is QX7P2L.', tool_calls: [flights, { name: 'book', args: { flight: 'TP533' }, error: 'card declined' }] }),
  german: () => 'Der günstigste Flug ist TP533 für 129,90 Euro.',
  exits: () => { process.exit(3) },
  promises: () => 'I will look for flights and get back to you soon.',
  fine: () => ({ content: 'TP533 on 12 May 2026 costs 129.90 EUR; four seats are left.', tool_calls: [flights] }),
  summary: () => 'The report covers revenue, costs and staff. Revenue rose by 4 percent, costs fell by 2 percent.',
  table: () => ({ content: { flights: [{ id: 'TP533', price: 129.9 }] } }),
  dns: () => { throw new Error('getaddrinfo ENOTFOUND api.flights.example') },
  sdk: () => { throw Object.assign(new Error('Overloaded'), { name: 'APIStatusError', status: 529 }) },
  apology: () => ({ content: 'Unfortunately the booking service is not answering, so I could not book the flight.', tool_calls: [{ name: 'book', args: { flight: 'TP533' }, error: 'Request failed with HTTP 504 Gateway Timeout' }] }),
  module: () => import('left-pad-that-is-not-installed').then(() => 'ok'),
  varied: () => ['TP533 it is.', 'Take TP533.', 'TP533, 129.90 EUR.', 'I suggest TP533.', 'TP533 leaves at 06:40.', 'TP533 is cheapest.'][turn++ % 6],
}
let turn = 0
function talk(messages) {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content).join('\\n')
  if (!/lisbon|LIS\\b/i.test(said)) return 'Welcome to the travel desk. Where would you like to go? (' + messages.length + ')'
  if (!/12 may|may 12/i.test(said)) return 'And on which day do you want to fly to Lisbon? (' + messages.length + ')'
  if (/loop/.test(said)) return 'Please hold on.'
  return { content: 'Booked: TP533 on 12 May.', tool_calls: [{ name: 'book', args: { flight: 'TP533' }, result: { code: 'QX7P2L' } }] }
}
export default (messages) => {
  const input = messages.findLast(({ role }) => role === 'user')?.content
  return replies[input] ? replies[input]() : talk(messages)
}
`,
  'user.mjs': `
import { readFileSync } from 'node:fs'
const scripts = JSON.parse(readFileSync('lines.json', 'utf8'))
export default (messages, ctx) => {
  const lines = scripts[ctx.metadata.test_id]
  return lines[Math.min(ctx.metadata.turn_number, lines.length) - 1]
}
`,
  'judge.mjs': `
const asked = new Map()
export default (messages, ctx) => {
  const call = asked.get(ctx.metadata.test_id) ?? 0
  asked.set(ctx.metadata.test_id, call + 1)
  const { answers } = ctx.metadata
  return { content: answers[call % answers.length] }
}
`,
  'scripts/shop.ts': `export function Total(output) { return { pass: JSON.parse(output).sum.total === 1 } }`,
}

const contains = (value: string) => ({ type: 'contains', value })
const judged = (answers: unknown[], value: string, more: object = {}) => ({
  type: 'agent',
  use: './judge.mjs',
  value,
  options: { metadata: { answers } },
  ...more,
})
const traveller = (lines: unknown[], goal = 'Book a flight to Lisbon on 12 May') => ({
  lines,
  given: {
    simulator: { use: './user.mjs', metadata: { persona: 'A student who travels alone', goal, booking: 'ABC123' } },
    checkpoints: [{ id: 'booked', assertion: { type: 'tool_called', name: 'book' } }],
    max_turns: 4,
  },
})
const of = (party: Party, rows: Array<Omit<BuiltFailure, 'party'>>): BuiltFailure[] =>
  rows.map((row) => ({ party, ...row }))

export const OTHER_FAILURES: BuiltFailure[] = [
  ...of('agent', [
    { id: 'dearest', given: { input: 'cheapest', assert: contains('TP533') } },
    {
      id: 'wrong-date',
      given: {
        input: 'wrongDate',
        assert: { type: 'tool_called', name: 'search_flights', arguments: { date: '2026-05-12' } },
      },
    },
    { id: 'not-booked', given: { input: 'booked', assert: { type: 'tool_called', name: 'book', outcome: 'ok' } } },
    {
      id: 'other-language',
      given: {
        input: 'german',
        assert: judged(
          [{ passed: false, score: 0, reason: 'The answer is in German, English was required.' }],
          'Answers in English',
        ),
      },
    },
    { id: 'exits', given: { input: 'exits', assert: contains('TP533') } },
    {
      id: 'stalls',
      ...traveller([
        { input: 'A flight to Lisbon please (loop).' },
        { input: 'On 12 May.' },
        { input: 'Hello? Is the flight booked?' },
        { input: 'Please book it now.' },
      ]),
    },
  ]),
  ...of('simulator', [
    {
      id: 'other-town',
      ...traveller([
        { input: 'I would like to fly to Madrid.' },
        { input: 'To Madrid, next week.' },
        { input: 'Madrid, as I said.' },
        { input: 'Why not Madrid?' },
      ]),
    },
    {
      id: 'thanks',
      ...traveller([
        { input: 'A flight to Lisbon, please.' },
        { input: 'Great, thank you so much!' },
        { input: 'You are welcome.' },
        { input: 'Have a nice day.' },
      ]),
    },
    {
      id: 'agent-words',
      ...traveller([
        { input: 'Certainly! I have booked the flight for you. Is there anything else I can do for you?' },
      ]),
    },
    { id: 'stage', ...traveller([{ input: '*looks at the calendar and sighs*' }, { input: '*shrugs*' }]) },
    { id: 'done-already', ...traveller([{ input: 'I want to go to Lisbon.' }, { goal_achieved: true }]) },
    {
      id: 'other-code',
      ...traveller(
        [
          { input: 'Please move my booking XYZ789.' },
          { input: 'XYZ789 is my booking.' },
          { input: 'Yes, XYZ789.' },
          { input: 'XYZ789.' },
        ],
        'Move booking ABC123 to 12 May',
      ),
    },
  ]),
  ...of('judge', [
    {
      id: 'three-of-seven',
      given: {
        input: 'fine',
        assert: judged(
          [false, true, false, true, false, true, false].map((passed) => ({
            passed,
            score: passed ? 1 : 0,
            reason: passed ? 'The price is there.' : 'The price is hard to find.',
          })),
          'States the price',
          { votes: 7 },
        ),
      },
    },
    {
      id: 'contradicts',
      given: {
        input: 'summary',
        assert: judged(
          [{ passed: false, score: 1, reason: 'All three topics are covered, as required.' }],
          'Covers revenue, costs and staff',
        ),
      },
    },
    {
      id: 'blind',
      given: {
        input: 'summary',
        assert: judged(
          [{ passed: false, score: 0.1, reason: 'The summary never mentions "staff".' }],
          'Covers revenue, costs and staff',
        ),
      },
    },
    {
      id: 'prompt-back',
      given: {
        input: 'fine',
        assert: judged(['Please provide the criteria you would like me to use.'], 'States the price'),
      },
    },
    {
      id: 'wavers',
      runs: 6,
      given: {
        input: 'summary',
        assert: judged(
          [
            { passed: true, score: 1, reason: 'Good.' },
            { passed: false, score: 0, reason: 'Too short.' },
            { passed: true, score: 1, reason: 'Good.' },
          ],
          'Is a good summary',
        ),
      },
    },
    {
      id: 'makes-up',
      given: {
        input: 'fine',
        assert: judged(
          [{ passed: false, score: 0, reason: 'The assistant claims "all flights are sold out", which is false.' }],
          'Is right about seats',
        ),
      },
    },
  ]),
  ...of('infrastructure', [
    { id: 'dns', given: { input: 'dns', assert: contains('TP533') } },
    { id: 'overloaded', given: { input: 'sdk', assert: contains('TP533') } },
    { id: 'tool-504', given: { input: 'apology', assert: { type: 'tool_called', name: 'book', outcome: 'ok' } } },
    { id: 'not-installed', given: { input: 'module', assert: contains('TP533') } },
    { id: 'gateway', target: 'server', given: { input: '504', assert: contains('TP533') } },
    { id: 'no-file', target: 'exec:python3 not-there.py', given: { input: 'fine', assert: contains('TP533') } },
  ]),
  ...of('test', [
    { id: 'currency', given: { input: 'fine', assert: contains('129.9 eur;') } },
    {
      id: 'two-answers',
      given: {
        input: 'fine',
        assert: [
          { type: 'equals', value: 'TP533' },
          { type: 'equals', value: 'LH1172' },
        ],
      },
    },
    {
      id: 'forbids-itself',
      given: { input: 'fine', assert: [contains('TP533 on 13 May'), { type: 'not_contains', value: '13 May' }] },
    },
    { id: 'bad-script', given: { input: 'fine', assert: { type: 'script', script: 'scripts.shop.Total' } } },
    { id: 'template', given: { input: 'fine', assert: contains('${flight} on 12 May') } },
    {
      id: 'wants-prose',
      runs: 6,
      given: { input: 'varied', assert: [contains('TP533'), { type: 'regex', value: 'as of \\d{4}-\\d\\d-\\d\\d' }] },
    },
  ]),
]
