// Why a case did not pass: the one explanation that the console, `viva explain` and MCP give. Pure.
import { formatPercent, plural } from '../../../base/format.js'
import { asText, clip, oneLine, preview, show } from '../../../base/text.js'
import { assertionLabel } from '../../../model/assertion-label.js'
import type { ResultEvent, StabilityEvent } from '../../../model/event.js'
import { notReached } from '../../../model/not-shown.js'
import { labelText } from '../../../model/stability-label.js'
import { isNotShown, type ListedStatus } from '../../../model/status.js'
import { answerLines } from '../answer-lines.js'
import { blameFor } from '../blame/blame.js'
import type { BlameContext } from '../blame/context.js'
import { inputText } from '../input-text.js'
import type { Explanation } from './explanation.js'
import { factsOf, type Facts, type Found } from './facts.js'
import { contractFinding } from '../../../model/contract-text.js'
import type { ContractFinding } from '../../../model/contract.js'
import { CONTRACT_RULES } from './rules/contract.js'
import { AGENT_RULES } from './rules/agent.js'
import { ANSWER_RULES } from './rules/answer.js'
import { TROUBLE_RULES } from './rules/trouble.js'
import { splitHint, thrownIn, tracebackFrames } from './thrown.js'

const RULES = [...CONTRACT_RULES, ...AGENT_RULES, ...TROUBLE_RULES, ...ANSWER_RULES]

/** `seen`: what other runs of the case, or its claims, have shown. */
export function explainResult(result: ResultEvent, seen?: BlameContext): Explanation {
  const facts = factsOf(result)
  const { headline: plain, hint } = headlineOf(facts)
  const rule = firstRule(facts)
  const { headline, certainty, cause, try: next }: Found = rule?.found ?? NOTHING_FOUND
  const id = rule?.id ?? facts.wrong.kind
  const blame = blameFor(result, id, seen)
  return {
    ...identityOf(result),
    status: isNotShown(result) ? 'not_shown' : result.status,
    headline: oneLine(headline ?? plain, 400),
    rule: id,
    certainty,
    ...(cause !== undefined && { cause: oneLine(cause, 300) }),
    ...(facts.wrong.place !== undefined && { first_wrong: facts.wrong.place }),
    ...exchangeOf(facts),
    ...comparisonOf(facts),
    ...framesOf(result),
    ...(hint !== undefined && { hint }),
    try: hint === undefined ? next : [hint, ...next.filter((text) => text !== hint)].slice(0, 3),
    ...(blame && { blame }),
  }
}

/** With repetitions. `sample`: the first run that did not pass, if it is known. */
export function explainRuns(
  event: StabilityEvent,
  sample: ResultEvent | undefined,
  status: ListedStatus,
  seen?: BlameContext,
): Explanation {
  const rate = `${event.passed} of ${plural(event.runs, 'run')} passed${event.verdict_runs === 0 ? '' : `, ${labelText(event)}`}`
  const shown = sample ? explainResult(sample, seen) : undefined
  const why = shown?.headline ?? (event.error === undefined ? undefined : oneLine(event.error, 300))
  const run = sample === undefined ? '' : `; shown is run ${sample.run}`
  const base: Explanation = shown ?? {
    ...identityOf(event),
    status,
    headline: '',
    rule: 'runs',
    certainty: 'cannot tell',
    try: [],
  }
  if (status === 'undetermined') {
    const against = event.threshold === undefined ? '' : ` against ${formatPercent(event.threshold * 100)}`
    return {
      ...base,
      status,
      headline: `too few runs to tell${against}: ${event.passed} of ${event.runs} passed`,
      rule: 'undetermined',
      certainty: 'certain',
      cause: 'the pass rate is too near the threshold for so few runs',
      rate,
      try: ['raise --max-runs, or move --threshold'],
    }
  }
  const isSometimes = event.passed > 0
  return {
    ...base,
    status,
    headline: why === undefined ? rate : isSometimes ? `fails in some runs only: ${why}` : why,
    rate: `${rate}${run}`,
    ...(isSometimes &&
      base.certainty === 'cannot tell' && {
        cause: 'the same input is answered differently from run to run',
        certainty: 'certain' as const,
      }),
    try: isSometimes
      ? [...base.try, 'compare a run that passed with one that failed: viva view latest'].slice(0, 3)
      : base.try,
  }
}

const NOTHING_FOUND: Found = {
  certainty: 'cannot tell',
  try: ['decide which is right: change the agent if the answer is wrong, the case if the expectation is'],
}

const FAILED_CALL: Found = {
  certainty: 'cannot tell',
  try: ['look at what the agent did until then: viva view latest'],
}

function firstRule(facts: Facts): { id: string; found: Found } | undefined {
  for (const { id, find } of RULES) {
    const found = find(facts)
    if (found) return { id, found }
  }
  return facts.wrong.kind === 'agent' ? { id: 'agent', found: FAILED_CALL } : undefined
}

/** What the record says; the advice that follows an error in brackets is advice. */
function headlineOf({ wrong, message, result }: Facts): { headline: string; hint?: string } {
  const finding = wrong.assertion && contractFinding(wrong.assertion)
  if (finding) return { headline: message, hint: finding.fix }
  if (wrong.kind !== 'agent' && wrong.kind !== 'crashed') return { headline: message }
  const { text, hint } = splitHint(message)
  const thrown = thrownIn(result.stderr ?? '') ?? thrownIn(text)
  const said = thrown === undefined ? named(text) : programText(text, thrown)
  const cause = causedBy(result.stack)
  const headline = cause === undefined || said.includes(cause) ? said : `${said}, caused by ${cause}`
  return { headline, ...(hint !== undefined && { hint }) }
}

/** The innermost: what wraps it has been said. */
function causedBy(stack = ''): string | undefined {
  return [...stack.matchAll(/^\s+caused by (.+)$/gm)].at(-1)?.[1]
}

function named(text: string): string {
  return /^(?:the agent|cannot reach)\b/.test(text) ? text : `the agent failed: ${text}`
}

function programText(text: string, thrown: string): string {
  const code = /^exit code (\d+)/.exec(text)?.[1]
  return code === undefined
    ? `the agent failed: ${thrown}`
    : `the agent's program failed (exit code ${code}): ${thrown}`
}

function identityOf({
  id,
  name,
  variant,
  file,
  line,
}: ResultEvent | StabilityEvent): Pick<Explanation, 'id' | 'name' | 'variant' | 'where'> {
  return {
    id,
    ...(name !== undefined && { name }),
    ...(variant !== undefined && { variant }),
    ...(file !== undefined && { where: line === undefined ? file : `${file}:${line}` }),
  }
}

const LONGEST = 4_000

function exchangeOf({ result, wrong, output, calls }: Facts): Pick<Explanation, 'asked' | 'came'> {
  const finding = wrong.assertion && contractFinding(wrong.assertion)
  if (finding?.request !== undefined) return rawExchange(finding)
  const asked = wrong.turn?.input ?? result.input
  const said = answerLines({ output, tool_calls: calls })
  return {
    ...(asked !== undefined && asked !== null && { asked: preview(inputText(asked), LONGEST) }),
    ...(said.length > 0 && { came: clip(said.join('\n'), LONGEST) }),
  }
}

/** As it was sent and received. */
function rawExchange({ request, answer, before, after }: ContractFinding): Pick<Explanation, 'asked' | 'came'> {
  const lines = [
    answer === undefined ? '' : asText(answer),
    before === undefined ? '' : `before: ${asText(before)}`,
    after === undefined ? '' : `after: ${asText(after)}`,
  ]
  return {
    asked: preview(asText(request), LONGEST),
    came: clip(lines.filter((line) => line !== '').join('\n'), LONGEST),
  }
}

/** The answer as a whole has been shown. */
function comparisonOf({ result, wrong, answer }: Facts): Pick<Explanation, 'expected' | 'actual'> {
  const { assertion } = wrong
  const open = wrong.kind === 'not_shown' ? notReached(result) : []
  if (open.length > 0) return { expected: open.join(', '), actual: 'not reached' }
  if (!assertion) return {}
  const { type, expected, actual, criterion, value } = assertion
  // Its message names each claim, and why it is wrong.
  if (type === 'claims' || type === 'contract') return {}
  // What was called came with the answer.
  if (type.startsWith('tool_'))
    return { expected: typeof expected === 'string' ? preview(expected, 1_000) : assertionLabel(assertion) }
  if (type === 'agent' || type === 'rubric')
    return { expected: preview(asText(criterion ?? value ?? assertionLabel(assertion)), 1_000) }
  return {
    expected: expected === undefined || assertion.negate === true ? assertionLabel(assertion) : show(expected, 1_000),
    ...(actual !== undefined && asText(actual) !== answer && { actual: show(actual, 1_000) }),
  }
}

const MOST_FRAMES = 5

/** Of a script or a module; of a Python program, the end of its traceback. */
function framesOf(result: ResultEvent): Pick<Explanation, 'frames'> {
  if (result.status !== 'failed') return {}
  const { stack = '', stderr = '' } = result
  const frames = stack.split('\n').filter((line) => /^\s+(?:at|caused by) /.test(line))
  const all = frames.length > 0 ? frames : tracebackFrames(stderr)
  return all.length === 0 ? {} : { frames: all.slice(0, MOST_FRAMES).map((line) => preview(line.trim(), 500)) }
}
