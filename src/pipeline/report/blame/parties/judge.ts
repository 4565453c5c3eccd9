// Judges: do their votes agree, do their reasons fit their verdicts, and do they speak of the answer that was given?
import { asText, clip, preview } from '../../../../base/text.js'
import type { AssertionResult } from '../../../../model/assertion.js'
import { isJudge } from '../../step-words.js'
import type { Strength } from '../confidence.js'
import type { BlameFacts, BlameRule, Suspicion } from '../blame-rule.js'

export const JUDGE_RULES: readonly BlameRule[] = [
  {
    id: 'no-verdict',
    strength: 'shown',
    find: ({ wrong, message }) =>
      wrong.kind === 'validator'
        ? { why: 'the judge gave no usable verdict', evidence: preview(message, 300) }
        : undefined,
  },
  {
    id: 'slow-judge',
    strength: 'hint',
    find: ({ explained, result }) =>
      explained === 'timeout-in-checks' && (result.helpers ?? []).some(({ lane }) => lane === 'judge')
        ? { why: 'the agent had answered; the time ran out while the judge was asked' }
        : undefined,
  },
  judged('split-votes', 'sign', ({ parts = [] }) => {
    const [yes, no] = [true, false].map((passed) =>
      parts.filter((vote) => vote.error === undefined && vote.passed === passed),
    )
    if (yes === undefined || no === undefined || yes.length === 0 || no.length === 0) return undefined
    const isSplit = yes.length * 3 >= parts.length
    return isSplit
      ? {
          why: `the judge disagrees with itself: ${yes.length} of ${parts.length} votes passed the same answer`,
          evidence: preview(`yes: ${yes[0]?.message ?? ''} / no: ${no[0]?.message ?? ''}`, 300),
        }
      : undefined
  }),
  judged('changes-its-mind', 'shown', (_, { seen }) =>
    seen.judgedBothWays === undefined
      ? undefined
      : { why: 'the judge passed the same answer in one run and failed it in another', evidence: seen.judgedBothWays },
  ),
  judged('reason-praises', 'sign', (assertion) => {
    const reason = reasonOf(assertion)
    return PRAISE.test(reason) && !BLAMES.test(reason)
      ? { why: "the judge's reason praises the answer, and its verdict is no", evidence: preview(reason, 300) }
      : undefined
  }),
  judged('score-contradicts', 'hint', ({ type, score, message = '' }) =>
    type === 'agent' && score !== undefined && score >= 0.8 && score <= 1 && !/^score [\d.]+ is below/.test(message)
      ? { why: `the judge's score is ${score} of 1, and its verdict is no`, evidence: preview(message, 300) }
      : undefined,
  ),
  judged('overlooks', 'sign', (assertion, { answer }) => {
    const reason = reasonOf(assertion)
    for (const match of reason.matchAll(MISSING)) {
      const missed = (match[1] ?? match[2] ?? '').trim().replace(/[.,;]+$/, '')
      if (missed.length > 1 && answer.toLowerCase().includes(missed.toLowerCase()))
        return {
          why: `the judge says that ${preview(missed, 80)} is missing, and the answer has it`,
          evidence: preview(reason, 300),
        }
    }
    return undefined
  }),
  judged('misquotes', 'hint', (assertion, { answer, result, calls }) => {
    const reason = reasonOf(assertion)
    const known = [answer, asText(result.input), asText(assertion.value), asText(assertion.criterion), asText(calls)]
      .join('\n')
      .toLowerCase()
    for (const match of reason.matchAll(QUOTED)) {
      const quote = (match[1] ?? '').trim().replace(/[.,;!?…]+$/, '')
      if (quote.length > 3 && !known.includes(quote.toLowerCase()))
        return { why: `the judge quotes "${preview(quote, 80)}", which nobody said`, evidence: preview(reason, 300) }
    }
    return undefined
  }),
  judged('sees-nothing', 'sign', (assertion, { answer }) =>
    answer.trim().length > 20 &&
    /\b(?:no (?:answer|response|output)\b|(?:answer|response|output) (?:is|was) (?:empty|blank|missing))/i.test(
      reasonOf(assertion),
    )
      ? { why: 'the judge says that there is no answer, and there is one', evidence: preview(reasonOf(assertion), 300) }
      : undefined,
  ),
]

const PRAISE =
  /\b(?:meets?|satisf(?:y|ies)|fulfils?|fulfills?|complies with|matches)\b[^.]*\b(?:criteri|requirement|expect|rubric|everything)|\b(?:is|was|are|were)\s+(?:\w+ly\s+)?(?:correct|accurate|complete|excellent|perfect|polite|good|fine|helpful|right)(?=\s*(?:[.,;!]|and\b|$))|^\s*(?:excellent|perfect|correct)\s*[.!,]/i
/** Whatever might make a reason a reproach. */
const BLAMES =
  /\b(?:not|no|never|none|neither|nor|cannot|lacks?|lacking|miss(?:es|ing)?|without|fail(?:s|ed|ure)?|wrong(?:ly)?|incorrect(?:ly)?|inaccurate|incomplete|but|however|although|though|except|only|too|should|could|would|unless|instead|rather|yet|poor(?:ly)?|bad|rude|vague|unclear|weak|less|insufficient|un\w+|im\w+|contradict\w*|invent\w*|hallucinat\w*|error\w*|problem\w*|violat\w*)\b|n't\b|n\u2019t\b/i
/** `does not mention "shipped"`, `fails to state the order number 4711`. */
const MISSING =
  /\b(?:does not|doesn't|did not|didn't|never|fails to|failed to|without|omits|lacks|missing|no mention of)\b(?:\s+(?:mention|contain|include|say|state|give|name|provide|show)\w*)?[^."\u201c\n]{0,40}?(?:["\u201c]([^"\u201d\n]{2,80})["\u201d]|\b(\d[\d.,]{2,}))(?=\s*(?:[.,;!]|at all|anywhere|in (?:the|its) (?:answer|response|reply)|$))/gi
/** What the answer is said to say. */
const QUOTED =
  /\b(?:says?|said|states?|claims?|writes?|answers?|replies|calls?|tells?|mentions?|quotes?|reads?)\b[^."\u201c\n]{0,30}["\u201c]([^"\u201d\n]{2,120})["\u201d]/gi

const LONGEST_REASON = 5_000

/** Without what Viva puts before it. */
function reasonOf({ message = '' }: AssertionResult): string {
  return clip(message, LONGEST_REASON)
    .replace(/^\d+ of \d+ votes passed(?:: )?/, '')
    .replace(/^score [\d.]+ is below [\d.]+(?:: )?/, '')
}

function judged(
  id: string,
  strength: Strength,
  find: (assertion: AssertionResult, facts: BlameFacts) => Suspicion | undefined,
): BlameRule {
  return {
    id,
    strength,
    find: (facts) => {
      const { kind, assertion } = facts.wrong
      if (!assertion || !isJudge(assertion.type) || assertion.negate === true) return undefined
      return kind === 'assertion' || kind === 'validator' ? find(assertion, facts) : undefined
    },
  }
}
