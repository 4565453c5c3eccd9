// Assertions over an answer that is there already: the same registry and the same verdicts as in a run.
import { isAnswerAlone } from '../agents/reply/collect-answer.js'
import { withDeclaredCalls } from '../agents/declared-calls.js'
import { createFunctionAgent } from '../agents/targets/function.js'
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import type { Agent, AgentReply } from '../model/agent.js'
import type { AssertionResult } from '../model/assertion.js'
import type { WrittenCase } from '../model/case-schema.js'
import type { ErrorKind } from '../model/status.js'
import { requireEvidence, requireKnown, type GivenEvidence } from './given-evidence.js'
import { runOne, type CaseOptions, type OneCase } from './run-case.js'

export interface Evaluation {
  passed: boolean
  /** In the order of the assertions, each with its message. */
  results: AssertionResult[]
  /** The first thing that is wrong, in one line. */
  error?: string
  /** `assertion`: all were checked and some do not hold. Anything else: something could not be checked. */
  error_kind?: ErrorKind
}

export type GivenAssertions = NonNullable<WrittenCase['assert']>

export async function evaluate(
  evidence: GivenEvidence,
  assertions: GivenAssertions,
  options: CaseOptions = {},
): Promise<Evaluation> {
  requireEvidence(evidence)
  const list = listOf(assertions)
  for (const spec of list) requireKnown(spec, (field) => evidence[field] !== undefined)
  const { input, expected, metadata } = evidence
  return judge(
    { input: input ?? 'evaluate', assert: list, ...defined({ expected, metadata }) },
    answering(evidence),
    options,
  )
}

/** The same for whatever an agent answers with: a text, a reply, an SDK's result, a stream, a promise of them. */
export async function evaluateAnswer(
  given: unknown,
  assertions: GivenAssertions,
  options: CaseOptions = {},
): Promise<Evaluation> {
  const list = listOf(assertions)
  const answer = await given
  const isWhole = !isAnswerAlone(answer)
  for (const spec of list) requireKnown(spec, (field) => isWhole && field !== 'duration_ms')
  return judge(
    { input: 'evaluate', assert: list },
    // What a program hands in is all that there was.
    withDeclaredCalls(
      createFunctionAgent(() => answer),
      { tool_calls: 'complete' },
    ),
    options,
  )
}

async function judge(
  testCase: OneCase,
  agent: Agent,
  { io = {}, signal, ...options }: CaseOptions,
): Promise<Evaluation> {
  const result = await runOne(testCase, { options, inline: { agent }, io, ...(signal && { signal }) })
  const { assertions, error, error_kind } = result
  return { passed: result.status === 'passed', results: assertions ?? [], ...defined({ error, error_kind }) }
}

function answering(evidence: GivenEvidence): Agent {
  const { output, input: _input, expected: _expected, metadata: _metadata, tool_calls = [], ...rest } = evidence
  const reply = JSON.parse(JSON.stringify({ content: output, tool_calls, ...rest })) as AgentReply
  return { id: 'evidence', sees: 'nothing', send: () => Promise.resolve(reply) }
}

function listOf(assertions: GivenAssertions): NonNullable<OneCase['assert']> & unknown[] {
  const list = Array.isArray(assertions) ? assertions : [assertions]
  if (list.length > 0) return list
  throw new UserError({
    code: 'NO_ASSERTIONS',
    message: 'no assertions, so nothing would be checked',
    hint: 'give at least one, e.g. { type: "contains", value: "hello" }',
  })
}
