// Replies and completions as a cassette keeps them, and back.
import { isRecord } from '../base/record.js'
import { AgentError, UserError, type AgentErrorCode } from '../errors.js'
import type { Usage } from '../model/message.js'
import type { RecordedError, RecordedResponse } from '../model/cassette.js'
import { CancelledError, DeadlineError } from '../time/deadline.js'
import { RESPONSE_FIELDS } from './read-cassette.js'

/** What replies and completions have in common. */
interface Answer {
  content: unknown
  tool_calls: unknown[]
  usage?: Usage
  error?: unknown
}

export function recordAnswer(answer: Answer, durationMs: number): RecordedResponse {
  const { content, error, ...fields } = JSON.parse(JSON.stringify(answer)) as Record<string, unknown>
  const all: Record<string, unknown> = {
    ...fields,
    output: content ?? null,
    reported_error: error,
    tool_calls: answer.tool_calls.length > 0 ? fields['tool_calls'] : undefined,
    tokens: answer.usage?.total_tokens,
    duration_ms: Math.round(durationMs),
  }
  if (typeof all['first_chunk_ms'] === 'number') all['first_chunk_ms'] = Math.round(all['first_chunk_ms'])
  return inOrder(all)
}

/** The answer as it was given; it costs nothing now. */
export function answerOf(response: RecordedResponse): Answer & Record<string, unknown> {
  const { output, reported_error, tool_calls = [], tokens, cost_dollars, usage } = response as RecordedResponse & Reply
  const answer: Answer & Record<string, unknown> = { content: output, tool_calls }
  for (const field in response) if (!NOT_COPIED.has(field)) answer[field] = response[field]
  if (reported_error !== undefined) answer.error = reported_error
  if (tokens !== undefined || cost_dollars !== undefined || usage !== undefined) answer['cost_dollars'] = 0
  return answer
}

interface Reply {
  tool_calls?: unknown[]
  usage?: unknown
}

/** They go by other names, or are stated afresh. */
const NOT_COPIED = new Set(['output', 'reported_error', 'tool_calls', 'tokens', 'cost_dollars', 'duration_ms'])

/** Undefined for what says nothing about the callee: the run was stopped, or something is not set up. */
export function recordError(thrown: unknown, durationMs: number): RecordedResponse | undefined {
  const error = errorOf(thrown)
  return error && inOrder({ error, duration_ms: Math.round(durationMs) })
}

export function thrownFrom({ code, message, status, hint, retry, partial }: RecordedError): Error {
  const deadline = code === 'timeout' ? /^timeout after (.+)$/.exec(message)?.[1] : undefined
  if (deadline !== undefined) return new DeadlineError(deadline)
  return new AgentError({
    code: code as AgentErrorCode,
    message,
    // Waits are not repeated.
    retry_after_ms: 0,
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint }),
    ...(retry !== undefined && { retry }),
    ...(partial !== undefined && {
      partial: isRecord(partial) ? { ...partial, ...(partial['usage'] !== undefined && { cost_dollars: 0 }) } : partial,
    }),
  })
}

const NOT_RECORDED: readonly AgentErrorCode[] = ['config', 'stopped', 'lost']

function errorOf(thrown: unknown): RecordedError | undefined {
  if (thrown instanceof UserError || thrown instanceof CancelledError) return undefined
  if (thrown instanceof DeadlineError) return { code: 'timeout', message: thrown.message }
  if (!(thrown instanceof AgentError))
    return { code: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) }
  if (NOT_RECORDED.includes(thrown.code)) return undefined
  const { code, message, status, hint, retry, partial } = thrown
  return JSON.parse(
    JSON.stringify({ code, message, status, hint, retry, partial: plainPartial(partial) }),
  ) as RecordedError
}

function plainPartial(partial: unknown): unknown {
  if (!isRecord(partial)) return partial
  const { raw: _raw, trace: _trace, api_retries: _retries, reasoning: _reasoning, ...rest } = partial
  return rest
}

function inOrder(fields: Record<string, unknown>): RecordedResponse {
  const known = RESPONSE_FIELDS.filter((field) => fields[field] !== undefined)
  return Object.fromEntries(known.map((field) => [field, fields[field]])) as RecordedResponse
}
