// A model that streams: every POST gets the same answer in the wire format its path asks for. Cheap, on bare sockets.
import { createServer } from 'node:net'

const words = 'The quick brown fox jumps over the lazy dog and then it sleeps in the warm sun until noon.'.split(
  /(?<= )/,
)
const event = (body, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(body)}\n\n`

const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' }
const openai = [
  event({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  ...words.map((content) => event({ ...chunk, choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
  event({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ ...chunk, choices: [], usage: { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 } }),
  'data: [DONE]\n\n',
]

const named = (type, rest) => event({ type, ...rest }, type)
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
}
const anthropic = [
  named('message_start', { message: { ...message, usage: { input_tokens: 40, output_tokens: 1 } } }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...words.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 20 } }),
  named('message_stop', {}),
]

const usageMetadata = { promptTokenCount: 40, candidatesTokenCount: 20, totalTokenCount: 60 }
const google = [
  ...words.map((text) =>
    event({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }], usageMetadata }),
  ),
  event({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
    usageMetadata,
  }),
]

const head =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n'
const sized = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
// Four writes, several events in each, as they come from a model that is quick.
const WRITES = 4
const inWrites = (events) =>
  Array.from({ length: WRITES }, (_, part) => {
    const from = Math.floor((events.length * part) / WRITES)
    const to = Math.floor((events.length * (part + 1)) / WRITES)
    const text = events.slice(from, to).map(sized).join('')
    return Buffer.from((part === 0 ? head : '') + text + (part === WRITES - 1 ? '0\r\n\r\n' : ''))
  })
const answers = { openai: inWrites(openai), anthropic: inWrites(anthropic), google: inWrites(google) }
const answerTo = (request) =>
  request.includes('/messages')
    ? answers.anthropic
    : request.includes('enerateContent')
      ? answers.google
      : answers.openai

createServer((socket) => {
  let seen = ''
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (data) => {
    seen += data.toString('latin1')
    for (;;) {
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/content-length: (\d+)/i.exec(seen.slice(0, end))?.[1] ?? 0)
      if (seen.length < end + 4 + length) return
      send(socket, answerTo(seen.slice(0, seen.indexOf('\r\n'))), 0)
      seen = seen.slice(end + 4 + length)
    }
  })
}).listen(0, '127.0.0.1', function () {
  process.send({ port: this.address().port })
})

function send(socket, writes, part) {
  socket.write(writes[part])
  if (part < writes.length - 1) setImmediate(() => send(socket, writes, part + 1))
}
