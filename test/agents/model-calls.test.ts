// On whose behalf models are called, and what judges, simulators and generators cost.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf } from '../faults/support.js'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'

type Json = Record<string, unknown>

const PRICE = { input: 1_000_000, output: 0 }
const USAGE = { input_tokens: 2, output_tokens: 1, total_tokens: 3 }

/** One model for all, by what it is asked for; every call is noted with the message it answers. */
const MODEL = `
import { appendFileSync } from 'node:fs'
export function Answer({ messages, call }) {
  const said = String(messages.at(-1).content)
  appendFileSync('calls.jsonl', JSON.stringify(call) + '\\n')
  const usage = { input_tokens: 2, output_tokens: 1 }
  switch (call.lane) {
    case 'judge': return { output: said.includes('strange') && !said.includes('could not be used') ? 'hm' : '{"reason": "r", "passed": true, "score": 1}', usage }
    case 'simulator': return { output: '{"goal_achieved": true}', usage }
    case 'generator': return { output: JSON.stringify({ cases: [{ id: 'G1', input: 'hi', assert: [{ type: 'contains', value: 'fine' }] }] }), usage }
    default: return { output: said.includes('use the tool') && messages.at(-1).role === 'user' ? '' : 'fine', usage,
      ...(said.includes('use the tool') && messages.at(-1).role === 'user' && { tool_calls: [{ name: 'desk__ask', args: {} }] }) }
  }
}
`

const APP: Files = {
  'app.yao': {},
  'scripts/model.ts': MODEL,
  'connectors/main.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' }, price: PRICE },
  'connectors/free.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' } },
  'viva.config.json': { helpers: { connector: 'main' } },
  'assistants/a/package.yao': { name: 'A', connector: 'main' },
  'assistants/a/prompts.yml': '- content: Be kind.\n',
}

interface Ran extends CliRun {
  calls: Json[]
  results: Json[]
  summary: Json
  start: Json
}

async function run(cases: object[] | string, args: string[] = [], files: Files = {}): Promise<Ran> {
  const dir = makeFolder({ ...APP, ...files, ...(typeof cases === 'string' ? {} : { 'cases.jsonl': cases }) })
  const input = typeof cases === 'string' ? cases : 'cases.jsonl'
  const ran = await viva(['test', '-i', input, '-n', 'a', '-o', 'o.jsonl', ...args], { cwd: dir })
  if (ran.code === 2) throw new Error(ran.stderr)
  const events = parseEvents(readFileSync(join(dir, 'o.jsonl'), 'utf8')) as Json[]
  return {
    ...ran,
    calls: linesOf(join(dir, 'calls.jsonl')).map((line) => JSON.parse(line) as Json),
    results: events.filter((event) => event['type'] === 'result'),
    summary: events.find((event) => event['type'] === 'summary') ?? {},
    start: events[0] ?? {},
  }
}

const JUDGED = { type: 'agent', value: 'polite' }
const helper = (lane: string, id: string, calls: number) => ({
  lane,
  role: `${lane}:${id}`,
  calls,
  usage: { input_tokens: 2 * calls, output_tokens: calls, total_tokens: 3 * calls },
  cost_dollars: 2 * calls,
})

test('every call carries its lane, role, case, run and attempt', async () => {
  const tool = "export function Ask(args, ctx) { return ctx.agent.Call('other', 'hi').content }\n"
  const { calls } = await run(
    [
      { id: 'T1', input: 'use the tool', assert: JUDGED },
      { id: 'T2', simulator: { options: { metadata: { goal: 'x' } } }, input: 'hello' },
    ],
    ['--runs', '2'],
    {
      'assistants/a/package.yao': { name: 'A', connector: 'main', mcp: { servers: ['desk'] } },
      'assistants/a/mcps/desk.mcp.yao': { tools: { ask: 'agents.a.desk.Ask' } },
      'assistants/a/src/desk.ts': tool,
      'assistants/other/package.yao': { name: 'Other', connector: 'main' },
      'assistants/other/prompts.yml': '- content: Be brief.\n',
    },
  )
  const of = (lane: string, role: string, case_id: string, run: number) => ({ lane, role, case_id, run, attempt: 1 })
  const expected = [1, 2].flatMap((round) => [
    of('agent', 'a', 'T1', round),
    of('tools', 'other', 'T1', round),
    of('agent', 'a', 'T1', round),
    of('judge', 'judge:viva.judge', 'T1', round),
    of('agent', 'a', 'T2', round),
    of('simulator', 'simulator:viva.user', 'T2', round),
  ])
  const sorted = (list: Json[]): string[] =>
    list.map((call) => JSON.stringify(call, Object.keys(call).toSorted())).toSorted()
  expect(sorted(calls)).toEqual(sorted(expected))
})

test('judges and simulators are counted beside the agent, whatever its own cost', async () => {
  const { code, stdout, results, summary, dir } = await run(
    [
      { id: 'plain', input: 'hi', assert: { type: 'cost', max_dollars: 2 } },
      { id: 'judged', input: 'hi', assert: [JUDGED, { type: 'cost', max_dollars: 2 }] },
      { id: 'asked again', input: 'hi', assert: { type: 'agent', value: 'strange' } },
      { id: 'simulated', input: 'hi', simulator: { options: { metadata: { goal: 'x' } } }, final_assertions: [JUDGED] },
    ],
    ['-o', 'o.md', '-o', 'o.xml'],
  )
  expect(stdout).toContain('Helpers: $10.00 (judge:viva.judge, 4 calls; simulator:viva.user, 1 call)')
  expect(code).toBe(0)
  expect(results.map(({ id, cost_dollars, usage, helpers }) => [id, cost_dollars, usage, helpers])).toEqual([
    ['plain', 2, USAGE, undefined],
    ['judged', 2, USAGE, [helper('judge', 'viva.judge', 1)]],
    ['asked again', 2, USAGE, [helper('judge', 'viva.judge', 2)]],
    ['simulated', 2, USAGE, [helper('simulator', 'viva.user', 1), helper('judge', 'viva.judge', 1)]],
  ])
  expect(summary).toMatchObject({
    cost_dollars: 8,
    helpers: [helper('judge', 'viva.judge', 4), helper('simulator', 'viva.user', 1)],
  })
  expect(readFileSync(join(dir, 'o.md'), 'utf8')).toContain('Helpers')
  expect(readFileSync(join(dir, 'o.xml'), 'utf8')).toContain('name="helpers_cost_dollars" value="10"')
})

test('--max-cost counts them: what the judges cost stops the run', async () => {
  const cases = ['A', 'B', 'C'].map((id) => ({ id, input: 'hi', assert: JUDGED }))
  const all = await run(cases, ['--max-cost', '12'])
  expect([all.code, all.summary['passed']]).toEqual([0, 3])
  const stopped = await run(cases, ['--max-cost', '4'])
  expect(stopped.stdout).toContain('--max-cost $4.00 reached')
  expect([stopped.code, stopped.summary['passed'], stopped.summary['not_run']]).toEqual([1, 1, 2])
})

test('--max-cost with helpers that cannot be counted says so', async () => {
  const cases = ['A', 'B'].map((id) => ({ id, input: 'hi', assert: JUDGED }))
  const unpriced = await run(cases, ['--max-cost', '100'], { 'viva.config.json': { helpers: { connector: 'free' } } })
  expect(unpriced.stdout).toContain('judge:viva.judge reports tokens and has no price')
  expect([unpriced.code, unpriced.summary['not_run']]).toEqual([1, 1])
  const judge = 'export const run = () => ({ content: { passed: true } })\n'
  const silent = await run(
    [{ id: 'A', input: 'hi', assert: { ...JUDGED, use: './judge.mjs#run' } }],
    ['--max-cost', '9'],
    {
      'judge.mjs': judge,
    },
  )
  expect(silent.stderr).toContain('--max-cost cannot be enforced: judge:./judge.mjs#run reports neither cost nor usage')
  expect(silent.code).toBe(0)
})

test('what making the cases cost is in the first line and in the totals', async () => {
  const { start, results, summary } = await run('agents:viva.cases?count=1')
  expect(results.map(({ id, helpers }) => [id, helpers])).toEqual([['G1', undefined]])
  expect(start['helpers']).toEqual([helper('generator', 'viva.cases', 1)])
  expect(summary).toMatchObject({ cost_dollars: 2, helpers: [helper('generator', 'viva.cases', 1)] })
})

test('a judge that fails is counted too, and a script is not a model call', async () => {
  const { results } = await run(
    [
      { id: 'broken', input: 'hi', assert: { ...JUDGED, use: './judge.mjs#broken' } },
      { id: 'script', input: 'hi', assert: { ...JUDGED, use: 'scripts:judge.Pass' } },
    ],
    [],
    {
      'judge.mjs': "export const broken = () => { throw new Error('no') }\n",
      'scripts/judge.ts': 'export const Pass = () => ({ passed: true })\n',
    },
  )
  expect(results.map(({ status, helpers }) => [status, helpers])).toEqual([
    ['failed', [{ lane: 'judge', role: 'judge:./judge.mjs#broken', calls: 1 }]],
    ['passed', undefined],
  ])
})

test('-c is the connector of agents that hooks and tools call, not of helpers', async () => {
  const hook =
    "export function Next(ctx) { return { data: ctx.agent.Call('other', 'hi', { connector: 'main' }).content } }\n"
  const files = {
    'assistants/a/src/index.ts': hook,
    'assistants/other/package.yao': { name: 'Other', connector: 'main' },
    'assistants/other/prompts.yml': '- content: Be brief.\n',
    'connectors/other.conn.yao': { type: 'mock', options: { responses: ['from -c'] } },
  }
  const cases = [{ id: 'T1', input: 'hi', assert: [JUDGED] }]
  const without = await run(cases, [], files)
  expect(without.results[0]).toMatchObject({ status: 'passed', output: 'fine' })
  const chosen = await run(cases, ['-c', 'other'], files)
  expect(chosen.results[0]).toMatchObject({ status: 'passed', output: 'from -c' })
})

test('hooks of a judge share no process with those of the agent', async () => {
  const hook = 'export function Next() { return { data: { passed: true, reason: String(process.pid) } } }\n'
  const { results } = await run([{ id: 'T1', input: 'hi', assert: { ...JUDGED, use: 'agents:examiner' } }], [], {
    'assistants/a/src/index.ts': hook,
    'assistants/examiner/package.yao': { name: 'Examiner' },
    'assistants/examiner/src/index.ts': hook,
  })
  const [result] = results as Array<{ output: { reason: string }; assertions: Array<{ message: string }> }>
  expect(result?.output.reason).toMatch(/^\d+$/)
  expect(result?.assertions[0]?.message).toMatch(/^\d+$/)
  expect(result?.assertions[0]?.message).not.toBe(result?.output.reason)
})
