// The case itself: what it needs is missing, its assertions contradict each other, or they reject good answers.
import { isEqual } from '../../../../base/equal.js'
import { asText, preview, show } from '../../../../base/text.js'
import { assertionLabel } from '../../../../model/assertion-label.js'
import type { AssertionResult } from '../../../../model/assertion.js'
import type { BlameRule } from '../blame-rule.js'

/** Rules of `explain/rules/answer.ts`: the answer has what was asked for, written differently. */
const TOO_STRICT = new Set([
  'differs-in-case',
  'differs-in-space',
  'differs-in-markup',
  'differs-in-typography',
  'differs-in-number-format',
])

export const TEST_RULES: readonly BlameRule[] = [
  {
    id: 'case-unusable',
    strength: 'shown',
    find: ({ wrong, message }) =>
      wrong.kind === 'input' || wrong.kind === 'script' || wrong.kind === 'hook'
        ? { why: WHY_UNUSABLE[wrong.kind], evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'no-next-input',
    strength: 'shown',
    find: ({ wrong, message, result }) =>
      wrong.kind === 'not_shown' && result.error_kind === undefined
        ? { why: 'the conversation needs an input that the case does not have', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'stale-recording',
    strength: 'hint',
    find: ({ explained, message }) =>
      explained === 'replay-mismatch'
        ? { why: 'the recording is of another request', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'contradiction',
    strength: 'shown',
    find: ({ result, wrong }) => {
      if (wrong.kind !== 'assertion') return undefined
      const groups = [
        result.assertions ?? [],
        result.final_assertions ?? [],
        ...(result.turns ?? []).map(({ assertions = [] }) => assertions),
      ]
      for (const group of groups) {
        const pair = contradiction(group)
        if (pair) return { why: `no answer can pass both ${pair.map(assertionLabel).join(' and ')}` }
      }
      return undefined
    },
  },
  {
    id: 'placeholder',
    strength: 'sign',
    find: ({ wrong, answer }) => {
      const expected = asText(wrong.assertion?.expected ?? wrong.assertion?.value)
      return wrong.kind === 'assertion' &&
        wrong.assertion?.type !== 'regex' &&
        PLACEHOLDER.test(expected) &&
        !PLACEHOLDER.test(answer)
        ? { why: 'the expectation still has a placeholder in it', evidence: preview(expected, 300) }
        : undefined
    },
  },
  {
    id: 'too-strict',
    strength: 'hint',
    find: ({ explained, wrong, answer }) =>
      TOO_STRICT.has(explained)
        ? {
            why: 'the answer has what is expected, only written differently',
            evidence: `expected ${show(wrong.assertion?.expected ?? wrong.assertion?.value, 120)}, got ${show(answer, 160)}`,
          }
        : undefined,
  },
  {
    id: 'other-type',
    strength: 'hint',
    find: ({ explained, wrong }) =>
      explained === 'type-differs'
        ? {
            why: 'the value is right; only its type is not the one in the case',
            evidence: `expected ${show(wrong.assertion?.expected)}, got ${show(wrong.assertion?.actual)}`,
          }
        : undefined,
  },
  {
    id: 'calls-unknown',
    strength: 'shown',
    find: ({ explained, message }) =>
      explained === 'calls-unknown'
        ? { why: 'it checks tool calls of an agent that does not report them', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'other-tool-name',
    strength: 'hint',
    find: ({ explained, wrong }) =>
      explained === 'other-tool-name'
        ? {
            why: 'it expects a tool whose name the agent spells differently',
            evidence: preview(assertionLabel(wrong.assertion ?? { type: 'tool_called', passed: false }), 200),
          }
        : undefined,
  },
  {
    id: 'never-passed',
    strength: 'hint',
    find: ({ seen, wrong }) =>
      wrong.kind === 'assertion' &&
      seen.neverPassed !== undefined &&
      wrong.assertion !== undefined &&
      assertionLabel(wrong.assertion) === seen.neverPassed.label
        ? {
            why: `no run has ever passed this assertion: ${seen.neverPassed.runs} runs with ${seen.neverPassed.answers} different answers passed everything else`,
            evidence: preview(seen.neverPassed.label, 200),
          }
        : undefined,
  },
  {
    id: 'slow-check',
    strength: 'hint',
    find: ({ explained, result }) =>
      explained === 'timeout-in-checks' && !(result.helpers ?? []).some(({ lane }) => lane === 'judge')
        ? { why: 'the agent had answered; the time ran out in the checks of the case' }
        : undefined,
  },
]

const WHY_UNUSABLE = {
  input: 'the case cannot be used as written',
  script: 'a script of the case failed',
  hook: 'a hook of the case failed',
}

const PLACEHOLDER = /\{\{\s*[\w.-]+\s*\}\}|\$\{[\w.-]+\}|<(?:your|insert)[^>]*>/i

/** Two assertions on one answer of which no answer passes both. */
function contradiction(assertions: readonly AssertionResult[]): [AssertionResult, AssertionResult] | undefined {
  const all = assertions.flatMap(members)
  for (const [index, one] of all.entries())
    for (const other of all.slice(index + 1)) if (excludes(one, other) || excludes(other, one)) return [one, other]
  return undefined
}

/** Members of `all` must all hold; those of `any` need not. */
function members(assertion: AssertionResult): AssertionResult[] {
  return assertion.type === 'all' && assertion.negate !== true ? (assertion.parts ?? []).flatMap(members) : [assertion]
}

function excludes(one: AssertionResult, other: AssertionResult): boolean {
  const [a, b] = [claimOf(one), claimOf(other)]
  if (a === undefined || b === undefined || a.subject !== b.subject) return false
  switch (a.says) {
    case 'is':
      return (
        (b.says === 'is' && !isEqual(a.value, b.value)) ||
        (b.says === 'has' && !asText(a.value).includes(asText(b.value))) ||
        (b.says === 'has not' && asText(a.value).includes(asText(b.value))) ||
        (b.says === 'at most' && asText(a.value).length > Number(b.value))
      )
    case 'has':
      return (
        (b.says === 'has not' && asText(a.value).includes(asText(b.value))) ||
        (b.says === 'at most' && asText(a.value).length > Number(b.value))
      )
    case 'called':
      return b.says === 'not called' && isEqual(a.value, b.value)
    case 'has not':
    case 'at most':
    case 'not called':
      return false
  }
}

interface Claim {
  subject: string
  says: 'is' | 'has' | 'has not' | 'at most' | 'called' | 'not called'
  value: unknown
}

/** What an assertion demands of the answer, if it is simple enough to compare. */
function claimOf(assertion: AssertionResult): Claim | undefined {
  const { type, negate, params, path } = assertion
  const value = assertion.value ?? assertion.expected
  const isNegative = negate === true
  const subject = path === undefined ? 'answer' : path
  // What else an assertion is given may make room for both, and so may a path that finds several values.
  if (type !== 'length' && params !== undefined && Object.keys(params).length > 0) return undefined
  if (/[*?:]|\.\./.test(subject)) return undefined
  switch (type) {
    case 'equals':
      return isNegative ? undefined : { subject, says: 'is', value }
    case 'json_path':
      return isNegative || isPattern(value) ? undefined : { subject: `json ${subject}`, says: 'is', value }
    case 'contains':
      return typeof value === 'string' ? { subject, says: isNegative ? 'has not' : 'has', value } : undefined
    case 'not_contains':
      return isNegative || typeof value !== 'string' ? undefined : { subject, says: 'has not', value }
    case 'length': {
      const most = params?.['max']
      return isNegative ||
        typeof most !== 'number' ||
        Object.keys(params ?? {}).some((key) => key !== 'max' && key !== 'min')
        ? undefined
        : { subject, says: 'at most', value: most }
    }
    case 'tool_called':
      return { subject: 'calls', says: isNegative ? 'not called' : 'called', value: assertion.name ?? value }
    case 'tool_not_called':
      return isNegative ? undefined : { subject: 'calls', says: 'not called', value: assertion.name ?? value }
    default:
      return undefined
  }
}

function isPattern(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null)
}
