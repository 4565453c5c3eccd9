// An event from a file: checked, with the fields that other tools may omit filled in.
import { isRecord } from '../base/record.js'
import type { RunEvent } from './event.js'
import { eventProblem, isKnownType } from './event-shape.js'

export type ParsedEvent =
  | { kind: 'event'; event: RunEvent }
  /** Of a type that a newer version writes; readers skip it. */
  | { kind: 'unknown' }
  /** Of a known type, but not usable. */
  | { kind: 'bad'; problem: string }
  /** Not an event: the torn end of a killed run looks like this. */
  | { kind: 'garbage' }

export function parseEventLine(text: string): ParsedEvent {
  try {
    return parseEvent(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'garbage' }
    throw error
  }
}

/** Fills in `value` itself. */
export function parseEvent(value: unknown): ParsedEvent {
  if (!isRecord(value) || !hasType(value)) return { kind: 'garbage' }
  if (!isKnown(value)) return { kind: 'unknown' }
  fillIn(value)
  const problem = problemOf(value)
  return problem === undefined ? { kind: 'event', event: value as unknown as RunEvent } : { kind: 'bad', problem }
}

type Fields = Record<string, unknown>

function hasType(value: Fields): value is Fields & { type: string } {
  return typeof value['type'] === 'string'
}

function isKnown(value: Fields & { type: string }): value is Fields & { type: RunEvent['type'] } {
  return isKnownType(value.type)
}

function problemOf(value: Fields & { type: RunEvent['type'] }): string | undefined {
  try {
    return eventProblem(value)
  } catch (error) {
    if (error instanceof RangeError) return `${value.type}: nested too deeply`
    throw error
  }
}

/** Files from other tools may lack fields that ours always have. Ids, verdicts and counts are never made up. */
function fillIn(value: Fields & { type: RunEvent['type'] }): void {
  fill(value, DEFAULTS[value.type] ?? {})
  if (value.type === 'result') fillInResult(value)
  if (value.type === 'start' && isRecord(value['environment'])) fill(value['environment'], ENVIRONMENT)
}

function fillInResult(value: Fields): void {
  // The design's word for a failure that is not a wrong answer.
  const kind = FAILURES.get(value['status'])
  if (kind !== undefined)
    Object.assign(value, { status: 'failed', error: value['error'] ?? value['status'], error_kind: kind })
  if (value['status'] === 'failed') fill(value, { error: 'failed', error_kind: 'assertion' })
  if (value['status'] === 'skipped') fill(value, { skip_reason: '' })
}

const FAILURES = new Map<unknown, string>([
  ['timeout', 'timeout'],
  ['crashed', 'crashed'],
  ['error', 'agent'],
])

function fill(value: Fields, defaults: Fields): void {
  for (const key in defaults) if (value[key] === undefined) value[key] = defaults[key]
}

const ENVIRONMENT = { user_id: '', team_id: '', locale: '' }
const DEFAULTS: Readonly<Partial<Record<RunEvent['type'], Fields>>> = {
  start: {
    format: 1,
    timestamp: '',
    run_id: '',
    mode: 'agent',
    agent_id: '',
    input: '',
    runs_per_case: 1,
    environment: ENVIRONMENT,
    options: {},
    version: '',
  },
  case_start: { run: 1, timestamp: '' },
  result: { run_id: '', run: 1, duration_ms: 0 },
  error: { where: '' },
  stability: { run_details: [] },
}
