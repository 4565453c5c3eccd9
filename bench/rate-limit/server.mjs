// An OpenAI-compatible endpoint that accepts that many requests in any second; beyond that 429 with Retry-After.
import { createServer } from 'node:http'

const perSecond = Number(process.argv[2])
let taken = []
const counts = { answered: 0, refused: 0 }
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url === '/counts') return response.end(JSON.stringify(counts))
    const now = performance.now()
    taken = taken.filter((at) => at > now - 1000)
    if (taken.length >= perSecond) {
      counts.refused++
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      return response.end(JSON.stringify({ error: { type: 'rate_limit_error', message: 'slow down' } }))
    }
    taken.push(now)
    counts.answered++
    response.writeHead(200, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: 'hello' }
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
