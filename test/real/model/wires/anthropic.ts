// Anthropic's messages.
import { createHash } from 'node:crypto'
import type { ScriptedAnswer } from '../behaviour.js'
import { refusalOf } from '../rules/anthropic.js'
import { finishOf, halves, named, parsed, textOf, uniqueId, type Wire } from './wire.js'

export const anthropic: Wire = {
  whole: (answer) => ({
    id: uniqueId('msg_', answer),
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...(answer.thought === undefined ? [] : [thinking(answer.thought)]),
      ...(answer.redacted === undefined ? [] : [redacted(answer.redacted)]),
      ...(answer.pieces ? [{ type: 'text', text: textOf(answer) }] : []),
      ...(answer.calls ?? []).map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: parsed(args) })),
    ],
    stop_reason: anthropicStop(answer),
    stop_sequence: null,
    usage: usageOf(answer),
  }),
  events: (answer) => {
    const blocks = [
      ...(answer.thought === undefined ? [] : [thoughtEvents(answer.thought)]),
      ...(answer.redacted === undefined ? [] : [[redacted(answer.redacted), []] as const]),
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
          id: uniqueId('msg_', answer),
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usageOf(answer), output_tokens: 1 },
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
  refusalOf: (body, headers) => refusalOf(body, sign, headers),
}

const anthropicStop = (answer: ScriptedAnswer) =>
  answer.refusal === undefined
    ? { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use' }[finishOf(answer)]
    : 'refusal'

const usageOf = ({ usage: { input = 0, output = 0, cached } = { input: 0, output: 0 } }: ScriptedAnswer) => ({
  input_tokens: input - (cached ?? 0),
  output_tokens: output,
  ...(cached !== undefined && { cache_read_input_tokens: cached, cache_creation_input_tokens: 0 }),
})

const sign = (thought: string): string => createHash('sha256').update(`signed ${thought}`).digest('base64')
const thinking = (thought: string) => ({ type: 'thinking', thinking: thought, signature: sign(thought) })
const redacted = (data: string) => ({ type: 'redacted_thinking', data })
const thoughtEvents = (thought: string) =>
  [
    { type: 'thinking', thinking: '', signature: '' },
    [
      ...halves(thought).map((part) => ({ type: 'thinking_delta', thinking: part })),
      { type: 'signature_delta', signature: sign(thought) },
    ],
  ] as const
