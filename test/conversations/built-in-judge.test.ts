// The built-in judge at a model on loopback: what it asks for, and which answers of the model count.
import { expect, test } from 'vitest'
import { parseEvents, makeFolder, viva } from '../support/run-cli.js'
import { say, startModelServer, type Behaviour } from '../real/model/index.js'

async function judge(...behaviours: Behaviour[]) {
  const server = await startModelServer(...behaviours)
  const cwd = makeFolder({
    'app.yao': '{}',
    'connectors/judge.conn.yao': {
      type: 'openai',
      options: { model: 'm', host: server.url, key: 'none', stream: false },
    },
    'cases.jsonl': [{ id: 'T1', input: 'Good morning', assert: { type: 'agent', value: 'is polite' } }],
  })
  try {
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-c', 'judge', '--json'], { cwd })
    const result = parseEvents(run.stdout).find((event) => event.type === 'result') as unknown as {
      status: string
      error?: string
      assertions: Array<Record<string, unknown>>
    }
    return { run, result, requests: server.requests.map(({ body }) => body as Record<string, unknown>) }
  } finally {
    await server.close()
  }
}

const PASS = '{"reason": "It greets", "passed": true, "score": 1, "nonce": "$NONCE"}'

test('the model is asked for the verdict as structured output', async () => {
  const { result, requests } = await judge(say(PASS))
  expect(result).toMatchObject({ status: 'passed' })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: { schema: { required: ['reason', 'passed', 'score', 'nonce'] } },
  })
})

test('a model that knows no structured output is asked in words alone', async () => {
  const refused = {
    kind: 'error',
    status: 400,
    type: 'invalid_request_error',
    message: 'unknown response_format',
  } as const
  const { result, requests } = await judge(refused, say(PASS))
  expect(result).toMatchObject({ status: 'passed' })
  expect(requests).toHaveLength(2)
  expect(requests[1]).not.toHaveProperty('response_format')
})

test('words after the verdict: asked once more, then a judge error', async () => {
  const once = await judge(say(`${PASS} Or maybe not.`), say(PASS))
  expect(once.result).toMatchObject({ status: 'passed', assertions: [{ passed: true, asked: 2 }] })
  const twice = await judge(say(`${PASS} Or maybe not.`))
  expect(twice.result).toMatchObject({ status: 'failed', error_kind: 'validator' })
  expect(twice.requests).toHaveLength(2)
  expect(twice.run.code).toBe(1)
})

test('an answer that stopped at its length limit is not a verdict, even if it happens to be complete', async () => {
  const { result, requests } = await judge({ ...say(PASS), finish: 'length' })
  expect(result).toMatchObject({ status: 'failed', error_kind: 'validator' })
  expect(result.assertions[0]?.['error']).toContain('cut off')
  expect(requests).toHaveLength(2)
})
