// Interactions → the text of a cassette file. What has not changed keeps its lines, with the comments above them.
import { Document, isCollection, isMap, isScalar, stringify, type YAMLMap, type YAMLSeq } from 'yaml'
import { isEqual } from '../base/equal.js'
import { UserError } from '../errors.js'
import { preview } from '../base/text.js'
import type { Interaction, RecordedRequest } from '../model/cassette.js'
import { keyOf } from './keys.js'
import { bodyBytes } from './wire-response.js'
import { CASSETTE_FORMAT, parseCassette, type Cassette, type WrittenInteraction } from './read-cassette.js'

/** One line of the file to be: an interaction that is there already and stays, or a new one (in the place of an old one). */
export type Slot = { kept: WrittenInteraction } | { written: Interaction; instead?: WrittenInteraction }

export interface CassetteFacts {
  /** The name of the file. */
  name: string
  agent: string
  recorded: string
  clock: string
  /** Further facts for `metadata`. */
  more?: Record<string, string | number>
}

/** Undefined when nothing has changed. */
export function renderCassette(old: Cassette | undefined, slots: Slot[], facts: CassetteFacts): string | undefined {
  if (old && slots.length === old.interactions.length && slots.every((slot) => 'kept' in slot)) return undefined
  const spliced = old && splice(old, slots, facts)
  if (spliced !== undefined && slots.length > 0 && says(spliced, slots)) return spliced
  // A layout of somebody's own (flow style, odd indentation): the content comes first.
  const whole = render(undefined, slots, facts)
  if (!says(whole, slots)) throw new Error('a cassette would not say what was recorded')
  return whole
}

/** Durations aside: the same answer takes another time every time, and comes in other pieces. */
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

function says(text: string, slots: Slot[]): boolean {
  const interactions = readBack(text)
  return (
    interactions.length === slots.length &&
    interactions.every((read, index) => {
      const slot = slots[index] as Slot
      const meant = 'kept' in slot ? slot.kept : slot.written
      return (['hat', 'case', 'run', 'attempt', 'prompt_hash', 'request', 'response'] as const).every((key) =>
        isEqual(read[key], meant[key]),
      )
    })
  )
}

function readBack(text: string): WrittenInteraction[] {
  try {
    return parseCassette(text, '').interactions
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

function splice(old: Cassette, slots: Slot[], facts: CassetteFacts): string | undefined {
  const layout = layoutOf(old)
  return layout && render(layout, slots, facts)
}

/** Undefined where interactions do not have lines of their own. */
function layoutOf({ text, interactions }: Cassette): Layout | undefined {
  const lines = text.split(/(?<=\n)/)
  const starts = interactions.map(({ line }) => line - 1)
  const last = lines.findLastIndex((line) => line.startsWith('metadata:'))
  const [first] = starts
  if (first === undefined || last === -1) return undefined
  const dash = /^ *(?=- )/.exec(lines[first] ?? '')?.[0].length
  if (dash === undefined || starts.some((start) => !new RegExp(`^ {${dash}}- `).test(lines[start] ?? '')))
    return undefined
  // Comments and blank lines above an interaction, none of which can be part of a text further in.
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

function render(layout: Layout | undefined, slots: Slot[], facts: CassetteFacts): string {
  const before = new Map<string, RecordedRequest>()
  let text = layout
    ? layout.head.replace(/^# recorded: .*$/m, `# recorded: ${facts.recorded}`)
    : headOf(facts, slots.length === 0)
  for (const [index, slot] of slots.entries()) {
    const meant = 'kept' in slot ? slot.kept : slot.written
    const key = keyOf(meant, meant.hat)
    const own = 'kept' in slot ? slot.kept : slot.instead
    const lead = (own && layout?.lead[own.number - 1]) ?? (index === 0 ? '' : '\n')
    const body = 'kept' in slot ? layout?.body[slot.kept.number - 1] : undefined
    text += lead + (body ?? bodyOf(meant, before.get(key)))
    before.set(key, meant.request)
  }
  return text + (layout ? adjusted(layout.tail, slots, facts) : tailOf(slots, facts))
}

function headOf({ name, agent, recorded }: CassetteFacts, isEmpty: boolean): string {
  return [
    `# cassette: ${name}`,
    `# recorded: ${recorded}`,
    `# backend: ${agent}`,
    '# Answers and comments may be edited by hand; a request may not, it would no longer be found.',
    '',
    `interactions:${isEmpty ? ' []' : ''}`,
    '',
  ].join('\n')
}

function tailOf(slots: Slot[], facts: CassetteFacts): string {
  const metadata = { format: CASSETTE_FORMAT, agent: facts.agent, clock: facts.clock, ...facts.more, ...totals(slots) }
  return `\n${stringify({ metadata }, { lineWidth: 0 })}`
}

/** The numbers at the end are ours; what a person wrote beside them stays. */
function adjusted(tail: string, slots: Slot[], { clock, more }: CassetteFacts): string {
  let result = tail
  for (const [key, value] of Object.entries({ clock, ...more, ...totals(slots) })) {
    const line = new RegExp(`^( +${key}:).*$`, 'm')
    if (line.test(result)) result = result.replace(line, `$1 ${String(value)}`)
  }
  return result
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
  return { total_tokens: tokens, total_cost_dollars: Number(cost.toPrecision(12)), interactions: slots.length }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

const INDENT = '  '
/** Blocks where people read, one line where they do not. */
const BLOCKS = new Set(['request', 'response', 'messages', 'error', 'partial', 'chunks', 'files'])

function bodyOf(interaction: Interaction, before: RecordedRequest | undefined): string {
  const document = new Document([{ request: requestOf(interaction, before), response: interaction.response }])
  for (const item of (document.contents as YAMLSeq<YAMLMap>).items) layOut(item)
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    blockQuote: 'literal',
  })
  return text.replaceAll(/^(?=.)/gm, INDENT)
}

function layOut(map: YAMLMap): void {
  for (const { key, value } of map.items) {
    const inBlock = isScalar(key) && BLOCKS.has(String(key.value))
    if (!isCollection(value)) continue
    if (!inBlock) value.flow = true
    else if (isMap(value)) layOut(value)
    else for (const item of value.items) if (isMap(item)) layOut(item)
  }
}

function requestOf(
  { hat, case: id, run, attempt, prompt_hash, request }: Interaction,
  before: RecordedRequest | undefined,
): object {
  const same = before ? sameMessages(before.messages, request.messages) : 0
  const rest = request.messages.slice(same)
  return {
    hat,
    ...(id !== '' && { case: id }),
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
