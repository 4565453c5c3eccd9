// What one result shows of the agent itself: its calls and steps, without those of agents it delegated to.
import { isRecord } from '../../base/record.js'
import type { TraceStep } from '../../model/agent.js'
import type { ResultEvent, StartEvent, TurnResult } from '../../model/event.js'
import type { ToolCall } from '../../model/message.js'
import type { SurfaceTool } from './surface.js'

export interface Seen {
  start: StartEvent
  result: ResultEvent
  /** The answers it gave, one for each turn that ran. */
  answers: Answer[]
  calls: SeenCall[]
  /** Steps of the agent, up to where it delegated. */
  steps: TraceStep[]
  delegates: string[]
}

export type Answer = Pick<TurnResult, 'error_kind' | 'refusal' | 'awaiting_input' | 'finish_reason' | 'output'>

export interface SeenCall {
  /** As the surface names the tool, else as it was called. */
  name: string
  tool?: SurfaceTool
  /** Undefined if they are not an object. */
  args: Record<string, unknown> | undefined
  failed: boolean
  call: ToolCall
}

export type FindTool = (name: string, server?: string) => SurfaceTool | undefined

export function seenIn(start: StartEvent, result: ResultEvent, findTool: FindTool): Seen {
  const turns = result.turns?.filter(({ status }) => status !== 'not_run')
  const rounds = roundsOf(result, turns)
  const parts = rounds.map(({ steps, calls }) => ownPart(steps, calls))
  return {
    start,
    result,
    answers:
      turns && turns.length > 0 ? turns.map((turn, at) => answerOf(turn, result, at === turns.length - 1)) : [result],
    calls: parts.flatMap(({ calls }) => calls).flatMap((call) => seenCall(call, findTool)),
    steps: parts.flatMap(({ steps }) => steps),
    delegates: parts.flatMap(({ delegate }) => delegate ?? []),
  }
}

/** What ended the whole conversation, such as its time being up, is said of the result alone. */
function answerOf(turn: TurnResult, result: ResultEvent, isLast: boolean): Answer {
  return isLast && turn.error_kind === undefined && result.error_kind !== undefined
    ? { ...turn, error_kind: result.error_kind }
    : turn
}

interface Round {
  steps: TraceStep[]
  calls: ToolCall[]
}

function roundsOf(result: ResultEvent, turns: TurnResult[] | undefined): Round[] {
  const trace = result.trace ?? []
  if (!turns || turns.length === 0) return [{ steps: trace, calls: result.tool_calls ?? [] }]
  const rounds = turns.map(({ tool_calls = [] }): Round => ({ steps: [], calls: tool_calls }))
  const turnOf = (step: TraceStep): number =>
    Math.max(
      0,
      turns.findLastIndex(({ start_ms = 0 }) => start_ms <= (step.start_ms ?? 0)),
    )
  for (const step of trace) rounds[turnOf(step)]?.steps.push(step)
  return rounds
}

/** After a delegation come the steps and calls of the other agent. */
function ownPart(steps: TraceStep[], calls: ToolCall[]): Round & { delegate?: string } {
  const at = steps.findIndex(({ kind }) => kind === 'delegate')
  const delegate = steps[at]
  if (!delegate) return { steps, calls }
  const own = steps.slice(0, at)
  const count = own.filter(({ kind }) => kind === 'tool').length
  return { steps: own, calls: calls.slice(0, count), delegate: delegate.name }
}

/** A call that was only claimed, or to a tool that does not exist, reached nothing. */
function seenCall(call: ToolCall, findTool: FindTool): SeenCall[] {
  if (call.claimed || call.no_such_tool || call.unnamed) return []
  const tool = findTool(call.name, call.server)
  const args = call.args_error === undefined && isRecord(call.args) ? call.args : undefined
  return [{ name: tool?.name ?? call.name, ...(tool && { tool }), args, failed: hasFailed(call), call }]
}

/** Some agents hand on what an MCP server answered as it is. */
function hasFailed({ error, result }: ToolCall): boolean {
  return error !== undefined || (isRecord(result) && result['isError'] === true)
}

/** Whether it says what came of it. */
export function hasOutcome({ error, result }: ToolCall): boolean {
  return error !== undefined || result !== undefined
}
