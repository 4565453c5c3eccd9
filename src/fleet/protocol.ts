// What coordinator and workers tell each other: plain JSON, sealed.
import { fileCase } from '../model/cassette.js'
import type { ResultEvent, RunEvent } from '../model/event.js'
import type { RunOptions } from '../config/options.js'
import type { Unit } from '../model/plan.js'
import type { RunName } from '../model/run-key.js'
import type { VariantSpec } from '../model/variant.js'
import type { Shares } from '../interceptors/compose.js'

/** Why a worker refuses a run that was sealed with another key; it cannot seal that reason for the coordinator. */
export const OTHER_KEY = 'it is not sealed with the key of this worker (VIVA_QUEUE_KEY)'

/** Incremented with every change that an older worker would not understand. */
export const PROTOCOL = 3

/** Everything a worker needs to run any unit of a run. No absolute path: each side has its own root. */
export interface RunSpec {
  protocol: number
  version: string
  run_id: string
  /** Of this coordinator: a run resumed after a crash has another one. */
  term: string
  /** Cases. */
  total: number
  options: Partial<RunOptions>
  variants: VariantSpec[]
  /** Where the run was started, below the root. */
  cwd: string
  /** The application root, below the root. */
  app: string
  /** Files that must be the same everywhere: path below the root → hash of the content. */
  files: Record<string, string>
  /** Those of them that may be started as they are. */
  programs: string[]
  /** Files that the run writes: they may differ. */
  except: string[]
  /** The files are available in Redis. */
  bundle: boolean
  /** What else is available in Redis, and needed: by name, what interceptors lend, and `CASES`. */
  parcels: string[]
}

/** The parcel with cases that are in no file. No interceptor has this name. */
export const CASES = 'cases'

/** What a job carries. */
export interface JobBatch {
  units: Array<NumberedUnit | StoredUnit>
}

export interface NumberedUnit {
  /** Counted by the coordinator: a result that arrives twice has the same number. */
  n: number
  unit: Unit
}

/** Too large for a job: the unit is under `payload(stored)`. */
export interface StoredUnit {
  n: number
  stored: string
}

/** What a worker puts into the stream. */
export type WorkerMessage =
  | { kind: 'events'; worker: string; units: UnitReport[] }
  /** Will take units of this run. */
  | { kind: 'serves'; worker: string; slots: number }
  /** Takes no more of them: an orderly leave. */
  | { kind: 'leaves'; worker: string }
  | { kind: 'refuses'; worker: string; reason: string }
  | { kind: 'warns'; worker: string; text: string }
  /** Endpoints that are no longer called. */
  | { kind: 'stopped'; worker: string; reason: string }
  /** A job that was not ours. */
  | { kind: 'foreign'; worker: string; reason: string }
  /** A fault of Viva: the run cannot go on. */
  | { kind: 'fails'; worker: string; reason: string }

export interface UnitReport {
  /** Absent: outside any unit. */
  n?: number
  events: Array<Exclude<RunEvent, { type: 'start' | 'stability' | 'summary' }>>
  /** The unit is done, and took this long. */
  done_ms?: number
  /** Workers that ended while they ran it; it was not run again. */
  crashed?: number
  /** In the same report as its result: neither is on disk without the other. */
  beside?: Beside[]
}

/** What a case leaves besides its result. Without a result of its own: what happened around the tests of the unit (`fileCase`). */
export interface Beside extends RunName {
  shares: Shares
}

/** The id of what belongs to the whole run: it counts whatever becomes of the unit. */
export const WHOLE_RUN = ''

/** Whether `result` can come from `unit`. */
export function belongsTo(result: ResultEvent, unit: Unit): boolean {
  if (result.run !== unit.run) return false
  if (unit.kind === 'script_file') return unit.tests.some(({ id }) => id === result.id)
  return result.id === unit.testCase.id && result.variant === unit.variant
}

/** Represents what happens around the tests of a file. */
export function aroundOf(unit: Unit): RunName | undefined {
  return unit.kind === 'case' ? undefined : { id: fileCase(unit.script), run: unit.run }
}

export function aboutSpec(runId: string): string {
  return `spec ${runId}`
}

export function aboutJob({ run_id, term }: Pick<RunSpec, 'run_id' | 'term'>, jobId: string): string {
  return `job ${run_id} ${term} ${jobId}`
}

export function aboutPayload({ run_id, term }: Pick<RunSpec, 'run_id' | 'term'>, id: string): string {
  return `payload ${run_id} ${term} ${id}`
}

export function aboutParcel({ run_id, term }: Pick<RunSpec, 'run_id' | 'term'>, name: string): string {
  return `parcel ${run_id} ${term} ${name}`
}

export function aboutResults({ run_id, term }: Pick<RunSpec, 'run_id' | 'term'>): string {
  return `results ${run_id} ${term}`
}
