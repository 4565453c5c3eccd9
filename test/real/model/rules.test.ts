// What the loopback model must refuse, because the vendors do, and what it must take.
import { expect, test } from 'vitest'
import { wireFor } from './wires/index.js'

type Body = Record<string, unknown>
type Change = (body: Body) => void

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const ANTHROPIC = '/v1/messages'
const GEMINI = '/v1beta/models/g:generateContent'

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const chatCall = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }
const thought = (wireFor(ANTHROPIC).whole({ kind: 'answer', thought: 'Hm.' }) as { content: Body[] }).content[0]

/** A second turn after a tool call, with everything in its place. */
const GOOD: Record<string, () => Body> = {
  [CHAT]: () => ({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Ulm?' }] },
      { role: 'assistant', content: null, tool_calls: [structuredClone(chatCall)] },
      { role: 'tool', tool_call_id: 'call_1', content: 'fog' },
      { role: 'assistant', content: 'Fog.' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', parameters: structuredClone(parameters), strict: true } }],
    temperature: 0,
  }),
  [RESPONSES]: () => ({
    model: 'm',
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Ulm?' }] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Ulm"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'fog' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fog.' }] },
      { role: 'user', content: 'And now?' },
    ],
    tools: [{ type: 'function', name: 'weather', parameters: structuredClone(parameters), strict: true }],
  }),
  [ANTHROPIC]: () => ({
    model: 'm',
    max_tokens: 4000,
    system: 'Be brief.',
    thinking: { type: 'enabled', budget_tokens: 2000 },
    messages: [
      { role: 'user', content: 'Ulm?' },
      {
        role: 'assistant',
        content: [
          structuredClone(thought),
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Ulm' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'fog' }] },
    ],
    tools: [{ name: 'weather', input_schema: structuredClone(parameters) }],
  }),
  [GEMINI]: () => ({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Ulm?' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'SG0u' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'fog' } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: structuredClone(parameters) }] }],
  }),
}

/** Sets, or removes, what is at a path: `at('messages.2.tool_calls', undefined)`. */
function at(path: string, value: unknown): Change {
  return (body) => {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    const parent = keys.reduce((inner: Body, key) => inner[key] as Body, body)
    if (value !== undefined) parent[last] = value
    else if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else delete parent[last]
  }
}

const REFUSED: Array<[path: string, what: string, change: Change, says: RegExp]> = [
  [CHAT, 'no messages', at('messages', []), /messages/],
  [CHAT, 'no model', at('model', undefined), /model/],
  [CHAT, 'an unknown parameter', at('max_output_tokens', 5), /unknown parameter: 'max_output_tokens'/],
  [
    CHAT,
    "Viva's own spelling of calls",
    at('messages.2.tool_calls.0', { name: 'weather', args: {}, id: 'call_1' }),
    /tool_calls/,
  ],
  [CHAT, 'arguments as an object', at('messages.2.tool_calls.0.function.arguments', { city: 'Ulm' }), /arguments/],
  [CHAT, 'a call without an id', at('messages.2.tool_calls.0.id', undefined), /id/],
  [CHAT, 'an empty id', at('messages.2.tool_calls.0.id', ''), /id/],
  [CHAT, 'an id of 41 characters', at('messages.2.tool_calls.0.id', 'x'.repeat(41)), /id/],
  [CHAT, 'a call without a type', at('messages.2.tool_calls.0.type', undefined), /type/],
  [CHAT, 'a result on a call', at('messages.2.tool_calls.0.result', 'fog'), /unknown parameter/],
  [CHAT, 'a name with a dot', at('messages.2.tool_calls.0.function.name', 'a.weather'), /name/],
  [CHAT, 'an empty list of calls', at('messages.2.tool_calls', []), /tool_calls/],
  [CHAT, 'null without calls', at('messages.2.tool_calls', undefined), /content|tool/],
  [CHAT, 'a result without a call', at('messages.2', undefined), /must follow/],
  [CHAT, 'a call without a result', at('messages.3', undefined), /must be followed/],
  [CHAT, 'a result of another call', at('messages.3.tool_call_id', 'call_2'), /must follow/],
  [CHAT, 'a result that is an object', at('messages.3.content', { fog: true }), /content/],
  [CHAT, 'a result without content', at('messages.3.content', null), /content/],
  [CHAT, 'a role that does not exist', at('messages.5.role', 'human'), /role/],
  [CHAT, 'metadata on a message', at('messages.5.metadata', { a: 1 }), /unknown parameter/],
  [CHAT, 'reasoning on a message', at('messages.4.reasoning_content', 'Hm.'), /unknown parameter/],
  [
    CHAT,
    'an image where text is wanted',
    at('messages.0.content', [{ type: 'image_url', image_url: { url: 'x' } }]),
    /content/,
  ],
  [CHAT, 'a part of another API', at('messages.1.content.0.type', 'input_text'), /type|content/],
  [CHAT, 'a tool of the other API', at('tools.0', { type: 'function', name: 'weather' }), /tools/],
  [
    CHAT,
    'a strict tool that is not',
    at('tools.0.function.parameters.additionalProperties', undefined),
    /additionalProperties/,
  ],
  [CHAT, 'a strict tool with an optional field', at('tools.0.function.parameters.required', []), /required/],
  [
    CHAT,
    'tool_choice without tools',
    (body) => (at('tools', undefined)(body), at('tool_choice', 'auto')(body)),
    /tool_choice/,
  ],
  [CHAT, 'stream options without a stream', at('stream_options', { include_usage: true }), /stream_options/],
  [CHAT, 'a temperature of 3', at('temperature', 3), /temperature/],
  [CHAT, 'JSON without the word', at('response_format', { type: 'json_object' }), /json/],
  [RESPONSES, 'no input', at('input', undefined), /input/],
  [RESPONSES, 'the parameter of the other API', at('max_tokens', 50), /unknown parameter/],
  [RESPONSES, 'messages of the other API', at('messages', []), /unknown parameter/],
  [RESPONSES, 'a part of the other API', at('input.0.content.0.type', 'text'), /content/],
  [RESPONSES, 'an answer given as input', at('input.4.content.0.type', 'input_text'), /content/],
  [RESPONSES, 'an output without its call', at('input.2', undefined), /No tool call found|following item/],
  [RESPONSES, 'a call without its output', at('input.3', undefined), /No tool output found/],
  [RESPONSES, 'a call without call_id', at('input.2.call_id', undefined), /call_id/],
  [RESPONSES, 'a call with the id of another vendor', at('input.2.id', 'toolu_1'), /id/],
  [RESPONSES, 'arguments as an object', at('input.2.arguments', { city: 'Ulm' }), /arguments/],
  [RESPONSES, 'an output as an object', at('input.3.output', { fog: true }), /output/],
  [
    RESPONSES,
    'a tool of the other API',
    at('tools.0', { type: 'function', function: { name: 'weather' } }),
    /tools\[0\]/,
  ],
  [
    RESPONSES,
    'reasoning at the end',
    (body) => at('input', [...(body['input'] as Body[]), { type: 'reasoning', id: 'rs_2', summary: [] }])(body),
    /following item/,
  ],
  [RESPONSES, 'reasoning without a summary', at('input.1.summary', undefined), /summary/],
  [RESPONSES, 'an item that does not exist', at('input.4.type', 'answer'), /answer/],
  [RESPONSES, 'metadata on an item', at('input.0.metadata', {}), /unknown parameter/],
  [
    RESPONSES,
    'a strict tool that is not',
    at('tools.0.parameters.additionalProperties', undefined),
    /additionalProperties/,
  ],
  [ANTHROPIC, 'no max_tokens', at('max_tokens', undefined), /max_tokens/],
  [ANTHROPIC, 'a system message among the others', at('messages.0.role', 'system'), /role/],
  [ANTHROPIC, 'an unknown parameter', at('stop', ['x']), /unknown parameter/],
  [ANTHROPIC, 'a temperature of 1.5', at('temperature', 1.5), /temperature/],
  [ANTHROPIC, 'a tool without a schema', at('tools.0.input_schema', undefined), /tools/],
  [ANTHROPIC, 'a tool of another vendor', at('tools.0', { type: 'function', function: { name: 'weather' } }), /tools/],
  [
    ANTHROPIC,
    'two tools of one name',
    (body) => at('tools', [...(body['tools'] as Body[]), ...(body['tools'] as Body[])])(body),
    /unique/,
  ],
  [ANTHROPIC, 'an input that is text', at('messages.1.content.1.input', '{"city":"Ulm"}'), /input|content/],
  [ANTHROPIC, 'a result without a call', at('messages.1.content', 'Let me see.'), /unexpected `tool_use_id`/],
  [ANTHROPIC, 'a call without a result', at('messages.2.content', 'And now?'), /without `tool_result`/],
  [
    ANTHROPIC,
    'text before a result',
    (body) =>
      at('messages.2.content', [
        { type: 'text', text: 'Here:' },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'fog' },
      ])(body),
    /must come first/,
  ],
  [ANTHROPIC, 'an empty text', at('messages.0.content', [{ type: 'text', text: '' }]), /non-whitespace|content/],
  [ANTHROPIC, 'an empty message', at('messages.0.content', ''), /non-empty/],
  [ANTHROPIC, 'a call without the thought before it', at('messages.1.content.0', undefined), /Expected `thinking`/],
  [ANTHROPIC, 'a thought without a signature', at('messages.1.content.0.signature', undefined), /signature|content/],
  [ANTHROPIC, 'a thought that was changed', at('messages.1.content.0.thinking', 'Hm!'), /Invalid `signature`/],
  [ANTHROPIC, 'thinking that leaves no room', at('max_tokens', 1500), /max_tokens/],
  [ANTHROPIC, 'thinking with a temperature', at('temperature', 0), /temperature/],
  [ANTHROPIC, 'thinking with a forced tool', at('tool_choice', { type: 'any' }), /Thinking may not/],
  [GEMINI, 'no contents', at('contents', []), /contents/],
  [GEMINI, "OpenAI's role", at('contents.1.role', 'assistant'), /role/],
  [GEMINI, 'a system message among the others', at('contents.0.role', 'system'), /role/],
  [GEMINI, 'an unknown field', at('contents.0.name', 'me'), /unknown parameter/],
  [GEMINI, 'a message without parts', at('contents.0.parts', []), /parts/],
  [GEMINI, 'a part with nothing in it', at('contents.0.parts', [{}]), /oneof/],
  [GEMINI, 'a part with two things in it', at('contents.1.parts.0.text', 'Let me see.'), /oneof/],
  [GEMINI, 'a response without a name', at('contents.2.parts.0.functionResponse.name', ''), /name/],
  [GEMINI, 'a response that is text', at('contents.2.parts.0.functionResponse.response', 'fog'), /response/],
  [GEMINI, 'a response without a call', at('contents.1', undefined), /function response turn/],
  [
    GEMINI,
    'a call without a response',
    at('contents.2', { role: 'user', parts: [{ text: 'And now?' }] }),
    /function response turn/,
  ],
  [
    GEMINI,
    'fewer responses than calls',
    (body) =>
      at('contents.1.parts', [
        ...(((body['contents'] as Body[])[1] as Body)['parts'] as Body[]),
        { functionCall: { name: 'weather', args: {} } },
      ])(body),
    /number of function response parts/,
  ],
  [
    GEMINI,
    'JSON Schema where OpenAPI is wanted',
    at('tools.0.functionDeclarations.0', { name: 'weather', parameters: { ...parameters, $schema: 'x' } }),
    /Unknown name/,
  ],
  [GEMINI, 'a name with a space', at('tools.0.functionDeclarations.0.name', 'the weather'), /name/],
  [GEMINI, 'a temperature of 3', at('generationConfig', { temperature: 3 }), /temperature/],
  [GEMINI, 'an unknown setting', at('generationConfig', { maxTokens: 3 }), /unknown parameter/],
  [GEMINI, 'JSON together with tools', at('generationConfig', { responseMimeType: 'application/json' }), /unsupported/],
]

test.each(Object.entries(GOOD))('%s takes a second turn after a tool call', (path, make) => {
  expect(wireFor(path).refusalOf(make())).toBeUndefined()
})

test.each(REFUSED)('%s refuses %s', (path, _what, change, says) => {
  const body = GOOD[path]?.() ?? {}
  change(body)
  expect(wireFor(path).refusalOf(body)).toMatch(says)
})

test('Gemini takes both spellings of its fields', () => {
  const { systemInstruction: system_instruction, ...rest } = GOOD[GEMINI]?.() ?? {}
  expect(wireFor(GEMINI).refusalOf({ ...rest, system_instruction })).toBeUndefined()
})

test('a call that came with a thought or a signature is not taken without it', () => {
  const calls = [{ id: 'call_1', name: 'weather', args: '{"city":"Ulm"}' }]
  const issued = [{ kind: 'answer' as const, thought: 'Hm.', calls }]
  const chat = (fields: object) => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'Ulm?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
        ...fields,
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'fog' },
    ],
  })
  const chatRefusal = (fields: object) => wireFor(CHAT).refusalOf(chat(fields), {}, issued)
  expect(chatRefusal({ reasoning_content: 'Hm.' })).toBeUndefined()
  expect(chatRefusal({})).toMatch(/Missing `reasoning_content`/)
  expect(chatRefusal({ reasoning_content: 'Hm!' })).toMatch(/unknown parameter/)
  const gemini = (part: object) => ({
    contents: [
      { role: 'user', parts: [{ text: 'Ulm?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Ulm' } }, ...part }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: {} } }] },
    ],
  })
  const geminiRefusal = (part: object) => wireFor(GEMINI).refusalOf(gemini(part), {}, issued)
  expect(geminiRefusal({ thoughtSignature: Buffer.from('Hm.').toString('base64') })).toBeUndefined()
  expect(geminiRefusal({})).toMatch(/missing a `thought_signature`/)
  expect(geminiRefusal({ thoughtSignature: 'SG0h' })).toMatch(/not valid/)
})

test('reasoning that was neither stored nor encrypted is not found', () => {
  const input = [
    { role: 'user', content: 'Ulm?' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { role: 'assistant', content: 'Fog.' },
  ]
  expect(wireFor(RESPONSES).refusalOf({ model: 'm', input, store: false })).toMatch(/not persisted/)
  expect(wireFor(RESPONSES).refusalOf({ model: 'm', input })).toBeUndefined()
})

test('a call that came with reasoning is not taken without it', () => {
  const wire = wireFor(RESPONSES)
  const calls = [{ id: 'call_1', name: 'weather', args: '{}' }]
  const { output } = wire.whole({ kind: 'answer', thought: 'Hm.', calls }) as { output: Body[] }
  const input = [
    { role: 'user', content: 'Ulm?' },
    ...output,
    { type: 'function_call_output', call_id: 'call_1', output: 'fog' },
  ]
  expect(wire.refusalOf({ model: 'm', input })).toBeUndefined()
  expect(wire.refusalOf({ model: 'm', input: input.filter((item) => item['type'] !== 'reasoning') })).toMatch(
    /'reasoning' item/,
  )
})
