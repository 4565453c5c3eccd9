// A case that the agent kept from being shown is skipped, and the run is red, unless somebody chose to skip such cases.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCase, runTests } from '../../src/index.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const AGENT = `
const said = (messages) => messages.at(-1).content
export const declares = (messages) => (said(messages) === 'pay' ? { content: 'x', awaiting_input: true } : 'hello')
export const calls = (messages) =>
  said(messages) === 'pay' ? { content: 'x', tool_calls: [{ name: 'ask_user', args: {} }] } : 'hello'
export const guesses = (messages) => (said(messages) === 'pay' ? 'What?' : 'hello')
export const pays = (messages) => (said(messages) === 'pay' ? 'PAID' : 'hello')
export const breaks = () => { throw new Error('no user today') }
let turn = 0
export const sometimes = (messages) => (said(messages) === 'pay' && ++turn % 2 === 0 ? { content: 'x', awaiting_input: true } : 'PAID hello')`

const PAID = [{ type: 'contains', value: 'PAID' }]
const PAY = { id: 'pay', turns: [{ input: 'pay' }], final_assertions: PAID }
const GREET = { id: 'greet', input: 'hi', assert: { type: 'contains', value: 'hello' } }
const RED = '1 case not shown: there was no next input'

interface Given {
  cases?: object[]
  agent?: string
  flags?: string[]
  files?: Files
}

async function run({ cases = [PAY, GREET], agent = 'declares', flags = [], files = {} }: Given) {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...files })
  const { code, stdout, stderr } = await viva(
    ['test', '-i', 'cases.jsonl', '-n', `./agent.mjs#${agent}`, '-o', 'o.jsonl', ...flags],
    { cwd },
  )
  const events = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8'))
  const summary = events.find((event) => event.type === 'summary')
  return { cwd, code, stdout, stderr, summary, results: events.filter((event) => event.type === 'result') }
}

describe('the run is red', () => {
  test.each(['declares', 'calls'])('when the agent %s, and says why', async (agent) => {
    const { code, stdout, summary, results } = await run({ agent })
    expect(code).toBe(1)
    expect(results).toMatchObject([{ status: 'skipped', skipped_by: 'not_shown' }, { status: 'passed' }])
    expect(summary).toMatchObject({ passed: 1, failed: 0, skipped: 1, not_shown: 1, not_shown_ids: ['pay'] })
    expect(summary).toMatchObject({ exit_code: 1, reasons: [RED] })
    expect(stdout).toContain(
      `  Not shown: pay\n\n  Exit code 1: ${RED}\n\n  Some conversations had no next input. Add turns`,
    )
  })

  test.each([
    ['a turn without input', { turns: [{ input: 'hi' }, { assert: PAID }] }, 'pays'],
    ['a person who is not there', { ...PAY, interactive: { enabled: true } }, 'declares'],
    ['a simulator that fails', { ...PAY, simulator: { use: './agent.mjs#breaks' } }, 'declares'],
    [
      'one whose failure on_missing_input is not about',
      { ...PAY, simulator: { use: './agent.mjs#breaks' }, on_missing_input: 'end' },
      'declares',
    ],
  ])('after %s', async (_what, testCase, agent) => {
    const { code, results } = await run({ cases: [{ ...testCase, id: 'T' }, GREET], agent })
    expect(results[0]).toMatchObject({ id: 'T', status: 'skipped', skipped_by: 'not_shown' })
    expect(code).toBe(1)
  })

  test('--pass-with-no-tests is about something else', async () => {
    expect((await run({ cases: [PAY], flags: ['--pass-with-no-tests'] })).code).toBe(1)
  })
})

describe('the run is green', () => {
  test.each<[string, Given]>([
    ['--skip-interactive', { flags: ['--skip-interactive'] }],
    ['--on-missing-input skip', { flags: ['--on-missing-input', 'skip'] }],
    ['the case', { cases: [{ ...PAY, on_missing_input: 'skip' }, GREET] }],
    ['the configuration', { files: { 'viva.config.json': { defaults: { on_missing_input: 'skip' } } } }],
  ])('when %s chose to skip', async (_who, given) => {
    const { code, results, summary } = await run(given)
    expect(code).toBe(0)
    expect(results[0]).toMatchObject({ status: 'skipped' })
    expect(results[0]).not.toHaveProperty('skipped_by')
    expect(summary).not.toHaveProperty('not_shown')
  })

  test.each(['declares', 'calls', 'guesses'])(
    'for skips of the author, and if no assertion was left: %s',
    async (agent) => {
      const asks = { type: 'regex', value: '^(x|What)' }
      const cases = [
        { ...PAY, id: 'author', skip: true },
        { id: 'nothing', turns: [{ input: 'pay' }] },
        { id: 'all', turns: [{ input: 'pay', assert: asks }] },
        { id: 'one turn', type: 'multi_turn', input: 'pay', assert: asks },
        { id: 'simulator', turns: [{ input: 'pay' }], simulator: { use: './agent.mjs#breaks' } },
        GREET,
      ]
      const { code, results, summary } = await run({ cases, agent })
      expect(results.filter(({ status }) => status === 'skipped').length).toBeGreaterThanOrEqual(3)
      expect(results.filter((result) => 'skipped_by' in result)).toEqual([])
      expect([code, summary?.['failed']]).toEqual([0, 0])
    },
  )
})

describe('with several runs', () => {
  test.each(['3', 'auto'])('--runs %s: never shown is skipped, and red', async (runs) => {
    const { code, summary, stdout } = await run({ flags: ['--runs', runs] })
    expect(code).toBe(1)
    expect(summary).toMatchObject({ passed: 1, skipped: 1, not_shown: 1, reasons: [RED] })
    expect(stdout).toContain(RED)
  })

  test('--runs auto: shown in half of its runs, it does not pass on those', async () => {
    const { code, summary } = await run({ agent: 'sometimes', flags: ['--runs', 'auto', '--max-runs', '60'] })
    expect(summary).toMatchObject({ passed: 1, failed: 1, failed_ids: ['pay'] })
    expect(code).toBe(1)
  })

  test('compare counts such runs as not passed', async () => {
    const cases = Array.from({ length: 6 }, (_, at) => ({ ...PAY, id: `T${at}` }))
    const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
    const base = ['test', '-i', 'cases.jsonl', '--runs', '6']
    await viva([...base, '-n', './agent.mjs#pays', '-o', 'a.jsonl'], { cwd })
    await viva([...base, '-n', './agent.mjs#sometimes', '-o', 'b.jsonl'], { cwd })
    const compared = await viva(['compare', 'a.jsonl', 'b.jsonl', '--fail-on', 'regression'], { cwd })
    expect(compared.code, compared.stdout).toBe(1)
    expect(compared.stderr).toMatch(/the pass rate fell by 50\.0 points/)
  })
})

test.each(['any', 'baseline'])('variants, --gate %s', async (gate) => {
  const variants = ['--variant', 'asks=./agent.mjs#declares', '--variant', 'pays=./agent.mjs#pays', '--gate', gate]
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
  const first = await viva(['test', '-i', 'cases.jsonl', ...variants, '-o', 'a.jsonl'], { cwd })
  expect([first.code, first.stdout]).toEqual([1, expect.stringContaining(RED)])
  const swapped = [...variants.slice(2, 4), ...variants.slice(0, 2), '--gate', gate]
  const second = await viva(['test', '-i', 'cases.jsonl', ...swapped, '-o', 'b.jsonl'], { cwd })
  expect(second.code).toBe(gate === 'any' ? 1 : 0)
})

test('reports that know only tests are red too, also when made later', async () => {
  const { cwd } = await run({ flags: ['-o', 'r.xml', '-o', 'r.tap', '-o', 'r.ctrf.json'] })
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(text('r.xml')).toContain(`<error message="${RED}"`)
  expect(text('r.tap')).toMatch(/^not ok 3 - error outside any test: the run$/m)
  expect(JSON.parse(text('r.ctrf.json'))).toMatchObject({ results: { summary: { failed: 1 } } })
  const later = await viva(['report', 'o.jsonl', '--format', 'junit'], { cwd })
  expect(later.stdout).toContain(`<error message="${RED}"`)
  // As if the run had been killed before its summary.
  const lines = text('o.jsonl').trimEnd().split('\n')
  const killed = makeFolder({ 'o.jsonl': `${lines.slice(0, -1).join('\n')}\n` })
  expect((await viva(['report', 'o.jsonl', '--format', 'tap'], { cwd: killed })).stdout).toContain(RED)
})

test('shards, merged, and a run that is resumed', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [PAY, GREET] })
  const base = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#declares']
  for (const shard of [1, 2])
    await viva([...base, '--run-group', 'g', '--shard', `${shard}/2`, '-o', `${shard}.jsonl`], { cwd })
  const merged = await viva(['merge', '1.jsonl', '2.jsonl', '-o', 'm.jsonl'], { cwd })
  expect([merged.code, merged.stdout]).toEqual([1, expect.stringContaining(RED)])

  await viva([...base, '-o', 'o.jsonl'], { cwd })
  const lines = readFileSync(join(cwd, 'o.jsonl'), 'utf8').trimEnd().split('\n')
  const shown = lines.findIndex((line) => line.includes('"skipped_by"'))
  const cut = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': [PAY, GREET],
    'o.jsonl': `${lines.slice(0, shown + 1).join('\n')}\n`,
  })
  const resumed = await viva(['test', '--resume', 'o.jsonl', '-i', 'cases.jsonl'], { cwd: cut })
  expect([resumed.code, resumed.stdout]).toEqual([1, expect.stringContaining(RED)])
})

test.each<[string[]]>([[[]], [['--runs', '2']], [['--history']]])('--last-failed runs it again (%s)', async (flags) => {
  const { cwd } = await run({ flags })
  if (flags.includes('--history')) rmSync(join(cwd, 'o.jsonl'))
  const again = await viva(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#declares', '--last-failed', '-o', 'p.jsonl'],
    { cwd },
  )
  expect(again.stderr).toContain('--last-failed: 1 of 2 cases')
  expect(again.code).toBe(1)
})

test('the library', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT })
  const outcome = await runTests({ cases: [PAY, GREET], name: './agent.mjs#declares' }, { cwd, env: {} })
  expect(outcome).toMatchObject({ exit_code: 1, summary: { not_shown: 1, reasons: [RED] } })
  const { id: _id, ...one } = PAY
  expect(await runCase(one, './agent.mjs#declares', { io: { cwd, env: {} } })).toMatchObject({
    status: 'skipped',
    skipped_by: 'not_shown',
  })
})
