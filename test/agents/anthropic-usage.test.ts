// Servers like Anthropic's that do not count tokens, or only some: their answers are answers, their usage is unknown.
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { listen } from '../support/raw-server.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

async function ask(answer: { type: string; body: string }, assert: object): Promise<ResultEvent> {
  const server = createServer((_, response) => response.setHeader('content-type', answer.type).end(answer.body))
  const options = {
    host: `http://127.0.0.1:${await listen(server)}`,
    model: 'm',
    key: 'k',
    stream: answer.type.startsWith('text'),
  }
  const cwd = makeFolder({
    'app.yao': {},
    'connectors/model.conn.yao': { type: 'anthropic', options },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert }],
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'desk', '--json'], { cwd })
  return parseEvents(stdout).find((event) => event.type === 'result') as unknown as ResultEvent
}

function whole(usage: object) {
  const content = [{ type: 'text', text: 'Well, héllo' }]
  const body = { type: 'message', id: 'm', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', ...usage }
  return { type: 'application/json', body: JSON.stringify(body) }
}

function streamed(start: object, delta: object) {
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', ...start } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well, ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'héllo' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, ...delta },
    { type: 'message_stop' },
  ]
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return { type: 'text/event-stream', body }
}

function withoutStart(delta: object) {
  const { type, body } = streamed({}, delta)
  return { type, body: body.slice(body.indexOf('event: content_block_start')) }
}

const SAID = { type: 'equals', value: 'Well, héllo' }

test.each([
  ['no usage', whole({})],
  ['a usage of null', whole({ usage: null })],
  ['an empty usage', whole({ usage: {} })],
  ['half a usage', whole({ usage: { input_tokens: 3, output_tokens: null } })],
  ['only what was cached', whole({ usage: { cache_read_input_tokens: 5, output_tokens: 2 } })],
  ['a stream with no usage', streamed({}, {})],
  ['a stream with no usage at its end', streamed({ usage: { input_tokens: 3, output_tokens: 1 } }, {})],
  ['a stream with no usage at its start', streamed({}, { usage: { output_tokens: 2 } })],
  ['a stream with no start', withoutStart({ usage: { output_tokens: 2 } })],
])('%s: an answer whose tokens are unknown', async (_, answer) => {
  const result = await ask(answer, SAID)
  expect(result).toMatchObject({ status: 'passed', output: 'Well, héllo', finish_reason: 'stop' })
  expect(result).not.toHaveProperty('usage')
})

test.each([
  ['whole', whole({ usage: { input_tokens: 3, output_tokens: 2 } })],
  ['streamed', streamed({ usage: { input_tokens: 3, output_tokens: 0 } }, { usage: { output_tokens: 2 } })],
  ['streamed, counted at the end', streamed({}, { usage: { input_tokens: 3, output_tokens: 2 } })],
  ['streamed, with no start', withoutStart({ usage: { input_tokens: 3, output_tokens: 2 } })],
])('%s: what is counted is known', async (_, answer) => {
  expect(await ask(answer, SAID)).toMatchObject({
    status: 'passed',
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  })
})

test.each([
  ['cut off', streamed({}, {}).body.split('event: message_delta')[0] ?? '', 'no finish reason'],
  [
    'an error in the middle',
    `${streamed({}, {}).body.split('event: content_block_stop')[0]}event: error\ndata: {"type":"error","error":{"type":"api_error","message":"out of order"}}\n\n`,
    'out of order',
  ],
])('a stream without usage: %s is still no answer', async (_, body, why) => {
  const result = await ask({ type: 'text/event-stream', body }, SAID)
  expect([result.status, result.error]).toEqual(['failed', expect.stringContaining(why)])
  expect(result.output).toBe('Well, héllo')
})
