// Answers every POST with a JSON document, after a while. On bare sockets: it shares the machine with what is measured.
import { createServer } from 'node:net'

/**
 * `answer(path, body)` is the document. The parent process receives the port, and whenever it sends a message, how long it
 * took from the first request to the last answer since it asked before.
 */
export function serveJson(delay, answer) {
  let first = 0
  let last = 0
  const server = createServer({ noDelay: true }, (socket) => {
    let seen = ''
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      seen += data
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1) return
      const body = seen.slice(end + 4)
      const length = /content-length: (\d+)/i.exec(seen)?.[1]
      // One request at a time on a connection, so nothing comes behind the body.
      if (Buffer.byteLength(body) < Number(length)) return
      first ||= performance.now()
      const document = JSON.stringify(answer(seen.slice(5, seen.indexOf(' ', 5)), JSON.parse(body)))
      seen = ''
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(document)}\r\n\r\n`
      setTimeout(() => {
        socket.write(head + document)
        last = performance.now()
      }, delay)
    })
  })
  process.on('message', () => {
    process.send({ took: (last - first) / 1000 })
    first = 0
  })
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}
