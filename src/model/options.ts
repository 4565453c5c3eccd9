// Every option of `viva test`, after flags and configuration are merged.
import type { InferOutput } from 'valibot'
import type { OnMissingInput } from './case.js'
import type { agentEntry, configSchema, price } from './config-schema.js'
import type { Gate } from './variant.js'

export interface RunOptions {
  /** A case source; several are case files, folders or globs. */
  input?: string | string[]
  output: string[]
  name?: string
  connector?: string
  /** As text, one for each; or the name of one in the configuration. */
  variant: string[]
  gate: Gate
  user?: string
  team?: string
  ctx?: string
  locale?: string
  reporter?: string
  runs: number | 'auto'
  run?: string
  /** `!x`: not those with it. */
  tag: string[]
  /** `failed-first`, `slow-first`, `random:seed` or `file`. */
  order?: string
  /** Only the cases whose last verdict is not a pass. */
  last_failed: boolean
  timeout?: string
  parallel: number
  agent_processes: number
  fail_fast: boolean
  /** Failed cases after which nothing more starts. */
  stop_after?: number
  verbose: boolean
  dry_run: boolean
  simulator?: string
  interactive: boolean
  skip_interactive: boolean
  on_missing_input?: OnMissingInput
  before?: string
  after?: string
  json: boolean
  retries: number
  resume?: string
  shard?: string
  shard_plan?: string
  /** What the shards of one run have in common. */
  run_group?: string
  max_cost?: number
  /** Percent, as are `threshold` and `confidence`. With `auto` the same as `threshold`. */
  min_pass_rate: number
  /** Endpoints that refuse the key or have no quota left are asked on. */
  keep_going: boolean
  fail_on_flaky: boolean
  pass_with_no_tests: boolean
  app?: string
  strict: boolean
  allow_outside: boolean
  save_turns?: string
  update_snapshots: boolean
  /** Those of cases that fail. */
  keep_workspaces: boolean
  /** MB that a workspace may hold. */
  workspace_quota: number
  record?: string
  replay?: string
  /** Keep what models answer; a text says how old an answer may be. */
  cache?: string | boolean
  record_new: boolean
  allow_passthrough: boolean
  /** The calls of their models that agents make by themselves, instead of the agents as a whole. */
  record_http: boolean
  /** With `replay`: those calls take the time they took. */
  realtime: boolean
  /** With `replay`: the position of a call is enough, whatever it asks. */
  no_strict: boolean
  /** Lanes that `replay` does not answer for. */
  live: string[]
  coverage?: string | boolean
  /** Faults in calls; a text says which, how often, with which seed. */
  chaos?: string | boolean
  confidence: number
  threshold: number
  max_runs: number
  history: boolean
  /** Where spans go: a collector, a file; true: as the environment says. */
  otel?: string | boolean
  pass_env: string[]
  force: boolean
  /** Where the fleet meets: `redis://…`. */
  queue?: string
  /** With `queue`: the files of the application go along. */
  bundle: boolean
}

/** As the command line and programs give them: `-n` and `-c` may come several times. */
export interface GivenOptions extends Omit<Partial<RunOptions>, 'name' | 'connector'> {
  name?: string | string[]
  connector?: string | string[]
}

/** What holds where nobody says otherwise. */
export const DEFAULT_OPTIONS: RunOptions = {
  output: [],
  variant: [],
  gate: 'any',
  runs: 1,
  tag: [],
  last_failed: false,
  parallel: 1,
  agent_processes: 1,
  fail_fast: false,
  verbose: false,
  dry_run: false,
  interactive: false,
  skip_interactive: false,
  json: false,
  retries: 0,
  min_pass_rate: 100,
  keep_going: false,
  fail_on_flaky: false,
  pass_with_no_tests: false,
  strict: false,
  allow_outside: false,
  update_snapshots: false,
  keep_workspaces: false,
  workspace_quota: 1024,
  record_new: false,
  allow_passthrough: false,
  record_http: false,
  realtime: false,
  no_strict: false,
  live: [],
  confidence: 95,
  threshold: 80,
  max_runs: 30,
  history: false,
  pass_env: [],
  force: false,
  bundle: false,
}

/** Where neither the case nor `--timeout` says how long. */
export const DEFAULT_TIMEOUT = '5m'
export const DEFAULT_SCRIPT_TIMEOUT = '30s'

/** `agents` in the configuration: a target, or a target with what its kind needs. */
export interface AgentEntry extends InferOutput<typeof agentEntry> {}

export interface Price extends InferOutput<typeof price> {}

export interface VivaConfig extends Omit<InferOutput<typeof configSchema>, 'defaults'> {
  defaults?: Partial<RunOptions>
}
