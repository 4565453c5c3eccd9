// A model that streams: every POST gets the same answer in OpenAI's wire format, piece by piece. Cheap, on bare sockets.
import { createServer } from 'node:net'

const words = 'The quick brown fox jumps over the lazy dog and then it sleeps in the warm sun until noon.'.split(/(?<= )/)
const chunk = (delta, finish_reason = null) => event({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
const event = (body) => `data: ${JSON.stringify(body)}\n\n`
const events = [
  chunk({ role: 'assistant', content: '' }),
  ...words.map((content) => chunk({ content })),
  chunk({}, 'stop'),
  event({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 } }),
  'data: [DONE]\n\n',
]
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n'
const sized = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
// Four writes, several events in each, as they come from a model that is quick.
const WRITES = 4
const writes = Array.from({ length: WRITES }, (_, part) => {
  const from = Math.floor((events.length * part) / WRITES)
  const to = Math.floor((events.length * (part + 1)) / WRITES)
  return Buffer.from((part === 0 ? head : '') + events.slice(from, to).map(sized).join('') + (part === WRITES - 1 ? '0\r\n\r\n' : ''))
})

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
      seen = seen.slice(end + 4 + length)
      answer(socket, 0)
    }
  })
}).listen(0, '127.0.0.1', function () {
  process.send({ port: this.address().port })
})

function answer(socket, part) {
  socket.write(writes[part])
  if (part < writes.length - 1) setImmediate(() => answer(socket, part + 1))
}
