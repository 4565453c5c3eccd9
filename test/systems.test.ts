// What is claimed for every system, through the front door: this file is also run on Windows.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, viva } from './support/run-cli.js'

const PROGRAMS = process.platform !== 'win32'
const CASES = [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'hi' } }]
const FILES = {
  'cases.jsonl': CASES,
  'agent.mjs': 'export const answer = (messages) => `you said ${messages.at(-1).content}`',
  'program.mjs': 'process.stdin.resume().on("end", () => console.log("hi"))',
  'app.yao': '{}',
  'assistants/shop/package.yao': { name: 'shop' },
  'assistants/shop/src/desk_test.ts': 'function TestA(t) { t.assert.Equal(1, 1) }',
}

async function run(agent: string) {
  const dir = makeFolder(FILES)
  return viva(['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'o.jsonl', '-o', 'o.html'], { cwd: dir })
}

test.for(['builtin:echo', './agent.mjs#answer'])('%s is tested, with reports', async (agent) => {
  const { code, stderr, dir } = await run(agent)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(readFileSync(join(dir, 'o.html'), 'utf8')).toContain('T1')
})

test('an HTTP agent is tested', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"content": "hi"}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { code, stdout, stderr } = await run(`http://127.0.0.1:${port}/`)
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
})

test('programs are run, or refused before the first case', async () => {
  const { code, stderr } = await run('exec:node program.mjs')
  if (PROGRAMS) expect({ code, stderr }).toMatchObject({ code: 0 })
  else expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot run on Windows') })
})

test('script tests are run, or refused before the first', async () => {
  const dir = makeFolder(FILES)
  const { code, stderr } = await viva(['test', '-i', 'scripts.shop.desk'], { cwd: dir })
  if (PROGRAMS) expect({ code, stderr }).toMatchObject({ code: 0 })
  else expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot run on Windows') })
})
