// The steps of a result, as the rules about steps see them: what was asked, calls, their results, answers.
import { asText, clip } from '../../../base/text.js'
import { textHash } from '../../../base/text-hash.js'
import type { ResultEvent } from '../../../model/event.js'
import type { Message, ToolCall } from '../../../model/message.js'
import { callIn } from '../../../model/tool-call-part.js'
import { callText } from '../call-text.js'
import { inputText } from '../input-text.js'
import type { AgentStep } from './first-bad-step.js'

/** With the place as people count: the turn of a conversation. */
export interface PlacedStep extends AgentStep {
  turn?: number
}

const LONGEST = 20_000
const MOST_ACTS = 200

export function agentSteps(result: ResultEvent): PlacedStep[] {
  // The case called the tool itself: nobody chose to.
  if (callIn((result.input ?? result.turns?.[0]?.input) as Message | undefined)) return []
  const turns = (result.turns ?? []).filter(({ status }) => status !== 'not_run')
  if (turns.length > 0)
    return turns.flatMap(({ turn, input, tool_calls, output }) =>
      exchange(input, tool_calls, output).map((step) => ({ ...step, turn })),
    )
  return exchange(result.input, result.tool_calls, result.output)
}

/** What the agent did, each act as a hash: to compare runs. */
export function actsOf(result: ResultEvent): string[] {
  return agentSteps(result)
    .filter(({ kind }) => kind === 'acts')
    .slice(0, MOST_ACTS)
    .map(({ text }) => textHash(text))
}

function exchange(input: unknown, calls: ToolCall[] = [], output: unknown): AgentStep[] {
  const said = asText(output)
  return [
    ...(input === undefined || input === null ? [] : [step('asks', inputText(input))]),
    ...calls.flatMap((call) => [step('acts', callText(call)), seen(call)]),
    ...(said === '' ? [] : [step('says', said)]),
  ]
}

function seen({ result, error }: ToolCall): AgentStep {
  return { ...step('sees', error ?? asText(result)), ...(error !== undefined && { failed: true }) }
}

function step(kind: AgentStep['kind'], text: string): AgentStep {
  return { by: kind === 'asks' ? 'user' : 'agent', kind, text: clip(text, LONGEST) }
}
