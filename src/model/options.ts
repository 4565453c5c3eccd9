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
  /** As strings, one each; or the name of one in the configuration. */
  variant: string[]
  gate: Gate
  user?: string
  team?: string
  ctx?: string
  locale?: string
  reporter?: string
  runs: number | 'auto'
  run?: string
  /** `!x`: exclude those with it. */
  tag: string[]
  /** `failed-first`, `slow-first`, `random:seed` or `file`. */
  order?: string
  /** Only the cases whose last verdict is not a pass. */
  last_failed: boolean
  timeout?: string
  parallel: number
  agent_processes: number
  fail_fast: boolean
  /** Stop starting cases after this many have failed. */
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
  /** Keep calling endpoints that refuse the key or have no quota left. */
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
  /** Keep what models answer; a string says how old an answer may be. */
  cache?: string | boolean
  record_new: boolean
  allow_passthrough: boolean
  /** The calls that agents make to their models directly, instead of the agents as a whole. */
  record_http: boolean
  /** With `replay`: those calls take the time they took. */
  realtime: boolean
  /** With `replay`: match calls by position alone, whatever they ask. */
  no_strict: boolean
  /** Lanes that `replay` does not answer for. */
  live: string[]
  coverage?: string | boolean
  /** Inject faults into calls; a string says which, how often, with which seed. */
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

/** The defaults. */
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

/** Used if neither the case nor `--timeout` sets one. */
export const DEFAULT_TIMEOUT = '5m'
export const DEFAULT_SCRIPT_TIMEOUT = '30s'

/** `agents` in the configuration: a target, or a target with the settings its kind needs. */
export interface AgentEntry extends InferOutput<typeof agentEntry> {}

export interface Price extends InferOutput<typeof price> {}

export interface VivaConfig extends Omit<InferOutput<typeof configSchema>, 'defaults'> {
  defaults?: Partial<RunOptions>
}
