// The events of a run → spans: run → case → turn → what the agent and the judges did. Names are those of the GenAI conventions.
import { defined } from '../../../base/defined.js'
import { isRecord } from '../../../base/record.js'
import { asText } from '../../../base/text.js'
import { partSpanId, runSpanId, spanIdOf, traceIdOf } from '../../../base/trace-ids.js'
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent, TurnResult } from '../../../model/event.js'
import type { ToolCall, Usage } from '../../../model/message.js'
import { pairCalls } from '../../../model/pair-calls.js'
import { runKey, type RunKey } from '../../../model/run-key.js'
import { agentSpans, type Span } from '../../../model/span.js'
import { attributesOf, nanos, SPAN_KIND, STATUS, type Attributes, type ExportedSpan } from './otlp-json.js'

export class SpanFold {
  #start: StartEvent | undefined
  /** When cases that have no result yet began. */
  readonly #begun = new Map<RunKey, number>()

  /** The spans that this event completes. */
  add(event: RunEvent): ExportedSpan[] {
    switch (event.type) {
      case 'start':
        this.#start = event
        return []
      case 'case_start':
        this.#begun.set(runKey(event), Date.parse(event.timestamp))
        return []
      case 'result':
        return this.#start ? this.#ofResult(event, this.#start) : []
      case 'summary':
        return this.#start ? [runSpan(this.#start, event)] : []
      default:
        return []
    }
  }

  #ofResult(result: ResultEvent, start: StartEvent): ExportedSpan[] {
    const key = runKey(result)
    const began = this.#begun.get(key)
    this.#begun.delete(key)
    // A case that its author skips never begins, and takes no time.
    if (began === undefined) return []
    return caseSpans(result, start, began)
  }
}

function runSpan(start: StartEvent, summary: SummaryEvent): ExportedSpan {
  const began = Date.parse(start.timestamp)
  const { passed, failed, skipped, exit_code, cost_dollars } = summary
  return span({
    traceId: traceIdOf(start.run_id),
    spanId: runSpanId(start.run_id),
    name: `viva test ${start.input}`,
    began,
    ended: Math.max(began, Date.parse(summary.timestamp)),
    error: exit_code === 0 ? undefined : (summary.reasons?.join('; ') ?? `exit code ${exit_code}`),
    attributes: {
      'viva.run_id': start.run_id,
      'viva.input': start.input,
      'gen_ai.agent.name': start.agent_id,
      'viva.passed': passed,
      'viva.failed': failed,
      'viva.skipped': skipped,
      'viva.exit_code': exit_code,
      'viva.cost_dollars': cost_dollars,
    },
  })
}

interface CaseContext {
  start: StartEvent
  result: ResultEvent
  /** What each step of a tool was, as far as it is among the calls: the step knows when, the call what came of it. */
  called: ReadonlyMap<TraceStep, ToolCall>
  /** Unix milliseconds. */
  began: number
}

function caseSpans(result: ResultEvent, start: StartEvent, began: number): ExportedSpan[] {
  const context: CaseContext = { start, result, began, called: pairCalls(result) }
  const { id, run, variant, status, duration_ms, error, tags, attempts } = result
  const traceId = traceIdOf(start.run_id)
  const own = span({
    traceId,
    spanId: spanIdOf(start.run_id, { id, run, variant }),
    parentSpanId: runSpanId(start.run_id),
    name: `case ${id}`,
    began,
    ended: began + lengthOf(result),
    error: status === 'failed' ? (error ?? 'failed') : undefined,
    attributes: {
      ...about(context),
      'viva.case.name': result.name,
      'viva.status': status,
      'viva.duration_ms': duration_ms,
      'viva.attempts': attempts,
      'viva.tags': tags,
      'viva.cost_dollars': result.cost_dollars,
      ...usageOf(result.usage),
    },
  })
  const checks = [...(result.assertions ?? []), ...(result.final_assertions ?? [])]
  own.events = checks.map((check) => evaluation(check, began, lengthOf(result)))
  const turns = result.turns?.filter((turn) => turn.status !== 'not_run')
  const answers = turns
    ? turns.map((turn, index) => turnSpans(context, turn, turns.slice(0, index)))
    : [singleTurn(context)]
  return [
    own,
    ...failedAttempts(context),
    ...answers.flat(),
    ...steps(context, own.spanId),
    ...judged(context, checks, own.spanId),
  ]
}

/** Of the case and of all that happens in it. */
function about({ start, result: { id, run, variant } }: CaseContext): Attributes {
  return {
    'viva.run_id': start.run_id,
    'viva.case.id': id,
    'viva.case.run': run,
    'viva.variant': variant,
    'gen_ai.conversation.id': [start.run_id, id, variant, run].filter((part) => part !== undefined).join('/'),
    'gen_ai.agent.name': agentOf(start, variant),
  }
}

function agentOf({ agent_id, variants }: StartEvent, variant: string | undefined): string {
  return variants?.find(({ name }) => name === variant)?.agent_id ?? agent_id
}

/** Including the attempts before the last and the waits between them, which the duration of a case excludes. */
function lengthOf({ duration_ms, failure_history = [], turns = [], assertions = [], trace = [] }: ResultEvent): number {
  const ends = [...failure_history, ...turns, ...assertions, ...trace].map(
    ({ start_ms = 0, duration_ms: took = 0 }) => start_ms + took,
  )
  return Math.max(duration_ms, ...ends)
}

function turnSpans(context: CaseContext, turn: TurnResult, before: readonly TurnResult[]): ExportedSpan[] {
  const { start_ms = 0, duration_ms, input, output, tool_calls = [], usage, finish_reason, error } = turn
  const said = answerSpan(context, turn.turn, {
    start_ms,
    duration_ms,
    input,
    output,
    tool_calls,
    usage,
    finish_reason,
    error,
    before: before.flatMap((earlier) => [...inputMessages(earlier.input), ...outputMessages(earlier)]),
  })
  const checks = turn.assertions ?? []
  said.events = checks.map((check) => evaluation(check, context.began + start_ms, duration_ms))
  return [said, ...toolSpans(context, said, tool_calls), ...judged(context, checks, said.spanId)]
}

function singleTurn(context: CaseContext): ExportedSpan[] {
  const { result } = context
  if (result.status === 'skipped') return []
  const { duration_ms, input, output, tool_calls = [], usage, finish_reason } = result
  const error = result.error_kind === 'agent' || result.error_kind === 'timeout' ? result.error : undefined
  const start_ms = lastAttemptAt(result)
  const said = answerSpan(context, 1, { start_ms, duration_ms, input, output, tool_calls, usage, finish_reason, error })
  return [said, ...toolSpans(context, said, tool_calls)]
}

function lastAttemptAt({ failure_history = [] }: ResultEvent): number {
  const last = failure_history.at(-1)
  return last ? (last.start_ms ?? 0) + last.duration_ms + (last.wait_ms ?? 0) : 0
}

interface Answer {
  start_ms: number
  duration_ms: number
  input: unknown
  output: unknown
  tool_calls: readonly ToolCall[]
  usage: Usage | undefined
  finish_reason: string | undefined
  error: string | undefined
  /** What was said in the turns before: an agent is asked with the whole conversation. */
  before?: unknown[]
}

/** One call of the agent; the request it was sent names this span as its parent. */
function answerSpan(context: CaseContext, turn: number, answer: Answer): ExportedSpan {
  const { start, result, began } = context
  const { id, run, variant, attempts = 1 } = result
  return span({
    traceId: traceIdOf(start.run_id),
    spanId: spanIdOf(start.run_id, { id, run, variant, attempt: attempts, turn }),
    parentSpanId: spanIdOf(start.run_id, { id, run, variant }),
    name: `invoke_agent ${agentOf(start, variant)}`,
    began: began + answer.start_ms,
    ended: began + answer.start_ms + answer.duration_ms,
    error: answer.error,
    kind: SPAN_KIND.client,
    attributes: {
      ...about(context),
      'gen_ai.operation.name': 'invoke_agent',
      'viva.turn': turn,
      'gen_ai.input.messages': JSON.stringify([...(answer.before ?? []), ...inputMessages(answer.input)]),
      'gen_ai.output.messages': JSON.stringify(outputMessages(answer)),
      'gen_ai.response.finish_reasons': answer.finish_reason === undefined ? undefined : [answer.finish_reason],
      ...usageOf(answer.usage),
    },
  })
}

interface Part {
  type: string
  content?: string
  [field: string]: unknown
}

function inputMessages(input: unknown): Array<{ role: string; parts: Part[] }> {
  const messages: unknown[] = Array.isArray(input) ? input : [input]
  return messages.map((message) => {
    if (typeof message !== 'object' || message === null) return { role: 'user', parts: [text(message)] }
    const { role = 'user', content } = message as { role?: unknown; content?: unknown }
    return { role: asText(role), parts: [text(content)] }
  })
}

interface Said {
  output?: unknown
  tool_calls?: readonly ToolCall[]
  finish_reason?: string | undefined
}

function outputMessages({ output, tool_calls = [], finish_reason }: Said) {
  const said = output === undefined || output === null ? [] : [text(output)]
  const calls = tool_calls.map(({ id, name, args }): Part => ({
    type: 'tool_call',
    name,
    arguments: args,
    ...defined({ id }),
  }))
  return [{ role: 'assistant', parts: [...said, ...calls], ...defined({ finish_reason }) }]
}

function text(value: unknown): Part {
  return { type: 'text', content: asText(value) }
}

/** Calls that have no step of their own: when they were made is not known. */
function toolSpans(context: CaseContext, said: ExportedSpan, calls: readonly ToolCall[]): ExportedSpan[] {
  const timed = new Set(context.called.values())
  return calls.flatMap((call, index) =>
    timed.has(call)
      ? []
      : child(said, 1000 + index, {
          name: `execute_tool ${call.name}`,
          error: call.error,
          attributes: { ...about(context), ...callAttributes(call) },
        }),
  )
}

function callAttributes({ name, id, args, result }: ToolCall): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': jsonOf(args),
    'gen_ai.tool.call.result': jsonOf(result),
  }
}

type TraceStep = NonNullable<ResultEvent['trace']>[number]

function failedAttempts({ start, result, began }: CaseContext): ExportedSpan[] {
  const { id, run, variant, failure_history = [] } = result
  return failure_history.map(({ attempt, error, start_ms = 0, duration_ms }) =>
    span({
      traceId: traceIdOf(start.run_id),
      spanId: spanIdOf(start.run_id, { id, run, variant, attempt, turn: 1 }),
      parentSpanId: spanIdOf(start.run_id, { id, run, variant }),
      name: `attempt ${attempt}`,
      began: began + start_ms,
      ended: began + start_ms + duration_ms,
      error: error ?? 'failed',
      attributes: { 'viva.case.id': id, 'viva.attempt': attempt },
    }),
  )
}

/** The steps of a package, the hats of an orchestrator, what the agent reported about itself. */
function steps(context: CaseContext, parent: string): ExportedSpan[] {
  const { start, began, result, called } = context
  const traceId = traceIdOf(start.run_id)
  const trace = result.trace?.map((step) => withResult(step, called.get(step)))
  return agentSpans({ ...result, trace }).map((step, index) =>
    span({
      traceId,
      spanId: partSpanId(parent, index),
      parentSpanId: parent,
      name: stepName(step),
      began: began + (step.start_ms ?? 0),
      ended: began + (step.start_ms ?? 0) + (step.duration_ms ?? 0),
      error: step.error,
      kind: step.kind === 'model' || step.kind === 'request' ? SPAN_KIND.client : SPAN_KIND.internal,
      attributes: { ...about(context), ...stepAttributes(step) },
    }),
  )
}

function withResult(step: TraceStep, call: ToolCall | undefined): TraceStep {
  if (!call) return step
  const { id: call_id, args, result } = call
  return { ...step, detail: { ...defined({ call_id, args, result }), ...(isRecord(step.detail) && step.detail) } }
}

const OPERATIONS: Partial<Record<Span['kind'], string>> = {
  model: 'chat',
  tool: 'execute_tool',
  delegate: 'invoke_agent',
}

function stepName({ kind, name }: Span): string {
  return `${OPERATIONS[kind] ?? kind} ${name}`
}

function stepAttributes({ kind, name, attributes = {} }: Span): Attributes {
  const { usage, model, args, arguments: given, result, call_id, ...rest } = attributes
  return {
    'gen_ai.operation.name': OPERATIONS[kind],
    'gen_ai.request.model': kind === 'model' ? (model ?? name) : undefined,
    'gen_ai.tool.name': kind === 'tool' ? name : undefined,
    'gen_ai.tool.call.id': kind === 'tool' ? call_id : undefined,
    'gen_ai.tool.call.arguments': kind === 'tool' ? jsonOf(args ?? given) : undefined,
    'gen_ai.tool.call.result': kind === 'tool' ? jsonOf(result) : undefined,
    ...usageOf(usage as Usage | undefined),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key.includes('.') ? key : `viva.${key}`, value])),
  }
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** Checks that asked a judge or a script. */
function judged(context: CaseContext, checks: readonly AssertionResult[], parent: string): ExportedSpan[] {
  const { start, began } = context
  return checks.flatMap((check, index) => {
    const { start_ms, duration_ms } = check
    if (start_ms === undefined || duration_ms === undefined) return []
    return [
      span({
        traceId: traceIdOf(start.run_id),
        spanId: partSpanId(parent, 100_000 + index),
        parentSpanId: parent,
        name: `evaluate ${labelOf(check)}`,
        began: began + start_ms,
        ended: began + start_ms + duration_ms,
        error: check.error,
        attributes: { ...about(context), ...evaluationAttributes(check) },
      }),
    ]
  })
}

function evaluation(check: AssertionResult, began: number, length: number) {
  const { start_ms, duration_ms = 0 } = check
  return {
    timeUnixNano: nanos(began + (start_ms === undefined ? length : start_ms + duration_ms)),
    name: 'gen_ai.evaluation.result',
    attributes: attributesOf(evaluationAttributes(check)),
  }
}

function evaluationAttributes(check: AssertionResult): Attributes {
  return {
    'gen_ai.evaluation.name': labelOf(check),
    'gen_ai.evaluation.score.value': check.score,
    'gen_ai.evaluation.score.label': check.error !== undefined ? 'error' : check.passed ? 'pass' : 'fail',
    'gen_ai.evaluation.explanation': check.error ?? check.message,
    'viva.assertion.type': check.type,
    'viva.assertion': jsonOf(specOf(check)),
  }
}

/** In a form that can be written in a case again. */
function specOf({ type, value, name, path, negate, tool, pattern }: AssertionResult): unknown {
  return defined({ type, value, name, path, negate, tool, pattern })
}

function labelOf({ label, type }: AssertionResult): string {
  return label ?? type
}

function usageOf(usage: Usage | undefined): Attributes {
  return { 'gen_ai.usage.input_tokens': usage?.input_tokens, 'gen_ai.usage.output_tokens': usage?.output_tokens }
}

interface SpanInit {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  began: number
  ended: number
  error: string | undefined
  kind?: number
  attributes: Attributes
}

function span({ traceId, spanId, parentSpanId, name, began, ended, error, kind, attributes }: SpanInit): ExportedSpan {
  return {
    traceId,
    spanId,
    ...defined({ parentSpanId }),
    name,
    kind: kind ?? SPAN_KIND.internal,
    startTimeUnixNano: nanos(began),
    endTimeUnixNano: nanos(Math.max(began, ended)),
    attributes: attributesOf(attributes),
    status: error === undefined ? { code: STATUS.ok } : { code: STATUS.error, message: error },
  }
}

/** At the end of its parent, for lack of better information. */
function child(
  parent: ExportedSpan,
  number: number,
  { name, error, attributes }: Pick<SpanInit, 'name' | 'error' | 'attributes'>,
): ExportedSpan {
  return {
    traceId: parent.traceId,
    spanId: partSpanId(parent.spanId, number),
    parentSpanId: parent.spanId,
    name,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: parent.endTimeUnixNano,
    endTimeUnixNano: parent.endTimeUnixNano,
    attributes: attributesOf(attributes),
    status: error === undefined ? { code: STATUS.ok } : { code: STATUS.error, message: error },
  }
}
