// The steps of a case in words, and what protocols say in single words as sentences. Pure.
import { asText, oneLine } from '../../base/text.js'
import type { AssertionResult } from '../../model/assertion.js'
import { assertionLabel } from '../../model/assertion-label.js'
import type { Step } from './case-steps.js'

export function stepTitle(step: Step): string {
  switch (step.kind) {
    case 'attempt':
      return `Attempt ${step.attempt.attempt}`
    case 'turn':
      return `Turn ${step.turn.turn}`
    case 'message':
      return ROLES[step.message.role] ?? step.message.role
    case 'answer':
      return 'Agent'
    case 'prompt':
      return 'System prompt'
    case 'model':
    case 'hook':
    case 'delegate':
    case 'request':
      return step.step.name
    case 'tool':
      return step.call.name
    case 'span':
      return step.span.name
    case 'check':
      return isJudge(step.check.type) ? criterionOf(step.check) : assertionLabel(step.check)
    case 'checkpoint':
      return `Checkpoint ${step.checkpoint.id}`
  }
}

/** What sort of step it is, in one word. */
export function stepKind(step: Step): string {
  if (step.kind === 'span') return SPANS[step.span.kind] ?? 'Step'
  if (step.kind === 'check') return isJudge(step.check.type) ? 'Judge' : 'Check'
  return KINDS[step.kind]
}

/** What a judge was asked to look at. */
function criterionOf({ label, criterion, value }: AssertionResult): string {
  return oneLine(asText(label ?? criterion ?? value), 120)
}

export function isJudge(type: string): boolean {
  return type === 'agent' || type === 'rubric'
}

export const ROLES: Record<string, string> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Agent',
  tool: 'Tool',
  expected: 'Expected',
}

const KINDS: Record<Exclude<Step['kind'], 'span' | 'check'>, string> = {
  attempt: 'Attempt',
  turn: 'Turn',
  message: 'Message',
  prompt: 'Prompt',
  answer: 'Answer',
  model: 'Model',
  hook: 'Hook',
  delegate: 'Agent',
  request: 'Request',
  tool: 'Tool',
  checkpoint: 'Checkpoint',
}

const SPANS: Record<string, string> = {
  model: 'Model',
  tool: 'Tool',
  hook: 'Hook',
  delegate: 'Agent',
  request: 'Request',
  iteration: 'Hat',
}

/** Why the agent is taken to wait for an answer. */
export function awaitingSentence(reason: string | undefined): string {
  return AWAITING[reason ?? ''] ?? 'The agent waits for an answer.'
}

const AWAITING: Record<string, string> = {
  agent_declared: 'The agent says that it waits for an answer.',
  content_is_question: 'The agent ends with a question, so it waits for an answer.',
  tool_requires_confirmation: 'A tool that the agent called needs a confirmation.',
}

/** How an answer ended, unless it simply ended. */
export function endingSentence(reason: string | undefined): string | undefined {
  return reason === undefined || reason === 'stop' ? undefined : (ENDINGS[reason] ?? `ended with ${reason}`)
}

const ENDINGS: Record<string, string> = {
  length: 'cut off at the length limit',
  tool_calls: 'ended with tool calls',
  content_filter: 'stopped by a content filter',
  refusal: 'refused',
  error: 'ended with an error',
}

/** Who said the input of a turn; undefined: the case. */
export function speakerOf(source: string): string | undefined {
  return source === 'simulator' ? 'Simulated user' : source === 'human' ? 'Person' : undefined
}

/** Why an orchestrator run ended. */
export function terminationSentence(reason: string | undefined): string {
  return reason === undefined ? 'Not ended' : (TERMINATIONS[reason] ?? 'Ended')
}

const TERMINATIONS: Record<string, string> = {
  CompletionPromise: 'Completed: the last hat said that the work is done',
  Cancelled: 'Cancelled',
  MockExhausted: 'Ended: the scripted answers ran out',
  ConsecutiveFailures: 'Stopped: too many failures in a row',
  LoopThrashing: 'Stopped: the loop went in circles',
  LoopStale: 'Stopped: the loop made no progress',
  ValidationFailure: 'Stopped: what it produced was not valid',
  Stopped: 'Stopped on request',
  NoPendingEvents: 'Ended: no event was left for any hat',
  Error: 'Ended with an error',
  MaxIterations: 'Stopped at the limit of iterations',
  MaxRuntime: 'Stopped at the time limit',
  MaxCost: 'Stopped at the cost limit',
  Interrupted: 'Interrupted',
}
