// What an orchestrator run takes and returns, for its callers and its parts.
import type { MockScript } from '../connectors/mock-script.js'
import type { UserError } from '../errors.js'
import type { RecordedResponse, RecordingCounts } from '../model/cassette.js'
import type { Usage } from '../model/message.js'
import type { SessionData, SessionKind, SessionRecord } from '../model/session.js'
import type { TerminationReason } from '../model/termination.js'
import type { Processes } from '../process/processes.js'
import type { Redactor } from '../redact/redactor.js'
import type { Clock } from '../time/clock.js'
import type { Backend } from './backends/backend.js'
import type { LoopConfig } from './config/config.js'
import type { EventsFile } from './events-file.js'
import type { BackendChoice } from './hats.js'
import type { Limits, LoopEnd } from './loop.js'

export interface RunLoopInit {
  /** The workspace. */
  cwd: string
  task: string
  config: LoopConfig
  /** For hats that name none; default: `mock`. */
  backend?: BackendChoice | string
  limits?: Partial<Limits>
  /** For backends that are programs, over an allow-list of our own environment. */
  env?: Record<string, string>
  /** Names to pass on from our own environment. */
  pass_env?: string[]
  mock_responses?: unknown
  /** Shared by the attempts of one call: each continues after the answers of the one before. */
  scripted?: { script?: MockScript }
  /** Backends that are started for hats that name them, although the run is scripted. */
  allow_backends?: readonly string[]
  on_exhausted?: 'error' | 'stop'
  recording?: LoopRecording
  run_id: string
  redactor: Redactor
  processes: Processes
  signal: AbortSignal
  /** Default: one just for this run. */
  clock?: Clock
  /** Default: `session.jsonl` in the workspace. */
  session_file?: string
  /** Wraps every backend, e.g. with faults. Not a whole program such as ralph. */
  wrap?(backend: Backend): Backend
  /** Gets every record once it is in the session file. */
  emit?(record: SessionRecord): void
  /** What hats say, as they say it. */
  onOutput?(text: string, stdout: boolean): void
  warn?(text: string): void
  /** What people should know, once per run. */
  note?(text: string): void
}

export interface LoopRecording {
  mode: 'record' | 'replay'
  /** The cassette file. */
  path: string
  /** Replay: prompts must be the recorded ones; default: true. */
  strict?: boolean
  /** Replay: what happens to a call that the cassette has no answer to; default: an error. */
  on_missing?: 'error' | 'record' | 'live'
  /** `redactions.patterns`. */
  patterns?: Record<string, string | boolean>
  /** Record: removes what must not be kept from an answer. */
  hide?(response: RecordedResponse): RecordedResponse
  /** Replay: a call that the cassette had no answer to is being made. */
  onLive?(call: { hat: string; prompt_hash: string }): void
  /** Replay: what an answer had written is written again; `leftOut` was not kept. */
  onPlayed?(files: Record<string, string | null>, leftOut: string[]): void
}

export interface LoopResult {
  run_id: string
  exit_code: number
  termination_reason: TerminationReason
  /** Why it ended, if the reason needs words. */
  message?: string
  iterations: number
  elapsed_secs: number
  /** Events that were published. */
  events_count: number
  session_file: string
  /** The hat of each iteration. */
  hats: string[]
  /** What hats said, in order. */
  stdout: string
  stderr: string
  tokens: number
  /** Absent: a call did not report its tokens. */
  usage?: Usage
  /** Absent: unknown, which is not 0. */
  cost_dollars?: number
  mock_responses_consumed?: number
  mock_responses_remaining?: number
  recording?: RecordingCounts
  warnings: string[]
  /** Why there is no proper end: a mock or a cassette without an answer, a program that could not be run. */
  error?: UserError
}

/** What both kinds of orchestrator, ours and a whole program, work with. */
export interface RunParts {
  init: RunLoopInit
  choice: BackendChoice
  limits: Limits
  clock: Clock
  events: EventsFile
  /** For programs. */
  env: Record<string, string>
  record<Kind extends SessionKind>(event: Kind, data: SessionData[Kind]): void
  /** A record of another program's session. */
  merge(record: SessionRecord): void
  say(text: string, stdout: boolean): void
  warn(text: string): void
}

export type Engine = (parts: RunParts) => Promise<EngineEnd>

export type EngineEnd = LoopEnd & Pick<LoopResult, 'mock_responses_consumed' | 'mock_responses_remaining' | 'recording'>
