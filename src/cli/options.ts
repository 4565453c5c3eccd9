// Flags over configuration over defaults → RunOptions.
import { UserError } from '../errors.js'
import type { RunOptions } from '../model/options.js'
import { suggest } from '../base/suggest.js'
import { TEST_FLAGS, type Flag } from './flags.js'

export const DEFAULTS: RunOptions = {
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

/** `given` holds raw flag values by key, `fromConfig` the `defaults` of the configuration; a flag beats them. */
export function mergeOptions(given: Record<string, unknown>, fromConfig: Partial<RunOptions> = {}): RunOptions {
  return { ...DEFAULTS, ...parseAll(fromConfig, 'defaults of the configuration'), ...parseAll(given) } as RunOptions
}

function parseAll(given: object, where?: string): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const flag = TEST_FLAGS.find((candidate) => candidate.key === key)
    if (flag) typed[key] = parseFlag(flag, value)
    else if (where !== undefined) throw unknownDefault(key, where)
  }
  return typed
}

function unknownDefault(key: string, where: string): UserError {
  const keys = TEST_FLAGS.map((flag) => flag.key)
  const near = suggest(key, keys)
  return new UserError({
    code: 'BAD_CONFIG',
    message: `unknown option "${key}" in the ${where}`,
    hint: near === undefined ? `known: ${keys.join(', ')}` : `did you mean ${near}?`,
  })
}

function parseFlag(flag: Flag, value: unknown): unknown {
  switch (flag.kind) {
    case 'text':
      if (typeof value === 'string') return value
      throw badFlag(flag, value, 'text')
    case 'switch':
      if (typeof value === 'boolean') return value
      throw badFlag(flag, value, 'true or false')
    case 'list':
      return Array.isArray(value) ? value : [value]
    case 'choice':
      if (flag.choices?.includes(String(value))) return value
      throw badFlag(flag, value, `one of ${flag.choices?.join(', ')}`)
    case 'optional':
      return value
    case 'runs':
      return value === 'auto' ? 'auto' : parseNumber(flag, value, true)
    case 'integer':
      return parseNumber(flag, value, true)
    case 'number':
      return parseNumber(flag, value, false)
  }
}

function parseNumber(flag: Flag, value: unknown, whole: boolean): number {
  const text = String(value)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const low = flag.min ?? -Infinity
  const high = flag.max ?? Infinity
  if (Number.isFinite(number) && number >= low && number <= high && (!whole || Number.isInteger(number))) return number
  const range = high === Infinity ? `at least ${low}` : `from ${low} to ${high}`
  const also = flag.kind === 'runs' ? ', or auto' : ''
  throw badFlag(flag, value, `${whole ? 'a whole number' : 'a number'} ${range}${also}`)
}

function badFlag(flag: Flag, value: unknown, expected: string): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    message: `${flag.long}: expected ${expected}, found "${String(value)}"`,
    hint: flag.example ? `for example: ${flag.example}` : `see viva test --help`,
  })
}
