// The matchers of `viva/vitest`. What could not be checked is thrown, so that `.not` cannot turn it into a pass.
import type { AgentFunction } from '../agents/targets/function.js'
import { isRecord } from '../base/record.js'
import type { ResultEvent } from '../model/event.js'
import { notShownText } from '../model/not-shown.js'
import { isNotShown } from '../model/status.js'
import { failureText } from '../pipeline/assert/evaluate.js'
import type { Matcher } from '../model/assertion-types.js'
import { evaluate, evaluateAnswer, type Evaluation, type GivenAssertions } from './evaluate.js'
import type { GivenEvidence } from './given-evidence.js'
import { runCase, type CaseOptions, type OneCase } from './run-case.js'

export interface MatcherState {
  isNot?: boolean
}

export interface MatcherResult {
  pass: boolean
  message(): string
}

export const matchers = {
  async toPassCase(
    this: MatcherState,
    testCase: OneCase,
    target: string | AgentFunction,
    options?: CaseOptions,
  ): Promise<MatcherResult> {
    const result = await runCase(testCase, target, options)
    const isJudged = result.status === 'passed' || (result.status === 'failed' && result.error_kind === 'assertion')
    if (!isJudged) throw new Error(`the case could not be judged: ${whyNot(result)}`)
    const message = (): string =>
      this.isNot === true ? 'expected the case to fail, but it passed' : `the case failed: ${whyNot(result)}`
    return { pass: result.status === 'passed', message }
  },

  toCallTool(
    this: MatcherState,
    answer: unknown,
    name: string,
    args?: Record<string, Matcher>,
  ): Promise<MatcherResult> {
    return satisfies(this, answer, { type: 'tool_called', name, ...(args && { arguments: args }) })
  },

  /** With a function, as in vitest itself. */
  toSatisfy(
    this: MatcherState,
    answer: unknown,
    wanted: GivenAssertions | ((value: unknown) => boolean),
    message?: string,
  ): MatcherResult | Promise<MatcherResult> {
    if (typeof wanted !== 'function') return satisfies(this, answer, wanted)
    const negation = this.isNot === true ? 'not ' : ''
    const resultOf = (pass: boolean): MatcherResult => ({
      pass,
      message: () => message ?? `expected the value ${negation}to satisfy ${wanted.name || 'the function'}`,
    })
    const found: unknown = wanted(answer)
    // A promise is truthy, whatever it will say.
    return isPromise(found)
      ? Promise.resolve(found).then((later) => resultOf(Boolean(later)))
      : resultOf(Boolean(found))
  },
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** `.not` asks for the opposite itself: what shows nothing does not hold either way. */
async function satisfies(
  { isNot = false }: MatcherState,
  answer: unknown,
  assertions: GivenAssertions,
): Promise<MatcherResult> {
  const list = Array.isArray(assertions) ? assertions : [assertions]
  const asked: GivenAssertions = isNot ? [{ type: 'all', assertions: list, negate: true }] : list
  const found = isEvidence(answer) ? await evaluate(answer, asked) : await evaluateAnswer(answer, asked)
  if (!found.passed && found.error_kind !== 'assertion') throw new Error(`could not be checked: ${found.error ?? ''}`)
  return { pass: found.passed !== isNot, message: () => failures(found) }
}

function failures({ results, error }: Evaluation): string {
  const failed = results.filter(({ passed }) => !passed)
  return failed.length === 0 ? (error ?? 'did not hold') : failed.map(failureText).join('\n')
}

/** The Responses API answers with an `output` too. */
function isEvidence(answer: unknown): answer is GivenEvidence {
  return isRecord(answer) && Object.hasOwn(answer, 'output') && answer['object'] !== 'response'
}

function whyNot(result: ResultEvent): string {
  if (isNotShown(result)) return `it was not shown: ${notShownText(result)}`
  return result.error ?? result.skip_reason ?? result.status
}
