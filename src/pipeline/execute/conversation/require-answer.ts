// An empty reply fails the case, whatever the kind of agent: nothing, an error, what a filter cut short. Unless the case asks for just that.
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'
import { withoutThinking } from '../../../base/json/find-json.js'
import { isRecord } from '../../../base/record.js'
import { show } from '../../../base/text.js'
import { assertionsByType } from '../../assert/registry.js'
import { describeRefusal, readsAnswerOf } from '../../assert/refused.js'
import { exitError } from '../../../agents/targets/exit-error.js'
import { badEndingOf, missingCalls } from '../../../agents/reply/bad-ending.js'
import { isErrorData, replyErrorFacts } from '../../../agents/reply/reply-error.js'
import { AgentError } from '../../../errors.js'
import type { AgentReply } from '../../../model/agent.js'
import type { AssertionSpec } from '../../../model/assertion.js'
import { expectedAssertion } from '../../../model/expected-assertion.js'
import type { TestCase } from '../../../model/case.js'
import { isCallInput } from '../../../model/tool-call-part.js'

/** The reply itself. Throws AgentError with what was received if that is not an answer. */
export function requireAnswer(reply: AgentReply, testCase: TestCase, turn = 1): AgentReply {
  const context = { testCase, turn }
  const failed = exitError(reply)
  // A program's exit code is for the case to judge, if it asks.
  if (failed && !isExpected(context, isAboutExit)) throw failed
  if (failed) return reply
  const problem = problemOf(reply, context)
  if (problem === undefined) return reply
  // An error says whether another try makes sense, as a thrown one does; a missing answer would be missing again.
  const facts = replyErrorFacts(reply)
  const isKnown = facts.code !== undefined
  throw new AgentError({
    code: 'bad_response',
    message: problem,
    partial: reply,
    ...(!isKnown && { retry: false }),
    ...facts,
  })
}

/** For an agent that left its workspace untouched: silence was excused by what it would do there, and it did nothing. */
export function idleProblem(reply: AgentReply, testCase: TestCase, turn: number): AgentError | undefined {
  const context = { testCase, turn }
  if (!isNothing(reply, context) || isExpected(context, isAboutNothing) || isExpected(context, isAboutProcess))
    return undefined
  const message = `the agent gave no answer and changed no file: ${received(reply)}`
  return new AgentError({ code: 'bad_response', message, partial: reply, retry: false })
}

/** Which answer of which case. */
interface AnswerContext {
  testCase: TestCase
  turn: number
}

function problemOf(reply: AgentReply, context: AnswerContext): string | undefined {
  if (reply.error !== undefined) {
    const isData = isBare(reply) && expectsError(context)
    return isData ? undefined : `the agent answered with an error: ${show(reply.error)}`
  }
  if (isErrorData(reply) && !expectsError(context)) {
    return `the agent answered with an error: ${show(reply.content)}`
  }
  if (reply.finish_reason === 'content_filter') {
    return isExpected(context, isAboutNothing)
      ? undefined
      : `a content filter cut the answer short: ${show(reply.content)}`
  }
  // Assertions on the answer fail by themselves, and the others are still worth a verdict.
  if (hasRefused(reply)) return isExpected(context, isAboutAnswer) ? undefined : refusalProblem(reply.content, context)
  const bad = badEndingOf(reply)
  if (bad !== undefined) return `the answer ended in an error: ${bad}: ${show(reply.content)}`
  const missing = missingCalls(reply.finish_reason, reply.tool_calls)
  if (missing !== undefined) return `the agent gave no answer: ${missing}: ${show(reply.content)}`
  if (!isNothing(reply, context) || isExpected(context, isAboutNothing) || isAboutDeeds(context)) return undefined
  return `the agent gave no answer: ${received(reply)}`
}

export function hasRefused({ finish_reason, refusal }: AgentReply): boolean {
  return finish_reason === 'refusal' || refusal === true
}

/** Whether an assertion on this answer is about refusals. */
export function expectsRefusal(testCase: TestCase, turn: number): boolean {
  return isExpected({ testCase, turn }, isAboutRefusals)
}

function refusalProblem(content: unknown, { testCase, turn }: AnswerContext): string | undefined {
  return expectsRefusal(testCase, turn) ? undefined : describeRefusal(show(content))
}

function isNothing(reply: AgentReply, context: AnswerContext): boolean {
  const { content, tool_calls, next } = reply
  if (tool_calls.length > 0 || asksForMore(reply, context) || (next !== undefined && next !== null)) return false
  return (
    content === null ||
    content === undefined ||
    (typeof content === 'string' && (isBlank(content) || isOnlyThinking(content)))
  )
}

/** It waits, and the case has more to say or asks whether it does. Otherwise silence is silence. */
function asksForMore({ awaiting_input }: AgentReply, context: AnswerContext): boolean {
  const { turns, simulator } = context.testCase
  const isConversation = turns !== undefined || simulator !== undefined
  return awaiting_input === true && (isConversation || isExpected(context, isAboutAwaiting))
}

const SPACE = 0x20
const DELETE = 0x7f

/** Nothing in it is visible. */
function isBlank(text: string): boolean {
  // The usual answer begins with something visible.
  const first = text.charCodeAt(0)
  if (first > SPACE && first < DELETE) return false
  return !/[^\s\p{Cf}]/u.test(text.includes('\u001b') ? stripVTControlCharacters(text) : text)
}

/** What a model thinks aloud, in its tags, is not what it says. */
function isOnlyThinking(text: string): boolean {
  return /^\s*[<◁]/.test(text) && isBlank(withoutThinking(text))
}

function received({ content, exit_code }: AgentReply): string {
  const what =
    typeof content === 'string'
      ? content === ''
        ? 'an empty string'
        : `${isBlank(content) ? 'text with nothing visible in it' : 'nothing but thinking'}: ${show(content)}`
      : String(content)
  return exit_code === undefined ? what : `${what}, exit code ${exit_code}`
}

/** The error is the answer, not something beside it. Read from a recording, the two are no longer one object. */
function isBare({ content, error }: AgentReply): boolean {
  return isRecord(content) && isDeepStrictEqual(content['error'], error)
}

function expectsError(context: AnswerContext): boolean {
  // The schema of a tool's result says nothing about its errors, and an open one accepts them.
  const isCall = isToolCall(context)
  return isExpected(context, (spec) => isAboutErrors(spec) && !(isCall && spec.type === 'schema'))
}

function isToolCall({ testCase: { turns = [], input }, turn }: AnswerContext): boolean {
  return isCallInput(turns[turn - 1]?.input ?? input)
}

function isExpected(context: AnswerContext, isAbout: (spec: AssertionSpec) => boolean): boolean {
  return assertionsOn(context).some((spec) => membersOf(spec).some(isAbout))
}

/** Those that look at this answer: what one turn expects does not excuse another. */
function assertionsOn({ testCase, turn }: AnswerContext): AssertionSpec[] {
  const { assertions, turns = [], checkpoints = [], final_assertions = [], expected } = testCase
  const own = [...(turns[turn - 1]?.assertions ?? []), ...checkpoints.flatMap(({ assertion }) => assertion)]
  if (turn < turns.length) return own
  const compared = expected === undefined ? [] : [expectedAssertion(expected)]
  return [...own, ...assertions, ...final_assertions, ...compared]
}

/** Members of a group each count on their own; `none` inverts its members. */
function membersOf(spec: AssertionSpec): AssertionSpec[] {
  const members = spec['assertions']
  if (!Array.isArray(members) || spec.type === 'none' || spec.negate === true) return [spec]
  return members.filter(isSpec).flatMap(membersOf)
}

function isSpec(value: unknown): value is AssertionSpec {
  return isRecord(value) && typeof value['type'] === 'string'
}

/** It passes for an empty answer because its author wrote that down. */
function isAboutNothing(spec: AssertionSpec): boolean {
  if (spec.negate === true || spec.path !== undefined) return false
  const { type, value } = spec
  if (type === 'equals') return value === '' || value === null
  if (type === 'type') return value === 'null'
  if (type === 'length' || type === 'words') return spec['max'] === 0 || spec['exact'] === 0
  return type === 'regex' && (value === '^$' || value === '^\\s*$')
}

function isAboutRefusals({ type }: AssertionSpec): boolean {
  return type === 'refusal'
}

function isAboutAwaiting({ type }: AssertionSpec): boolean {
  return type === 'awaiting_input'
}

function isAboutAnswer({ type }: AssertionSpec): boolean {
  return readsAnswerOf(assertionsByType.get(type)?.on)
}

function isAboutExit({ type }: AssertionSpec): boolean {
  return type === 'exit_code'
}

function isAboutProcess({ type }: AssertionSpec): boolean {
  return type === 'exit_code' || type === 'stderr_contains'
}

/** It checks what was done, and something must have been: then a program need not say anything. */
function isAboutDeeds(context: AnswerContext): boolean {
  const all = assertionsOn(context).flatMap(membersOf)
  return all.every(({ type }) => DEEDS.has(type) || LIMITS.has(type)) && all.some(isDeed)
}

function isDeed({ type, negate, paths }: AssertionSpec): boolean {
  if (Array.isArray(paths) && paths.length === 0) return false
  return DEEDS.has(type) && negate !== true && type !== 'file_not_contains' && type !== 'state_equals'
}

/** It looks at the error: by name, or at the whole answer in a way that cannot be analysed. */
function isAboutErrors(spec: AssertionSpec): boolean {
  if (!readsAnswer(spec)) return false
  const isOpen = WHOLE.has(spec.type) && spec.type !== 'equals'
  return isOpen || /error/i.test(JSON.stringify([spec.path, spec.value, spec['pattern']]))
}

/** It can only pass because of what the answer says. */
function readsAnswer(spec: AssertionSpec): boolean {
  return spec.negate !== true && (WHOLE.has(spec.type) || PARTS.has(spec.type))
}

const DEEDS = new Set([
  'exit_code',
  'stderr_contains',
  'file_exists',
  'file_contains',
  'file_not_contains',
  'file_json',
  'code_contains',
  'scratchpad_contains',
  'snapshot_matches',
  'state_changed',
  'state_equals',
])
const LIMITS = new Set(['latency', 'duration', 'cost', 'cost_within', 'tokens'])

// Not `snapshot`: -U would accept whatever error or refusal came.
const WHOLE = new Set(['equals', 'schema', 'script', 'agent', 'rubric'])
const PARTS = new Set(['contains', 'regex', 'json_path', 'similar'])
