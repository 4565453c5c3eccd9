// Why a model stopped, in its provider's words → the few words that we read.
import { isRecord, isStrings, readNonEmpty } from '../base/record.js'
import { ENDINGS, type Ending } from '../model/connector.js'

/** An unknown word stays as it is, and so does one that an error will quote: a bad ending, or promised calls where `calls` has none. */
export function readFinishReason(value: unknown, calls?: readonly unknown[]): string | undefined {
  const word = readNonEmpty(value)
  if (word === undefined) return undefined
  const read = KNOWN.get(plain(word)) ?? word
  return isBadEnding(word) || (read === 'tool_calls' && calls?.length === 0) ? word : read
}

/** A call that was meant and lost, an answer that was given up: neither is an answer. */
export function isBadEnding(word: string | undefined): boolean {
  return word !== undefined && KNOWN.get(plain(word)) === 'error'
}

/** Of two words for one answer: a later one does not mend what a filter, a refusal or an error ended. */
export function worseEnding(earlier: string | undefined, later: string | undefined): string | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later
  const read = KNOWN.get(plain(earlier))
  return read === 'content_filter' || read === 'refusal' || read === 'error' ? earlier : later
}

/** Why an answer ended, under the names that vendors and SDKs have for it. */
export function endingWordIn(facts: Record<string, unknown>): string | undefined {
  return NAMES.map((name) => readNonEmpty(facts[name])).find((word) => word !== undefined)
}

const NAMES = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']

export type Protocol = 'openai' | 'openai-responses' | 'anthropic' | 'google' | 'acp'

/** Words of a project's own → what they mean. */
export type FinishReasons = Readonly<Record<string, Ending>>

/** What a word means in a vendor's protocol. Undefined: the answer did not end well. */
export function readEnding(protocol: Protocol, word: string, own: FinishReasons = {}): Ending | undefined {
  const given = plain(word)
  const mine = Object.entries(own).find(([name]) => plain(name) === given)?.[1]
  if (mine !== undefined) return mine
  if (protocol === 'openai-responses' && given === 'completed') return 'stop'
  const read = KNOWN.get(given)
  if (read === undefined || read === 'error') return undefined
  const isFinished = read === 'stop' || read === 'tool_calls'
  return isFinished && !FINISHED[protocol].includes(given) ? undefined : read
}

/** `["done"]`, or `{"done": "stop", "cut": "length"}`; undefined for anything else. */
export function readFinishReasons(value: unknown): FinishReasons | undefined {
  if (isStrings(value)) return Object.fromEntries(value.map((word) => [word, 'stop' as const]))
  if (!isRecord(value)) return undefined
  const read = Object.entries(value).map(([word, meaning]) => [word, ENDINGS.find((each) => each === meaning)] as const)
  return read.every(([, ending]) => ending !== undefined) ? (Object.fromEntries(read) as FinishReasons) : undefined
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('-', '_')
}

const WORDS = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    'model_context_window_exceeded',
    'continuation',
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: [
    'content_filter',
    'content_filtered',
    'guardrail_intervened',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'sensitive',
  ],
  refusal: ['refusal'],
  error: [
    'error',
    'malformed_function_call',
    'unexpected_tool_call',
    'too_many_tool_calls',
    'language',
    'pause_turn',
    'abort',
    'aborted',
    'cancelled',
    'network_error',
    'insufficient_system_resource',
  ],
} satisfies Record<Ending | 'error', string[]>

const KNOWN = new Map(
  Object.entries(WORDS).flatMap(([read, words]) => words.map((word) => [word, read as keyof typeof WORDS] as const)),
)

/** The words that mean finished. Many servers speak OpenAI's protocol with words of their own. */
const FINISHED: Record<Protocol, readonly string[]> = {
  openai: [...WORDS.stop, ...WORDS.tool_calls],
  // Its status is `completed`; words of other protocols are reasons for being incomplete.
  'openai-responses': [],
  anthropic: ['end_turn', 'stop_sequence', 'tool_use'],
  google: ['stop'],
  acp: ['end_turn'],
}
