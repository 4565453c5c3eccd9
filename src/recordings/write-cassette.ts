// Interactions → the text of a cassette file. What has not changed keeps its lines, with the comments above them.
import { isEqual } from '../base/equal.js'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import { preview } from '../base/text.js'
import { roundOff } from '../base/round-off.js'
import type { Interaction, MatchingRule, RecordedRequest } from '../model/cassette.js'
import { bodiesBeside, takeOutBodies, type Bodies } from './bodies.js'
import { keyOf } from './keys.js'
import { flowOf, isKey, scalarOf } from './yaml-text.js'
import { bodyBytes } from './wire-response.js'
import {
  CASSETTE_FORMAT,
  parseCassette,
  VARIANTS_CASSETTE_FORMAT,
  type Cassette,
  type WrittenInteraction,
} from './read-cassette.js'

/** One entry of the new file: an existing interaction that stays, or a new one (possibly replacing an old one). */
export type Slot = { kept: WrittenInteraction } | { written: Interaction; instead?: WrittenInteraction }

export interface CassetteFacts {
  /** The name of the file. */
  name: string
  agent: string
  recorded: string
  clock: string
  timezone?: string | undefined
  /** Of what is recorded now. */
  matching?: MatchingRule | undefined
  /** Further facts for `metadata`. */
  more?: Record<string, string | number>
}

/** Undefined if nothing has changed. What is too long for the text goes to `bodies`. */
export function renderCassette(
  old: Cassette | undefined,
  slots: Slot[],
  facts: CassetteFacts,
  bodies: Bodies = new Map(),
): string | undefined {
  if (old && slots.length === old.interactions.length && slots.every((slot) => 'kept' in slot)) return undefined
  const layout = old && slots.length > 0 ? layoutOf(old) : undefined
  const spliced = layout && render(layout, slots, facts, bodies)
  if (spliced !== undefined && says(spliced, slots, old, bodies)) return spliced
  // A custom layout (flow style, odd indentation): the content comes first.
  const whole = render(undefined, slots, facts, bodies)
  if (!says(whole, slots, old, bodies)) throw new Error('a cassette would not say what was recorded')
  return whole
}

/** Durations aside: the same answer takes a different time every time, and comes in different pieces. */
export function isSameAnswer(a: Interaction, b: Interaction): boolean {
  return isEqual(withoutTimes(a.response), withoutTimes(b.response))
}

function withoutTimes(response: Interaction['response']): object {
  const {
    duration_ms: _duration,
    first_chunk_ms: _first,
    chunk_ms: _chunks,
    start_ms: _start,
    chunks,
    ...rest
  } = response
  return Array.isArray(chunks) ? { ...rest, output: bodyBytes(response).toString() } : rest
}

function says(text: string, slots: Slot[], old: Cassette | undefined, bodies: Bodies): boolean {
  const interactions = readBack(text, old, bodies)
  return (
    interactions.length === slots.length &&
    interactions.every((read, index) => {
      const slot = slots[index] as Slot
      const meant = 'kept' in slot ? slot.kept : slot.written
      return (
        ['hat', 'case', 'variant', 'run', 'attempt', 'prompt_hash', 'request', 'response', 'recorded'] as const
      ).every((key) => isEqual(read[key], meant[key]))
    })
  )
}

function readBack(text: string, old: Cassette | undefined, bodies: Bodies): WrittenInteraction[] {
  const onDisk = bodiesBeside(old?.path ?? '')
  try {
    return parseCassette(text, '', (name) => {
      const content = bodies.get(name)
      return content === undefined ? onDisk(name) : { content }
    }).interactions
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

interface Layout {
  head: string
  /** By number of the interaction: the comments above it, and its own lines. */
  lead: string[]
  body: string[]
  tail: string
}

/** Undefined if interactions do not have their own lines. */
function layoutOf({ text, interactions }: Cassette): Layout | undefined {
  const lines = text.split(/(?<=\n)/)
  const starts = interactions.map(({ line }) => line - 1)
  const last = lines.findLastIndex((line) => line.startsWith('metadata:'))
  const [first] = starts
  if (first === undefined || last === -1) return undefined
  const dash = /^ *(?=- )/.exec(lines[first] ?? '')?.[0].length
  if (dash === undefined || starts.some((start) => !new RegExp(`^ {${dash}}- `).test(lines[start] ?? '')))
    return undefined
  // Comments and blank lines above an interaction, none of which can be part of nested text.
  const isLead = (line = ''): boolean => {
    const indent = /^ *(?=#)/.exec(line)?.[0].length
    return line.trim() === '' || (indent !== undefined && indent <= dash)
  }
  const leadStart = (start: number, floor: number): number => {
    let at = start
    while (at > floor && isLead(lines[at - 1])) at--
    return at
  }
  const leads = starts.map((start, index) => leadStart(start, index === 0 ? 0 : (starts[index - 1] ?? 0) + 1))
  const tailStart = leadStart(last, (starts.at(-1) ?? 0) + 1)
  const between = (from: number, to: number): string => lines.slice(from, to).join('')
  return {
    head: between(0, leads[0] ?? 0),
    lead: starts.map((start, index) => between(leads[index] ?? start, start)),
    body: starts.map((start, index) => between(start, leads[index + 1] ?? tailStart)),
    tail: between(tailStart, lines.length),
  }
}

function render(layout: Layout | undefined, slots: Slot[], facts: CassetteFacts, bodies: Bodies): string {
  const before = new Map<string, RecordedRequest>()
  let text = layout
    ? layout.head
        .replace(/^# recorded: .*$/m, `# recorded: ${facts.recorded}`)
        .replace(/^# iterations: .*$/m, (line) => iterationsLine(facts) ?? line)
    : headOf(facts, slots.length === 0)
  for (const [index, slot] of slots.entries()) {
    const meant = 'kept' in slot ? slot.kept : slot.written
    const key = keyOf(meant, meant.hat)
    const own = 'kept' in slot ? slot.kept : slot.instead
    const lead = (own && layout?.lead[own.number - 1]) ?? (index === 0 ? '' : '\n')
    const body = 'kept' in slot ? layout?.body[slot.kept.number - 1] : undefined
    text += lead + (body ?? bodyOf(takeOutBodies(meant, bodies), meant, before.get(key)))
    before.set(key, meant.request)
  }
  return text + (layout ? adjusted(layout.tail, slots, facts) : tailOf(slots, facts))
}

/** Of an orchestrator run. */
function iterationsLine({ more }: CassetteFacts): string | undefined {
  const iterations = more?.['iterations']
  return iterations === undefined ? undefined : `# iterations: ${iterations}`
}

function headOf(facts: CassetteFacts, isEmpty: boolean): string {
  const { name, agent, recorded } = facts
  return [
    `# cassette: ${name}`,
    `# recorded: ${recorded}`,
    `# backend: ${agent}`,
    ...(iterationsLine(facts) === undefined ? [] : [iterationsLine(facts)]),
    '# Answers and comments may be edited by hand; a request may not, it would no longer be found.',
    '',
    `interactions:${isEmpty ? ' []' : ''}`,
    '',
  ].join('\n')
}

function tailOf(slots: Slot[], { agent, clock, timezone, matching, more }: CassetteFacts): string {
  const metadata = {
    format: formatOf(slots),
    agent,
    clock,
    ...(matching !== undefined && matching !== 'older' && { matching }),
    ...(timezone !== undefined && { timezone }),
    ...more,
    ...totals(slots),
  }
  return `\nmetadata:\n${mapOf(metadata, '  ')}`
}

/** The numbers at the end are ours; what a person wrote beside them stays. */
function adjusted(tail: string, slots: Slot[], { clock, timezone = '', matching, more }: CassetteFacts): string {
  let result = tail
  for (const [key, value] of Object.entries({ format: formatOf(slots), clock, timezone, ...more, ...totals(slots) })) {
    const line = new RegExp(`^( +${key}:).*$`, 'm')
    if (line.test(result)) result = result.replace(line, `$1 ${String(value)}`)
  }
  // What is kept was made with the rule that the file names.
  if (matching === undefined || matching === 'older' || slots.some((slot) => 'kept' in slot)) return result
  const named = /^( +)matching:.*$/m
  return named.test(result)
    ? result.replace(named, `$1matching: ${matching}`)
    : result.replace(/^( +)format:.*$/m, `$&\n$1matching: ${matching}`)
}

function formatOf(slots: Slot[]): number {
  const isOfVariant = (slot: Slot): boolean => ('kept' in slot ? slot.kept : slot.written).variant !== undefined
  return slots.some(isOfVariant) ? VARIANTS_CASSETTE_FORMAT : CASSETTE_FORMAT
}

function totals(slots: Slot[]): { total_tokens: number; total_cost_dollars: number; interactions: number } {
  let tokens = 0
  let cost = 0
  for (const slot of slots) {
    const { response } = 'kept' in slot ? slot.kept : slot.written
    tokens += numberOf(response['tokens'])
    cost += numberOf(response['cost_dollars'])
  }
  // The count comes last: a file that was cut short does not have it.
  return { total_tokens: tokens, total_cost_dollars: roundOff(cost), interactions: slots.length }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** Maps and lists below these keys are written line by line, for people to read; others on one line. */
const BLOCKS = new Set(['request', 'response', 'messages', 'error', 'partial', 'chunks', 'files'])

/** `short` is what is written of it; the delta is against the full content. */
function bodyOf(short: Interaction, meant: Interaction, before: RecordedRequest | undefined): string {
  const { recorded } = meant
  const item = {
    request: requestOf(meant, short.request.messages, before),
    response: short.response,
    ...(recorded !== undefined && { recorded }),
  }
  return `  - ${mapOf(item, '    ').slice(4)}`
}

function mapOf(map: object, indent: string): string {
  return Object.entries(map)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${indent}${key}:${valueOf(value, indent, BLOCKS.has(key))}\n`)
    .join('')
}

/** What follows a key, with the space or the line break before it. */
function valueOf(value: unknown, indent: string, inBlock: boolean): string {
  if (typeof value === 'string') return ` ${scalarOf(value, indent.length + 2)}`
  if (inBlock && Array.isArray(value) && value.length > 0)
    return `\n${value.map((item) => `${indent}  - ${itemOf(item, `${indent}    `)}`).join('')}`.slice(0, -1)
  if (inBlock && isWritable(value)) return `\n${mapOf(value, `${indent}  `)}`.slice(0, -1)
  return ` ${flowOf(value)}`
}

/** What follows the dash of a list, with its line ending. */
function itemOf(item: unknown, indent: string): string {
  if (isWritable(item)) return mapOf(item, indent).slice(indent.length)
  return `${typeof item === 'string' ? scalarOf(item, indent.length) : flowOf(item)}\n`
}

/** A map whose keys need no quotes. */
function isWritable(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => isKey(key))
}

function requestOf(
  { hat, case: id, variant, run, attempt, prompt_hash, request }: Interaction,
  messages: unknown[],
  before: RecordedRequest | undefined,
): object {
  const same = before ? sameMessages(before.messages, request.messages) : 0
  const rest = messages.slice(same)
  return {
    hat,
    ...(id !== '' && { case: id }),
    ...(variant !== undefined && { variant }),
    ...(run !== 1 && { run }),
    ...(attempt !== 1 && { attempt }),
    prompt_hash,
    prompt_preview: previewOf(request),
    ...(request.connector !== before?.connector && { connector: request.connector ?? null }),
    ...(same > 0 && { same_messages: same }),
    ...((rest.length > 0 || same === 0) && { messages: rest }),
    ...(!isEqual(request.tools, before?.tools) && { tools: request.tools ?? null }),
    ...(!isEqual(request.parameters, before?.parameters) && { parameters: request.parameters ?? null }),
  }
}

function sameMessages(before: unknown[], now: unknown[]): number {
  let same = 0
  while (same < before.length && same < now.length && isEqual(before[same], now[same])) same++
  return same
}

function previewOf({ messages }: RecordedRequest): string {
  const last = messages.at(-1)
  const content: unknown = (last as { content?: unknown } | undefined)?.content ?? last ?? ''
  return preview(typeof content === 'string' ? content : JSON.stringify(content), 80)
}
