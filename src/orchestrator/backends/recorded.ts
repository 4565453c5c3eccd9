// `replay`, and recording: a backend behind the one cassette format. The role is the hat.
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { asText } from '../../base/text.js'
import { AgentError, UserError } from '../../errors.js'
import { writeFilesInside } from '../../files/write-inside.js'
import type { RecordedResponse } from '../../model/cassette.js'
import type { Usage } from '../../model/message.js'
import { reportedCalls } from '../../model/session-calls.js'
import type { Exchange } from '../../recordings/exchange.js'
import type { RunCassette } from '../../recordings/run-cassette.js'
import { signedExchange } from '../../recordings/signed-exchange.js'
import type { BusEvent } from '../bus.js'
import { changedFiles, markFiles } from '../../files/changed-files.js'
import type { EventsFile } from '../events-file.js'
import type { LoopRecording } from '../run-types.js'
import { sha256 } from '../../process/sha256.js'
import { NONE_LEFT } from '../../recordings/cassette-errors.js'
import { Exhausted, type Backend, type BackendAnswer } from './backend.js'

export interface RecordedContext {
  cassette: RunCassette
  cwd: string
  /** Paths that the orchestrator itself writes. */
  own: ReadonlySet<string>
  events: EventsFile
  warn(text: string): void
  hide?: LoopRecording['hide']
  onLive?: LoopRecording['onLive']
  onPlayed?: LoopRecording['onPlayed']
}

/** `open`: the backend to ask if the cassette has no answer; a pure replay never opens it. */
export function createRecordedBackend(open: () => Promise<Backend>, context: RecordedContext): Backend {
  const { cassette, cwd, own, events } = context
  return {
    name: 'replay',
    reports: ['tokens', 'cost'],
    call: (call) => {
      const exchange: Exchange<BackendAnswer> = {
        call: { lane: 'hat', role: call.hat, case_id: '' },
        asked: { messages: [{ role: 'user', content: call.prompt }] },
        signal: call.signal,
        live: async () => {
          context.onLive?.({ hat: call.hat, prompt_hash: `sha256:${sha256(call.prompt)}` })
          const backend = await open()
          const isOwn = (path: string): boolean => own.has(path)
          const before = markFiles(cwd, isOwn)
          const answer = await backend.call(call)
          const { files, left_out } = changedFiles(cwd, before, markFiles(cwd, isOwn))
          if (left_out.length > 0)
            context.warn(
              `the recording leaves out files that are too large or not text: ${left_out.slice(0, 5).join(', ')}`,
            )
          // Taken now, so that the recording has them; the loop publishes them from the answer.
          const emitted = answer.events ?? events.take(call.hat).events
          return {
            ...answer,
            events: emitted,
            ...(Object.keys(files).length > 0 && { files }),
            ...(left_out.length > 0 && { files_left_out: left_out }),
          }
        },
        record: (answer, durationMs) => {
          const response = recordedResponse(answer, durationMs)
          return context.hide?.(response) ?? response
        },
        replay: (response) => {
          call.onStart()
          const answer = answerOf(response, call.hat)
          const { files, files_left_out: leftOut } = response
          if (isRecord(files)) writeFilesInside(cwd, files as Record<string, string | null>)
          context.onPlayed?.(
            isRecord(files) ? (files as Record<string, string | null>) : {},
            Array.isArray(leftOut) ? leftOut.map(String) : [],
          )
          if (answer.output !== '') call.onOutput(answer.output, true)
          if (answer.stderr !== '') call.onOutput(answer.stderr, false)
          return answer
        },
      }
      return cassette.exchange(signedExchange(exchange, call.signed)).catch((error: unknown) => {
        throw error instanceof AgentError && error.code === 'config' ? mismatch(error) : error
      })
    },
  }
}

/** A cassette that has run out is one thing, a request that it does not know another. */
function mismatch({ message, hint }: AgentError): UserError {
  const [first = '', ...rest] = message.split('\n')
  if (message.startsWith(NONE_LEFT)) return new Exhausted('REPLAY_MISMATCH', first)
  return new UserError({
    code: 'REPLAY_MISMATCH',
    message: first,
    problems: rest.filter((line) => line !== '').map((line) => ({ message: line })),
    hint: hint ?? 'record again, or replay without strict if the position alone is enough',
    exitCode: 3,
  })
}

function recordedResponse(
  answer: BackendAnswer & { files?: unknown; files_left_out?: string[] },
  durationMs: number,
): RecordedResponse {
  const {
    output,
    stderr,
    exit_code,
    usage,
    cost_dollars,
    error,
    events = [],
    files,
    files_left_out,
    tool_calls,
    calls_cut,
    session_id,
    unsigned,
  } = answer
  return {
    output,
    ...defined({
      reported_error: error,
      tool_calls,
      calls_cut,
      session_id,
      unsigned,
      usage,
      tokens: usage?.total_tokens,
      cost_dollars,
      stderr: stderr === '' ? undefined : stderr,
      events:
        events.length === 0
          ? undefined
          : events.map(({ topic, payload, target }) => ({ topic, payload, ...(target !== null && { target }) })),
      files,
      files_left_out,
    }),
    exit_code: exit_code ?? -1,
    duration_ms: Math.round(durationMs),
  }
}

/** It costs nothing now. */
function answerOf(response: RecordedResponse, hat: string): BackendAnswer {
  const { output, reported_error, usage, tokens, stderr, exit_code, events, tool_calls, calls_cut, session_id } =
    response
  const { unsigned } = response
  const known = isRecord(usage) ? (usage as unknown as Usage) : undefined
  return {
    output: asText(output ?? ''),
    stderr: typeof stderr === 'string' ? stderr : '',
    exit_code: exit_code === undefined ? 0 : typeof exit_code === 'number' && exit_code >= 0 ? exit_code : null,
    cost_dollars: 0,
    events: Array.isArray(events) ? events.flatMap((event: unknown) => eventOf(event, hat)) : [],
    ...defined({
      usage:
        known ??
        (typeof tokens === 'number' ? { input_tokens: 0, output_tokens: tokens, total_tokens: tokens } : undefined),
      error: typeof reported_error === 'string' ? reported_error : undefined,
      tool_calls: Array.isArray(tool_calls) ? reportedCalls(tool_calls) : undefined,
      calls_cut: calls_cut === true ? (true as const) : undefined,
      session_id: typeof session_id === 'string' ? session_id : undefined,
      unsigned: unsigned === true ? true : undefined,
    }),
  }
}

function eventOf(event: unknown, source: string): BusEvent[] {
  if (!isRecord(event) || typeof event['topic'] !== 'string') return []
  const { topic, payload, target } = event
  return [{ topic, payload: asText(payload ?? ''), source, target: typeof target === 'string' ? target : null }]
}
