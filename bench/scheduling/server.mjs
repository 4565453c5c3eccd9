// Answers any POST with the last message, after a while, and tells when it got the first request and gave the last answer.
// On bare sockets: it shares the machine with what is measured.
import { createServer } from 'node:net'

const delay = Number(process.argv[2])
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
    seen = ''
    const { messages } = JSON.parse(body)
    const answer = JSON.stringify({ content: messages.at(-1).content })
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(answer)}\r\n\r\n`
    setTimeout(() => {
      socket.write(head + answer)
      last = performance.now()
    }, delay)
  })
})
process.on('message', () => {
  process.send({ took: (last - first) / 1000 })
  first = 0
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
