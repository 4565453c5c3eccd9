// What an orchestrator run did, in order: the records of `session.jsonl`.
import type { Fault } from './fault.js'
import type { ToolCall } from './message.js'
import type { TerminationReason } from './termination.js'

/** What each kind of record holds. */
export interface SessionData {
  '_meta.loop_start': LoopStart
  '_meta.iteration': IterationStart
  'bus.publish': PublishedEvent
  'bus.malformed': MalformedEvent
  'ux.terminal.write': TerminalWrite
  'backend.call': BackendCallEnd
  '_meta.warning': { message: string }
  '_meta.termination': Termination
}

export type SessionKind = keyof SessionData

/** One line. For a kind this version does not know, `data` can be anything. */
export interface SessionRecord<Kind extends string = string> {
  /** Unix milliseconds. */
  ts: number
  run_id?: string
  event: Kind
  data: Kind extends SessionKind ? SessionData[Kind] : unknown
}

export interface LoopStart {
  /** As in recordings of other programs: '' for a prompt that is not a file. */
  prompt_file?: string
  max_iterations?: number
  ux_mode?: string
  task?: string
  backend?: string
  hats?: string[]
  /** Topics that hats wait for or say they publish. */
  topics?: string[]
}

/** Written when the backend call of an iteration starts. */
export interface IterationStart {
  /** From 1. */
  n: number
  hat: string
  /** Since the start of the run. */
  elapsed_ms: number
}

export interface PublishedEvent {
  topic: string
  payload: string
  /** The hat that published it; null for the orchestrator itself. */
  source: string | null
  /** The hat it is addressed to. */
  target: string | null
  /** The hats that got it. */
  recipients?: string[]
}

/** A tag that looks like an event but is not one. */
export interface MalformedEvent {
  source: string | null
  text: string
  reason: string
}

export interface TerminalWrite {
  /** Base64. */
  bytes: string
  /** False: standard error. */
  stdout: boolean
  offset_ms: number
}

export interface BackendCallEnd {
  hat: string
  backend?: string
  prompt_hash: string
  /** Null: it was killed, or never answered. */
  exit_code: number | null
  tokens?: number
  /** Absent: unknown, which is not 0. */
  cost_dollars?: number
  duration_ms: number
  error?: string
  /** In order; absent: unknown. */
  tool_calls?: ToolCall[]
  /** It was cut off: there may have been more. */
  calls_cut?: true
  /** The names of the tools available, if the backend says. */
  tools?: string[]
  /** Under which the backend keeps what it did. */
  session_id?: string
  /** Injected into the call on purpose. */
  fault?: Fault
}

export interface Termination {
  reason: TerminationReason | (string & {})
  iterations: number
  elapsed_secs: number
  exit_code?: number
  message?: string
}

export function isKind<Kind extends SessionKind>(record: SessionRecord, kind: Kind): record is SessionRecord<Kind> {
  return record.event === kind
}

/** What was published, in order. */
export function topicsOf(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => (isKind(record, 'bus.publish') ? [record.data.topic] : []))
}

/** Who had a turn, in order. */
export function hatsOf(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => (isKind(record, '_meta.iteration') ? [record.data.hat] : []))
}

/** Whether an orchestrator keeps the file about its run: no work of a hat's. */
export function isSessionFile(path: string): boolean {
  return SESSION_FILES.test(path)
}

const SESSION_FILES = /^(session\.jsonl$|sessions\/|\.agent\/events)/
