// The names of everything a fleet keeps in Redis. What belongs to a run is below its id, so that it can be removed with the run.

/** Runs that are going on, by id; the score is when it was announced. */
export const RUNS = 'viva:runs'
/** Workers, by id; the score is when they were last seen. */
export const WORKERS = 'viva:workers'
/** Tells workers to look. It carries nothing that anything acts on. */
export const BUS = 'viva:bus'

export function workerKey(id: string): string {
  return `viva:worker:${id}`
}

/** What a fleet knows about an endpoint: the braces keep its keys together. */
export function paceKeys(endpoint: string): { until: string; calls: string; tokens: string } & SlotKeys {
  const below = `viva:pace:{${endpoint}}`
  return {
    until: `${below}:until`,
    calls: `${below}:calls`,
    tokens: `${below}:tokens`,
    held: `${below}:held`,
    line: `${below}:line`,
    seen: `${below}:seen`,
  }
}

/** Calls that are in flight, those waiting to make one, and when they last asked. */
export interface SlotKeys {
  held: string
  line: string
  seen: string
}

export type RunKeys = ReturnType<typeof runKeys>

/** The braces keep the keys of a run together if Redis is a cluster. */
export function runKeys(runId: string) {
  const below = `viva:{${runId}}`
  return {
    /** The prefix of all of them. */
    below,
    /** What is run, sealed, in pieces. */
    spec: `${below}:spec`,
    /** Expires unless the coordinator renews it. */
    lease: `${below}:lease`,
    /** The stream of what workers report. */
    results: `${below}:results`,
    /** Variants that run no further; `*`: all of them. */
    ended: `${below}:ended`,
    /** How far the run has got, for `viva fleet status`. */
    progress: `${below}:progress`,
    /** How often a unit was begun by workers that did not come back. */
    begun: `${below}:begun`,
    /** What every worker needs as a whole, sealed, in pieces. */
    parcel: (name: string) => `${below}:parcel:${name}`,
    /** A payload too large for one piece. */
    payload: (id: string) => `${below}:payload:${id}`,
    /** A file of the bundle, by the hash of its content. */
    file: (hash: string) => `${below}:file:${hash}`,
  }
}

/** Whose key it is. */
export function runIdOf(key: string): string | undefined {
  return /^viva:\{([^}]+)\}:/.exec(key)?.[1]
}

/** BullMQ's own keys are `<below>:q:…`. */
export const QUEUE_NAME = 'q'

export function queueKey(keys: RunKeys, part: string): string {
  return `${keys.below}:${QUEUE_NAME}:${part}`
}

/** What BullMQ keeps about a queue besides its jobs. */
const QUEUE_PARTS = ['wait', 'active', 'paused', 'delayed', 'prioritized', 'stalled', 'id', 'meta', 'events', 'marker']

/** What a run has in Redis for as long as it is going on, besides its jobs and payloads. */
export function lastingKeys(keys: RunKeys): string[] {
  return [keys.results, keys.ended, keys.begun, ...QUEUE_PARTS.map((part) => queueKey(keys, part))]
}

/** Those that disappear when no job is waiting, and come back with the next one. */
export function madeByAdding(keys: RunKeys): string[] {
  return [queueKey(keys, 'wait'), queueKey(keys, 'marker')]
}
