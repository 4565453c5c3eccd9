// Answers that cannot be written down: an error of the case that got one, and the rest of the run continues.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const AGENT = `
const cyclic = { name: 'self' }
cyclic.self = cyclic
const answers = {
  bigint: () => ({ content: 5n }),
  args: () => ({ content: 'hello', tool_calls: [{ name: 'pay', args: { cents: 5n } }] }),
  cycle: () => ({ content: cyclic }),
  result: () => ({ content: 'hello', tool_calls: [{ name: 'x', args: {}, result: cyclic }] }),
  fine: () => 'hello',
}
export const answer = (messages) => answers[messages.at(-1).content]()
`

test('a BigInt, a cycle, in what is said or done', async () => {
  const ids = ['bigint', 'args', 'cycle', 'result', 'fine']
  const assert = { type: 'contains', value: 'hello' }
  const turns = (id: string) => ({ id: `${id}-turns`, turns: [{ input: id, assert }] })
  const dir = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': ids.flatMap((id) => [{ id, input: id, assert }, turns(id)]),
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'out.jsonl'], { cwd: dir })
  expect(run.code, run.stderr).toBe(1)
  const results = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).filter((event) => event.type === 'result')
  for (const { id, status, error = '', error_kind } of results) {
    if (String(id).startsWith('fine')) expect({ id, status }).toEqual({ id, status: 'passed' })
    else {
      expect({ id, status, error_kind }).toEqual({ id, status: 'failed', error_kind: 'agent' })
      expect(error).toContain('the answer cannot be written as JSON')
    }
  }
  expect(results).toHaveLength(10)
})

test('a hundred thousand brackets', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('['.repeat(100_000) + ']'.repeat(100_000))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'x' },
      { id: 'b', input: 'x' },
    ],
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json'], { cwd: dir })
  expect(run.code, run.stderr).toBe(1)
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results.map(({ id, error_kind }) => [id, error_kind])).toEqual([
    ['a', 'agent'],
    ['b', 'agent'],
  ])
})
