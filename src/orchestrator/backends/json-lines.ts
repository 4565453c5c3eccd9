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
  usage?: Usage
  cost?: number
  error?: string
  /** It has said that it is done. */
  isOver: boolean
  say(text: string): void
}

/**
 * A line that is not JSON is shown, and never searched for events of the orchestrator. Without a single event the
 * program did not do as it was asked, say because its configuration names another format: then all of it is text.
 */
export function jsonLinesReader(
  name: string,
  onText: (text: string) => void,
  take: (event: JsonEvent, answer: JsonAnswer) => boolean,
): OutputReader {
  const texts: string[] = []
  const all: string[] = []
  const answer: JsonAnswer = {
    calls: [],
    isOver: false,
    say(text) {
      texts.push(text)
      onText(text.endsWith('\n') ? text : `${text}\n`)
    },
  }
  let isKnown = false
  let held = ''
  const line = (text: string): void => {
    if (text.trim() === '') return
    const value = parseJson(text)?.value
    if (isRecord(value) && take(value, answer)) isKnown = true
    else onText(`${text}\n`)
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
      const { calls: tool_calls, tools, usage, cost: cost_dollars } = answer
      const error = answer.error ?? (answer.isOver ? undefined : `${name} ended before its answer was complete`)
      const calls_cut = answer.isOver ? undefined : (true as const)
      return { output: texts.join('\n'), tool_calls, ...defined({ calls_cut, usage, cost_dollars, error, tools }) }
    },
  }
}

/** A count of tokens; anything else is 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
