// A run that a server follows: rows come as results are written, details are fetched one by one.
import type { ResultEvent } from '../../../model/event.js'
import type { LiveMessage } from '../../../model/live-message.js'
import type { HistoryPoint } from '../../../model/run-entry.js'
import type { VariantsOverview } from '../../../model/variants-overview.js'
import type { Result } from './cases.js'
import { ask, messages, pieces, Refused } from './server.js'
import type { Sink, Source } from './source.js'
import { runKey, type RunKey } from '../../../model/run-key.js'

const KEPT_DETAILS = 200

export function openLive(run: string): Source {
  const gone = new AbortController()
  const kept = new Map<number, ResultEvent>()

  async function follow(sink: Sink): Promise<void> {
    try {
      let several = false
      for await (const message of messages<LiveMessage>('/api/stream', { run }, gone.signal)) {
        tell(sink, message)
        if (message.type === 'start') several = message.event.variants !== undefined
        if (several && message.type === 'ended') await tellVariants(sink)
      }
      if (!gone.signal.aborted) sink.state('lost')
    } catch (error) {
      if (!gone.signal.aborted) sink.state(error instanceof Refused ? 'refused' : 'lost')
    }
  }

  async function tellVariants(sink: Sink): Promise<void> {
    const response = await ask('/api/variants', { run }, gone.signal)
    const found = (await response.json()) as VariantsOverview | null
    if (found) sink.variants(found)
  }

  async function detail(result: Result): Promise<ResultEvent> {
    const known = kept.get(result.at)
    if (known) return known
    const event = (await (await ask('/api/result', { run, at: String(result.at) }, gone.signal)).json()) as ResultEvent
    if (kept.size >= KEPT_DETAILS) kept.clear()
    kept.set(result.at, event)
    return event
  }

  return {
    live: true,
    open: (sink) => void follow(sink),
    close: () => gone.abort(),
    detail,
    detailNow: (result) => kept.get(result.at),
    details: async (results) => pick(results, await ask('/api/events', { run }, gone.signal)),
    history: async ({ id, variant }) => {
      const asked = { case: id, run, ...(variant !== undefined && { variant }) }
      return (await (await ask('/api/history', asked, gone.signal)).json()) as HistoryPoint[]
    },
  }
}

function tell(sink: Sink, message: LiveMessage): void {
  switch (message.type) {
    case 'reset':
      return sink.reset()
    case 'start':
      return sink.start(message.event)
    case 'rows':
      return sink.rows(message.rows, message.at)
    case 'stability':
      return sink.stability(message.events)
    case 'prompt':
      return sink.prompt(message.event)
    case 'error':
      return sink.error(message.event)
    case 'summary':
      return sink.summary(message.event)
    case 'running':
      return sink.running(message.ids)
    case 'idle':
      return sink.state('following')
    case 'ended':
      return sink.state('ended')
  }
}

async function pick(results: Result[], response: Response): Promise<ResultEvent[]> {
  const wanted = new Set(results.map(keyOf))
  const found = new Map<RunKey, ResultEvent>()
  for await (const line of pieces(response, '\n')) {
    if (!line.includes('"type":"result"')) continue
    const event = JSON.parse(line) as ResultEvent
    if (event.type !== 'result') continue
    const key = runKey(event)
    if (wanted.has(key)) found.set(key, event)
  }
  return results.flatMap((result) => found.get(keyOf(result)) ?? [])
}

function keyOf({ id, run, variant }: Result): RunKey {
  return runKey({ id, run, variant: variant === '' ? undefined : variant })
}
