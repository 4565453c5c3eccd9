// What an agent did in one result, as traits: short sentences that hold of it or do not. Two agents differ in how often
// each of them holds. Time and cost are none of them: a slower machine is not another behaviour.
import { isRecord } from '../../../base/record.js'
import { asText, oneLine } from '../../../base/text.js'
import type { ResultEvent, TurnResult } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'

/** At most `MOST` of them, whatever the agent did. */
export function traitsOf(event: ResultEvent): Set<string> {
  const turns = answeredTurns(event)
  const calls = event.tool_calls ?? turns.flatMap((turn) => turn.tool_calls ?? [])
  const traits = [
    ...toolTraits(calls),
    ...awaitingTraits(turns.length > 0 ? turns : [event]),
    ...finishTraits(turns.length > 0 ? turns : [event]),
    ...atLeast(event.total_turns ?? turns.length, TURNS, (count) => `takes ${count} turns or more`),
    ...atLeast(lengthOf(event, turns), LENGTHS, (count) => `answers with ${count} characters or more`),
  ]
  return new Set(traits.slice(0, MOST))
}

const MOST = 400
const CALLS_READ = 100
const CALL_COUNTS = [1, 2, 3, 5, 8, 13, 21, 34]
const TURNS = [2, 3, 4, 5, 6, 8, 10, 13, 17, 21]
const LENGTHS = Array.from({ length: 17 }, (_, power) => 2 ** (power + 4))

type Said = Pick<TurnResult, 'awaiting_input' | 'awaiting_reason' | 'finish_reason'>

/** Ones that were planned and never came to be say nothing about the agent. */
function answeredTurns(event: ResultEvent): TurnResult[] {
  return (event.turns ?? []).filter(({ status }) => status !== 'not_run')
}

/** Which tools, in which order, and with what kind of arguments. */
function toolTraits(calls: readonly ToolCall[]): string[] {
  const read = calls.slice(0, CALLS_READ)
  const names = read.map(({ name }) => quoted(name))
  const [first] = names
  const traits = atLeast(calls.length, CALL_COUNTS, callsSaid)
  if (first !== undefined) traits.push(`calls ${first} first`)
  for (const [index, name] of names.entries()) {
    traits.push(names.indexOf(name) === index ? `calls ${name}` : `calls ${name} more than once`)
    const [second, third] = names.slice(index + 1, index + 3)
    if (second !== undefined) traits.push(`calls ${name}, then ${second}`)
    if (second !== undefined && third !== undefined) traits.push(`calls ${name}, then ${second}, then ${third}`)
    traits.push(`gives ${name} ${shapeOf(read[index]?.args)}`)
  }
  return traits
}

function callsSaid(count: number): string {
  return count === 1 ? 'calls a tool' : `makes ${count} tool calls or more`
}

const ASKING: Record<string, string> = {
  agent_declared: 'waits for input',
  tool_requires_confirmation: 'asks for confirmation',
  content_is_question: 'asks a question',
}

function awaitingTraits(said: readonly Said[]): string[] {
  return said.flatMap(({ awaiting_input, awaiting_reason = 'agent_declared' }) =>
    awaiting_input === true ? [ASKING[awaiting_reason] ?? `waits for input (${quoted(awaiting_reason)})`] : [],
  )
}

function finishTraits(said: readonly Said[]): string[] {
  return said.flatMap(({ finish_reason }) =>
    finish_reason === undefined ? [] : [`finishes with ${quoted(finish_reason)}`],
  )
}

function lengthOf(event: ResultEvent, turns: readonly TurnResult[]): number {
  if (turns.length > 0) return turns.reduce((sum, turn) => sum + asText(turn.output).length, 0)
  return (event.response ?? asText(event.output)).length
}

/** One trait for each step reached, so that a little more is a little difference. */
function atLeast(value: number, steps: readonly number[], said: (step: number) => string): string[] {
  return steps.filter((step) => value >= step).map(said)
}

const KEYS = 12

/** The keys and the kinds of their values, never the values: `{limit: number, query: text}`. */
function shapeOf(args: unknown): string {
  if (!isRecord(args)) return kindOf(args)
  const keys = Object.keys(args).toSorted()
  const shown = keys.slice(0, KEYS).map((key) => `${oneLine(key, 30)}: ${kindOf(args[key])}`)
  return `{${shown.join(', ')}${keys.length > KEYS ? ', …' : ''}}`
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  return typeof value === 'object' ? 'an object' : typeof value
}

function quoted(name: string): string {
  return `\`${oneLine(name, 60)}\``
}
