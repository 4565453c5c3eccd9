// What values each option of a run takes, wherever they come from: a flag, the configuration, a program.
import type { RunOptions } from './options.js'
import { GATES } from './variant.js'

export interface OptionRule {
  kind: 'text' | 'switch' | 'integer' | 'number' | 'list' | 'choice' | 'runs' | 'percent' | 'optional' | 'texts'
  choices?: string[]
  /** What each item of a list must be, if not any string. */
  items?: 'variable'
  min?: number
  max?: number
}

export const OPTION_RULES: Record<keyof RunOptions, OptionRule> = {
  input: { kind: 'texts' },
  output: { kind: 'list' },
  name: { kind: 'text' },
  connector: { kind: 'text' },
  variant: { kind: 'list' },
  gate: { kind: 'choice', choices: [...GATES] },
  user: { kind: 'text' },
  team: { kind: 'text' },
  ctx: { kind: 'text' },
  locale: { kind: 'text' },
  reporter: { kind: 'text' },
  runs: { kind: 'runs', min: 1, max: 100_000 },
  run: { kind: 'text' },
  tag: { kind: 'list' },
  order: { kind: 'text' },
  last_failed: { kind: 'switch' },
  timeout: { kind: 'text' },
  parallel: { kind: 'integer', min: 1, max: 10_000 },
  agent_processes: { kind: 'integer', min: 1, max: 64 },
  fail_fast: { kind: 'switch' },
  stop_after: { kind: 'integer', min: 1, max: 1_000_000_000 },
  verbose: { kind: 'switch' },
  dry_run: { kind: 'switch' },
  simulator: { kind: 'text' },
  interactive: { kind: 'switch' },
  skip_interactive: { kind: 'switch' },
  on_missing_input: { kind: 'choice', choices: ['skip', 'fail', 'end'] },
  before: { kind: 'text' },
  after: { kind: 'text' },
  json: { kind: 'switch' },
  retries: { kind: 'integer', min: 0, max: 100 },
  resume: { kind: 'text' },
  shard: { kind: 'text' },
  shard_plan: { kind: 'text' },
  run_group: { kind: 'text' },
  max_cost: { kind: 'number', min: 0 },
  // Every case reaches 0.
  min_pass_rate: { kind: 'percent', min: 0.01, max: 100 },
  keep_going: { kind: 'switch' },
  fail_on_flaky: { kind: 'switch' },
  pass_with_no_tests: { kind: 'switch' },
  app: { kind: 'text' },
  strict: { kind: 'switch' },
  allow_outside: { kind: 'switch' },
  save_turns: { kind: 'text' },
  update_snapshots: { kind: 'switch' },
  keep_workspaces: { kind: 'switch' },
  workspace_quota: { kind: 'integer', min: 1, max: 1_000_000 },
  record: { kind: 'text' },
  replay: { kind: 'text' },
  cache: { kind: 'optional' },
  record_new: { kind: 'switch' },
  allow_passthrough: { kind: 'switch' },
  record_http: { kind: 'switch' },
  realtime: { kind: 'switch' },
  no_strict: { kind: 'switch' },
  live: { kind: 'list' },
  otel: { kind: 'optional' },
  coverage: { kind: 'optional' },
  chaos: { kind: 'optional' },
  confidence: { kind: 'percent', min: 50, max: 99.99 },
  threshold: { kind: 'percent', min: 0.01, max: 100 },
  max_runs: { kind: 'integer', min: 1, max: 10_000 },
  history: { kind: 'switch' },
  pass_env: { kind: 'list', items: 'variable' },
  force: { kind: 'switch' },
  queue: { kind: 'text' },
  bundle: { kind: 'switch' },
}

/** As it is spelled on the command line. */
export function flagOf(key: string): string {
  return `--${key.replaceAll('_', '-')}`
}

/** The same rules in JSON Schema; `descriptions` by option. */
export function optionsJsonSchema(descriptions: Record<string, string>): object {
  const properties = Object.fromEntries(
    Object.entries(OPTION_RULES).map(([key, rule]) => [key, { ...typeOf(rule), description: descriptions[key] ?? '' }]),
  )
  return { type: 'object', properties, additionalProperties: false }
}

/** The name of an environment variable. */
export const VARIABLE = /^[A-Za-z_]\w*$/

function typeOf({ kind, choices, items, min, max }: OptionRule): Record<string, unknown> {
  const range = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
  switch (kind) {
    case 'text':
      return { type: 'string' }
    case 'switch':
      return { type: 'boolean' }
    case 'list':
      return items === 'variable'
        ? { type: ['array', 'string'], pattern: VARIABLE.source, items: { type: 'string', pattern: VARIABLE.source } }
        : { type: ['array', 'string'], items: { type: 'string' } }
    case 'choice':
      return { enum: choices }
    case 'integer':
    case 'number':
      return { type: kind, ...range }
    case 'percent':
      // 0.8 is 80%.
      return { type: 'number', minimum: 0, maximum: max }
    case 'runs':
      return { anyOf: [{ type: 'integer', ...range }, { const: 'auto' }] }
    case 'optional':
      return { type: ['string', 'boolean'] }
    case 'texts':
      return { type: ['string', 'array'], items: { type: 'string' } }
  }
}
