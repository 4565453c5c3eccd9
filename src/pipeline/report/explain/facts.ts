// What the rules look at.
import { asText } from '../../../base/text.js'
import type { ResultEvent } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'
import { firstWrong, ownMessage, type Wrong } from './first-wrong.js'
import type { Certainty } from './explanation.js'

export interface Facts {
  result: ResultEvent
  wrong: Wrong
  /** The record's words, without `agent error:` and the like. */
  message: string
  /** The answer in question. */
  output: unknown
  /** The same as text. */
  answer: string
  calls: ToolCall[]
}

export interface Found {
  /** Absent: what the record says. */
  headline?: string
  certainty: Certainty
  cause?: string
  try: string[]
}

/** Rules are tried in order; the first that finds something explains the failure. */
export interface Rule {
  id: string
  find(facts: Facts): Found | undefined
}

export function factsOf(result: ResultEvent): Facts {
  const wrong = firstWrong(result)
  const said = wrong.turn ?? result
  return {
    result,
    wrong,
    message: ownMessage(wrong.message).replace(/^(?:agent|simulator|validator|script|hook) error: /, ''),
    output: said.output,
    answer: asText(said.output),
    calls: said.tool_calls ?? [],
  }
}
