// Your agent behind a URL. Replace it with your own server: one POST, the conversation in, the reply out.
import { createServer } from 'node:http'

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/health') return response.end('{}')
  let body = ''
  for await (const chunk of request) body += chunk
  const asked = JSON.parse(body).messages.at(-1).content
  const day = /monday|tuesday|wednesday|thursday|friday/i.exec(asked)?.[0]
  const reply = day
    ? { content: `Your table is booked for ${day}.`, tool_calls: [{ name: 'book_table', args: { day } }] }
    : { content: 'Which day suits you?', tool_calls: [], awaiting_input: true }
  response.end(JSON.stringify(reply))
}).listen(8787, '127.0.0.1', () => console.log('listening on http://127.0.0.1:8787'))
