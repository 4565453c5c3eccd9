// OpenAI's Responses.
import type { ScriptedAnswer } from '../behaviour.js'
import { refusalOf } from '../rules/openai-responses.js'
import { finishOf, halves, named, textOf, uniqueId, type Wire } from './wire.js'

/** The reasoning that came with each call: OpenAI wants both back, or neither. */
const issued = new Map<string, string>()
/** What was answered, by id: OpenAI stores it unless told otherwise. */
const stored = new Map<string, Item>()

export const openaiResponses: Wire = {
  whole: (answer) => responseOf(uniqueId('resp_', answer), answer, outputOf(answer), 'completed'),
  events: (answer) => {
    const id = uniqueId('resp_', answer)
    const output = outputOf(answer)
    const events: Array<[string, object]> = [
      ['response.created', { response: responseOf(id, answer, [], 'in_progress') }],
      ['response.in_progress', { response: responseOf(id, answer, [], 'in_progress') }],
      ...output.flatMap((item, output_index) => itemEvents(item, output_index, answer)),
    ]
    const isCut = finishOf(answer) === 'length'
    events.push([
      isCut ? 'response.incomplete' : 'response.completed',
      { response: responseOf(id, answer, output, 'completed') },
    ])
    return events.map(([name, value], sequence_number) => named(name, { sequence_number, ...value }))
  },
  error: (type, message) => ({ error: { type, code: type, message, param: null } }),
  errorEvent: () =>
    named('error', { code: 'server_is_overloaded', message: 'Overloaded', param: null, sequence_number: 1 }),
  refusalOf: (body) => refusalOf(body, issued, stored),
}

type Item = Record<string, unknown> & { type: string; id: string }

function outputOf(answer: ScriptedAnswer): Item[] {
  const key = uniqueId('', answer)
  const reasoning: Item[] =
    answer.thought === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${key}`,
            summary: [{ type: 'summary_text', text: answer.thought }],
            encrypted_content: Buffer.from(answer.thought).toString('base64'),
          },
        ]
  const said: Item[] =
    answer.pieces || answer.refusal !== undefined
      ? [{ type: 'message', id: `msg_${key}`, role: 'assistant', status: 'completed', content: [contentOf(answer)] }]
      : []
  const calls: Item[] = (answer.calls ?? []).map(({ id, name, args }, at) => ({
    type: 'function_call',
    id: `fc_${key}${at}`,
    call_id: id,
    name,
    arguments: args,
    status: 'completed',
  }))
  if (reasoning[0]) for (const { id } of [...said, ...calls]) issued.set(id, reasoning[0].id)
  const output = [...reasoning, ...said, ...calls]
  for (const item of output) stored.set(item.id, item)
  return output
}

function contentOf(answer: ScriptedAnswer): Record<string, unknown> {
  return answer.refusal === undefined
    ? { type: 'output_text', text: textOf(answer), annotations: [], logprobs: [] }
    : { type: 'refusal', refusal: answer.refusal }
}

function itemEvents(item: Item, output_index: number, answer: ScriptedAnswer): Array<[string, object]> {
  const at = { item_id: item.id, output_index }
  const part = { ...at, content_index: 0 }
  const [start, middle] = startOf(item, answer, at, part)
  return [
    ['response.output_item.added', { output_index, item: start }],
    ...middle,
    ['response.output_item.done', { output_index, item }],
  ]
}

function startOf(item: Item, answer: ScriptedAnswer, at: object, part: object): [object, Array<[string, object]>] {
  if (item.type === 'function_call') {
    const deltas = halves(String(item['arguments'])).map((delta): [string, object] => [
      'response.function_call_arguments.delta',
      { ...at, delta },
    ])
    return [
      { ...item, arguments: '', status: 'in_progress' },
      [...deltas, ['response.function_call_arguments.done', { ...at, arguments: item['arguments'] }]],
    ]
  }
  if (item.type === 'reasoning') {
    const summary = { ...at, summary_index: 0 }
    return [
      { ...item, summary: [] },
      [
        ['response.reasoning_summary_part.added', { ...summary, part: { type: 'summary_text', text: '' } }],
        ['response.reasoning_summary_text.delta', { ...summary, delta: answer.thought }],
        ['response.reasoning_summary_text.done', { ...summary, text: answer.thought }],
        ['response.reasoning_summary_part.done', { ...summary, part: { type: 'summary_text', text: answer.thought } }],
      ],
    ]
  }
  const kind = answer.refusal === undefined ? 'output_text' : 'refusal'
  const key = answer.refusal === undefined ? 'text' : 'refusal'
  const pieces = answer.refusal === undefined ? (answer.pieces ?? []) : [answer.refusal]
  const empty = { ...contentOf(answer), [key]: '' }
  return [
    { ...item, status: 'in_progress', content: [] },
    [
      ['response.content_part.added', { ...part, part: empty }],
      ...pieces.map((delta): [string, object] => [`response.${kind}.delta`, { ...part, delta, logprobs: [] }]),
      [`response.${kind}.done`, { ...part, [key]: pieces.join(''), logprobs: [] }],
      ['response.content_part.done', { ...part, part: contentOf(answer) }],
    ],
  ]
}

function responseOf(id: string, answer: ScriptedAnswer, output: Item[], status: 'completed' | 'in_progress'): object {
  const isCut = status === 'completed' && finishOf(answer) === 'length'
  const { input = 0, output: made = 0, cached = 0, reasoning = 0 } = answer.usage ?? {}
  return {
    id,
    object: 'response',
    created_at: 1,
    status: isCut ? 'incomplete' : status,
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: 'm',
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage:
      status === 'in_progress'
        ? null
        : {
            input_tokens: input,
            input_tokens_details: { cached_tokens: cached },
            output_tokens: made,
            output_tokens_details: { reasoning_tokens: reasoning },
            total_tokens: input + made,
          },
  }
}
