// A provider on loopback that speaks OpenAI's (chat, responses) and Anthropic's format: asked for the weather it calls a
// tool first, and answers with what the question was.
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { wireFor } from '../real/model/wires/index.js'

export interface Upstream {
  url: string
  /** What SDKs read their addresses from. */
  env: Record<string, string>
  requests: Array<{ method: string; path: string; headers: IncomingHttpHeaders; body: string }>
  /** Takes a request over; false: it is answered as always. */
  instead?: ((response: ServerResponse, asked: { path: string; body: string }) => boolean) | undefined
  /** A hash for each stream that was sent whole. */
  sent: string[]
  /** Before an answer begins. */
  hold?: () => Promise<void>
  close(): Promise<void>
}

export const KEYS = {
  OPENAI_API_KEY: 'sk-proj-upstream0123456789abcdef',
  ANTHROPIC_API_KEY: 'sk-ant-api03-upstream01234567',
}

export async function startUpstream(): Promise<Upstream> {
  const upstream: Upstream = { url: '', env: {}, requests: [], sent: [], close: async () => {} }
  const server = createServer((request, response) => {
    void buffer(request).then(async (bytes) => {
      const { method = '', url: path = '', headers } = request
      const body = bytes.toString()
      upstream.requests.push({ method, path, headers, body })
      if (upstream.instead?.(response, { path, body })) return
      if (method === 'GET') return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt' }] }))
      await upstream.hold?.()
      const events = eventsFor(path, body)
      await stream(response, events)
      upstream.sent.push(createHash('sha256').update(events.join('')).digest('hex'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  upstream.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(upstream.close)
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  upstream.env = { OPENAI_BASE_URL: `${upstream.url}/v1`, ANTHROPIC_BASE_URL: upstream.url, ...KEYS }
  return upstream
}

/** Each event in a chunk of its own, and the third cut in the middle of a character. */
async function stream(response: ServerResponse, events: string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'set-cookie': 'session=secret-cookie' })
  for (const event of events) {
    const bytes = Buffer.from(event)
    const at = bytes.indexOf(Buffer.from('é'))
    const parts = at < 0 ? [bytes] : [bytes.subarray(0, at + 1), bytes.subarray(at + 1)]
    for (const part of parts) {
      response.write(part)
      await turn()
    }
  }
  response.end()
}

function eventsFor(path: string, body: string): string[] {
  const question = /weather in (\w+)/.exec(body)?.[1] ?? 'nowhere'
  if (path.endsWith('/responses')) return responsesEvents(question)
  const isSecond = body.includes('"role":"tool"') || body.includes('"role": "tool"') || body.includes('tool_result')
  const wire = wireFor(path)
  // The same question gets the same answer, ids included.
  const id = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const usage = { input: 10, output: 5 }
  if (isSecond) return wire.events({ kind: 'answer', id, pieces: ['Rain', ' in ', question, ', café closed'], usage })
  return wire.events({
    kind: 'answer',
    id,
    pieces: ['Let me look.'],
    calls: [{ id: `call_${question}`, name: 'weather', args: JSON.stringify({ town: question }) }],
    usage,
  })
}

function responsesEvents(question: string): string[] {
  const event = (type: string, rest: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...rest })}\n\n`
  const args = JSON.stringify({ town: question })
  return [
    event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }),
    ...['Rain', ` in ${question}`, ', café'].map((delta) =>
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
    ),
    ...[args.slice(0, 4), args.slice(4)].map((delta) =>
      event('response.function_call_arguments.delta', { item_id: 'fc_1', output_index: 1, delta }),
    ),
    event('response.completed', { response: { id: 'resp_1', status: 'completed', output: [] } }),
  ]
}
