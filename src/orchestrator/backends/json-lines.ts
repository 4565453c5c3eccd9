// Programs that print one JSON event per line: what they say, which tools they call, what it costs.
import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../base/json/parse-json.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import type { ToolCall, Usage } from '../../model/message.js'
import type { OutputReader } from './program.js'

export type JsonEvent = Record<string, unknown>

/** What the events of one answer add up to. */
export interface JsonAnswer {
  calls: ToolCall[]
  /** Absent: it does not say which tools it has. */
  tools?: string[]
  /** The same for skills. */
  skills?: string[]
  session?: string | undefined
  usage?: Usage
  cost?: number
  error?: string
  /** It has said that it is done. */
  isOver: boolean
  /** A call by its id: reported again, it is the same one. An id that another tool has as well is another call. */
  call(call: ToolCall): void
  /** What was spent is not known, whatever `cost` says. */
  isUnpriced?: true
  say(text: string): void
  /** Part of a text; whatever is not such a part ends it. */
  add(piece: string): void
}

export interface JsonLines {
  name: string
  /** Whether it knows the event. */
  take(event: JsonEvent, answer: JsonAnswer): boolean
  /** After the last event. */
  end?(answer: JsonAnswer): void
  /** Without a single event all of it is the answer, say because its configuration names another format. */
  orText?: true
}

/** A line that is not JSON is not from the model: it is shown, and never searched for events of the orchestrator. */
export function jsonLinesReader(onText: (text: string) => void, { name, take, end, orText }: JsonLines): OutputReader {
  const texts: string[] = []
  const all: string[] = []
  let piece = ''
  let isPiece = false
  const say = (text: string): void => {
    texts.push(text)
    onText(text.endsWith('\n') ? text : `${text}\n`)
  }
  const flush = (): void => {
    if (piece !== '') say(piece)
    piece = ''
  }
  const add = (text: string): void => {
    isPiece = true
    piece += text
  }
  const calls: ToolCall[] = []
  const call = (next: ToolCall): void => {
    const known = next.id ? calls.findIndex(({ id, name }) => id === next.id && name === next.name) : -1
    if (known === -1) calls.push(next)
    else calls[known] = { ...calls[known], ...next }
  }
  const answer: JsonAnswer = { calls, isOver: false, call, say, add }
  let isKnown = orText !== true
  let held = ''
  const line = (text: string): void => {
    if (text.trim() === '') return
    const value = parseJson(text)?.value
    isPiece = false
    if (!isRecord(value) || !take(value, answer)) return onText(`${text}\n`)
    isKnown = true
    if (!isPiece) flush()
  }
  return {
    push(text) {
      if (!isKnown) all.push(text)
      const lines = (held + text).split('\n')
      held = lines.pop() ?? ''
      for (const each of lines) line(each)
    },
    end() {
      line(held)
      held = ''
      if (!isKnown) return { output: stripVTControlCharacters(all.join('')) }
      flush()
      end?.(answer)
      const { calls: tool_calls, tools, skills, session: session_id } = answer
      const { usage, cost_dollars } = spentOf(answer, texts.length > 0 || calls.length > 0)
      const error = answer.error ?? (answer.isOver ? undefined : `${name} ended before its answer was complete`)
      const calls_cut = answer.isOver ? undefined : (true as const)
      return {
        output: texts.join('\n'),
        tool_calls,
        ...defined({ calls_cut, usage, cost_dollars, error, tools, skills, session_id }),
      }
    },
  }
}

/** No tokens for an answer, or no dollars for tokens, is not known to be true. */
function spentOf(
  { usage, cost, isUnpriced }: JsonAnswer,
  hasAnswered: boolean,
): { usage?: Usage; cost_dollars?: number } {
  const tokens = usage?.total_tokens ?? 0
  return defined({
    usage: tokens === 0 && hasAnswered ? undefined : usage,
    cost_dollars: isUnpriced || (cost === 0 && (tokens > 0 || hasAnswered)) ? undefined : cost,
  })
}

/** Without a name, assertions by name are undecided. */
export function nameOf(name: unknown): Pick<ToolCall, 'name' | 'unnamed'> {
  return typeof name === 'string' && name !== '' ? { name } : { name: 'tool', unnamed: true }
}

/** A count of tokens; anything else is 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
