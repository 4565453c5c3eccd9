// Answers any POST with the last message, after a while.
import { createServer } from 'node:http'

const delay = Number(process.argv[2])
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString())
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ content: messages.at(-1).content }))
    }, delay)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
