// A judge's question and its signed verdict, as recordings keep them: with a placeholder for the nonce. So the verdict is
// checked against the question it answered, even if today's differs in what a replay tolerates.
import { isEqual } from '../base/equal.js'
import { mapStrings } from '../base/map-strings.js'
import { isRecord } from '../base/record.js'
import type { RecordedRequest } from '../model/cassette.js'
import type { SignedQuestion } from '../model/signed-question.js'
import type { Exchange } from './exchange.js'

export function signedExchange<Answer>(
  exchange: Exchange<Answer>,
  signed: SignedQuestion | undefined,
): Exchange<Answer> {
  if (!signed) return exchange
  const { nonce } = signed
  // What an agent wrote must not turn into a nonce.
  const hide = <T>(value: T): T =>
    mapStrings(value, (text) => text.replaceAll(NONCE, NOT_NONCE).replaceAll(nonce, NONCE)) as T
  return {
    ...exchange,
    asked: hide(exchange.asked),
    older: olderForm(exchange.asked, signed) as Exchange<Answer>['asked'],
    record: (answer, durationMs) => hide(exchange.record(answer, durationMs)),
    replay: (response) =>
      exchange.replay(mapStrings(response, (text) => text.replaceAll(NONCE, nonce)) as typeof response),
  }
}

/** The exchange as it was made when `recorded` was: verdicts of that time are not signed. */
export function asRecorded<Answer>(exchange: Exchange<Answer>, recorded: RecordedRequest): Exchange<Answer> {
  const { older, replay } = exchange
  if (!older || JSON.stringify(recorded).includes(NONCE)) return exchange
  return { ...exchange, asked: older, replay: (response) => replay({ ...response, unsigned: true }) }
}

const NONCE = '[NONCE]'
const NOT_NONCE = '[NONCE ]'

function olderForm(value: unknown, signed: SignedQuestion): unknown {
  const { text, schema, nonce, older } = signed
  if (typeof value === 'string') return value.split(text).join(older.text)
  if (Array.isArray(value)) return value.map((item) => olderForm(item, signed))
  if (!isRecord(value)) return value
  if (isEqual(value, schema)) return older.schema
  const isData = value['nonce'] === nonce
  const kept = Object.entries(value).filter(([key]) => !(isData && ADDED.has(key)))
  return Object.fromEntries(kept.map(([key, item]) => [key, olderForm(item, signed)]))
}

/** What validators are told besides since then. */
const ADDED = new Set(['nonce', 'tool_calls'])
