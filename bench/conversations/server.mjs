// An agent and a simulated user on one loopback server, each of which answers after a while and notices a foreign word.
import { createServer } from 'node:http'

const delay = Number(process.argv[2])
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const content = request.url === '/user' ? user(body) : agent(body)
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ content }))
    }, delay)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

/** Knows its conversation by the first message alone, and says so when another one shows up in it. */
function agent({ messages }) {
  const [id] = messages[0].content.split(' ')
  const said = messages.filter((message) => message.role === 'user')
  const foreign = messages.find((message) => !message.content.startsWith(`${id} `))
  return foreign ? `mixed: ${foreign.content}` : `${id} heard ${said.length}`
}

function user({ options }) {
  const { test_id, turn_number, conversation, last_response } = options.metadata
  const foreign = conversation.find((message) => !message.content.startsWith(`${test_id} `))
  const heard = turn_number === 1 ? '' : `${test_id} heard ${turn_number - 1}`
  if (foreign || last_response !== heard) return JSON.stringify({ input: `mixed: ${last_response}` })
  return JSON.stringify({ input: `${test_id} says ${turn_number}`, goal_achieved: false })
}
