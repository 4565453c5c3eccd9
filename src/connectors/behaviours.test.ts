// Every connector passes the same table of behaviours, against a real server that speaks its wire format.
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completionRequest } from '../../test/support/completion-request.js'
import { http } from '../../test/support/http.js'
import { failure } from '../../test/support/agent-request.js'
import { say, startModelServer, type Behaviour, type ModelServer } from '../../test/real/model/index.js'
import type { CompletionRequest } from '../model/connector.js'
import { openConnectors } from './registry.js'

const appRoot = fileURLToPath(new URL('../../test/fixtures/connectors-app', import.meta.url))
const KEY = 'key-of-the-test-1234'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer(say('hello'))
})
afterEach(() => server.close())

async function ask(id: string, over: Partial<CompletionRequest> = {}) {
  const env = { MODEL_HOST: server.url, MODEL_KEY: KEY }
  const connector = await openConnectors({ appRoot, env, http, retry_base_ms: 0.01 }).get(id)
  return connector.complete(completionRequest(over))
}

const error = (status: number, type: string, headers: Record<string, string> = {}): Behaviour => ({
  kind: 'error',
  status,
  type,
  message: `no: ${KEY}`,
  headers,
})
const tool = {
  name: 'look_up',
  description: 'Looks up',
  input_schema: { type: 'object', properties: { a: { type: 'number' } } },
}

for (const id of ['openai.test', 'openai.responses', 'anthropic.test', 'google.test', 'other.sdk']) {
  for (const stream of [false, true]) {
    describe(`${id}, ${stream ? 'streaming' : 'whole answers'}`, () => {
      const options = { stream }
      const get = (over: Partial<CompletionRequest> = {}) =>
        ask(id, { ...over, options: { ...options, ...over.options } })

      test('text, finish reason, usage and cost', async () => {
        server.behave(say('hello', ' there'))
        expect(await get()).toMatchObject({
          content: 'hello there',
          tool_calls: [],
          finish_reason: 'stop',
          usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
          cost_dollars: 0.00007,
        })
        expect(server.requests).toHaveLength(1)
        expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY)
      })

      test('the pieces are passed on', async () => {
        server.behave(say('one ', 'two'))
        const pieces: string[] = []
        const completion = await get({ onChunk: (text) => pieces.push(text) })
        expect(pieces.join('')).toBe('one two')
        if (stream) {
          expect(pieces).toEqual(['one ', 'two'])
          expect(completion.first_chunk_ms).toBeGreaterThan(0)
        }
      })

      test('tools are offered, and calls come back with their arguments', async () => {
        server.behave({
          kind: 'answer',
          calls: [{ id: 'c1', name: 'look_up', args: '{"a": 1}' }],
          usage: { input: 1, output: 1 },
        })
        const completion = await get({ tools: [tool] })
        expect(completion).toMatchObject({
          content: '',
          tool_calls: [{ name: 'look_up', args: { a: 1 } }],
          finish_reason: 'tool_calls',
        })
        expect(JSON.stringify(server.requests[0]?.body)).toContain('look_up')
      })

      test('a promise of calls that are not there is kept in the words of the provider', async () => {
        server.behave({ ...say('hello'), finish: 'tools' })
        // Gemini ends with STOP either way, a response is completed.
        const ends = { 'anthropic.test': 'tool_use', 'google.test': 'stop', 'openai.responses': 'stop' }
        const word = Object.entries(ends).find(([each]) => each === id)?.[1] ?? 'tool_calls'
        expect(await get({ tools: [tool] })).toMatchObject({ content: 'hello', tool_calls: [], finish_reason: word })
      })

      test('a finished tool round goes back whole', async () => {
        await get({
          tools: [tool],
          messages: [
            { role: 'system', content: 'be brief' },
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'look_up', args: { a: 1 } }] },
            { role: 'tool', tool_call_id: 'c1', content: 'the result' },
          ],
        })
        const sent = JSON.stringify(server.requests[0]?.body)
        for (const part of ['be brief', 'look_up', 'the result']) expect(sent).toContain(part)
      })

      test.each([
        [
          'as the API has it',
          { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"city":"Riga"}' } },
        ],
        ['with arguments', { id: 'c1', name: 'look_up', arguments: { city: 'Riga' } }],
        ['with args', { id: 'c1', name: 'look_up', args: { city: 'Riga' } }],
        ['without an id', { name: 'look_up', args: { city: 'Riga' } }],
      ])('a call in a history keeps its arguments, written %s', async (_form, call) => {
        const result = { role: 'tool', content: 'cloudy', ...('id' in call && { tool_call_id: 'c1' }) }
        await get({
          tools: [tool],
          messages: [
            { role: 'user', content: 'weather?' },
            { role: 'assistant', content: null, tool_calls: [call] as never },
            result,
            { role: 'user', content: 'thanks' },
          ],
        })
        const sent = JSON.stringify(server.requests[0]?.body).replaceAll('\\', '')
        expect(sent).toMatch(/"city":"Riga"/)
        expect(sent).toContain('cloudy')
        expect(sent).not.toMatch(/"(tool_call_id|toolCallId|tool_use_id)":""/)
      })

      test('an invalid call in a history is an error, not left out', async () => {
        const messages = [{ role: 'assistant', content: 'x', tool_calls: [{ tool: 'look_up' }] as never }]
        expect(await failure(get({ messages }))).toMatchObject({ code: 'bad_response' })
        expect(server.requests).toHaveLength(0)
      })

      test('parameters reach the model', async () => {
        await get({ options: { temperature: 0.25, max_tokens: 77, connector: 'x' } })
        const sent = JSON.stringify(server.requests[0]?.body)
        expect(sent).toContain('0.25')
        expect(sent).toContain('77')
        expect(sent).not.toContain('connector')
      })

      test('structured output is asked for', async () => {
        const schema = {
          type: 'object',
          properties: { mark: { type: 'string' } },
          required: ['mark'],
          additionalProperties: false,
        }
        await get({ options: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } })
        expect(JSON.stringify(server.requests[0]?.body)).toContain('"mark"')
      })

      test('a schema is strict only if it is said to be', async () => {
        const schema = { type: 'object', properties: { mark: { type: 'string' } } }
        const format = (more: object) => ({
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, ...more } },
        })
        await get({ options: format({}) })
        expect(JSON.stringify(server.requests[0]?.body)).not.toContain('"strict":true')
        if (id === 'anthropic.test' || id === 'google.test') return
        const strict = { ...schema, required: ['mark'], additionalProperties: false }
        await get({ options: format({ schema: strict, strict: true }) })
        expect(JSON.stringify(server.requests[1]?.body)).toContain('"strict":true')
      })

      test('an answer that was cut for length says so', async () => {
        server.behave({ ...say('partial'), finish: 'length' })
        expect(await get()).toMatchObject({ content: 'partial', finish_reason: 'length' })
      })

      for (const [status, type, code] of [
        [401, 'authentication_error', 'auth'],
        [403, 'permission_error', 'auth'],
        [404, 'not_found_error', 'not_found'],
        [400, 'invalid_request_error', 'bad_request'],
        [429, 'insufficient_quota', 'quota'],
      ] as const) {
        test(`${status} ${type}: asked once, explained, without the key`, async () => {
          server.behave(error(status, type))
          const thrown = await failure(get())
          expect(thrown).toMatchObject({ name: 'AgentError', code, status })
          expect((thrown as Error).message).not.toContain(KEY)
          expect(server.requests).toHaveLength(1)
        })
      }

      for (const [status, type] of [
        [429, 'rate_limit_error'],
        [500, 'server_error'],
        [503, 'overloaded_error'],
        [529, 'overloaded_error'],
      ] as const) {
        test(`${status}: tried again`, async () => {
          const first = error(status, type, { 'retry-after-ms': '2' })
          server.behave(first, first, say('ok'))
          const completion = await get()
          expect(completion).toMatchObject({ content: 'ok', api_retries: [{ status }, { status }] })
          expect(server.requests).toHaveLength(3)
        })
      }

      test('a server that says not to try again is obeyed', async () => {
        server.behave(error(500, 'server_error', { 'x-should-retry': 'false' }))
        await failure(get())
        expect(server.requests).toHaveLength(1)
      })

      test('a wait longer than the case: one request, and the reason', async () => {
        server.behave(error(429, 'rate_limit_error', { 'retry-after': '86400' }))
        const thrown = await failure(get({ deadline: { left: () => 5000 } }))
        expect(thrown).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('gave up') })
        expect(server.requests).toHaveLength(1)
      })

      for (const kind of ['hang', 'drip'] as const) {
        test(`a server that ${kind}s is left when the signal aborts, and the socket closed`, async () => {
          server.behave({ kind })
          const controller = new AbortController()
          const pending = failure(get({ signal: controller.signal }))
          await server.until(() => server.requests.length === 1)
          controller.abort(new Error('timeout after 2s'))
          expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 2s' })
          await server.until(() => server.requests[0]?.aborted === true)
        })
      }

      test('a reset connection is tried again', async () => {
        server.behave({ kind: 'reset' }, say('ok'))
        expect(await get()).toMatchObject({ content: 'ok', api_retries: [{}] })
      })

      for (const [type, body] of [
        ['text/html', '<html>a proxy</html>'],
        ['application/json', ''],
        ['application/json', '{"unexpected": true}'],
      ] as const) {
        test(`an answer that is ${body || 'empty'} is a bad response`, async () => {
          server.behave({ kind: 'raw', status: 200, headers: { 'content-type': type }, body })
          expect(await failure(get())).toMatchObject({
            name: 'AgentError',
            code: expect.stringMatching(/bad_response|cut_off/),
          })
        })
      }

      test('an error inside a 200 is the error it names', async () => {
        const body = '{"error":{"type":"overloaded_error","message":"Overloaded","code":529,"status":"UNAVAILABLE"}}'
        server.behave({ kind: 'raw', status: 200, headers: { 'content-type': 'application/json' }, body })
        expect(await failure(get())).toMatchObject({ code: 'overloaded' })
      })

      test('an answer without end is stopped', async () => {
        server.behave({ kind: 'huge', megabytes: 20 })
        expect(await failure(get())).toMatchObject({ code: 'too_large' })
      })

      if (!stream) return

      test('a stream cut in the middle keeps what had come', async () => {
        server.behave({ kind: 'cut' })
        const thrown = await failure(get())
        expect(thrown).toMatchObject({ code: 'cut_off', partial: { content: expect.stringContaining('half') } })
        expect(server.requests).toHaveLength(3)
      })

      test('a stream that ends without a finish reason is no answer', async () => {
        server.behave({ kind: 'unfinished' })
        expect(await failure(get())).toMatchObject({ name: 'AgentError', partial: { content: 'half' } })
      })

      test('an event that is not JSON is a bad response', async () => {
        server.behave({ kind: 'malformed' })
        expect(await failure(get())).toMatchObject({ name: 'AgentError', code: 'bad_response' })
      })

      test('an error in the middle of a stream is the error it names', async () => {
        server.behave({ kind: 'error_midway' })
        expect(await failure(get())).toMatchObject({ name: 'AgentError', code: 'overloaded' })
      })

      test('characters and events split anywhere arrive whole', async () => {
        server.behave({ kind: 'split', text: 'hello é👍' })
        expect(await get()).toMatchObject({ content: 'hello é👍' })
      })

      test('an abort in the middle keeps what had come', async () => {
        server.behave({ kind: 'answer', pieces: ['one', ...Array.from({ length: 5000 }, () => ' more')] })
        const controller = new AbortController()
        const pending = failure(
          get({ signal: controller.signal, onChunk: () => controller.abort(new Error('enough')) }),
        )
        expect(await pending).toMatchObject({ code: 'timeout', partial: { content: expect.stringContaining('one') } })
      })
    })
  }
}

// Google sends arguments as data, so they cannot be malformed there.
for (const id of ['openai.test', 'openai.responses', 'other.sdk']) {
  for (const stream of [false, true]) {
    test(`${id}, ${stream ? 'streaming' : 'whole'}: arguments that are not JSON are kept, with the reason`, async () => {
      server.behave({ kind: 'answer', calls: [{ id: 'c1', name: 'f', args: '{bad' }] })
      expect(await ask(id, { options: { stream } })).toMatchObject({
        tool_calls: [{ name: 'f', args: '{bad', args_error: expect.stringContaining('not JSON') }],
      })
    })
  }
}

test('a rate-limited provider is met in the end', async () => {
  server.limit(20)
  const calls = Array.from({ length: 12 }, () => ask('openai.test'))
  expect((await Promise.all(calls)).every((completion) => completion.content === 'hello')).toBe(true)
})
