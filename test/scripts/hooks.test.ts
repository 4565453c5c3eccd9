// Hooks of cases and of runs, script assertions, generators and tools replaced by scripts, through the command line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Files, makeFolder, parseEvents, viva } from '../support/run-cli.js'

const APP: Files = {
  'app.yao': '{}',
  'assistants/desk/package.yao': '{ "name": "Desk", "connector": "mock", "mcp": { "servers": ["sky"] } }',
  'assistants/desk/prompts.yml': '- { role: system, content: You help. }',
  'assistants/desk/mock.yml': `
- { trigger_pattern: weather, tool_calls: [{ name: sky__weather, args: { city: Oslo } }] }
- { trigger_pattern: hello, output: hello there }
`,
  'assistants/desk/mcps/sky.mcp.yao': '{ "transport": "process", "tools": { "weather": "scripts.sky.Weather" } }',
  'assistants/desk/src/sky.ts': `
export function Weather() { throw new Error('the real weather service was called') }
export function Fake(args: { city: string }, ctx: agent.Context) { return { city: args.city, sky: 'rain', for: ctx.User.ID } }
`,
  'assistants/desk/src/index.ts': `
function Create(ctx: agent.Context, messages: agent.Message[]) {
  const text = messages[messages.length - 1].content
  if (text === 'slow') time.Sleep(60_000)
  if (text === 'broken') fail(text)
  return null
}
function fail(text: string): never {
  throw new Error('cannot start: ' + text)
}
`,
  'assistants/desk/src/env_test.ts': `
const note = (...entry: unknown[]) => FS('system').AppendFile('notes.jsonl', JSON.stringify(entry) + '\\n')
export function Before(ctx: agent.Context, test) { note('before', test.id, ctx.User.ID); return { data: { row: 'row-' + test.id } } }
export function After(ctx: agent.Context, test, result, data) { note('after', test.id, result.id, result.status, data) }
export function BeforeAll(ctx: agent.Context, cases) { note('before all', cases.map((item) => item.id)); return { suite: 7 } }
export function AfterAll(ctx: agent.Context, results, data) { note('after all', results.map((item) => item.status), data) }
export function Throws() {
  throw new Exception('no database', 503)
}
`,
  'scripts/checks.ts': `
export function Greets(output, input, expected, { metadata }) { return String(output).includes(metadata.word ?? 'hello') }
export function Detailed(output) { return { pass: false, message: 'too friendly: ' + output, score: 0.25 } }
export function Broken(output) {
  return output.no.such.thing
}
export function Cases(query) {
  return Array.from({ length: query.count }, (_, n) => ({ id: 'G' + n, input: 'hello ' + query.scenario + ' ' + n, assert: 'contains:hello' }))
    .map((item) => ({ ...item, assert: { type: 'contains', value: 'hello' } }))
}
export function NoCases() {
  throw new Error('nothing to generate')
}
`,
}

const notes = (cwd: string): unknown[] =>
  readFileSync(join(cwd, 'notes.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

async function run(cases: object[], args: string[] = []) {
  const cwd = makeFolder({ ...APP, 'assistants/desk/tests/cases.jsonl': cases })
  const given = ['test', '-i', 'assistants/desk/tests/cases.jsonl', '-o', 'out.jsonl', ...args]
  const done = await viva(given, { cwd })
  const events = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
  const results = Object.fromEntries(
    events.filter((event) => event.type === 'result').map((event) => [String(event['id']), event]),
  )
  return { ...done, cwd, events, results }
}

test('hooks around a case and around the run, also around one that runs out of time', async () => {
  const hooks = { before: 'env_test.Before', after: 'env_test.After' }
  const { code, cwd, results, stdout } = await run(
    [
      { id: 'plain', input: 'hello', ...hooks },
      { id: 'slow', input: 'slow', timeout: '1s', ...hooks },
      { id: 'refused', input: 'hello', before: 'env_test.Throws', after: 'env_test.After' },
      { id: 'untidy', input: 'hello', after: 'src/env_test.Throws' },
    ],
    ['--before', 'env_test.BeforeAll', '--after', 'env_test.AfterAll'],
  )
  expect(code).toBe(1)
  expect(notes(cwd)).toEqual([
    ['before all', ['plain', 'slow', 'refused', 'untidy']],
    ['before', 'plain', 'test-user'],
    ['after', 'plain', 'plain', 'passed', { row: 'row-plain' }],
    ['before', 'slow', 'test-user'],
    ['after', 'slow', 'slow', 'failed', { row: 'row-slow' }],
    ['after all', ['passed', 'failed', 'failed', 'passed'], { suite: 7 }],
  ])
  expect(results['slow']).toMatchObject({ error: 'timeout after 1s', error_kind: 'timeout' })
  expect(results['refused']).toMatchObject({
    error: 'before hook env_test.Throws failed: no database',
    error_kind: 'hook',
    stack: expect.stringContaining('assistants/desk/src/env_test.ts:8:9') as string,
  })
  expect(results['untidy']).toMatchObject({
    status: 'passed',
    warnings: [expect.stringMatching(/^after hook src\/env_test\.Throws failed: no database \(.*env_test\.ts:8:9\)$/)],
  })
  expect(stdout).toMatch(/⚠ after hook src\/env_test\.Throws failed: no database/)
})

test('a --before that throws ends the run with 3 before any case; an --after that throws is a warning', async () => {
  const cases = [{ id: 'a', input: 'hello' }]
  const refused = await run(cases, ['--before', 'env_test.Throws'])
  expect(refused.code).toBe(3)
  expect(refused.results).toEqual({})
  expect(refused.events.at(-1)).toMatchObject({ type: 'error', where: '--before env_test.Throws' })
  expect(refused.stderr).toContain(
    'error: --before env_test.Throws failed: no database (assistants/desk/src/env_test.ts:8:9)',
  )
  const untidy = await run(cases, ['--after', 'env_test.Throws'])
  expect(untidy.code).toBe(0)
  expect(untidy.stderr).toContain(
    'warning: --after env_test.Throws failed: no database (assistants/desk/src/env_test.ts:8:9)',
  )
  const missing = await run(cases, ['--before', 'env_test.Nowhere'])
  expect(missing.code).not.toBe(0)
  expect(missing.stderr).toContain('Nowhere')
})

test('script assertions decide, explain, and say where they broke', async () => {
  const check = (more: object) => ({ input: 'hello', assert: { type: 'script', ...more } })
  const { results, stdout } = await run([
    { id: 'true', ...check({ script: 'scripts.checks.Greets' }) },
    { id: 'false', ...check({ use: 'scripts:checks.Greets', options: { metadata: { word: 'goodbye' } } }) },
    { id: 'detailed', ...check({ script: 'scripts.checks.Detailed' }) },
    { id: 'broken', ...check({ script: 'scripts.checks.Broken' }) },
    { id: 'hook', input: 'broken' },
  ])
  expect(results['true']).toMatchObject({ status: 'passed' })
  expect(results['false']).toMatchObject({ status: 'failed', error_kind: 'assertion' })
  expect(results['detailed']).toMatchObject({
    status: 'failed',
    assertions: [{ passed: false, message: 'too friendly: hello there', score: 0.25 }],
  })
  // Not a failure: the check could not be carried out.
  expect(results['broken']).toMatchObject({ status: 'failed', error_kind: 'script' })
  expect(stdout).toMatch(/script could not be checked: TypeError: .*\(scripts\/checks\.ts:5:20\)/)
  expect(results['hook']).toMatchObject({ error: 'agent error: the Create hook of desk failed: cannot start: broken' })
  expect(String(results['hook']?.['stack']).match(/index\.ts:\d+:\d+/g)).toEqual(['index.ts:9:9', 'index.ts:5:26'])
})

test('tools are replaced by a script, named alone or as an object; the real one is not called', async () => {
  const { results } = await run([
    { id: 'object', input: 'weather', testing: { tools: { sky__weather: { script: 'scripts.sky.Fake' } } } },
    { id: 'name', input: 'weather', testing: { tools: { weather: 'scripts.sky.Fake' } } },
    { id: 'fixed', input: 'weather', testing: { tools: { 'sky.weather': { sky: 'sun' } } } },
    { id: 'real', input: 'weather' },
  ])
  const call = (id: string): unknown => (results[id]?.['tool_calls'] as unknown[] | undefined)?.[0]
  const rain = { city: 'Oslo', sky: 'rain', for: 'test-user' }
  expect(call('object')).toMatchObject({ result: rain })
  expect(call('name')).toMatchObject({ result: rain })
  expect(call('fixed')).toMatchObject({ result: { sky: 'sun' } })
  expect(call('real')).toMatchObject({
    error: expect.stringContaining('the real weather service was called') as string,
  })
})

test('a script function makes the cases from its query', async () => {
  const cwd = makeFolder(APP)
  const made = await viva(['test', '-i', 'scripts:checks.Cases?count=2&scenario=edge', '-n', 'desk', '--json'], { cwd })
  const events = parseEvents(made.stdout)
  expect(events[0]).toMatchObject({
    type: 'start',
    input: 'scripts:checks.Cases?count=2&scenario=edge',
    total_cases: 2,
  })
  expect(events.filter((event) => event.type === 'result')).toMatchObject([
    { id: 'G0', input: 'hello edge 0', status: 'passed' },
    { id: 'G1', input: 'hello edge 1', status: 'passed' },
  ])
  const none = await viva(['test', '-i', 'scripts:checks.NoCases', '-n', 'desk'], { cwd })
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('generator error: nothing to generate (scripts/checks.ts:12:9)')
  const nameless = await viva(['test', '-i', 'scripts:checks.Cases?count=2'], { cwd })
  expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining('-n')])
})
