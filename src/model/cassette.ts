// A recording ("cassette"): what was asked of agents and models, and what they answered.
import type { ModelCall } from './model-call.js'

/** The lanes of a test run that are recorded. */
export const TEST_LANES = ['agent', 'tools', 'simulator', 'judge', 'generator'] as const

/** `hat`: the roles of an orchestrator. */
export const RECORDED_LANES = [...TEST_LANES, 'hat'] as const

export type RecordedLane = (typeof RECORDED_LANES)[number]

/**
 * When two requests are the same. `exact`: but for what Viva itself has generated. `normalised`: but for times, ids,
 * durations and white space too, as test tools have it. Cassettes that name neither were made with an older version of the latter.
 */
export const MATCHING_RULES = ['exact', 'normalised'] as const

export type MatchingRule = (typeof MATCHING_RULES)[number] | 'older'

/** One conversation of a recording: what a case asked in one attempt of one run of a variant. */
export interface ConversationId {
  case: string
  /** If there are several. */
  variant?: string
  run: number
  attempt: number
}

/** What was asked, without the parts that change from run to run. */
export interface RecordedRequest {
  /** Of a package: the model that was asked. */
  connector?: string
  messages: unknown[]
  tools?: unknown[]
  parameters?: Record<string, unknown>
}

export interface RecordedError {
  code: string
  message: string
  status?: number
  hint?: string
  /** Whether the server itself says that another try makes sense. */
  retry?: boolean
  /** What had arrived by then. */
  partial?: unknown
}

/** `output` is the content of a reply; its other fields are beside it under their own names. */
export interface RecordedResponse {
  output?: unknown
  error?: RecordedError
  duration_ms: number
  [field: string]: unknown
}

export interface Interaction extends ConversationId {
  /** Who was asked, e.g. `agent:expense`, `judge:viva.judge`; a hat of an orchestrator by its name alone. */
  hat: string
  prompt_hash: string
  request: RecordedRequest
  response: RecordedResponse
  /** When; not known for old recordings. */
  recorded?: string
}

/** `recording` of a case. */
export interface CaseRecording {
  /** `replay`: recorded once, never again. `record`: again whenever something is recorded. `live`: never kept or replayed. */
  mode?: 'replay' | 'record' | 'live'
  /** How long its answers may be used, e.g. `30d`. */
  max_age?: string
}

/** What a run did with its recording. */
export interface RecordingCounts {
  replayed: number
  recorded: number
  passed_through: number
  /** Interactions of the cases that ran which nothing asked for. */
  unused: number
  /** Where the first of those are: `tape.yaml:12`. */
  unused_at?: string[]
  /** Interactions that were used although they are older than their case allows. */
  stale?: number
}

/** The hooks around a whole run: what they call is recorded under these names, as if they were cases. */
export const RUN_HOOKS = ['--before', '--after'] as const

/** What generators are asked is recorded under this name. */
export const GENERATED = 'generate'

/** The same for what a file of script tests calls outside its tests: while it is loaded, in `BeforeAll`, in `AfterAll`. */
export function fileCase(ref: string): string {
  return `${FILE}${ref}`
}

const FILE = '--file:'

/** Whether it names something without a result of its own: a hook around the run, or around the tests of a file. */
export function isAroundCases(id: string): boolean {
  return RUN_HOOKS.some((hook) => hook === id) || id.startsWith(FILE)
}

export function hatOf({ lane, role }: ModelCall): string {
  if (lane === 'hat') return role
  return role.startsWith(`${lane}:`) ? role : `${lane}:${role}`
}

/** The lane of what `hatOf` returned. */
export function laneOfHat(hat: string): string {
  return hat.includes(':') ? hat.slice(0, hat.indexOf(':')) : 'hat'
}

/** A call that an agent makes to its model directly. */
export function modelOf(call: ModelCall): ModelCall {
  return { ...call, role: hatOf(call).replace(':', ':model:') }
}

/** Variants share these: what differs between variants comes from the agent. */
export function isHelperLane(lane: string): boolean {
  return lane === 'simulator' || lane === 'judge' || lane === 'generator'
}

export function isRecordedLane(lane: string): lane is RecordedLane {
  return RECORDED_LANES.some((known) => known === lane)
}
