// Two turns after a tool call, with agents on real SDKs, against a model that refuses what OpenAI refuses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { say, startModelServer, type Behaviour } from '../real/model/index.js'
import { refusalOf } from '../real/model/rules/openai-chat.js'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'

const call = (id: string, city: string): Behaviour => ({
  kind: 'answer',
  calls: [{ id, name: 'weather', args: JSON.stringify({ city }) }],
  usage: { input: 1, output: 1 },
})

const CASES = [
  {
    id: 'asks-on',
    turns: [
      {
        input: 'The weather in Ulm?',
        assertions: [{ type: 'tool_called', name: 'weather', arguments: { city: 'Ulm' } }],
      },
      { input: 'And in Bonn?', assertions: [{ type: 'tool_called', name: 'weather', arguments: { city: 'Bonn' } }] },
      { input: 'Thanks', assertions: [{ type: 'equals', value: 'You are welcome.' }] },
    ],
  },
]

test.each([
  ['openai', 'run'],
  ['ai', 'whole'],
  ['ai', 'streamed'],
  ['openai-agents', 'whole'],
  ['openai-agents', 'streamed'],
])('%s, %s: every turn after a tool call is one that the model takes', { timeout: 60_000 }, async (sdk, name) => {
  const model = await startModelServer(
    call('call_a', 'Ulm'),
    say('Fog.'),
    call('call_b', 'Bonn'),
    say('Fog as well.'),
    say('You are welcome.'),
  )
  onTestFinished(() => model.close())
  const cwd = makeFolder({ 'cases.jsonl': CASES })
  const agent = join(ROOT, 'test/fixtures/second-turn', `${sdk}.ts#${name}`)
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'out.jsonl'], {
    cwd,
    env: { MODEL_URL: model.url },
  })
  const events = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
  const [result] = events.filter((event) => event.type === 'result') as unknown as ResultEvent[]
  expect([ran.code, result?.error]).toEqual([0, undefined])
  expect(result?.tool_calls).toMatchObject([
    { name: 'weather', args: { city: 'Ulm' }, result: 'fog in Ulm' },
    { name: 'weather', args: { city: 'Bonn' }, result: 'fog in Bonn' },
  ])
  expect(model.requests).toHaveLength(5)
  expect(model.requests.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === 'tool')).toMatchObject([
    { tool_call_id: 'call_a', content: 'fog in Ulm' },
    { tool_call_id: 'call_b', content: 'fog in Bonn' },
  ])
})

const user = { role: 'user', content: 'hi' }
const made = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }
const asked = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const result = { role: 'tool', tool_call_id: 'a', content: 'done' }

test.each<[string, object[]]>([
  ['nothing', []],
  ['an unknown role', [{ role: 'agent', content: 'hi' }]],
  ['an unknown key', [{ ...user, id: '1' }]],
  ['nothing said', [user, { role: 'assistant', content: null }]],
  ['parts that are none', [{ role: 'user', content: [{ text: 'hi' }] }]],
  ['no calls', [user, asked(), user]],
  ['a call in the spelling of Viva', [user, asked({ id: 'a', name: 'find', args: {} }), result]],
  ['a call with a result', [user, asked({ ...made, result: 'done' }), result]],
  ['a call without an id', [user, asked({ ...made, id: '' }), { ...result, tool_call_id: '' }]],
  ['a call without a type', [user, asked({ id: 'a', function: made.function }), result]],
  ['arguments that are no text', [user, asked({ ...made, function: { name: 'find', arguments: {} } }), result]],
  ['a result that is no text', [user, asked(made), { ...result, content: { state: 'sent' } }]],
  ['a result without a call', [user, result]],
  ['a result of another call', [user, asked(made), { ...result, tool_call_id: 'b' }]],
  ['a result too late', [user, asked(made), user, result]],
  ['a call without a result', [user, asked(made)]],
  ['one result for two calls', [user, asked(made, { ...made, id: 'b' }), result, user]],
  ['two calls with one id', [user, asked(made, made), result, result]],
])('the model refuses %s', (_what, messages) => {
  expect(refusalOf({ model: 'm', messages })).toEqual(expect.any(String))
})

test('the model takes calls that are followed by their results', () => {
  expect(refusalOf({ model: 'm', messages: [user, asked(made), result, user] })).toBeUndefined()
})
