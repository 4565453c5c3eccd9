// A small agent that calls its model with a real SDK, streaming, with one tool: `node sdk.mjs KIND [question]`. Without
// a question it is asked as an exec agent is. Prints what it was answered, and the bytes of every answer.
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const WEATHER = {
  name: 'weather',
  description: 'The weather in a town',
  schema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
}

/** Hashes what comes over the wire, whatever the SDK makes of it. */
function watched() {
  const bodies = []
  return {
    bodies,
    fetch: async (...args) => {
      const response = await fetch(...args)
      const [seen, given] = response.body.tee()
      const hash = createHash('sha256')
      const body = { status: response.status, type: response.headers.get('content-type') }
      bodies.push(body)
      void (async () => {
        for await (const chunk of seen) hash.update(chunk)
        body.sha256 = hash.digest('hex')
      })().catch(() => {})
      return new Response(given, { status: response.status, headers: response.headers })
    },
  }
}

const KINDS = {
  async openai(question, { fetch }) {
    const { default: OpenAI } = await import('openai')
    const client = new OpenAI({ fetch })
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
    ]
    const tools = [
      {
        type: 'function',
        function: { name: WEATHER.name, description: WEATHER.description, parameters: WEATHER.schema },
      },
    ]
    const said = []
    for (let round = 0; round < 3; round++) {
      const stream = client.chat.completions.stream({ model: 'gpt', messages, tools })
      const { message } = (await stream.finalChatCompletion()).choices[0]
      said.push(message.content, message.tool_calls)
      if (!message.tool_calls?.length) break
      messages.push(message)
      for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'rain' })
    }
    return said
  },

  async responses(question, { fetch }) {
    const { default: OpenAI } = await import('openai')
    const client = new OpenAI({ fetch })
    const said = []
    const stream = await client.responses.create({
      model: 'gpt',
      input: [{ role: 'user', content: question }],
      tools: [{ type: 'function', name: WEATHER.name, parameters: WEATHER.schema, strict: false }],
      stream: true,
    })
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta' || event.type === 'response.function_call_arguments.delta')
        said.push(event.delta)
    }
    return said
  },

  async anthropic(question, { fetch }) {
    const { default: Anthropic } = await import('@anthropic-ai/sdk')
    const client = new Anthropic({ fetch })
    const messages = [{ role: 'user', content: question }]
    const tools = [{ name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.schema }]
    const said = []
    for (let round = 0; round < 3; round++) {
      const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
      const { content } = await client.messages
        .stream({ model: 'claude', max_tokens: 100, system, messages, tools })
        .finalMessage()
      said.push(...content)
      const calls = content.filter(({ type }) => type === 'tool_use')
      if (calls.length === 0) break
      messages.push(
        { role: 'assistant', content },
        { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'rain' })) },
      )
    }
    return said
  },

  async ai(question, { fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env
    return aiSdk(createOpenAICompatible({ name: 'openai', baseURL, apiKey, fetch })('gpt'), question)
  },

  async 'ai-anthropic'(question, { fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return aiSdk(createAnthropic({ fetch })('claude'), question)
  },
}

async function aiSdk(model, question) {
  const { jsonSchema, stepCountIs, streamText, tool } = await import('ai')
  const result = streamText({
    model,
    system: 'Be brief.',
    prompt: question,
    maxRetries: 2,
    stopWhen: stepCountIs(3),
    tools: {
      weather: tool({
        description: WEATHER.description,
        inputSchema: jsonSchema(WEATHER.schema),
        execute: async () => 'rain',
      }),
    },
    onError: () => {},
  })
  const said = []
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') said.push(part.text)
    if (part.type === 'tool-call') said.push({ id: part.toolCallId, name: part.toolName, input: part.input })
  }
  return said
}

export async function converse(kind, question) {
  const wire = watched()
  const said = await KINDS[kind](question, wire)
  return { said, bodies: wire.bodies }
}

/** As a module agent: `sdk.mjs#openaiAgent`. */
export async function openaiAgent(messages) {
  const { said } = await converse('openai', messages.at(-1).content)
  return said.filter((part) => typeof part === 'string').join(' ')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , kind, given] = process.argv
  const question = given ?? JSON.parse(await text(process.stdin)).messages.at(-1).content
  const { said, bodies } = await converse(kind, question)
  console.log(
    given === undefined
      ? said.filter((part) => typeof part === 'string').join(' ')
      : JSON.stringify({ said, bodies }, null, 1),
  )
}
