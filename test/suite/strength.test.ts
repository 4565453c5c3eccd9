// Whether the score of a suite says what it should: weak assertions score low, exact ones high, and proposals kill what they say.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MutationReport } from '../../src/suite/mutate/report.js'
import { makeFolder, ROOT, viva } from '../support/run-cli.js'
import { doing, SHOP } from '../support/shop.js'

/** Twenty-four answers of different kinds: facts, dates, names, JSON, lists, a label. */
const AGENT = `
const KINDS = [
  (n) => 'The parcel ' + (1000 + n) + ' arrives on 2024-05-' + String(n + 10) + ' at the station in Ulm.',
  (n) => 'Mia Li has paid ' + (n * 3.5).toFixed(2) + ' euros for the order A-' + (500 + n) + '.',
  (n) => JSON.stringify({ id: 'A-' + n, total: n * 4, paid: n % 2 === 0, items: ['tea', 'bread'] }),
  (n) => ['approved', 'waiting', 'parked'][n % 3] + ' ' + n,
]
export const run = (messages) => {
  const n = Number(/\\d+/.exec(messages.at(-1).content)[0])
  return KINDS[n % 4](n)
}
`
const COUNT = 24
const inputs = Array.from({ length: COUNT }, (_, at) => ({ id: `c${at}`, input: `number ${at}` }))

async function scored(assertOf: (output: string) => object): Promise<MutationReport> {
  const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': inputs })
  const args = ['test', '-n', './agent.mjs#run', '-i', 'cases.jsonl', '-o', 'run.jsonl']
  await viva(args, { cwd: dir })
  const outputs = new Map(
    readFileSync(join(dir, 'run.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"result"'))
      .map((line) => JSON.parse(line) as { id: string; output: string })
      .map(({ id, output }) => [id, output]),
  )
  const cases = inputs.map((each) => ({ ...each, assert: assertOf(outputs.get(each.id) ?? '') }))
  const checked = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
  expect((await viva(args, { cwd: checked })).code).toBe(0)
  const { stdout } = await viva(['mutate', 'run.jsonl', '--format', 'json'], { cwd: checked })
  return JSON.parse(stdout) as MutationReport
}

test('contains "a" lets nearly everything pass, equals nearly nothing that changes what it sees', async () => {
  const weak = await scored(() => ({ type: 'contains', value: 'a' }))
  expect(weak.examined).toBe(COUNT)
  expect(weak.score).toBeLessThanOrEqual(15)

  const exact = await scored((output) => ({ type: 'equals', value: output }))
  expect(exact.examined).toBe(COUNT)
  // What it sees is the answer: calls, time and cost are not in it.
  const seen = exact.operators.filter(({ about }) => about === 'answer')
  const [made, survived] = [seen, seen].map((rows, at) =>
    rows.reduce((sum, row) => sum + (at === 0 ? row.made : row.survived), 0),
  )
  expect(made).toBeGreaterThan(200)
  expect(1 - (survived ?? 0) / (made ?? 1)).toBeGreaterThanOrEqual(0.95)
  // The rest is listed.
  const listed = new Set(exact.survivors.map(({ operator }) => operator))
  for (const { operator, survived: left } of exact.operators) expect(listed.has(operator), operator).toBe(left > 0)
}, 60_000)

test.each([
  ['echo', 'tests/cases.jsonl', ['-n', 'builtin:echo']],
  ['expense', 'tests/inputs.jsonl', []],
  ['expense', 'tests/conversation.jsonl', []],
  ['keyword', 'tests/inputs.jsonl', []],
  ['module', 'tests/greet.jsonl', ['-n', './agent.ts#greet']],
  ['module', 'tests/order.jsonl', ['-n', './agent.ts#order']],
  ['exec', 'tests/cases.jsonl', ['-n', 'exec:node agent.mjs']],
  ['orchestrator', 'tests/cases.jsonl', ['-n', 'orchestrator:hats.yml']],
])('of the example %s, %s: accepted proposals kill what they say, and hold', async (name, cases, args) => {
  const dir = makeFolder({})
  cpSync(join(ROOT, 'examples', name), dir, { recursive: true })
  await viva(['test', '-i', cases, ...args, '-o', 'run.jsonl'], { cwd: dir })
  const mutate = async (): Promise<MutationReport> => {
    const asked = ['mutate', 'run.jsonl', '-i', cases, '--format', 'json', '--write', 'pending.jsonl']
    return JSON.parse((await viva(asked, { cwd: dir })).stdout) as MutationReport
  }
  const before = await mutate()
  const kills = before.proposals.reduce((sum, proposal) => sum + proposal.kills.length, 0)
  const accepted = await viva(['mine', '--review', 'pending.jsonl', '--accept'], { cwd: dir })
  if (kills > 0) expect(accepted.stdout).toContain(`${before.proposals.length} accepted, 0 dropped`)
  // The same answers, and the cases with what was accepted.
  const after = await mutate()
  expect(after.examined).toBe(before.examined)
  expect(after.mutants).toBe(before.mutants)
  expect(after.survived).toBe(before.survived - kills)
})

const REFUND = doing([['refund', { id: 'o1' }]], [{ type: 'tool_called', name: 'refund' }])

test('state: what a call leaves behind is changed, too, and the proposal pins it down', async () => {
  const dir = makeFolder({ ...SHOP, 'cases.jsonl': [{ id: 'refund', ...REFUND }] })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'run.jsonl'], { cwd: dir })
  const mutate = async (...more: string[]): Promise<MutationReport> =>
    JSON.parse(
      (await viva(['mutate', 'run.jsonl', '--format', 'json', ...more], { cwd: dir })).stdout,
    ) as MutationReport
  const before = await mutate('--write', 'pending.jsonl')
  const state = before.operators.filter(({ about }) => about === 'state')
  expect(state.map(({ operator, made, survived }) => [operator, made, survived])).toEqual([
    ['state changed elsewhere', 2, 2],
    ['state change missing', 2, 2],
    ['state value changed', 2, 2],
  ])
  expect(before.proposals.map(({ assertion }) => assertion)).toContainEqual({
    type: 'state_changed',
    paths: { '$.orders.o1.status': 'refunded', '$.log[0]': 'o1' },
  })
  await viva(['mine', '--review', 'pending.jsonl', '--accept'], { cwd: dir })
  const after = await mutate()
  expect(after.not_examined).toEqual([])
  expect(after.operators.filter(({ about }) => about === 'state').map(({ survived }) => survived)).toEqual([0, 0, 0])
})

test('an agent that does nothing passes a case that only wants nothing changed', async () => {
  const cases = [
    { id: 'nothing', ...doing([], [{ type: 'state_changed', paths: [] }]) },
    {
      id: 'something',
      ...doing([['refund', { id: 'o1' }]], [{ type: 'state_changed', paths: ['$.orders', '$.log'] }]),
    },
    { id: 'known', ...doing([], [{ type: 'state_equals', path: '$.orders.o9', exists: false }]) },
  ]
  const dir = makeFolder({ ...SHOP, 'cases.jsonl': cases })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--json'], { cwd: dir })
  const vacuous = stdout.split('\n').filter((line) => line.includes('"type":"result"') && line.includes('"vacuous"'))
  expect(vacuous.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['nothing'])
})

test('of a run with several variants one is looked at', async () => {
  const config = {
    variants: [
      { name: 'plain', target: 'builtin:echo' },
      { name: 'other', target: './agent.mjs#run' },
    ],
  }
  const files = {
    'viva.config.json': config,
    'agent.mjs': 'export const run = (messages) => messages.at(-1).content',
    'cases.jsonl': [{ id: 'a', input: 'the shop 7', assert: { type: 'contains', value: 'shop' } }],
  }
  const dir = makeFolder(files)
  await viva(['test', '-i', 'cases.jsonl', '-o', 'run.jsonl'], { cwd: dir })
  const unnamed = await viva(['mutate', 'run.jsonl'], { cwd: dir })
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--variant: plain, other')])
  const typo = await viva(['mutate', 'run.jsonl', '--variant', 'othr'], { cwd: dir })
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('did you mean --variant other?')])
  const found = await viva(['mutate', 'run.jsonl', '--variant', 'other', '--format', 'json'], { cwd: dir })
  expect(JSON.parse(found.stdout)).toMatchObject({ cases: 1, examined: 1 })
  expect((await viva(['mine', 'run.jsonl', '--variant', 'plain'], { cwd: dir })).code).toBe(0)
})

/** Says in a file that it was asked; wants a number. */
const JUDGE = `
import { appendFileSync } from 'node:fs'
export function run(messages, ctx, options) {
  appendFileSync('asked.txt', 'x')
  return JSON.stringify({ passed: /\\d/.test(String(options.metadata.output)), score: 1, reason: 'r' })
}
`

test('--judges: what only a judge can notice is decided by it, within the budget, and again from a recording', async () => {
  const assert = { type: 'agent', use: './judge.mjs#run', value: 'Names a number' }
  const dir = makeFolder({
    'tests/judge.mjs': JUDGE,
    'tests/cases.jsonl': [{ id: 'a', input: 'the shop opens at 9', assert }],
  })
  await viva(['test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo', '-o', 'run.jsonl'], { cwd: dir })
  const asked = (): number => readFileSync(join(dir, 'asked.txt'), 'utf8').length
  const mutate = async (...more: string[]) => {
    const { stdout, stderr, code } = await viva(['mutate', 'run.jsonl', '--format', 'json', ...more], { cwd: dir })
    expect([code, stderr.includes('error')]).toEqual([0, false])
    return { report: JSON.parse(stdout) as MutationReport, stderr }
  }
  const first = asked()
  const { report: closed } = await mutate()
  expect(closed.open).toBeGreaterThan(3)
  expect(asked()).toBe(first)

  const { report: decided } = await mutate('--judges', '--record', 'tape.yaml')
  expect(decided).toMatchObject({ mutants: closed.mutants, open: 0 })
  expect(decided.killed).toBeGreaterThan(closed.killed)
  expect(decided.survived).toBeGreaterThan(0)
  expect(decided.by_case[0]).toMatchObject({ open: 0, killed: decided.killed, survived: decided.survived })
  expect(asked()).toBe(first + closed.open)

  const { report: replayed } = await mutate('--judges', '--replay', 'tape.yaml')
  expect(replayed).toEqual(decided)
  expect(asked()).toBe(first + closed.open)

  const fails = async (args: string[], text: string): Promise<void> => {
    const { code, stderr } = await viva(['mutate', 'run.jsonl', ...args], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
  }
  await fails(['--judges', '--max-asked', '0'], '--max-asked: expected a whole number from 1')
  await fails(['--max-asked', '5'], 'has an effect only with --judges')
  await fails(['--variant', 'x'], 'there is no variant "x"')

  const { report: part, stderr } = await mutate('--judges', '--max-asked', '2')
  expect(part.open).toBe(closed.open - 2)
  expect(stderr).toContain('left open')

  // A judge that breaks down has noticed nothing.
  writeFileSync(join(dir, 'tests/judge.mjs'), "export const run = () => 'no verdict'")
  const gate = await viva(['mutate', 'run.jsonl', '--judges', '--min-score', '90'], { cwd: dir })
  expect([gate.code, gate.stderr]).toEqual([
    1,
    expect.stringContaining(`judges gave no verdict on ${closed.open} more`),
  ])
})
