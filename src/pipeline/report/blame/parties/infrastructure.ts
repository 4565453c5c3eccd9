// What lies between Viva, the agent and its models: network, limits of providers, programs, processes, keys.
import { preview } from '../../../../base/text.js'
import type { ToolCall } from '../../../../model/message.js'
import { troubleIn } from '../../explain/rules/agent.js'
import type { BlameFacts, BlameRule } from '../blame-rule.js'
import { admitsTrouble } from '../words.js'

/** Rules of `explain/rules/agent.ts` whose cause is outside the agent. */
const OUTSIDE = new Set([
  'refused-connection',
  'unknown-host',
  'tls',
  'unreachable',
  'denied',
  'no-key',
  'quota',
  'limited',
  'not-found',
  'server-error',
  'missing-module',
  'missing-program',
  'memory',
  'resources',
  'killed',
  'tool-server',
  'no-connection',
])

export const INFRASTRUCTURE_RULES: readonly BlameRule[] = [
  {
    id: 'injected-fault',
    strength: 'shown',
    find: ({ explained, result }) =>
      explained === 'injected-fault'
        ? { why: `--chaos injected ${result.faults?.[0]?.fault ?? 'a fault'} into the run` }
        : undefined,
  },
  {
    id: 'call-failed',
    strength: 'shown',
    find: ({ wrong, explained, message }) =>
      (wrong.kind === 'agent' || wrong.kind === 'crashed') && (OUTSIDE.has(explained) || isCutOff(message))
        ? { why: 'the agent could not be reached or could not do its work', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'helper-unreachable',
    strength: 'shown',
    find: ({ wrong, message }) => {
      if (wrong.kind !== 'validator' && wrong.kind !== 'simulator' && wrong.kind !== 'hook') return undefined
      const trouble = troubleIn(message)
      if (trouble === undefined || !OUTSIDE.has(trouble)) return undefined
      const who = wrong.kind === 'validator' ? 'the judge' : wrong.kind === 'simulator' ? 'the simulator' : 'the hook'
      return { why: `${who} could not reach what it needs`, evidence: preview(message, 300) }
    },
  },
  {
    id: 'process-lost',
    strength: 'sign',
    find: ({ wrong, message, explained }) =>
      wrong.kind === 'crashed' && explained === 'crashed' && /calls in flight|in another case/.test(message)
        ? { why: 'the process that ran the agent ended before it answered', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'request-rejected',
    strength: 'hint',
    find: ({ explained, message }) =>
      explained === 'bad-request'
        ? { why: 'the server of the agent rejected the request', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'no-sign-of-life',
    strength: 'hint',
    find: ({ wrong, result, calls, answer }) =>
      wrong.kind === 'timeout' && answer === '' && calls.length === 0 && (result.trace ?? []).length === 0
        ? { why: 'the time ran out before anything came from the agent' }
        : undefined,
  },
  {
    id: 'error-for-an-answer',
    strength: 'sign',
    find: ({ wrong, answer }) =>
      wrong.kind === 'assertion' && isTransportError(answer)
        ? { why: 'the answer is the error of a server, not an answer', evidence: preview(answer, 300) }
        : undefined,
  },
  {
    id: 'tool-unreachable',
    strength: 'sign',
    find: (facts) => {
      const call = facts.wrong.kind === 'assertion' ? unreachableTool(facts) : undefined
      return call === undefined
        ? undefined
        : {
            why: `the agent's tool ${preview(call.name, 60)} could not be reached, and the agent said so`,
            evidence: preview(call.error ?? '', 300),
          }
    },
  },
]

function isCutOff(message: string): boolean {
  return /ended before the answer was complete|in the middle of its answer|connection (?:closed|lost|reset)/i.test(
    message,
  )
}

/** An agent that hides the failure of its tool is at fault itself. */
function unreachableTool({ calls, answer }: BlameFacts): ToolCall | undefined {
  if (!admitsTrouble(answer)) return undefined
  return calls.find(({ error }) => error !== undefined && OUTSIDE.has(troubleIn(error) ?? ''))
}

const LONGEST_ERROR = 300

/** Short, one sentence besides `please try again`, and begins as errors do: an answer about errors says more. */
function isTransportError(answer: string): boolean {
  const text = answer.trim()
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((each) => !/^(?:please|try|retry)\b/i.test(each))
  if (text.length === 0 || text.length > LONGEST_ERROR || sentences.length > 1) return false
  if (
    !/^(?:\W*)(?:\w*error|exception|http|\d{3}\b|internal server|service|bad gateway|gateway|too many|rate limit|upstream)/i.test(
      text,
    )
  )
    return false
  const trouble = troubleIn(text)
  return (
    (trouble !== undefined && OUTSIDE.has(trouble)) ||
    /\b(?:429|50[0234]|529)\b|service unavailable|bad gateway|gateway time-?out|too many requests|overloaded|internal server error/i.test(
      text,
    )
  )
}
