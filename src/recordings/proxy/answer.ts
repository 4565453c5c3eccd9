// One call: answered from the recording, or passed on to the model while what comes back is kept.
import type { ServerResponse } from 'node:http'
import { AgentError } from '../../errors.js'
import { modelOf } from '../../model/cassette.js'
import type { ModelCall } from '../../model/model-call.js'
import { isWire, recordWire, wireOf, type WireAnswer } from '../wire-response.js'
import { monotonicNow } from '../../time/clock.js'
import { DeadlineError } from '../../time/deadline.js'
import { forward } from './forward.js'
import { play } from './play.js'
import { AT_ONCE, MAYBE, refuse } from './refuse.js'
import type { ProxyInit, Talk } from './types.js'
import { askedOf, type WireRequest } from './wire-request.js'

interface AnswerContext extends ProxyInit {
  talk: Talk
  caseId: string | undefined
}

export async function answer(request: WireRequest, response: ServerResponse, context: AnswerContext): Promise<void> {
  const { cassette, normaliser, talk } = context
  let call: ModelCall
  try {
    call = modelOf(talk.callOf(context.caseId))
  } catch (error) {
    return refuseCall(error, response, context)
  }
  const signal = talk.signal()
  const asked = monotonicNow()
  const live: { isLive: boolean; last?: Uint8Array } = { isLive: false }
  try {
    const answered = await cassette.exchange<WireAnswer>({
      call,
      asked: askedOf(request),
      anyOrder: true,
      signal,
      live: () => {
        live.isLive = true
        const onLast = (chunk: Uint8Array): void => void (live.last = chunk)
        return forward(request, response, { ...context, signal, onLast })
      },
      record: (given, durationMs) => ({
        ...recordWire(given, durationMs, (text) => normaliser.responseText(text)),
        start_ms: Math.round(asked - talk.started),
      }),
      replay: (response) => {
        const { start_ms, duration_ms } = response
        const from = typeof start_ms === 'number' ? start_ms : asked - talk.started
        if (!context.realtime) talk.onReplayed?.(from, from + duration_ms)
        return wireOf(response)
      },
    })
    // Only once it is stored: a client with the whole answer may be killed at any time.
    if (live.isLive) response.end(live.last)
    else await play(answered, response, { realtime: context.realtime === true, signal })
  } catch (error) {
    if (live.isLive) return failed(error, response)
    return replayFailed(error, call, response, { ...context, signal })
  }
}

/** What has begun cannot be taken back: the connection ends without a complete answer. */
function failed(error: unknown, response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else refuse(response, 502, error instanceof Error ? error.message : String(error), MAYBE)
}

async function replayFailed(
  error: unknown,
  call: ModelCall,
  response: ServerResponse,
  context: AnswerContext & { signal: AbortSignal },
): Promise<void> {
  const { cassette, realtime = false, signal } = context
  if (error instanceof DeadlineError) {
    // It never came. Waiting for the end of the case again would prove nothing.
    cassette.fail(call, `${error.message} (recorded): the model had not answered when the time of the case was over`)
    response.destroy()
  } else if (error instanceof AgentError && error.code !== 'config') {
    if (!isWire(error.partial)) return refuse(response, 502, error.message, AT_ONCE)
    await play(wireOf(error.partial), response, { realtime, signal, cut: true })
  } else refuseCall(error, response, context)
}

function refuseCall(error: unknown, response: ServerResponse, { onRefused }: ProxyInit): void {
  const message = error instanceof Error ? error.message : String(error)
  onRefused(message)
  refuse(response, 400, message)
}
