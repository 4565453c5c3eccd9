// What an agent did in one result, as traits: short sentences that are true of it or not. Two agents differ in how often
// each of them is. Time and cost are not among them: a slower machine is not a different behaviour.
import { isRecord } from '../../../base/record.js'
import { asText, oneLine } from '../../../base/text.js'
import type { ResultEvent, TurnResult } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'

/** At most `MOST` of them, whatever the agent did; some may occur twice. */
export function traitsOf(event: ResultEvent): string[] {
  const turns = answeredTurns(event)
  const said = turns.length > 0 ? turns : [event]
  const traits: string[] = []
  addTools(traits, event.tool_calls ?? turns.flatMap((turn) => turn.tool_calls ?? []))
  for (const each of said) addEnding(traits, each)
  addSteps(traits, TURNS, event.total_turns ?? turns.length)
  addSteps(traits, LENGTHS, lengthOf(event, turns))
  return traits.length > MOST ? traits.slice(0, MOST) : traits
}

const MOST = 400
const CALLS_READ = 100

/** One trait per step reached, so that a little more is a small difference. Written once: this runs for every result. */
type Steps = ReadonlyArray<readonly [from: number, trait: string]>

const CALLS = stepsOf([1, 2, 3, 5, 8, 13, 21, 34], (count) =>
  count === 1 ? 'calls a tool' : `makes ${count} tool calls or more`,
)
const TURNS = stepsOf([2, 3, 4, 5, 6, 8, 10, 13, 17, 21], (count) => `takes ${count} turns or more`)
const LENGTHS = stepsOf(
  Array.from({ length: 17 }, (_, power) => 2 ** (power + 4)),
  (count) => `answers with ${count} characters or more`,
)

function stepsOf(steps: readonly number[], said: (step: number) => string): Steps {
  return steps.map((step) => [step, said(step)])
}

function addSteps(traits: string[], steps: Steps, value: number): void {
  for (const [from, trait] of steps) if (value >= from) traits.push(trait)
}

type Said = Pick<TurnResult, 'awaiting_input' | 'awaiting_reason' | 'finish_reason'>

/** Calls that were planned but never made say nothing about the agent. */
function answeredTurns(event: ResultEvent): TurnResult[] {
  return (event.turns ?? []).filter(({ status }) => status !== 'not_run')
}

/** Which tools, in which order, and with what kind of arguments. */
function addTools(traits: string[], calls: readonly ToolCall[]): void {
  addSteps(traits, CALLS, calls.length)
  const read = calls.slice(0, CALLS_READ)
  const names = read.map(({ name }) => quoted(name))
  const [first] = names
  if (first !== undefined) traits.push(`calls ${first} first`)
  for (const [index, name] of names.entries()) {
    traits.push(names.indexOf(name) === index ? `calls ${name}` : `calls ${name} more than once`)
    const [second, third] = names.slice(index + 1, index + 3)
    if (second !== undefined) traits.push(`calls ${name}, then ${second}`)
    if (second !== undefined && third !== undefined) traits.push(`calls ${name}, then ${second}, then ${third}`)
    traits.push(`gives ${name} ${shapeOf(read[index]?.args)}`)
  }
}

const ASKING: Record<string, string> = {
  agent_declared: 'waits for input',
  tool_requires_confirmation: 'asks for confirmation',
  content_is_question: 'asks a question',
}

function addEnding(
  traits: string[],
  { awaiting_input, awaiting_reason = 'agent_declared', finish_reason }: Said,
): void {
  if (awaiting_input === true) traits.push(ASKING[awaiting_reason] ?? `waits for input (${quoted(awaiting_reason)})`)
  if (finish_reason !== undefined) traits.push(`finishes with ${quoted(finish_reason)}`)
}

function lengthOf(event: ResultEvent, turns: readonly TurnResult[]): number {
  if (turns.length > 0) return turns.reduce((sum, turn) => sum + asText(turn.output).length, 0)
  return (event.response ?? asText(event.output)).length
}

const KEYS = 12

/** The keys and the kinds of their values, never the values: `{limit: number, query: text}`. */
function shapeOf(args: unknown): string {
  if (!isRecord(args)) return kindOf(args)
  const keys = Object.keys(args).toSorted()
  const shown = keys.slice(0, KEYS).map((key) => `${short(key, 30)}: ${kindOf(args[key])}`)
  return `{${shown.join(', ')}${keys.length > KEYS ? ', …' : ''}}`
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  return typeof value === 'object' ? 'an object' : typeof value
}

function quoted(name: string): string {
  return `\`${short(name, 60)}\``
}

const PLAIN = /^[\w.-]+$/

// Most names need no escaping, and escaping creates several strings for each call of every result.
function short(name: string, max: number): string {
  return name.length <= max && PLAIN.test(name) ? name : oneLine(name, max)
}
