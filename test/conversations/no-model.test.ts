// A judge or a simulated user without a model is found before the first case, and by a dry run.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, type CliRun, type Files } from '../support/run-cli.js'

const JUDGED = { type: 'agent', value: 'it is kind' }
const RUBRIC = { type: 'rubric', criterion: 'it is kind', rubric: { 1: 'rude', 5: 'kind' }, threshold: 3 }
/** Leaves a trace, if it is called at all. */
const AGENT = `
import { writeFileSync } from 'node:fs'
export default (messages) => (writeFileSync('called', ''), messages.at(-1).content)`
const VERDICT = '- output: \'{"passed": true, "score": 1, "reason": "kind"}\'\n'

function project(cases: object[], files: Files = {}): string {
  return makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...files })
}

function run(dir: string, args: string[] = []): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'o.jsonl', ...args], { cwd: dir })
}

const HI = { id: 'T1', input: 'hi' }

test.for<[string, object, string]>([
  ['an assertion', { ...HI, assert: JUDGED }, 'the judge of T1 has no model'],
  ['a rubric', { ...HI, assert: RUBRIC }, 'the judge of T1 has no model'],
  [
    'a member of a group',
    { ...HI, assert: { type: 'any', assertions: [{ type: 'all', assertions: [JUDGED] }] } },
    'the judge of T1 has no model',
  ],
  ['the built-in judge by its name', { ...HI, assert: { ...JUDGED, use: 'agents:viva.judge' } }, 'the judge of T1'],
  ['a turn', { id: 'T1', turns: [{ input: 'hi', assert: JUDGED }] }, 'the judge of T1 has no model'],
  ['the end', { id: 'T1', turns: [{ input: 'hi' }], final_assertions: [JUDGED] }, 'the judge of T1 has no model'],
  ['a checkpoint', { ...HI, checkpoints: [{ id: 'a', assert: JUDGED }] }, 'the judge of T1 has no model'],
  ['a simulator', { ...HI, simulator: { options: { metadata: { goal: 'x' } } } }, 'the simulator of T1 has no model'],
  [
    'a connector that is not there',
    { ...HI, assert: { ...JUDGED, options: { connector: 'nope' } } },
    'the judge of T1 has no model: unknown connector "nope"',
  ],
])('%s', async ([, testCase, message]) => {
  const dir = project([{ id: 'T0', input: 'first' }, testCase])
  for (const args of [[], ['--dry-run'], ['--runs', '2', '--parallel', '4']]) {
    const { code, stderr } = await run(dir, args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`error: ${message}`) })
  }
  expect([existsSync(join(dir, 'called')), existsSync(join(dir, 'o.jsonl'))]).toEqual([false, false])
})

test('says what to do; the default simulator and a judge of the project count too', async () => {
  const dir = project([{ ...HI, assert: JUDGED }])
  expect((await run(dir)).stderr).toMatch(
    /hint: give --judge openai:MODEL or another connector, set helpers\.connector/,
  )

  writeFileSync(join(dir, 'cases.jsonl'), `${JSON.stringify({ id: 'T1', turns: [{ input: 'hi' }] })}\n`)
  const simulated = await run(dir, ['--simulator', 'viva.user'])
  expect([simulated.code, simulated.stderr]).toEqual([2, expect.stringContaining('the simulator of T1 has no model')])

  const own = project([{ ...HI, assert: { ...JUDGED, use: 'agents:strict' } }], {
    'assistants/strict/package.yao': { name: 'Strict' },
    'assistants/strict/prompts.yml': '- content: Be strict.\n',
  })
  const named = await run(own)
  expect([named.code, named.stderr]).toEqual([2, expect.stringMatching(/has no model[^]*package\.yao of strict/)])
})

test.for<[string, object[], Files, string[]]>([
  [
    'a case that is not selected',
    [HI, { id: 'T2', input: 'hi', tags: ['judged'], assert: JUDGED }],
    {},
    ['--tag', '!judged'],
  ],
  ['a case that is skipped', [HI, { id: 'T2', input: 'hi', skip: true, assert: JUDGED }], {}, []],
  [
    'data that looks like a judge',
    [
      { ...HI, metadata: { a: JUDGED } },
      { id: 'T2', input: JSON.stringify(JUDGED), expected: JUDGED },
    ],
    {},
    [],
  ],
  [
    'checkpoints that the first answer reaches',
    [{ ...HI, checkpoints: [{ id: 'a', assert: { type: 'contains', value: 'hi' } }] }],
    {},
    [],
  ],
  [
    'a scripted judge',
    [{ ...HI, assert: JUDGED }],
    {
      'viva.config.json': { helpers: { connector: 'said' } },
      'connectors/said.conn.yao': {
        type: 'mock',
        options: { responses: [{ output: '{"passed": true, "score": 1, "reason": "kind"}' }] },
      },
    },
    [],
  ],
  [
    'an ejected judge with its own connector',
    [{ ...HI, assert: JUDGED }],
    {
      'assistants/viva/judge/package.yao': { name: 'Judge', connector: 'mock' },
      'assistants/viva/judge/prompts.yml': '- content: Judge.\n',
      'assistants/viva/judge/mock.yml': VERDICT,
    },
    [],
  ],
  [
    'a judge that is a function',
    [{ ...HI, assert: { ...JUDGED, use: './judge.mjs' } }],
    { 'judge.mjs': 'export default () => ({ passed: true, score: 1, reason: "ok" })' },
    [],
  ],
  [
    'a judge that is a script',
    [{ ...HI, assert: { ...JUDGED, use: 'scripts:judge.Check' } }],
    { 'app.yao': {}, 'scripts/judge.ts': 'function Check() { return { passed: true, score: 1, reason: "ok" } }' },
    [],
  ],
  [
    'a judge that its hooks are',
    [{ ...HI, assert: { ...JUDGED, use: 'agents:strict' } }],
    {
      'assistants/strict/package.yao': { name: 'Strict' },
      'assistants/strict/src/index.ts':
        'export function Next() { return { data: { passed: true, score: 1, reason: "ok" } } }',
    },
    [],
  ],
])('no alarm: %s', async ([, cases, files, args]) => {
  const dir = project(cases, files)
  const { code, stdout, stderr } = await run(dir, args)
  expect(code, `${stdout}\n${stderr}`).toBe(0)
})

test('a recorded judge replays without its key', async () => {
  const dir = project([{ ...HI, assert: JUDGED }], {
    'viva.config.json': { helpers: { connector: 'said' } },
    'connectors/said.conn.yao': {
      type: 'mock',
      options: { responses: [{ output: '{"passed": true, "score": 1, "reason": "kind"}' }] },
    },
  })
  expect((await run(dir, ['--record', 'tape.yaml'])).code).toBe(0)
  writeFileSync(
    join(dir, 'connectors/said.conn.yao'),
    JSON.stringify({ type: 'openai', options: { model: 'm', key: '$ENV.NOT_SET_HERE' } }),
  )
  const replayed = await run(dir, ['--replay', 'tape.yaml', '--force'])
  expect(replayed.code, replayed.stderr).toBe(0)
  const live = await run(dir, ['--force'])
  expect([live.code, live.stderr]).toEqual([2, expect.stringMatching(/the judge of T1 has no model: .*NOT_SET_HERE/)])
})
