// What a fleet is doing: its workers, its runs, what is stuck, and how long it will take. On the console and in the viewer alike.

export interface FleetStatus {
  workers: WorkerState[]
  runs: FleetRun[]
  /** Bytes that Redis uses, for everything. */
  redis_bytes: number
}

/** What a worker reports about itself. */
export interface WorkerState {
  id: string
  version: string
  started: string
  slots: number
  busy: number
  done: number
  /** Run → reason. */
  refused: Record<string, string>
  runs: string[]
  /** Ages of the units that are running, oldest first, in milliseconds. */
  running: Array<{ run_id: string; id: string; ms: number }>
}

/** How far a run has got, according to its coordinator. */
export interface RunProgress {
  run_id: string
  started: string
  /** When this was written, in milliseconds since 1970. */
  at: number
  /** Cases × variants × runs; undefined with `--runs auto`. */
  units?: number | undefined
  done: number
  failed: number
  in_flight: number
  workers: number
  slots: number
  /** Recent results per second. */
  per_second: number
  average_ms?: number | undefined
  /** Seconds. */
  left?: number | undefined
  bundle: boolean
}

export interface FleetRun extends Partial<RunProgress> {
  run_id: string
  /** Jobs that no worker has taken yet, and jobs that one has. */
  waiting: number
  active: number
  /** Entries that the coordinator has not read yet. */
  unread: number
  /** Milliseconds since the coordinator was seen; undefined: it is gone. */
  coordinator_seen_ms?: number
  /** What keeps it from making progress, one sentence each. */
  stuck: string[]
}

/** What the viewer's server reports about the fleet. */
export interface FleetMessage {
  /** Where it meets, in a form that may be shown. */
  place: string
  status?: FleetStatus
  /** Why there is none. */
  error?: string
}

/** `45 s`, `12 min`, `1.5 h`: an estimate, for a person to read. */
export function estimateText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
