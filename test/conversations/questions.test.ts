// A last answer that reads like a question: the checks decide. Declared, it skips the case, which says what was left out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const AGENT = `
export const guesses = () => 'Done. Anything else?'
export const declares = () => ({ content: 'Which account?', awaiting_input: true })
export const calls = () => ({ content: 'One moment.', tool_calls: [{ name: 'ask_user', args: { question: 'Which?' } }] })`

const says = (value: string): object[] => [{ type: 'contains', value }]

async function run(agent: string, cases: object[], flags: string[] = []) {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases.map((each, at) => ({ id: `T${at}`, ...each })) })
  const base = ['agent', 'test', '-i', 'cases.jsonl', '-n', `./agent.mjs#${agent}`, ...flags]
  const printed = await viva(base, { cwd })
  const { code, stdout } = await viva([...base, '--json'], { cwd })
  return { code, text: printed.stdout, results: parseEvents(stdout).filter((event) => event.type === 'result') }
}

test('turns that end with a guess pass and fail like the same input', async () => {
  const { code, results } = await run('guesses', [
    { input: 'pay', assertions: says('Done') },
    { turns: [{ input: 'pay', assertions: says('Done') }] },
    { turns: [{ input: 'pay' }], final_assertions: says('Done') },
    { input: 'pay', assertions: says('Paid') },
    { turns: [{ input: 'pay', assertions: says('Paid') }] },
    { turns: [{ input: 'pay' }], final_assertions: says('Paid') },
  ])
  expect(code).toBe(1)
  const statuses = results.map(({ status, error_kind }) => [status, error_kind])
  const [passed, failed] = [
    ['passed', undefined],
    ['failed', 'assertion'],
  ]
  expect(statuses).toEqual([passed, passed, passed, failed, failed, failed])
})

test('only a case that asserts nothing is skipped for a guess', async () => {
  const { code, results, text } = await run('guesses', [{ turns: [{ input: 'pay' }] }])
  expect(code).toBe(1)
  expect(text).toContain('no case reached a verdict')
  expect(results).toMatchObject([{ status: 'skipped', skip_reason: 'Agent awaiting input, no next turn defined' }])
})

test.each(['declares', 'calls'])(
  'an agent that %s skips the case, and the checks left out are listed',
  async (agent) => {
    const { code, results, text } = await run(agent, [
      { turns: [{ input: 'pay' }], final_assertions: says('Paid') },
      { turns: [{ input: 'pay', assertions: says('Paid') }], final_assertions: says('Paid') },
      { turns: [{ input: 'pay' }], final_assertions: says('Paid'), on_missing_input: 'end' },
    ])
    expect(code).toBe(1)
    expect(results).toMatchObject([
      {
        status: 'skipped',
        final_assertions: [
          {
            type: 'contains',
            value: 'Paid',
            passed: false,
            not_evaluated: true,
            message: 'not evaluated: Agent awaiting input, no next turn defined',
          },
        ],
      },
      { status: 'failed', error: expect.stringMatching(/^turn 1: assertion failed/) },
      { status: 'failed', final_assertions: [{ passed: false }] },
    ])
    expect(text).toContain('  ├─ Final Assertions: NOT RUN\n  │  ○ contains "Paid"\n  │\n  └─ Result: SKIPPED\n')
  },
)

test('what is set explicitly holds for a guess, too', async () => {
  const written = { turns: [{ input: 'pay' }], final_assertions: says('Done') }
  for (const flags of [['--on-missing-input', 'skip'], []]) {
    const { results } = await run(
      'guesses',
      [{ ...written, ...(flags.length > 0 ? {} : { on_missing_input: 'skip' }) }],
      flags,
    )
    expect(results).toMatchObject([{ status: 'skipped', final_assertions: [{ not_evaluated: true }] }])
  }
  const { results } = await run('guesses', [written], ['--on-missing-input', 'fail'])
  expect(results).toMatchObject([{ status: 'failed', error_kind: 'input' }])
})

test('no report calls a check failed that was not evaluated', async () => {
  const testCase = { id: 'T0', turns: [{ input: 'pay' }], final_assertions: says('Paid') }
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [testCase] })
  const reports = ['r.tap', 'r.md', 'r.xml'].flatMap((file) => ['-o', file])
  const agent = ['-n', './agent.mjs#declares', '--pass-with-no-tests', '--on-missing-input', 'skip']
  await viva(['test', '-i', 'cases.jsonl', ...agent, ...reports], { cwd })
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(text('r.tap')).toContain('ok 3 - final assertions # SKIP not evaluated')
  expect(text('r.tap')).not.toContain('not ok')
  expect(text('r.md')).toContain('- ○ contains "Paid": not evaluated: Agent awaiting input, no next turn defined')
  expect(text('r.xml')).not.toContain('<failure')
})
