// One row of the results table: what a viewer needs of a result before anyone opens it. Packed as an array, because
// a report holds tens of thousands of them.
import { isRecord } from '../base/record.js'
import { asText, oneLine, unabridged } from '../base/text.js'
import { answersKey } from './answers.js'
import type { ResultEvent } from './event.js'
import { isNotShown, type ErrorKind, type Status } from './status.js'

export interface ResultRow {
  id: string
  name: string
  run: number
  status: RowStatus
  kind: ErrorKind | ''
  durationMs: number
  /** Null = the price is unknown, which is not the same as 0. */
  cost: number | null
  turns: number
  tags: string[]
  flaky: boolean
  score: number | null
  /** The first line of the error, or the reason for skipping. */
  error: string
  input: string
  output: string
  /** Tool names, messages of failed assertions, file: searched by the text filter, not shown. */
  search: string
  /** If there are several variants; else empty. */
  variant: string
  /** If there are several variants: equal for equal answers. */
  answers: number
}

export type PackedRow = [
  id: string,
  name: string,
  run: number,
  status: number,
  kind: string,
  durationMs: number,
  cost: number | null,
  turns: number,
  tags: string[] | 0,
  flaky: 0 | 1,
  score: number | null,
  error: string,
  input: string,
  output: string,
  search: string,
  variant?: string,
  answers?: number,
]

type RowStatus = Status | 'not_shown'

// Pages hold their indexes.
const STATUSES: readonly RowStatus[] = ['passed', 'failed', 'skipped', 'not_shown']

/** Answers of several variants are shown side by side in the table. */
const VARIANT_CHARACTERS = 280

export function packRow(event: ResultEvent): PackedRow {
  return [
    event.id,
    event.name ?? '',
    event.run ?? 1,
    Math.max(0, STATUSES.indexOf(isNotShown(event) ? 'not_shown' : event.status)),
    event.error_kind ?? '',
    event.duration_ms ?? 0,
    event.cost_dollars ?? null,
    event.total_turns ?? event.turns?.length ?? 0,
    event.tags && event.tags.length > 0 ? event.tags : 0,
    event.flaky ? 1 : 0,
    event.score ?? null,
    cellText(isNotShown(event) ? event.skip_reason : (errorOf(event) ?? event.skip_reason), 200),
    cellText(inputOf(event), 120),
    cellText(event.output ?? event.response, event.variant === undefined ? 120 : VARIANT_CHARACTERS),
    cellText(searchOf(event), 320),
    ...(event.variant === undefined ? ([] as const) : ([event.variant, answersKey(event)] as const)),
  ]
}

export function unpackRow(packed: PackedRow): ResultRow {
  return {
    id: packed[0],
    name: packed[1],
    run: packed[2],
    status: STATUSES[packed[3]] ?? 'failed',
    kind: packed[4] as ErrorKind | '',
    durationMs: packed[5],
    cost: packed[6],
    turns: packed[7],
    tags: packed[8] === 0 ? [] : packed[8],
    flaky: packed[9] === 1,
    score: packed[10],
    error: packed[11],
    input: packed[12],
    output: packed[13],
    search: packed[14],
    variant: packed[15] ?? '',
    answers: packed[16] ?? 0,
  }
}

/** The words of a value as one short line. */
export function cellText(value: unknown, limit: number): string {
  return oneLine(plainText(value), limit)
}

/** The words in a message, a list of messages, content parts or any other value. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    const last = value.findLast((item) => isRecord(item) && item['role'] === 'user') ?? undefined
    if (last !== undefined) return plainText(last)
    if (value.length > 0 && value.every((item) => isRecord(item) && typeof item['text'] === 'string'))
      return value.map((item: { text: string }) => item.text).join(' ')
  }
  if (isRecord(value) && 'content' in value && 'role' in value) return plainText(value['content'])
  return asText(value)
}

/** The kind of error has its own column; of two long texts, the part around their first difference is shown. */
function errorOf(event: ResultEvent): string | undefined {
  const text = event.error?.replace(/^(turn \d+: )?assertion failed: /, '$1')
  const [, head] = /^(.*?): expected ".*, got "/s.exec(text ?? '') ?? []
  const turn = event.turns?.find(({ assertions }) => assertions?.some((item) => !item.passed))
  const checks = turn?.assertions ?? [...(event.assertions ?? []), ...(event.final_assertions ?? [])]
  const first = checks.find((item) => !item.passed)
  const expected = unabridged(first?.expected, first?.value)
  const actual = unabridged(first?.actual, (turn ?? event).output)
  if (head === undefined || typeof expected !== 'string' || typeof actual !== 'string') return text
  return `${head}: ${differenceOf(expected, actual)}`
}

const LONGEST = 50_000

function differenceOf(before: string, after: string): string {
  const [expected, actual] = [oneLine(before, LONGEST), oneLine(after, LONGEST)]
  if (expected === actual) return before.length + after.length > LONGEST ? 'see the case' : 'only in white space'
  if (expected.length + actual.length < 120) return `expected "${expected}", got "${actual}"`
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same += 1
  const from = same < 24 ? 0 : expected.lastIndexOf(' ', same - 12) + 1
  const part = (side: string) => `"${from > 0 ? '…' : ''}${oneLine(side.slice(from), 60)}"`
  return `expected ${part(expected)}, got ${part(actual)}`
}

function inputOf(event: ResultEvent): unknown {
  return event.input ?? event.turns?.[0]?.input
}

function searchOf(event: ResultEvent): string {
  const words: string[] = []
  if (event.file) words.push(event.file)
  if (event.script_path) words.push(event.script_path)
  for (const turn of event.turns ?? []) {
    for (const call of turn.tool_calls ?? []) words.push(call.name)
    for (const item of turn.assertions ?? []) if (!item.passed) words.push(item.type, item.message ?? item.error ?? '')
  }
  for (const call of event.tool_calls ?? []) words.push(call.name)
  for (const item of [...(event.assertions ?? []), ...(event.final_assertions ?? [])])
    if (!item.passed) words.push(item.type, item.message ?? item.error ?? '')
  for (const item of event.checkpoints ?? []) words.push(item.id)
  return [...new Set(words)].join(' ')
}
