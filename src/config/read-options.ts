// Given options over the configuration's `defaults` over our own → RunOptions, each value checked where it was written.
import type { ErrorCode } from '../model/error-codes.js'
import { UserError, type Subject } from '../errors.js'
import { VARIABLE } from './options-schema.js'
import type { OptionRule } from './option-row.js'
import { DEFAULT_OPTIONS, flagOf, isOption, OPTIONS, type RunOptions } from './options.js'
import { parseShard, parseTags } from '../pipeline/plan/filter.js'
import { parseOrder } from '../pipeline/plan/order.js'
import { parseDuration } from '../base/duration.js'
import { messageOf } from '../base/message-of.js'
import { suggest } from '../base/suggest.js'
import { parsePercent } from '../base/parse-percent.js'
import type { LoadedConfig } from './load-config.js'

export function mergeOptions(given: Partial<RunOptions>, defaults: Partial<RunOptions>): RunOptions {
  const options = { ...DEFAULT_OPTIONS, ...defaults, ...given }
  if (options.runs !== 'auto') return options
  // Two names for the one rate that decides; the last one given wins.
  const rate = given.threshold ?? given.min_pass_rate ?? defaults.threshold ?? defaults.min_pass_rate
  const threshold = rate ?? DEFAULT_OPTIONS.threshold
  return { ...options, threshold, min_pass_rate: threshold }
}

/** Strings are parsed as what they mean: that is how flags arrive. */
export function readGiven(given: object): Promise<Partial<RunOptions>> {
  return readOptions(given, {
    code: 'BAD_FLAG',
    subjectOf: (key) => ({ flag: flagOf(key) }),
    hint: 'see viva test --help',
    unknown: (key) => `no option called "${key}"`,
  })
}

export async function readDefaults({ config, file = 'viva.config.*' }: LoadedConfig): Promise<Partial<RunOptions>> {
  const subjectOf = (key: string): Subject => ({ field: `defaults.${key}`, file })
  const defaults = await readOptions(config.defaults ?? {}, {
    code: 'BAD_CONFIG',
    subjectOf,
    hint: 'correct it there, or give the flag, which wins over it',
    unknown: (key) => `unknown option "${key}" in the defaults of ${file}`,
  })
  const early = (['app', 'resume'] as const).find((key) => defaults[key] !== undefined)
  if (early !== undefined) throw tooLate(early, subjectOf(early))
  return defaults
}

/** From the event file of an earlier part; a file of another version may say more. */
export function readRecorded(recorded: object, file: string): Promise<Partial<RunOptions>> {
  return readOptions(Object.fromEntries(Object.entries(recorded).filter(([key]) => isOption(key))), {
    code: 'BAD_RUN_FILE',
    subjectOf: (key) => ({ field: `options.${key}`, file }),
    hint: 'the file has changed since the run; start a new run',
    read: true,
    unknown: (key) => `unknown option "${key}"`,
  })
}

/** Where options come from, and how to refer to one of them. */
interface OptionSource {
  code: ErrorCode
  subjectOf(key: string): Subject
  hint: string
  /** Written by us; we always write percentages as percentages. */
  read?: boolean
  unknown(key: string): string
}

async function readOptions(values: object, source: OptionSource): Promise<Partial<RunOptions>> {
  const read: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (!isOption(key)) throw unknownOption(key, source)
    try {
      read[key] = readValue(OPTIONS[key], value, source.read)
      await CHECKS[key]?.(read[key])
    } catch (error) {
      const message = messageOf(error)
      const hint =
        error instanceof Ambiguous ? error.hintFor(key) : source.code === 'BAD_FLAG' ? EXAMPLES[key] : undefined
      throw new UserError({ code: source.code, subject: source.subjectOf(key), message, hint: hint ?? source.hint })
    }
  }
  return read
}

/** What a string must be besides a string. */
const CHECKS: Partial<Record<keyof RunOptions, (value: unknown) => unknown>> = {
  timeout: (text) => parseDuration(String(text)),
  shard: (text) => parseShard(String(text)),
  order: (text) => parseOrder(String(text)),
  tag: (tags) => parseTags(tags as string[]),
  expected: requireText,
  criterion: (texts) => (texts as string[]).forEach(requireText),
  judge: requireText,
  run: async (text) => {
    const { compilePattern } = await import('../base/regex.js')
    compilePattern(String(text))
  },
  chaos: async (text) => {
    const { readChaos } = await import('./read-chaos.js')
    readChaos(typeof text === 'string' && text !== 'true' && text !== 'false' ? text : true)
  },
}

/** An unset variable: nothing would be compared, or everything fail. */
function requireText(text: unknown): void {
  if (String(text).trim() === '') throw new Error('the text is empty')
}

const EXAMPLES: Partial<Record<keyof RunOptions, string>> = {
  key_env: 'the key itself stays in the environment; for example: --key-env EXAMPLE_KEY',
  timeout: 'for example: --timeout 30s, 2m, 1h30m, 500ms',
  shard: 'for example: --shard 1/4',
  order: 'for example: --order failed-first, --order random:42',
  tag: "for example: --tag smoke, --tag '!slow'",
  run: 'a Go or JavaScript regular expression, for example: --run "TestSystem.*"',
  chaos: 'for example: --chaos, --chaos=error,slow, --chaos=timeout,rate=0.2,seed=7,delay=50ms',
}

/** Throws an Error that says what was expected. `isRead`: it was written by us. */
export function readValue(rule: OptionRule, value: unknown, isRead = false): unknown {
  switch (rule.kind) {
    case 'text':
      if (typeof value !== 'string') throw unexpected('text', value)
      // Not shown: it may be the key itself.
      if (rule.items === 'variable' && !VARIABLE.test(value)) throw new Error('expected the name of a variable')
      return value
    case 'switch':
      if (typeof value === 'boolean') return value
      throw unexpected('true or false', value)
    case 'list':
      return readList(rule, value)
    case 'texts': {
      const [only, ...more] = readList(rule, value)
      return more.length === 0 ? only : value
    }
    case 'choice':
      if (rule.choices?.includes(String(value))) return value
      throw unexpected(`one of ${rule.choices?.join(', ')}`, value)
    case 'optional':
      if (typeof value === 'boolean' || (typeof value === 'string' && (rule.choices?.includes(value) ?? true)))
        return value
      throw unexpected(`${rule.choices?.join(', ') ?? 'text'}, true or false`, value)
    case 'runs':
      return value === 'auto' ? 'auto' : readNumber(rule, value)
    case 'percent':
      return isRead ? readNumber({ ...rule, kind: 'number' }, value) : readPercent(rule, value)
    case 'integer':
    case 'number':
      return readNumber(rule, value)
  }
}

function readList({ items }: OptionRule, value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const odd = list.find((item) => typeof item !== 'string')
  if (odd !== undefined) throw unexpected('a list of strings', odd)
  const texts = list as string[]
  const noName = items === 'variable' ? texts.find((text) => !VARIABLE.test(text)) : undefined
  if (noName !== undefined) throw unexpected('the name of one variable (for several, give it several times)', noName)
  return texts
}

function readNumber({ kind, min = -Infinity, max = Infinity }: OptionRule, value: unknown): number {
  const text = String(value)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const whole = kind !== 'number'
  if (Number.isFinite(number) && number >= min && number <= max && (!whole || Number.isInteger(number))) return number
  const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`
  const also = kind === 'runs' ? ', or auto' : ''
  throw unexpected(`${whole ? 'a whole number' : 'a number'} ${range}${also}`, value)
}

/** A bare 1 may be meant either way. */
function readPercent(rule: OptionRule, value: unknown): number {
  const text = String(value).trim()
  if (Number(text) === 1) throw new Ambiguous()
  const percent = parsePercent(text)
  const { min = 0, max = 100 } = rule
  if (percent >= min && percent <= max) return percent
  throw unexpected(`a percentage from ${min} to ${max}, as 80 or 0.8`, value)
}

class Ambiguous extends Error {
  constructor() {
    super('1 may mean 1% or 100%')
  }

  hintFor(key: string): string {
    return `write ${flagOf(key)} 100 for every run, or ${flagOf(key)} 0.01 for one in a hundred`
  }
}

function unexpected(expected: string, found: unknown): Error {
  return new Error(`expected ${expected}, found "${String(found)}"`)
}

function unknownOption(key: string, source: OptionSource): UserError {
  const keys = Object.keys(OPTIONS)
  const near = suggest(key, keys)
  return new UserError({
    code: source.code,
    message: source.unknown(key),
    hint: near === undefined ? `known: ${keys.join(', ')}` : `did you mean ${near}?`,
  })
}

function tooLate(key: string, subject: Subject): UserError {
  return new UserError({
    code: 'BAD_CONFIG',
    subject,
    message: 'the configuration is read too late for it',
    hint: `give ${flagOf(key)} on the command line`,
  })
}
