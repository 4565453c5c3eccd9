// A model on the loopback interface, so that the examples run offline. It speaks the OpenAI, Anthropic and Gemini wire
// formats, streaming or not, and knows one thing: asked for the weather somewhere, it calls the first tool offered, and
// tells what the tool said.
import { createServer } from 'node:http'

/** @returns {Promise<{url: string, requests: any[], stop: () => void}>} */
export async function startModel() {
  const requests = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    requests.push({ path: request.url, headers: request.headers, body })
    const wire = request.url.includes('/messages') ? anthropic : request.url.includes('enerateContent') ? google : openai
    const answer = { id: `answer_${requests.length}`, ...think(wire.read(body), requests.length) }
    if (body.stream || request.url.includes(':stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of wire.events(answer)) response.write(event)
      response.end()
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.whole(answer)))
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, requests, stop }
}

/** What was said last, which tools there are, and what the tool said if it was just called → the answer. No two calls have one id. */
function think({ said, tools, result }, number) {
  const usage = { input: 20, output: 8 }
  if (result !== undefined) return { text: `The weather report says: ${result}`, usage }
  const city = /weather in ([A-Z]\w+)/.exec(said)?.[1]
  if (city && tools.length > 0) return { call: { id: `call_${number}`, name: tools[0], args: { city } }, usage }
  return { text: `You said: ${said}`, usage }
}

const data = (value, event) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(value)}\n\n`
const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? textOf(part.content)).join('')
const pieces = (text) => text.match(/\S+\s*/g)

const openai = {
  read({ messages, tools = [] }) {
    const last = messages.at(-1)
    const said = textOf(messages.findLast((message) => message.role === 'user')?.content)
    return { said, tools: tools.map((tool) => tool.function.name), result: last.role === 'tool' ? textOf(last.content) : undefined }
  },
  call: ({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }),
  usage: ({ input, output }) => ({ prompt_tokens: input, completion_tokens: output, total_tokens: input + output }),
  whole: ({ id, text, call, usage }) => ({
    id, object: 'chat.completion', created: 1, model: 'loopback',
    choices: [{ index: 0, finish_reason: call ? 'tool_calls' : 'stop', message: { role: 'assistant', content: text ?? null, ...(call && { tool_calls: [openai.call(call)] }) } }],
    usage: openai.usage(usage),
  }),
  events({ id, text, call, usage }) {
    const chunk = (delta, finish_reason = null) =>
      data({ id, object: 'chat.completion.chunk', created: 1, model: 'loopback', choices: [{ index: 0, delta, finish_reason }] })
    const parts = call ? [chunk({ tool_calls: [{ index: 0, ...openai.call(call) }] })] : pieces(text).map((content) => chunk({ content }))
    const last = data({ id, object: 'chat.completion.chunk', created: 1, model: 'loopback', choices: [], usage: openai.usage(usage), x_groq: { usage: openai.usage(usage) } })
    return [chunk({ role: 'assistant', content: '' }), ...parts, chunk({}, call ? 'tool_calls' : 'stop'), last, 'data: [DONE]\n\n']
  },
}

const anthropic = {
  read({ messages, tools = [] }) {
    const last = messages.at(-1)
    const done = Array.isArray(last.content) ? last.content.find((part) => part.type === 'tool_result') : undefined
    return { said: textOf(last.content), tools: tools.map((tool) => tool.name), result: done && textOf(done.content) }
  },
  message: ({ id, usage }, content, stop_reason) => ({
    id, type: 'message', role: 'assistant', model: 'loopback', content, stop_reason, stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }),
  block: ({ text, call }) => (call ? { type: 'tool_use', id: call.id, name: call.name, input: call.args } : { type: 'text', text }),
  whole: (answer) => anthropic.message(answer, [anthropic.block(answer)], answer.call ? 'tool_use' : 'end_turn'),
  events(answer) {
    const { text, call, usage } = answer
    const event = (type, rest) => data({ type, ...rest }, type)
    const deltas = call
      ? [{ type: 'input_json_delta', partial_json: JSON.stringify(call.args) }]
      : pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))
    const content_block = call ? { type: 'tool_use', id: call.id, name: call.name, input: {} } : { type: 'text', text: '' }
    return [
      event('message_start', { message: anthropic.message(answer, [], null) }),
      event('content_block_start', { index: 0, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index: 0, delta })),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: usage.output } }),
      event('message_stop', {}),
    ]
  },
}

const google = {
  read({ contents, tools = [] }) {
    const last = contents.at(-1)
    const done = last.parts.find((part) => part.functionResponse)?.functionResponse.response
    return {
      said: last.parts.map((part) => part.text ?? '').join(''),
      tools: tools.flatMap((tool) => tool.functionDeclarations.map((item) => item.name)),
      result: done && textOf(done.content ?? done.output),
    }
  },
  body: (parts, usage, finishReason) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output, totalTokenCount: usage.input + usage.output },
  }),
  parts: ({ text, call }) => (call ? [{ functionCall: { name: call.name, args: call.args } }] : [{ text }]),
  whole: (answer) => google.body(google.parts(answer), answer.usage, 'STOP'),
  events: (answer) => [
    ...(answer.call ? [google.parts(answer)] : pieces(answer.text).map((text) => [{ text }])).map((parts) => data(google.body(parts, answer.usage))),
    data(google.body([], answer.usage, 'STOP')),
  ],
}
