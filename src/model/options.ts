// Everything `viva test` can be told, after flags and configuration are merged.
import type { OnMissingInput } from './case.js'

export interface RunOptions {
  input?: string
  output: string[]
  name?: string
  connector?: string
  user?: string
  team?: string
  ctx?: string
  locale?: string
  reporter?: string
  runs: number | 'auto'
  run?: string
  tag: string[]
  timeout?: string
  parallel: number
  fail_fast: boolean
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
  max_cost?: number
  min_pass_rate: number
  app?: string
  strict: boolean
  allow_outside: boolean
  save_turns?: string
  coverage?: string | boolean
  confidence: number
  threshold: number
  max_runs: number
  history: boolean
  pass_env: string[]
  force: boolean
}

/** What holds where nobody says otherwise. */
export const DEFAULT_OPTIONS: RunOptions = {
  output: [],
  runs: 1,
  tag: [],
  parallel: 1,
  fail_fast: false,
  verbose: false,
  dry_run: false,
  interactive: false,
  skip_interactive: false,
  json: false,
  retries: 0,
  min_pass_rate: 100,
  strict: false,
  allow_outside: false,
  confidence: 95,
  threshold: 80,
  max_runs: 30,
  history: false,
  pass_env: [],
  force: false,
}

/** Where neither the case nor `--timeout` says how long. */
export const DEFAULT_TIMEOUT = '5m'
export const DEFAULT_SCRIPT_TIMEOUT = '30s'

/** `agents` in the configuration: a target, or a target with what its kind needs. */
export interface AgentEntry {
  target: string
  headers?: Record<string, string>
  /** Plain JSON endpoints: where the answer, tool calls and usage are in the response (JSONPath). */
  response_path?: string
  tool_calls_path?: string
  usage_path?: string
  stream?: boolean
  model?: string
  /** exec: `stdin` (messages as JSON, the default) or `arg` (last user text as the last argument). */
  prompt_mode?: 'stdin' | 'arg'
  env?: Record<string, string>
  cwd?: string
  description?: string
}

export interface Price {
  /** Dollars per million tokens. */
  input: number
  output: number
}

export interface VivaConfig {
  defaults?: Partial<RunOptions>
  agents?: Record<string, string | AgentEntry>
  /** By connector id or model name. */
  prices?: Record<string, Price>
  redactions?: { patterns?: Record<string, string | boolean>; paths?: string[] }
  testing?: { tools?: Record<string, unknown> }
  /** Tool names that mean "the agent awaits input". */
  awaiting_tools?: string[]
  /** The connector of the built-in helpers (`viva.judge`, `viva.user`, `viva.cases`). */
  helpers?: { connector?: string }
}
