// What is tested: its own code, its answer, what it did with its tools.
import { preview } from '../../../../base/text.js'
import { callText } from '../../call-text.js'
import type { BlameRule } from '../blame-rule.js'
import { admitsTrouble } from '../words.js'
import { isJudge } from '../../step-words.js'

/** Rules of `explain/rules/agent.ts` whose cause is in the agent. */
const OWN_FAULT = new Set([
  'syntax',
  'no-answer',
  'cut-off',
  'unreadable',
  'tool-loop',
  'agent-threw',
  'agent',
  'crashed',
])

export const AGENT_RULES: readonly BlameRule[] = [
  {
    id: 'own-error',
    strength: 'sign',
    find: ({ wrong, explained, message }) =>
      (wrong.kind === 'agent' || wrong.kind === 'crashed') && OWN_FAULT.has(explained)
        ? { why: 'the agent itself failed', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'ignored-error',
    strength: 'sign',
    find: ({ wrong, calls, answer }) => {
      const failed = calls.findLast(({ error }) => error !== undefined)
      const isLast =
        failed !== undefined && !calls.slice(calls.indexOf(failed) + 1).some(({ name }) => name === failed.name)
      return wrong.kind === 'assertion' && failed !== undefined && isLast && answer !== '' && !admitsTrouble(answer)
        ? {
            why: `its call of ${preview(failed.name, 60)} failed, and it went on as if it had not`,
            evidence: preview(failed.error ?? '', 300),
          }
        : undefined
    },
  },
  {
    id: 'contradicted-claim',
    strength: 'sign',
    find: ({ wrong, seen: { claim } }) =>
      wrong.kind === 'assertion' && claim?.isContradicted === true
        ? {
            why: `it says "${preview(claim.text, 120)}", which the record contradicts`,
            evidence: preview(claim.evidence ?? '', 300),
          }
        : undefined,
  },
  {
    id: 'unbacked-claim',
    strength: 'hint',
    find: ({ wrong, seen: { claim } }) =>
      wrong.kind === 'assertion' && claim?.isContradicted === false
        ? { why: `it says "${preview(claim.text, 120)}", and no call shows that it was done` }
        : undefined,
  },
  {
    id: 'repeats-itself',
    strength: 'sign',
    find: ({ calls }) => {
      const texts = calls.map((call) => callText(call))
      const loop = texts.find((text, index) => text === texts[index + 1] && text === texts[index + 2])
      return loop === undefined
        ? undefined
        : { why: 'it made the same call again and again', evidence: preview(loop, 300) }
    },
  },
  {
    id: 'no-such-tool',
    strength: 'sign',
    find: ({ calls }) => {
      const call = calls.find(({ no_such_tool }) => no_such_tool === true)
      return call === undefined
        ? undefined
        : { why: `it called ${preview(call.name, 60)}, a tool that it does not have` }
    },
  },
  {
    id: 'unstable',
    strength: 'hint',
    find: ({ seen, wrong }) =>
      wrong.kind === 'assertion' &&
      seen.passed !== undefined &&
      seen.passed > 0 &&
      !(wrong.assertion && isJudge(wrong.assertion.type))
        ? { why: 'other runs of the case pass: it answers differently from run to run' }
        : undefined,
  },
  {
    id: 'agreed-verdict',
    strength: 'hint',
    find: ({ wrong: { kind, assertion } }) => {
      const votes = assertion !== undefined && isJudge(assertion.type) ? (assertion.parts ?? []) : []
      return kind === 'assertion' &&
        votes.length > 1 &&
        votes.every(({ passed, error }) => !passed && error === undefined)
        ? {
            why: `all ${votes.length} votes of the judge reject its answer`,
            evidence: preview(votes[0]?.message ?? '', 300),
          }
        : undefined
    },
  },
  {
    id: 'busy-until-timeout',
    strength: 'hint',
    find: ({ wrong, calls, answer, result, explained }) =>
      wrong.kind === 'timeout' &&
      explained !== 'timeout-in-checks' &&
      (calls.length > 0 || answer !== '' || (result.trace ?? []).length > 0)
        ? { why: 'it was still at work when the time ran out' }
        : undefined,
  },
  {
    // What is tested is the first suspect.
    id: 'wrong-answer',
    strength: 'rest',
    find: ({ wrong, message, result }) =>
      wrong.kind === 'assertion' && result.script === undefined
        ? { why: 'nothing suggests that anything else failed', evidence: preview(message, 300) }
        : undefined,
  },
]
