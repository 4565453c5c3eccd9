// The same calls without Viva: what is left of the ideal time once a Node process has to make them on this machine.
import { Agent, request } from 'node:http'

const [port, cases, turns, parallel] = process.argv.slice(2).map(Number)
const agent = new Agent({ keepAlive: true, maxSockets: parallel })
const waiting = Array.from({ length: cases }, (_, index) => `C${index}`)

async function converse(id) {
  const conversation = []
  for (let turn = 1; turn <= turns; turn += 1) {
    const metadata = { test_id: id, turn_number: turn, conversation, last_response: conversation.at(-1)?.content ?? '' }
    const { input } = JSON.parse(await post('/user', { messages: [], options: { metadata } }))
    conversation.push({ role: 'user', content: input })
    conversation.push({ role: 'assistant', content: await post('/agent', { messages: conversation, options: {} }) })
  }
  if (conversation.at(-1).content !== `${id} heard ${turns}`) throw new Error(`${id}: ${conversation.at(-1).content}`)
}

function post(path, body) {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, path, method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (data) => (text += data))
        response.on('end', () => resolve(JSON.parse(text).content))
      },
    )
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })
}

await Promise.all(
  Array.from({ length: parallel }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await converse(id)
  }),
)
agent.destroy()
