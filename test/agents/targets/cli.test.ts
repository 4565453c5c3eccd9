// `cli:`: what a coding agent did not do is no answer.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../../support/run-cli.js'

async function run(script: string, asked: object) {
  const dir = makeFolder({ claude: `#!/bin/sh\n${script}\n`, 'cases.jsonl': `${JSON.stringify(asked)}\n` })
  chmodSync(join(dir, 'claude'), 0o755)
  return viva(['test', '-i', 'cases.jsonl', '-n', 'cli:./claude'], { cwd: dir, env: { ANTHROPIC_API_KEY: 'unused' } })
}

const ANSWER = `echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'`

test('an answer passes; with a failure of the program it does not', async () => {
  const asked = { id: 'one', input: 'do it', assert: { type: 'contains', value: 'done' } }
  const fine = await run(ANSWER, asked)
  expect([fine.code, fine.stdout]).toEqual([0, expect.stringContaining('✓ [one]')])
  const failed = await run(`${ANSWER}\nexit 3`, asked)
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('✗ [one]')])
})

test('a later turn is refused: the agent would not know the first', async () => {
  const { code, stdout } = await run(ANSWER, { id: 'two', turns: [{ input: 'do it' }, { input: 'and again' }] })
  expect([code, stdout]).toEqual([1, expect.stringContaining('this is a later turn of a conversation')])
})
