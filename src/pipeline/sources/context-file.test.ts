import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { badInputs } from '../../../test/support/bad-inputs.js'
import { tempDir } from '../../../test/support/case-files.js'
import { UserError } from '../../errors.js'
import type { ContextFile } from '../../model/context-file.js'
import { readContextFile } from './context-file.js'

async function read(content: string | Uint8Array): Promise<ContextFile> {
  const path = join(tempDir(), 'context.json')
  writeFileSync(path, content)
  return readContextFile(path)
}

async function problemOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof UserError)) throw new Error('expected a UserError')
  return error.problems
    .map(({ line, column, field, message }) => `${line}:${column} ${field ?? ''} ${message}`)
    .join('\n')
}

const FULL = {
  authorized: {
    sub: 'user-12345',
    user_id: 'admin',
    team_id: 'team-001',
    remember_me: false,
    constraints: { owner_only: false, team_only: true, extra: { department: 'engineering' } },
    custom: 1,
  },
  metadata: { request_id: 'req-123' },
  client: { type: 'web', user_agent: 'Mozilla/5.0', ip: '192.168.1.100' },
  locale: 'zh-cn',
  referer: 'https://example.com/dashboard',
  chat_id: 'c1',
  something_else: [1],
}

test('every field, and keys it does not know', async () => {
  expect(await read(JSON.stringify(FULL, null, 2))).toEqual(FULL)
  expect(await read('\uFEFF{}')).toEqual({})
})

test.each([
  ['authorized:\n  user_id: a\n', /^1:1 {2}not JSON: /],
  ['[]', '1:1  expected an object, found a list'],
  ['"x"', '1:1  expected an object, found string "x"'],
  [
    '{"authorized":{"constraints":{"owner_only":"false"}}}',
    '1:31 authorized.constraints.owner_only owner_only must be boolean, found string "false"',
  ],
  ['{\n  "metadata": []\n}', '2:3 metadata metadata must be an object, found a list'],
  ['{"locale":"a","locale":"b"}', '1:15 locale duplicate key "locale": also on line 1, column 2'],
  ['{"metadata":{"n":9007199254740993}}', /loses precision/],
  ['{} {}', /expected the end of the file/],
  ['{"autorized":{"user_id":"a"}}', '1:2 autorized unknown field "autorized"; did you mean "authorized"?'],
  ['{"authorized":{"userid":"a"}}', '1:16 authorized.userid unknown field "userid"; did you mean "user_id"?'],
  [
    '{"authorized":{"constraints":{"owneronly":true}}}',
    '1:31 authorized.constraints.owneronly unknown field "owneronly"; did you mean "owner_only"?',
  ],
  ['', /^1:1 {2}not JSON: unexpected end/],
  [`{"metadata":${'{"a":'.repeat(101)}1${'}'.repeat(102)}`, /nesting limit/],
])('%j', async (content, problem) => {
  const found = await problemOf(read(content))
  if (typeof problem === 'string') expect(found).toBe(problem)
  else expect(found).toMatch(problem)
})

test('bytes that are not UTF-8', async () => {
  expect(await problemOf(read(Buffer.from('{\n"locale":"\xe9"}', 'latin1')))).toMatch(/^2:11 {2}not UTF-8/)
})

test('a missing file says what was looked for', async () => {
  await expect(readContextFile('/no/such/context.json')).rejects.toThrow('--ctx: cannot read /no/such/context.json')
})

test('__proto__ gives no rights', async () => {
  const context = await read('{"authorized":{"__proto__":{"user_id":"admin"}}}')
  expect(context.authorized?.user_id).toBeUndefined()
  expect(context).toEqual({ authorized: {} })
})

test.each(badInputs('context'))('bad input $file: $must', async ({ path, expect: expected, line, must }) => {
  const result = readContextFile(path)
  if (expected !== 'error') return expect((await result).authorized?.user_id).toBeUndefined()
  const problem = await problemOf(result)
  expect(problem.startsWith(`${line ?? 1}:`)).toBe(true)
  const words: Record<string, string> = { 'not JSON, line 1': 'not JSON' }
  expect(problem).toContain(words[must] ?? must)
})
