// What stands around the calls and units of a run: recording, replay, cache, chaos, tracing, snapshots, coverage.
// A run knows only the list of them.
import type { AroundTools, ToolboxParts } from '../agents/package/tools/toolbox.js'
import type { AgentsInit, AroundAgent } from '../agents/resolve.js'
import type { Connector } from '../model/connector.js'
import type { ResultEvent, RunEvent, SummaryEvent } from '../model/event.js'
import type { ModelCall } from '../model/model-call.js'
import type { RunOptions } from '../config/options.js'
import type { VivaConfig } from '../model/config.js'
import type { CaseUnit } from '../model/plan.js'
import type { RunKey, RunName } from '../model/run-key.js'
import type { ScriptCall, ScriptHandlers } from '../model/script.js'
import type { Snapshots } from '../model/snapshot.js'
import type { VariantSpec } from '../model/variant.js'
import type { Backend } from '../orchestrator/backends/backend.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { WrittenInteraction } from '../recordings/read-cassette.js'
import type { Redactor } from '../redact/redactor.js'
import type { CoverageCollector } from '../scripts/coverage/coverage.js'
import type { Clock } from '../time/clock.js'

/** All hooks are optional: an interceptor has those it needs. */
export interface Interceptor {
  name: string

  /** Around an agent that calls its model itself; `open` creates it. */
  aroundAgent?: AroundAgent
  /** Around a model; `open` creates it. */
  aroundConnector?(id: string, open: () => Promise<Connector>): Promise<Connector>
  /** Around the tools of one call of an agent. */
  aroundTools?(toolbox: ToolboxCall): AroundTools
  /** Around what plays a hat of an orchestrator. */
  aroundBackend?(backend: Backend, call: ModelCall): Backend
  /** Around `http.*` of scripts. */
  aroundHttp?: NonNullable<ScriptHandlers['http']>

  /** Variables for processes that belong to no conversation. */
  processEnv?: Record<string, string>
  /** Variables for a script, for as long as it is called. */
  scriptEnv?(call: ScriptCall): { env: Record<string, string>; close(): void } | undefined
  /** What scripts have run is counted here. */
  coverage?: CoverageCollector
  /** The time that prompts state. */
  promptClock?: NonNullable<AgentsInit['clock']>
  /** Every model call is answered by it: none needs a key. */
  isOffline?: boolean
  /** What assertions compare answers with. `file`: the case file. */
  openSnapshots?(file?: string, origin?: ModelCall): Promise<Snapshots>
  /** Receives every event once it is written. */
  sink?: EventSink

  /** Throws a UserError if it cannot be used with this agent. */
  requireAgent?(id: string, variant: string | undefined): void
  /** Called before the first case: what decides about a case is fixed from now on. */
  ready?(): Promise<void>
  begin?(unit: CaseUnit): void
  /** Adds what it knows to a result. */
  settle?(result: ResultEvent): ResultEvent
  /** Sees every event of the run, those of the earlier part of a resumed run included. */
  add?(event: RunEvent): void
  /** After the last case, before the summary. */
  finish?(ending: Ending): Promise<Finding> | Finding
  /** Files and folders that it writes. */
  files?(): string[]
  close?(): Promise<void>

  /** For a fleet, as JSON: what every worker needs of it. Its presence on a worker switches it on there. */
  lend?(): Promise<unknown>
  /** On a worker: what a case has left for the coordinator; without a name, what all cases share. */
  collect?(own?: RunName): unknown
  /** At the coordinator: keeps what was collected, before its result counts. Returns what is wrong with it. */
  take?(share: unknown, own?: RunName & { attempts?: number | undefined }): string[]
}

export type ToolboxCall = Parameters<NonNullable<ToolboxParts['aroundTools']>>[0]

export interface Ending {
  /** The run was stopped before its end. */
  isStopped: boolean
  /** What was tested. */
  agent: string
}

/** What it contributes to the summary, and what went wrong: errors of the run, not of a case. */
export interface Finding {
  summary?: SummaryPart
  problems?: string[]
}

export type SummaryPart = Pick<SummaryEvent, 'snapshots' | 'recording'> & { chaos?: true }

/** What interceptors may know about the run. */
export interface InterceptorInit {
  run_id: string
  options: RunOptions
  config: VivaConfig
  cwd: string
  /** The folder of the cases. */
  dir: string
  appRoot: string
  /** Case files. */
  files: readonly string[]
  variants: readonly VariantSpec[]
  /** Some cases are left out. */
  isFiltered: boolean
  /** The run continues an earlier one: which cases that has finished. */
  isDone?: (key: RunKey) => boolean
  env: NodeJS.ProcessEnv
  clock: Clock
  now(): Date
  /** Of what the run reports. */
  redactor: Redactor
  /** Hides secrets and nothing else. */
  secrets(): Redactor
  warn(text: string): void
  /** For people, after the summary. */
  note?: ((text: string) => void) | undefined
  /** False: no connection is opened. */
  live?: boolean | undefined
  /** Receives what belongs to no case. */
  onStray(message: string, where: string): void
  /** Receives what a recording holds that nothing asked for. */
  onUnused?: ((unused: WrittenInteraction[]) => void) | undefined
  /** On a worker of a fleet: what the coordinator lends, by interceptor. */
  lent?: Readonly<Record<string, unknown>> | undefined
}
