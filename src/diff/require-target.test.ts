// Which agents can be compared at two revisions, and how a path is made to hold on both sides.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portableTarget, requireEntry, requireProgram } from './require-target.js'

const PLACE = { top: '/repo', cwd: '/repo/app' }

test.each([
  ['./agent.ts#run', './agent.ts#run'],
  ['/repo/app/agent.ts#run', './agent.ts#run'],
  ['/repo/lib/agent.ts', '../lib/agent.ts'],
  ['assistants.chat', 'assistants.chat'],
  ['exec:node agent.mjs', 'exec:node agent.mjs'],
  ['exec:/usr/bin/python3 agent.py', 'exec:/usr/bin/python3 agent.py'],
  ['orchestrator:hats.yml', 'orchestrator:hats.yml'],
])('%s', (target, expected) => {
  expect(portableTarget(target, PLACE)).toBe(expected)
})

test.each([
  ['http://127.0.0.1:1/x', 'reached by a URL'],
  ['HTTPS://example.com', 'reached by a URL'],
  ['a2a:http://127.0.0.1:1', 'reached by a URL'],
  ['builtin:echo', 'not part of any revision'],
  ['recorded:events.jsonl', 'not part of any revision'],
  ['/other/agent.mjs', 'outside the repository'],
  ['exec:node /repo/agent.mjs', 'the same on both sides'],
  ['acp:/repo/agent', 'the same on both sides'],
])('%s is refused', (target, text) => {
  expect(() => portableTarget(target, PLACE)).toThrow(text)
})

test('a program that PATH finds in the working tree is the same on both sides', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'viva-test-')))
  onTestFinished(() => rmSync(top, { recursive: true }))
  mkdirSync(join(top, 'node_modules/.bin'), { recursive: true })
  for (const name of ['agent', 'node_modules/.bin/tool']) writeFileSync(join(top, name), '')
  const check = (target: string) => () => requireProgram(target, (command) => join(top, command), top)
  expect(check('exec:agent --fast')).toThrow('PATH finds agent in the working tree')
  expect(check('exec:node_modules/.bin/tool x')).not.toThrow()
  expect(check('./agent.ts')).not.toThrow()
})

test('so are entries of the configuration that are the same on both sides', () => {
  const agents = {
    url: 'https://example.com',
    program: { target: 'exec:node agent.mjs', cwd: '/repo/app' },
    good: { target: 'exec:node agent.mjs', cwd: 'app' },
  }
  const check = (name: string) => () => requireEntry(name, { agents }, 'main', '/repo')
  expect(check('url')).toThrow('agents.url at main is reached by a URL')
  expect(check('program')).toThrow('the same on both sides')
  for (const name of ['good', 'toString', 'nobody']) expect(check(name)).not.toThrow()
})
