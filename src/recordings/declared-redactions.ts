// What a project declares under `redactions`, applied to the answers that a recording keeps.
import { isEqual } from '../base/equal.js'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import type { RecordedRequest, RecordedResponse } from '../model/cassette.js'
import type { Placeholders } from '../redact/normalise-text.js'
import { createRedactor } from '../redact/redactor.js'
import { createAnswerRedaction, leadsIntoAnswer, type AnswerRedaction } from './answer-redaction.js'
import { RESPONSE_FIELDS } from './read-cassette.js'

export interface DeclaredRedactions {
  patterns: Record<string, string | boolean>
  paths: readonly string[]
  /** The application root, for `$PATH`. */
  root: string
  placeholders: Placeholders
}

export interface AnswerHider {
  text(text: string): string
  response<T>(response: T): T
  /** Earlier answers in what is asked, hidden as they were when they were given. */
  history(request: RecordedRequest): RecordedRequest
}

/** Keys that requests and answers are made of, whatever a pattern says. */
export const OWN_KEYS: ReadonlySet<string> = new Set([
  ...RESPONSE_FIELDS,
  ...(
    'connector messages tools parameters options context metadata function tool_call_id name args arguments id server ' +
    'result code message hint retry partial base64 topic payload target type role content text data'
  ).split(' '),
])

export function hideDeclared({ patterns, paths, root, placeholders }: DeclaredRedactions): AnswerHider {
  const redactor = createRedactor({
    env: {},
    config: { patterns },
    ownKeys: OWN_KEYS,
    workspaces: [root],
    placeholders,
  })
  // Those into requests are for reports.
  const inAnswers = createAnswerRedaction(paths.filter(leadsIntoAnswer))
  return {
    text: (text) => redactor.text(text),
    response: <T>(response: T): T =>
      redactor.value(inAnswers.apply(response as RecordedResponse & T) as RecordedResponse & T),
    history: (request) =>
      paths.length === 0
        ? request
        : { ...request, messages: request.messages.map((message) => asAnswered(message, inAnswers)) },
  }
}

/** An answer is in a history as one message, its tool calls and their results as others. */
function asAnswered(message: unknown, { apply }: AnswerRedaction): unknown {
  if (!isRecord(message)) return message
  const { role, content, tool_calls } = message
  if (role === 'tool') {
    const result = typeof content === 'string' ? (parseJson(content)?.value ?? content) : content
    const hidden = apply({ tool_calls: [{ result }], duration_ms: 0 })
    const [call] = hidden['tool_calls'] as Array<{ result: unknown }>
    if (isEqual(call?.result, result)) return message
    return { ...message, content: typeof content === 'string' ? JSON.stringify(call?.result) : call?.result }
  }
  if (role !== 'assistant') return message
  const given = { output: content, ...(tool_calls !== undefined && { tool_calls }), duration_ms: 0 }
  const { output, duration_ms: _duration, ...rest } = apply(given)
  return { ...message, content: output, ...rest }
}

/** Whether anything is switched on. */
export function declaresAny({ patterns, paths }: Pick<DeclaredRedactions, 'patterns' | 'paths'>): boolean {
  return paths.length > 0 || Object.values(patterns).some((pattern) => pattern !== false)
}
