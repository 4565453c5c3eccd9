// Why a check of the answer did not hold, as far as comparing what was expected with what came can tell.
import { isRecord } from '../../../../base/record.js'
import { suggest } from '../../../../base/suggest.js'
import { asText, show } from '../../../../base/text.js'
import { inputText } from '../../input-text.js'
import type { Facts, Found, Rule } from '../facts.js'
import { isEcho, isQuestionBack } from './asked-back.js'

function check(id: string, find: (facts: Facts) => Found | undefined): Rule {
  return { id, find: (facts) => (facts.wrong.kind === 'assertion' ? find(facts) : undefined) }
}

const COMPARE = 'decide which is right: change the agent if the answer is wrong, the case if the expectation is'
const TEXT_CHECKS = new Set(['contains', 'equals', 'regex', 'json_path', 'similar'])

/** What the check wanted to find in the answer, as text. */
function wanted({ wrong }: Facts): string | undefined {
  const { assertion } = wrong
  if (!assertion || assertion.negate === true || !TEXT_CHECKS.has(assertion.type)) return undefined
  const expected = assertion.expected ?? assertion.value
  return typeof expected === 'string' && expected.trim() !== '' ? expected : undefined
}

function found({ wrong, answer }: Facts): string {
  const { actual } = wrong.assertion ?? {}
  return wrong.assertion?.type === 'json_path' && actual !== undefined ? asText(actual) : answer
}

/** The same but for something that rarely matters. */
function differsOnlyIn(facts: Facts, plain: (text: string) => string): boolean {
  const expected = wanted(facts)
  if (expected === undefined || facts.wrong.assertion?.type === 'regex') return false
  const [inner, outer] = [plain(expected), plain(found(facts))]
  if (inner === '' || outer === '') return false
  return facts.wrong.assertion?.type === 'contains' ? outer.includes(inner) : outer === inner
}

const lower = (text: string): string => text.toLowerCase()
const unmarked = (text: string): string => text.replaceAll(/[*_`#]+/g, '')
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const typed = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2010-\u2015]/g, '-')
const numbers = (text: string): string =>
  text.replaceAll(/(?<=\d)[,'\u00a0\u202f ](?=\d{3})/g, '').replaceAll(/(?<=\d)\.0+\b/g, '')

/** Checks that fail for want of an answer. Others, like a limit, fail for what the answer has. */
const NEED_ANSWER = new Set([...TEXT_CHECKS, 'schema', 'type', 'tool_called', 'tool_sequence', 'agent', 'rubric'])

function needsAnswer({ wrong: { assertion, checkpoint } }: Facts): boolean {
  return assertion !== undefined && assertion.negate !== true && NEED_ANSWER.has(assertion.type) && !checkpoint
}

function askedIn({ result, wrong }: Facts): string {
  return inputText(wrong.turn?.input ?? result.input)
}

/** Declared, or nothing but a question; a case that wants to be asked gets what it wants. */
function hasAskedBack(facts: Facts): boolean {
  const { result, wrong, answer } = facts
  const { awaiting_input, awaiting_reason = 'agent_declared', assertions = [] } = wrong.turn ?? result
  if (awaiting_input !== true || !needsAnswer(facts)) return false
  const { expected, value, criterion } = wrong.assertion ?? {}
  if (
    /\?|\b(?:asks?|asking|questions?|clarif\w*|confirm\w*)\b/i.test([expected, value, criterion].map(asText).join('\n'))
  )
    return false
  if (assertions.some(({ type, passed }) => type === 'awaiting_input' && passed)) return false
  return awaiting_reason !== 'content_is_question' || isQuestionBack(answer, askedIn(facts))
}

export const ANSWER_RULES: readonly Rule[] = [
  check('refused', ({ result, wrong, message }) =>
    (wrong.turn ?? result).refusal === true || message.startsWith('the agent refused')
      ? {
          headline: message.startsWith('the agent refused') ? message : `the agent refused to answer; ${message}`,
          certainty: 'certain',
          cause: 'the model refused to answer',
          try: ['change what is asked, or what the agent may do', 'if refusing is right, assert {"type": "refusal"}'],
        }
      : undefined,
  ),
  check('cut-off', ({ result, wrong }) =>
    ['length', 'max_tokens'].includes((wrong.turn ?? result).finish_reason ?? '')
      ? {
          certainty: 'likely',
          cause: 'the answer was cut off at the limit of tokens',
          try: ['raise the limit of tokens (max_tokens) of the agent'],
        }
      : undefined,
  ),
  check('turns-used-up', ({ result, wrong, answer }) => {
    const most = /^max turns \((\d+)\) exceeded/.exec(result.error ?? '')?.[1]
    if (most === undefined) return undefined
    const checkpoint = wrong.checkpoint
    return checkpoint
      ? {
          headline: `${checkpoint.message ?? 'not reached'} (checkpoint "${checkpoint.id}", not reached in ${most} turns)`,
          certainty: 'cannot tell',
          try: ['read the turns: what did the agent lack?', `raise max_turns if ${most} turns are too few`],
        }
      : {
          headline: `the conversation was not over after ${most} turns; the agent's last words: ${show(answer, 120)}`,
          certainty: 'cannot tell',
          try: ['read the turns: where do they go in circles?', `raise max_turns if ${most} turns are too few`],
        }
  }),
  check('differs-in-case', (facts) =>
    differsOnlyIn(facts, lower)
      ? {
          certainty: 'certain',
          cause: 'only upper and lower case differ',
          try: ['write the expected text as the agent does, or use a regular expression with (?i)'],
        }
      : undefined,
  ),
  check('differs-in-space', (facts) =>
    differsOnlyIn(facts, spaced)
      ? { certainty: 'certain', cause: 'only white space differs', try: ['write the expected text as the agent does'] }
      : undefined,
  ),
  check('differs-in-markup', (facts) =>
    differsOnlyIn(facts, (text) => spaced(unmarked(text)))
      ? {
          certainty: 'certain',
          cause: 'only Markdown around the words differs',
          try: ['check for the words without markup, or tell the agent to answer in plain text'],
        }
      : undefined,
  ),
  check('differs-in-typography', (facts) =>
    differsOnlyIn(facts, (text) => spaced(typed(text)))
      ? {
          certainty: 'certain',
          cause: 'only quotes, dashes or the form of letters differ',
          try: ['write them as the agent does'],
        }
      : undefined,
  ),
  check('differs-in-number-format', (facts) =>
    differsOnlyIn(facts, (text) => spaced(numbers(text)))
      ? {
          certainty: 'certain',
          cause: 'the number is there, written differently',
          try: ['check for it as the agent writes it, or with a regular expression'],
        }
      : undefined,
  ),
  check('type-differs', ({ wrong }) => {
    const { expected, actual } = wrong.assertion ?? {}
    if (typeof expected === typeof actual || expected === undefined || actual === undefined) return undefined
    if (typeof expected === 'object' || typeof actual === 'object' || asText(expected) !== asText(actual))
      return undefined
    return {
      certainty: 'certain',
      cause: `the value is right, its type is not: ${typeof expected} expected, ${typeof actual} found`,
      try: [`expect ${show(actual)}, or let the agent answer with a ${typeof expected}`],
    }
  }),
  check('echo', (facts) => {
    const echo = needsAnswer(facts) ? isEcho(facts.answer, askedIn(facts)) : undefined
    return echo === undefined
      ? undefined
      : {
          certainty: echo === 'all' ? 'certain' : 'likely',
          cause: 'the answer only repeats the input',
          try: ['check that the agent calls its model, and returns what the model says'],
        }
  }),
  check('asked-back', (facts) =>
    hasAskedBack(facts)
      ? {
          certainty: 'likely',
          cause: `the agent asked back instead of answering: ${show(facts.answer, 120)}`,
          try: [
            facts.wrong.turn === undefined
              ? 'give what it asks for in the input, or make the case a conversation (turns, simulator)'
              : 'give what it asks for in an earlier turn, or check the turn after it',
          ],
        }
      : undefined,
  ),
  check('not-json', ({ wrong, output }) =>
    ['json_path', 'schema'].includes(wrong.assertion?.type ?? '') && typeof output === 'string' && !/[{[]/.test(output)
      ? {
          certainty: 'certain',
          cause: 'the answer is text without JSON in it',
          try: ['tell the agent to answer with JSON, or check the text (contains, regex)'],
        }
      : undefined,
  ),
  check('other-field', ({ wrong, output }) => {
    const { type, path = '' } = wrong.assertion ?? {}
    const key = /\.([A-Za-z_]\w*)$/.exec(path)?.[1]
    if (type !== 'json_path' || key === undefined || !/not found/.test(wrong.message)) return undefined
    const near = suggest(key, keysIn(output))
    return near === undefined || near === key
      ? undefined
      : {
          certainty: 'likely',
          cause: `the answer calls the field "${near}"`,
          try: [`use ${near} in the path, or rename it in the answer`],
        }
  }),
  check('calls-unknown', ({ wrong, message }) =>
    (wrong.assertion?.type ?? '').startsWith('tool_') &&
    /says nothing about tool calls|do(?:es)? not report tool calls|may have been more/.test(message)
      ? {
          certainty: 'certain',
          cause: 'the agent does not report which tools it called',
          try: ['let the reply carry tool_calls, or declare that all are reported: tool_calls: "complete"'],
        }
      : undefined,
  ),
  check('tool-unknown', ({ calls }) => {
    const call = calls.find(({ no_such_tool }) => no_such_tool === true)
    return call === undefined
      ? undefined
      : {
          certainty: 'likely',
          cause: `the agent called ${call.name}, a tool that it does not have`,
          try: ['offer the tool, or correct its name in the prompt'],
        }
  }),
  check('other-tool-name', ({ wrong, calls }) => {
    const { type = '', name, tool } = wrong.assertion ?? {}
    const expected = name ?? tool
    if (type !== 'tool_called' || typeof expected !== 'string') return undefined
    if (calls.some((call) => call.name === expected)) return undefined
    const near = suggest(
      flat(expected),
      calls.map((call) => flat(call.name)),
    )
    const call = calls.find((each) => flat(each.name) === near)
    return call === undefined
      ? undefined
      : {
          certainty: 'likely',
          cause: `the agent calls it ${call.name}`,
          try: [`expect ${call.name}, or rename the tool`],
        }
  }),
  check('tool-failed', ({ wrong, calls }) => {
    const failed = calls.find(({ error }) => error !== undefined)
    if (failed === undefined || wrong.assertion?.type === 'tool_called') return undefined
    return {
      certainty: 'likely',
      cause: `its tool ${failed.name} failed: ${failed.error ?? ''}`,
      try: [`fix ${failed.name}, or what it was called with`],
    }
  }),
  check('no-tool-called', ({ wrong, calls }) =>
    wrong.assertion?.type === 'tool_called' && calls.length === 0
      ? {
          certainty: 'cannot tell',
          try: ['check that the agent offers the tool, and that its prompt says when to use it', COMPARE],
        }
      : undefined,
  ),
  check('snapshot', ({ wrong }) =>
    wrong.assertion?.type.startsWith('snapshot') === true
      ? {
          certainty: 'cannot tell',
          try: ['if the new answer is right, accept it: viva snapshot review'],
        }
      : undefined,
  ),
  check('judged', ({ wrong, message }) =>
    ['agent', 'rubric'].includes(wrong.assertion?.type ?? '')
      ? {
          headline: `the judge says no: ${message}`,
          certainty: 'cannot tell',
          try: ['read the answer yourself: if the judge is wrong, make the criterion more exact', COMPARE],
        }
      : undefined,
  ),
  check('limit', ({ wrong }) =>
    ['tokens', 'cost', 'latency', 'duration'].includes(wrong.assertion?.type ?? '')
      ? {
          certainty: 'cannot tell',
          try: ['look which call used most: viva view latest', 'raise the limit if it is too strict'],
        }
      : undefined,
  ),
  check('score', ({ result, wrong }) =>
    result.score !== undefined && result.min_score !== undefined && result.score < result.min_score && !wrong.checkpoint
      ? {
          headline: `score ${result.score.toFixed(2)}, at least ${result.min_score} needed; first: ${wrong.message}`,
          certainty: 'cannot tell',
          try: [COMPARE],
        }
      : undefined,
  ),
]

function flat(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

const MOST_KEYS = 1_000

function keysIn(value: unknown): string[] {
  const keys: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0 && keys.length < MOST_KEYS) {
    const next = open.pop()
    if (Array.isArray(next)) open.push(...next.slice(0, MOST_KEYS))
    else if (isRecord(next)) {
      keys.push(...Object.keys(next))
      open.push(...Object.values(next))
    }
  }
  return keys
}
