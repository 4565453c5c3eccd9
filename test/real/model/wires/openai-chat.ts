// OpenAI's chat completions.
import type { ScriptedAnswer } from '../behaviour.js'
import { refusalOf } from '../rules/openai-chat.js'
import { data, finishOf, halves, textOf, uniqueId, type Wire } from './wire.js'

export const openaiChat: Wire = {
  whole: (answer) => ({
    id: uniqueId('chatcmpl-', answer),
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.pieces && answer.refusal === undefined ? textOf(answer) : null,
          refusal: answer.refusal ?? null,
          // As DeepSeek has it.
          ...(answer.thought !== undefined && { reasoning_content: answer.thought }),
          ...(answer.calls && { tool_calls: answer.calls.map(({ id, name, args }) => openaiCall(id, name, args)) }),
        },
        finish_reason: openaiFinish(answer),
      },
    ],
    ...(answer.usage && { usage: openaiUsage(answer) }),
  }),
  events: (answer) => {
    const openaiChunk = chunksOf(uniqueId('chatcmpl-', answer))
    return [
      data(openaiChunk({ role: 'assistant', content: '' })),
      ...halves(answer.thought ?? '').flatMap((part) =>
        part === '' ? [] : [data(openaiChunk({ reasoning_content: part }))],
      ),
      ...(answer.refusal === undefined ? (answer.pieces ?? []) : []).map((content) => data(openaiChunk({ content }))),
      ...(answer.refusal === undefined ? [] : [data(openaiChunk({ refusal: answer.refusal }))]),
      ...(answer.calls ?? []).flatMap(({ id, name, args }, index) => [
        data(openaiChunk({ tool_calls: [{ index, ...openaiCall(id, name, '') }] })),
        ...halves(args).map((part) => data(openaiChunk({ tool_calls: [{ index, function: { arguments: part } }] }))),
      ]),
      data(openaiChunk({}, openaiFinish(answer))),
      ...(answer.usage ? [data({ ...openaiChunk({}), choices: [], usage: openaiUsage(answer) })] : []),
      'data: [DONE]\n\n',
    ]
  },
  error: (type, message) => ({ error: { type, code: type, message } }),
  errorEvent: () => 'event: error\n' + data({ type: 'overloaded_error' }),
  refusalOf: (body, _headers, issued) => refusalOf(body, issued),
}

const openaiFinish = (answer: ScriptedAnswer) =>
  ({ stop: 'stop', length: 'length', tools: 'tool_calls' })[finishOf(answer)]
const openaiUsage = ({ usage }: ScriptedAnswer) => ({
  prompt_tokens: usage?.input,
  completion_tokens: usage?.output,
  total_tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
  ...(usage?.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
  ...(usage?.reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
})
const openaiCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const chunksOf =
  (id: string) =>
  (delta: unknown, finish: string | null = null) => ({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
