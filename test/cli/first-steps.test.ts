// What a new user meets first: commands that work as typed, causes printed once, hints after the usual slips.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

const CASES = [1, 2].map((number) => ({
  id: `c${number}`,
  input: 'hello',
  assert: { type: 'contains', value: 'thanks' },
}))
const AGENT = { 'agent.mjs': 'export const run = () => undefined.order', 'cases.jsonl': CASES }
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
const NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'viva'" }

test('cases that fail for the same cause show it once', async () => {
  const { stdout } = await viva(ARGS, { cwd: makeFolder(AGENT) })
  expect(stdout).toMatch(/· 2 cases\n {4}cause {5}.+\n(?: {4}at .+\n)+ {2}\[c1\]/)
  expect(stdout.match(/ cause /g)).toHaveLength(1)
  expect(stdout.match(/asked {5}hello/g)).toHaveLength(2)
})

test('printed commands work as typed: through npx if that is how Viva was called', async () => {
  const cwd = makeFolder(AGENT)
  const plain = await viva(ARGS, { cwd })
  expect(plain.stdout).toContain('\nRerun: viva test ')
  expect(plain.stdout).toContain('\nReport: viva view latest (')
  const npx = await viva(ARGS, { cwd, env: NPX })
  expect(npx.stdout).toContain('\nRerun: npx --no-install viva test ')
  expect(npx.stdout).toContain('\nReport: npx --no-install viva view latest (')
  const wrong = await viva(['test', '-i', 'gone.jsonl'], { cwd, env: NPX })
  expect(wrong.stderr).toContain('(more: npx --no-install viva explain FILE_NOT_FOUND)')
  // Another program that npx started, and that started us.
  const other = await viva(ARGS, { cwd, env: { ...NPX, npm_lifecycle_script: 'vitest' } })
  expect(other.stdout).toContain('\nReport: viva view latest (')
})

test('viva explain latest is about the newest run', async () => {
  const cwd = makeFolder(AGENT)
  await viva(ARGS, { cwd })
  const { stdout, code } = await viva(['explain', 'latest'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('2 of 2 cases did not pass')
})

test('a program given as cases is named as an agent', async () => {
  const cwd = makeFolder({ 'agent.py': 'print("hello")\n' })
  const { code, stderr } = await viva(['test', '-i', 'agent.py', '-n', 'builtin:echo'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('hint: -i takes cases; to test this program: -n "exec:python3 agent.py"')
})
