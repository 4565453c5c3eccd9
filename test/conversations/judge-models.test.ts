// A judge whose model is named anywhere (a flag, the configuration, an assertion, a package) and cannot be asked, or is named
// nowhere, is found before the first case, by a dry run, by `viva diff` and by `viva doctor`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository } from '../support/git-repository.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

const AGENT = { type: 'agent', value: 'is polite' }
const RUBRIC = { type: 'rubric', criterion: 'is polite', rubric: { 1: 'rude', 5: 'kind' }, threshold: 3 }
const PASSES = { type: 'contains', value: 'x' }
/** Judged last, so that an answer would have been paid for. */
const judged = (assert: object): object[] => [
  { id: 'T1', input: 'x', assert: PASSES },
  { id: 'T2', input: 'x', assert },
]

const NO_MODEL = /the judge of T2 has no model[^]*--judge/
const NO_KEY = /the judge of T2 has no model: [^]*ANTHROPIC_API_KEY is not set/

test.for<[string, object[], string[], RegExp, Files?]>([
  ['variants', judged(AGENT), ['-n', 'exec:cat'], NO_MODEL],
  ['variants that bring their own', judged(AGENT), ['-c', 'echo', '-c', 'mock'], NO_MODEL],
  ['a fleet', judged(AGENT), ['--queue', 'redis://127.0.0.1:9'], NO_MODEL],
  ['--judge without its key', judged(AGENT), ['--judge', 'anthropic:m'], NO_KEY],
  ['--judge of an unknown vendor', judged(AGENT), ['--judge', 'antropic:m'], /did you mean "anthropic:m"\?/],
  ['--judge that is no connector', judged(AGENT), ['--judge', 'nobody'], /unknown connector "nobody"/],
  ['options of the assertion', judged({ ...AGENT, options: { connector: 'anthropic:m' } }), [], NO_KEY],
  ['helpers.connector', judged(AGENT), [], NO_KEY, { 'viva.config.json': { helpers: { connector: 'anthropic:m' } } }],
  ['a default', judged(RUBRIC), [], NO_KEY, { 'viva.config.json': { defaults: { judge: 'anthropic:m' } } }],
  ['-c', judged(AGENT), ['-c', 'anthropic:m'], NO_KEY],
  [
    'a judge of its own',
    judged({ ...AGENT, use: 'agents:tests.judge' }),
    [],
    NO_KEY,
    {
      'assistants/tests/judge/package.yao': { name: 'judge', connector: 'anthropic:m' },
      'assistants/tests/judge/prompts.yml': '- role: system\n  content: Judge.\n',
    },
  ],
])('%s', async ([, cases, args, message, files = {}]) => {
  const dir = makeFolder({ 'cases.jsonl': cases, 'agent.mjs': 'export const run = () => process.abort()', ...files })
  for (const dry of [[], ['--dry-run']]) {
    const ran = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', ...args, '-o', 'o.jsonl', ...dry], {
      cwd: dir,
      env: { VIVA_QUEUE_KEY: 'k'.repeat(40) },
    })
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(message)])
    expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
  }
})

test('viva diff', async () => {
  const { dir, commit } = makeRepository({ 'agent.mjs': 'export const run = () => "x"', 'cases.jsonl': judged(AGENT) })
  commit({ 'agent.mjs': 'export const run = () => "y"' })
  const args = ['diff', 'HEAD~1..HEAD', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
  const ran = await viva(args, { cwd: dir, env: { TMPDIR: makeFolder() } })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(NO_MODEL)])
  const keyless = await viva([...args, '--judge', 'anthropic:m'], { cwd: dir, env: { TMPDIR: makeFolder() } })
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringMatching(NO_KEY)])
})

test('viva doctor', async () => {
  const project = (files: Files, cases: object[] = judged(AGENT)) =>
    makeFolder({ 'tests/cases.jsonl': cases, 'tests/data.json': { not: 'cases' }, ...files })
  const doctor = (dir: string, env: Record<string, string> = {}) => viva(['doctor'], { cwd: dir, env })

  const none = await doctor(project({}, [...judged(AGENT), { id: 'T3', input: 'x', assert: RUBRIC }]))
  expect([none.code, none.stdout]).toEqual([
    0,
    expect.stringMatching(
      /! model +the judge of T2 in tests\/cases\.jsonl and 1 more assertion has no model\n.*--judge/,
    ),
  ])
  const nobody = await doctor(project({}, [{ id: 'T1', input: 'x', assert: PASSES }]))
  expect(nobody.stdout).not.toContain('judge')

  const address = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  const configured = project({ 'viva.config.json': { helpers: { connector: 'anthropic:m' } } })
  const keyless = await doctor(configured, address)
  expect([keyless.code, keyless.stdout]).toEqual([1, expect.stringMatching(/✗ model .*ANTHROPIC_API_KEY is not set/)])
  const fine = await doctor(configured, { ...address, ANTHROPIC_API_KEY: 'plum-orchard-gate' })
  expect([fine.code, fine.stdout]).toEqual([0, expect.stringMatching(/✓ model +anthropic:m[^]*127\.0\.0\.1:9/)])
  expect(fine.stdout).not.toContain('plum')

  const own = judged({ ...AGENT, options: { connector: 'antropic:m' } })
  const misspelt = await doctor(project({}, own), address)
  expect([misspelt.code, misspelt.stdout]).toEqual([1, expect.stringMatching(/✗ model [^]*did you mean "anthropic:m"/)])
})

test('viva doctor: the models that agents and packages name', async () => {
  const dir = makeFolder({
    'viva.config.json': { agents: { first: 'openai:a', second: { target: 'groq:b' } } },
    'assistants/desk/package.yao': '{ // with comments\n "name": "desk", "connector": "mistral:c" }',
  })
  const ran = await viva(['doctor'], { cwd: dir })
  expect(ran.code).toBe(1)
  for (const [whose, variable] of Object.entries({ first: 'OPENAI', second: 'GROQ', desk: 'MISTRAL' }))
    expect(ran.stdout).toMatch(new RegExp(`✗ model +agent ${whose}: .*${variable}_API_KEY is not set`))
})
