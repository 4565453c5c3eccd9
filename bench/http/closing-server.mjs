// Answers each request and closes the connection without having said so. What comes on it afterwards is lost.
import { createServer } from 'node:net'

const BODY = '{"content":"the lazy dog"}'
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

const server = createServer({ noDelay: true }, (socket) => {
  let seen = ''
  let isAnswered = false
  socket.setEncoding('latin1').on('error', () => {})
  socket.on('data', (data) => {
    seen += data
    const end = seen.indexOf('\r\n\r\n')
    if (isAnswered || end === -1) return
    if (seen.length - end - 4 < Number(/content-length: (\d+)/i.exec(seen)?.[1])) return
    isAnswered = true
    socket.end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
