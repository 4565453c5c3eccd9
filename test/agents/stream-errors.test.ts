// An error in a stream is an error whatever came before it, for every kind of agent; what merely mentions one is not.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'

interface Outcome {
  id: string
  status: string
  error?: string
  error_kind?: string
  output?: unknown
}

/** Its own text is what each case's agent does. All cases pass unless the agent's answer is an error. */
async function outcomes(target: string, inputs: Record<string, string>): Promise<Record<string, Outcome>> {
  const cwd = makeFolder({
    'says.mjs': `let text = ''
for await (const chunk of process.stdin) text += chunk
process.stdout.write(JSON.parse(text).messages[0].content)`,
    'cases.jsonl': Object.entries(inputs).map(([id, input]) => ({
      id,
      input,
      assert: { type: 'not_contains', value: 'xyz' },
    })),
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as Outcome[]
  expect(results).toHaveLength(Object.keys(inputs).length)
  return Object.fromEntries(results.map((result) => [result.id, result]))
}

function expectError(outcome: Outcome | undefined, words: string): void {
  expect(outcome).toMatchObject({ status: 'failed', error_kind: 'agent', error: expect.stringContaining(words) })
}

const passed = { status: 'passed' }

test('a program that prints a stream', async () => {
  const failing = {
    'lines of JSON': '{"content":"half"}\n{"error":"it broke"}\n',
    'more after the error': '{"content":"half"}\n{"error":{"message":"it broke"}}\n{"content":"more"}\n',
    'an error beside content': '{"content":"half"}\n{"content":"more","error":"it broke"}\n',
    'an error part': '{"type":"text-delta","text":"half"}\n{"type":"error","message":"it broke"}\n',
    'words, then an error': 'half an answer\n{"error":"it broke"}\n',
    'a reply after words': 'loading\n{"content":"half","tool_calls":[],"error":"it broke"}\n',
    events: 'data: {"content":"half"}\n\nevent: error\ndata: it broke\n\n',
    'an error in an event': 'data: {"content":"half"}\n\ndata: {"error":"it broke"}\n\ndata: [DONE]\n\n',
    'words, then an error event': 'half an answer\n\nevent: error\ndata: {"message":"it broke"}\n',
  }
  const honest = {
    'no error': '{"content":"a","error":null}\n{"content":"b","error":""}\n',
    'a failed tool': '{"content":"a"}\n{"type":"tool-error","error":"not found"}\n',
    'rows of data': '{"id":1,"name":"a"}\n{"id":2,"name":"b","error":"unknown"}\n',
    quoted: 'An error event looks like this:\n\n```\nevent: error\ndata: it broke\n```\n',
    'quoted JSON': 'Send back {"error":"it broke"}\nand nothing else.\n',
    prose: 'event: error is how a stream says that it failed\n',
  }
  const found = await outcomes('exec:node says.mjs', { ...failing, ...honest })
  for (const id of Object.keys(failing)) expectError(found[id], 'it broke')
  for (const id of Object.keys(honest)) expect([id, found[id]?.status]).toEqual([id, 'passed'])
})

test('an ACP agent', async () => {
  const update = (fields: object) => ({ method: 'session/update', params: { sessionId: 's1', update: fields } })
  const said = update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'all of it' } })
  const end = { id: '$id', result: { stopReason: 'end_turn' } }
  const failing = {
    'an error update': [said, update({ sessionUpdate: 'error', message: 'it broke' }), end],
    'an error beside content': [
      said,
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '.' }, error: 'it broke' }),
      end,
    ],
    'a message of its own': [said, { method: 'session/error', params: { message: 'it broke' } }, end],
    'an error that answers nothing': [said, { id: null, error: { code: -32603, message: 'it broke' } }, end],
    'an error beside the result': [said, { ...end, error: { code: -32603, message: 'it broke' } }],
    'an error answer': [said, { id: '$id', error: { code: -32603, message: 'it broke' } }],
  }
  const tool = { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'read', status: 'failed', rawOutput: 'not found' }
  const inputs = {
    ...failing,
    cancelled: [said, { id: '$id', result: { stopReason: 'cancelled' } }],
    whole: [said, end],
    'a failed tool': [update(tool), said, end],
  }
  const target = `acp:node ${join(ROOT, 'test/fixtures/agents/told-acp.mjs')}`
  const found = await outcomes(
    target,
    Object.fromEntries(Object.entries(inputs).map(([id, messages]) => [id, JSON.stringify(messages)])),
  )
  for (const id of Object.keys(failing)) {
    expectError(found[id], 'it broke')
    expect([id, found[id]?.output]).toEqual([id, 'all of it'])
  }
  expectError(found['cancelled'], 'cancelled the turn')
  expect(found['whole']).toMatchObject({ ...passed, output: 'all of it' })
  expect(found['a failed tool']).toMatchObject(passed)
})

test('streams of SDKs, given back by a function', async () => {
  const failing = ['ai error', 'ai parts', 'agents event', 'agents model', 'agents result', 'graph error']
  const whole = ['ai whole', 'agents whole', 'graph whole']
  const all = [...failing, ...whole, 'ai finish']
  const target = `${join(ROOT, 'test/fixtures/agents/sdk-streams.mjs')}#run`
  const found = await outcomes(target, Object.fromEntries(all.map((id) => [id, id])))
  for (const id of failing) expectError(found[id], 'it broke')
  expectError(found['ai finish'], 'error')
  for (const id of whole) expect([id, found[id]]).toMatchObject([id, { ...passed, output: 'all of it' }])
})

test('a judge beside an error has not judged', async () => {
  const cwd = makeFolder({
    'judge.mjs': `export const fails = () => ({ content: '{"passed": true, "reason": "fine"}', error: 'it broke' })
export const judges = () => ({ passed: true, reason: 'fine', error: null })`,
    'cases.jsonl': ['fails', 'judges'].map((name) => ({
      id: name,
      input: 'hi',
      assert: { type: 'agent', use: `agents:./judge.mjs#${name}` },
    })),
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results.find(({ id }) => id === 'fails')).toMatchObject({ status: 'failed', error_kind: 'validator' })
  expect(results.find(({ id }) => id === 'judges')).toMatchObject(passed)
})
