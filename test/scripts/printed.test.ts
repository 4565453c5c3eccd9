// What scripts print around an agent: in the result of the case, or in a log event of the run; on the console with -v.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const APP: Files = {
  'app.yao': '{}',
  'assistants/desk/package.yao': '{ "name": "Desk", "connector": "mock", "mcp": { "servers": ["sky"] } }',
  'assistants/desk/prompts.yml': '- { role: system, content: You help. }',
  'assistants/desk/mock.yml': `
- { trigger_pattern: weather, tool_calls: [{ name: sky__weather, args: { city: Oslo } }] }
- { output: hello there }
`,
  'assistants/desk/mcps/sky.mcp.yao': '{ "transport": "process", "tools": { "weather": "scripts.sky.Weather" } }',
  'assistants/desk/src/sky.ts': `export function Weather() { console.log('in the tool'); return Process('agents.desk.sky.Deep') }
export function Deep() { console.log('further down'); return 'rain' }`,
  'assistants/desk/src/index.ts': `
function Create(ctx, messages) {
  console.log('in Create')
  if (messages[messages.length - 1].content === 'broken') throw new Error('cannot start')
  return null
}
function Next() { console.warn('in Next'); return null }`,
  'assistants/desk/src/env_test.ts': `
export function Before() { console.log('in before') }
export function After() { console.log('in after') }
export function BeforeAll() { console.log('in --before') }
export function AfterAll() { console.log('in --after') }`,
  'scripts/checks.ts': `export function Good() { console.log('in the assertion'); return true }`,
}

test('console.log of hooks, tools, script assertions and run hooks is kept, and shown with -v', async () => {
  const check = { type: 'script', script: 'scripts.checks.Good' }
  const cases = [
    { id: 'weather', input: 'weather', before: 'env_test.Before', after: 'env_test.After', assert: check },
    { id: 'broken', input: 'broken' },
  ]
  const cwd = makeFolder({ ...APP, 'assistants/desk/tests/cases.jsonl': cases })
  const args = ['test', '-i', 'assistants/desk/tests/cases.jsonl', '-o', 'o.jsonl', '--parallel', '1']
  const hooks = ['--before', 'env_test.BeforeAll', '--after', 'env_test.AfterAll']
  const run = await viva([...args, ...hooks, '-v'], { cwd })
  const events = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8'))
  const logs = Object.fromEntries(
    events.flatMap((event) => (event.type === 'result' ? [[String(event['id']), event['logs']]] : [])),
  )
  expect(logs).toEqual({
    weather: ['in before', 'in Create', 'in the tool', 'further down', 'in Next', 'in the assertion', 'in after'],
    broken: ['in Create'],
  })
  expect(events.flatMap((event) => (event.type === 'log' ? [[event['where'], event['lines']]] : []))).toEqual([
    ['env_test.BeforeAll', ['in --before']],
    ['env_test.AfterAll', ['in --after']],
  ])
  for (const line of [
    'in before',
    'in Create',
    'further down',
    'in the assertion',
    'in after',
    'in --before',
    'in --after',
  ])
    expect(run.stdout + run.stderr).toContain(line)

  const quiet = await viva([...args, ...hooks], { cwd })
  expect(quiet.stdout + quiet.stderr).not.toContain('in the tool')
})
