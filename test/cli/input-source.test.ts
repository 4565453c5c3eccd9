// What `-i` means: a typo in a path must never become a message to the agent, which then "passes".
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, type CliRun } from '../support/run-cli.js'

const folder = (): string =>
  makeFolder({
    'tests/inputs.jsonl': [{ id: 'a', input: 'hi' }],
    'table.csv': 'id,input\na,hi\n',
    'empty/notes.txt': '',
    'agent.mjs': "export const run = () => 'Hello'",
  })
const TRACE = 'exec:touch called'

async function refused(dir: string, args: string[]): Promise<CliRun> {
  const run = await viva(['test', '-n', TRACE, ...args], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(existsSync(join(dir, 'called'))).toBe(false)
  return run
}

test.each([
  ['empty', 'no case file in empty', 'a case file ends in .jsonl'],
  ['tests/*.yaml', 'no file matches tests/*.yaml', 'for example: -i "tests/**/*.jsonl"'],
  ['tests/inputs', 'file not found: tests/inputs', 'did you mean tests/inputs.jsonl?'],
  ['tests/inputs.jsnl', 'file not found: tests/inputs.jsnl', 'did you mean tests/inputs.jsonl?'],
  ['tests/inputs.csv', 'file not found: tests/inputs.csv', 'did you mean tests/inputs.jsonl?'],
  ['inputs.jsnl', 'file not found: inputs.jsnl', 'case files in'],
  ['', '-i is empty', 'is a shell variable unset?'],
])('-i %j: nothing is sent', async (input, message, hint) => {
  const run = await refused(folder(), ['-i', input])
  expect(run.stderr).toContain(message)
  expect(run.stderr).toContain(hint)
})

test.each(['km/h', 'node.js', 'https://example.com/data.json', 'What is in tests/inputs?', '/help'])(
  '-i %j is a message',
  async (message) => {
    const run = await viva(['test', '-i', message, '-n', 'builtin:echo'], { cwd: folder() })
    expect([run.code, run.stdout, run.stderr]).toEqual([0, `${message}\n`, expect.not.stringContaining('warning')])
  },
)

test.each([
  ['--run', ['--run', 'a', '-run', 'b']],
  ['--runs', ['--runs', '5', '--runs', '2']],
  ['--min-pass-rate', ['--runs', '2', '--min-pass-rate', '100', '--min-pass-rate', '10']],
])('%s twice is an error', async (flag, args) => {
  const run = await refused(folder(), ['-i', 'tests/inputs.jsonl', ...args])
  expect(run.stderr).toContain(`${flag} is given twice, but takes one value`)
})

test('what may be given several times is not complained about', async () => {
  const args = ['-i', 'tests/inputs.jsonl', '-n', 'builtin:echo', '-o', 'a.json', '-o', 'b.md', '-v', '-v']
  const run = await viva(['test', ...args], { cwd: folder() })
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('warning')])
})
