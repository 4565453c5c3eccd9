// A result as a tree of steps, in the order in which they happened: what the transcript tells and the waterfall measures.
import { asText } from '../../base/text.js'
import type { TraceStep } from '../../model/agent.js'
import type { AssertionResult } from '../../model/assertion.js'
import type { Attempt, CheckpointResult, ResultEvent, TurnResult } from '../../model/event.js'
import type { ToolCall } from '../../model/message.js'
import { pairCalls } from '../../model/pair-calls.js'
import type { Span } from '../../model/span.js'
import { messagesOf, type Spoken } from '../../model/spoken.js'

export type Step = StepBody & {
  /** From 1, in the order of the page: a link names it. */
  n: number
  /** Milliseconds after the case began; absent: not known. */
  start?: number | undefined
  duration?: number | undefined
  error?: string | undefined
  children: Step[]
}

export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

type StepBody =
  | { kind: 'attempt'; attempt: Attempt }
  | { kind: 'turn'; turn: TurnResult }
  | { kind: 'message'; message: Spoken }
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; output: unknown }
  | { kind: 'model'; step: TraceStep }
  | { kind: 'hook'; step: TraceStep }
  | { kind: 'delegate'; step: TraceStep }
  | { kind: 'request'; step: TraceStep }
  | { kind: 'tool'; call: ToolCall; step?: TraceStep | undefined }
  | { kind: 'span'; span: Span }
  | { kind: 'check'; check: AssertionResult }
  | { kind: 'checkpoint'; checkpoint: CheckpointResult }

type Draft = StepBody & Omit<Step, 'n' | 'children' | 'kind'> & { children?: Draft[] }

/** `promptOf`: the text of a prompt that stands apart. */
export function caseSteps(event: ResultEvent, promptOf: (id: string) => string | undefined): Step[] {
  const context: Context = { event, promptOf, calls: pairCalls(event) }
  const turns = event.turns ?? []
  const byTurn = stepsByTurn(event)
  const drafts: Draft[] = [
    ...(event.failure_history ?? []).map(attemptStep),
    ...(turns.length > 0
      ? turns.map((turn) => turnStep(context, turn, byTurn.get(turn.turn) ?? []))
      : singleTurn(context, event.trace ?? [])),
    ...traced(context, turns.length > 0 ? (byTurn.get(undefined) ?? []) : []),
    ...(turns.length > 0 ? spanSteps(event) : []),
    ...[...(event.assertions ?? []), ...(event.final_assertions ?? [])].filter(isTimed).map(checkStep),
  ]
  return numbered(drafts)
}

/** All of them, parents before what they consist of. */
export function flatSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...flatSteps(step.children)])
}

interface Context {
  event: ResultEvent
  promptOf(id: string): string | undefined
  calls: ReadonlyMap<TraceStep, ToolCall>
}

function attemptStep(attempt: Attempt): Draft {
  const { start_ms: start, duration_ms: duration, error } = attempt
  return { kind: 'attempt', attempt, start, duration, error: error ?? 'failed' }
}

function turnStep(context: Context, turn: TurnResult, trace: TraceStep[]): Draft {
  const reached = (context.event.checkpoints ?? []).filter((item) => item.reached_at_turn === turn.turn)
  const took = turn.status === 'not_run' ? undefined : turn.duration_ms
  return {
    kind: 'turn',
    turn,
    start: turn.start_ms,
    duration: took,
    error: turn.error,
    children: [
      ...said(context, turn.input, traced(context, trace), turn.tool_calls ?? [], turn.output),
      ...(turn.assertions ?? []).map(checkStep),
      ...reached.map((checkpoint): Draft => ({ kind: 'checkpoint', checkpoint })),
    ],
  }
}

function singleTurn(context: Context, trace: TraceStep[]): Draft[] {
  const { input, tool_calls = [], ...rest } = context.event
  const done = [...traced(context, trace), ...spanSteps(context.event)]
  return said(context, input, done, tool_calls, rest.output ?? rest.response)
}

/** Question, what the agent did, answer. */
function said({ calls: paired }: Context, input: unknown, done: Draft[], calls: ToolCall[], output: unknown): Draft[] {
  const timed = new Set(paired.values())
  return [
    ...messagesOf(input).map((message): Draft => ({ kind: 'message', message })),
    ...done,
    ...calls.filter((call) => !timed.has(call)).map((call): Draft => ({ kind: 'tool', call, error: call.error })),
    ...(output === undefined || output === null ? [] : [{ kind: 'answer', output } satisfies Draft]),
  ]
}

/** What an agent that was delegated to did is part of the step that did it: nothing else follows in the same call. */
function traced(context: Context, trace: readonly TraceStep[]): Draft[] {
  const drafts: Draft[] = []
  for (const [index, step] of trace.entries()) {
    drafts.push(...promptsOf(context, step), tracedStep(context, step))
    if (step.kind !== 'delegate') continue
    const last = drafts.at(-1)
    if (last) last.children = traced(context, trace.slice(index + 1))
    break
  }
  return drafts
}

function promptsOf({ promptOf }: Context, { sent = [] }: TraceStep): Draft[] {
  return sent.flatMap(({ role, content, prompt }): Draft[] => {
    if (role !== 'system' && role !== 'developer') return []
    const text = prompt === undefined ? asText(content) : promptOf(prompt)
    return [{ kind: 'prompt', text: text ?? 'The event file does not have this prompt.' }]
  })
}

function tracedStep({ calls }: Context, step: TraceStep): Draft {
  const { kind, name, start_ms: start, duration_ms: duration, error } = step
  if (kind !== 'tool') return { kind, step, start, duration, error }
  const call = calls.get(step) ?? { name, args: argsOf(step.detail) }
  return { kind, call, step, start, duration, error: error ?? call.error }
}

function argsOf(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'args' in detail ? detail.args : detail
}

/** The last turn that had begun when the step did; undefined: its time is not known. */
function stepsByTurn({ trace = [], turns = [] }: ResultEvent): Map<number | undefined, TraceStep[]> {
  const found = new Map<number | undefined, TraceStep[]>()
  const only = turns.length === 1 ? turns[0]?.turn : undefined
  for (const step of trace) {
    const { start_ms: at } = step
    // Times are rounded.
    const turn =
      at === undefined ? only : turns.findLast(({ start_ms }) => start_ms !== undefined && start_ms <= at + 1)
    const key = typeof turn === 'object' ? turn.turn : turn
    found.set(key, [...(found.get(key) ?? []), step])
  }
  return found
}

/** The agent's own, below each other as it says. Its times count from its first span. */
function spanSteps({ spans = [], session, turns, failure_history = [] }: ResultEvent): Draft[] {
  const last = failure_history.at(-1)
  const base = turns?.[0]?.start_ms ?? (last ? (last.start_ms ?? 0) + last.duration_ms + (last.wait_ms ?? 0) : 0)
  const all: Span[] = [
    ...(session?.iterations ?? []).map(({ n, hat, elapsed_ms, duration_ms, error }): Span => ({
      kind: 'iteration',
      name: `${n} ${hat}`,
      ...(elapsed_ms !== undefined && { start_ms: elapsed_ms }),
      ...(duration_ms !== undefined && { duration_ms }),
      ...(error !== undefined && { error }),
    })),
    ...spans,
  ]
  const ids = new Set(all.map(({ id }) => id))
  const seen = new Set<Span>()
  const below = (parent: string | undefined): Draft[] =>
    all
      .filter((span) => !seen.has(span) && (parent === undefined ? isTop(span, ids) : span.parent === parent))
      .map((span): Draft => {
        seen.add(span)
        const { start_ms, duration_ms: duration, error, id } = span
        const start = start_ms === undefined ? undefined : base + start_ms
        return { kind: 'span', span, start, duration, error, children: id === undefined ? [] : below(id) }
      })
  // Spans that name each other as parents have no top.
  return [...below(undefined), ...all.filter((span) => !seen.has(span)).map((span): Draft => ({ kind: 'span', span }))]
}

function isTop({ id, parent }: Span, ids: ReadonlySet<string | undefined>): boolean {
  return parent === undefined || parent === id || !ids.has(parent)
}

function checkStep(check: AssertionResult): Draft {
  return { kind: 'check', check, start: check.start_ms, duration: check.duration_ms, error: check.error }
}

/** It asked a judge or a script; the others are with the assertions. */
function isTimed({ start_ms }: AssertionResult): boolean {
  return start_ms !== undefined
}

function numbered(drafts: Draft[]): Step[] {
  let n = 0
  const number = (draft: Draft): Step => {
    n += 1
    const own = n
    return { ...draft, n: own, children: (draft.children ?? []).map(number) }
  }
  return drafts.map(number)
}
