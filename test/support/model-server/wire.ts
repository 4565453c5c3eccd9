// The three wire formats: a scripted answer as one document, as the events of a stream, and an error.
import type { ScriptedAnswer } from './behaviour.js'

export interface Wire {
  whole(answer: ScriptedAnswer): unknown
  /** Complete server-sent events, each ending in an empty line. */
  events(answer: ScriptedAnswer): string[]
  error(type: string, message: string, status: number): unknown
  /** An error in the middle of a stream. */
  errorEvent(): string
}

export function wireFor(path: string): Wire {
  if (path.includes('/messages')) return anthropic
  if (path.includes(':generateContent') || path.includes(':streamGenerateContent')) return google
  return openai
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const named = (event: string, value: Record<string, unknown>): string =>
  `event: ${event}\n${data({ type: event, ...value })}`
const textOf = (answer: ScriptedAnswer): string => (answer.pieces ?? []).join('')
const finishOf = (answer: ScriptedAnswer) => answer.finish ?? (answer.calls ? 'tools' : 'stop')

const openai: Wire = {
  whole: (answer) => ({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.pieces ? textOf(answer) : null,
          ...(answer.calls && { tool_calls: answer.calls.map(({ id, name, args }) => openaiCall(id, name, args)) }),
        },
        finish_reason: openaiFinish(answer),
      },
    ],
    ...(answer.usage && { usage: openaiUsage(answer) }),
  }),
  events: (answer) => [
    data(openaiChunk({ role: 'assistant', content: '' })),
    ...(answer.pieces ?? []).map((content) => data(openaiChunk({ content }))),
    ...(answer.calls ?? []).flatMap(({ id, name, args }, index) => [
      data(openaiChunk({ tool_calls: [{ index, ...openaiCall(id, name, '') }] })),
      ...halves(args).map((part) => data(openaiChunk({ tool_calls: [{ index, function: { arguments: part } }] }))),
    ]),
    data(openaiChunk({}, openaiFinish(answer))),
    ...(answer.usage ? [data({ ...openaiChunk({}), choices: [], usage: openaiUsage(answer) })] : []),
    'data: [DONE]\n\n',
  ],
  error: (type, message) => ({ error: { type, code: type, message } }),
  errorEvent: () => 'event: error\n' + data({ type: 'overloaded_error' }),
}

const openaiFinish = (answer: ScriptedAnswer) =>
  ({ stop: 'stop', length: 'length', tools: 'tool_calls' })[finishOf(answer)]
const openaiUsage = ({ usage }: ScriptedAnswer) => ({
  prompt_tokens: usage?.input,
  completion_tokens: usage?.output,
  total_tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
})
const openaiCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const openaiChunk = (delta: unknown, finish: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const anthropic: Wire = {
  whole: (answer) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...(answer.pieces ? [{ type: 'text', text: textOf(answer) }] : []),
      ...(answer.calls ?? []).map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: parsed(args) })),
    ],
    stop_reason: anthropicStop(answer),
    stop_sequence: null,
    usage: { input_tokens: answer.usage?.input ?? 0, output_tokens: answer.usage?.output ?? 0 },
  }),
  events: (answer) => {
    const blocks = [
      ...(answer.pieces
        ? [[{ type: 'text', text: '' }, answer.pieces.map((text) => ({ type: 'text_delta', text }))] as const]
        : []),
      ...(answer.calls ?? []).map(
        ({ id, name, args }) =>
          [
            { type: 'tool_use', id, name, input: {} },
            halves(args).map((part) => ({ type: 'input_json_delta', partial_json: part })),
          ] as const,
      ),
    ]
    return [
      named('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: answer.usage?.input ?? 0, output_tokens: 1 },
        },
      }),
      ...blocks.flatMap(([block, deltas], index) => [
        named('content_block_start', { index, content_block: block }),
        ...deltas.map((delta) => named('content_block_delta', { index, delta })),
        named('content_block_stop', { index }),
      ]),
      named('message_delta', {
        delta: { stop_reason: anthropicStop(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage?.output ?? 0 },
      }),
      named('message_stop', {}),
    ]
  },
  error: (type, message) => ({ type: 'error', error: { type, message } }),
  errorEvent: () => named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
}

const anthropicStop = (answer: ScriptedAnswer) =>
  ({ stop: 'end_turn', length: 'max_tokens', tools: 'tool_use' })[finishOf(answer)]

const google: Wire = {
  whole: (answer) => googleBody(answer, googleParts(answer), true),
  events: (answer) => {
    const pieces = (answer.pieces ?? []).map((text) => [{ text }])
    const calls = answer.calls ? [googleParts({ kind: 'answer', calls: answer.calls })] : []
    const parts: unknown[][] = [...pieces, ...calls]
    return parts.map((part, index) => data(googleBody(answer, part, index === parts.length - 1)))
  },
  error: (type, message, status) => ({ error: { code: status, message, status: type.toUpperCase() } }),
  errorEvent: () => data({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
}

const googleParts = (answer: ScriptedAnswer): unknown[] => [
  ...(answer.pieces ? [{ text: textOf(answer) }] : []),
  ...(answer.calls ?? []).map(({ name, args }) => ({ functionCall: { name, args: parsed(args) } })),
]
const googleBody = (answer: ScriptedAnswer, parts: unknown[], last: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts },
      ...(last && { finishReason: finishOf(answer) === 'length' ? 'MAX_TOKENS' : 'STOP' }),
    },
  ],
  ...(last &&
    answer.usage && {
      usageMetadata: {
        promptTokenCount: answer.usage.input,
        candidatesTokenCount: answer.usage.output,
        totalTokenCount: answer.usage.input + answer.usage.output,
      },
    }),
})

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
