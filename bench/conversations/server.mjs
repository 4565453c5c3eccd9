// An agent and a simulated user on one loopback server, each of which answers after a while and notices a foreign word.
import { serveJson } from '../support/json-server.mjs'

serveJson(Number(process.argv[2]), (path, body) => ({ content: path === '/user' ? user(body) : agent(body) }))

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
