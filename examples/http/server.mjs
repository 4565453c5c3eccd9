// A help desk behind HTTP: `POST /desk` in its own JSON, `POST /v1/chat/completions` as OpenAI-compatible clients expect it.
import { createServer } from 'node:http'

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.headers['x-desk'] !== 'front') return send(response, 403, { error: 'say which desk you mean' })
  const { messages, stream } = JSON.parse(text)
  const answer = help(messages)
  if (request.url === '/desk') {
    return send(response, 200, { answer: { text: answer.text }, calls: answer.calls, tokens: { input_tokens: 9, output_tokens: 3 } })
  }
  if (request.url === '/v1/chat/completions') return chat(response, answer, stream)
  send(response, 404, { error: `nothing at ${request.url}` })
})

/** Opens a ticket for whatever is broken. */
function help(messages) {
  const said = messages.at(-1).content
  const thing = /my (\w+) is broken/.exec(said)?.[1]
  if (!thing) return { text: `Tell me what is broken. (${messages.length})`, calls: [] }
  return { text: `A ticket for your ${thing} is open.`, calls: [{ name: 'open_ticket', args: { thing } }] }
}

function chat(response, { text, calls }, stream) {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  if (!stream) {
    const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) }
    return send(response, 200, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (delta, finish_reason = null, rest = {}) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], ...rest })}\n\n`)
  for (const word of text.split(/(?<= )/)) event({ content: word })
  if (calls.length > 0) event({ tool_calls })
  event({}, 'stop', { usage })
  response.end('data: [DONE]\n\n')
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

server.listen(Number(process.env.PORT ?? 8787), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
