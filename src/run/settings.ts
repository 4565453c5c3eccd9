// The settings of a run, complete and checked: the options with the configuration merged in, the input, the folders.
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../errors.js'
import type { GivenOptions, RunOptions } from '../config/options.js'
import type { VivaConfig } from '../model/config.js'
import type { VariantSpec } from '../model/variant.js'
import type { StartEvent } from '../model/event.js'
import type { DecisionRule } from '../pipeline/fold/decide/decide-change.js'
import type { FailOn } from '../pipeline/fold/exit-code.js'
import { runsToDecide } from '../pipeline/fold/auto-runs.js'
import { parseShard, parseTags, type Selection, type Shard } from '../pipeline/plan/filter.js'
import { parseOrder, type PastCases } from '../pipeline/plan/order.js'
import { detectInputs, type DetectedInput } from '../pipeline/sources/detect.js'
import { contractInput } from './contract-input.js'
import { findAppRoot } from '../files/app-root.js'
import { commonFolder } from '../files/common-folder.js'
import { loadConfig } from '../config/load-config.js'
import type { Inline } from './inline.js'
import type { RunIo } from './io.js'
import { describeVariants } from '../config/read-descriptions.js'
import { mergeOptions, readDefaults, readGiven } from '../config/read-options.js'
import { readVariants, takeSeveral } from '../config/read-variants.js'
import { skillDir } from '../config/skill-variants.js'
import { readInterrupted, recordedCwd, resumedOptions, type Interrupted } from './resume.js'

export interface Settings {
  options: RunOptions
  selection: Selection
  input: DetectedInput
  cwd: string
  /** The folder from which the application root and the agent are searched. */
  dir: string
  appRoot: string
  config: VivaConfig
  /** At least one; the first is the baseline. */
  variants: VariantSpec[]
  interrupted?: Interrupted
  /** Cases at a time, if that was said: a fleet otherwise takes what its workers have. */
  atMost?: number
  inline: Inline
  /** Variants whose agent is in another folder than the tests, by name. */
  places?: ReadonlyMap<string, AgentHome>
  /** Where events, reports and the history go, if that is not where the tests are. */
  home?: Home
  /** Decides whether the second of two variants is worse than the first, and what counts. */
  decide?: { rule: DecisionRule; fail_on: readonly FailOn[]; changed_cases?: string }
  /** Percent by which times and costs of variants must differ, points by which their behaviour must. */
  practical?: number
  /** Values that must not be written, besides those that are secret anyway. */
  secrets?: readonly string[]
  /** The revisions behind the variants. */
  diff?: NonNullable<StartEvent['diff']>
  /** What earlier runs say, if the caller knows it. */
  past?: PastCases
}

export interface Home extends Pick<Settings, 'cwd' | 'appRoot'> {
  /** For the event file without a given name. */
  dir: string
}

/** Where a run leaves its files. */
export function homeOf({ home, cwd, dir, appRoot }: Settings): Home {
  return home ?? { cwd, dir, appRoot }
}

/** Where an agent and everything that belongs to it are searched. */
export interface AgentHome {
  cwd: string
  dir: string
  appRoot: string
  config: VivaConfig
  /** A mistake made there, in words that say where. */
  explain(error: UserError): UserError
}

export async function readSettings(
  given: GivenOptions,
  startedIn: string,
  inline: Inline = {},
  { live }: Pick<Partial<RunIo>, 'live'> = {},
): Promise<Settings> {
  const flags = await readGiven(takeSeveral(given))
  const interrupted =
    flags.resume === undefined ? undefined : await readInterrupted(await resumedFile(flags.resume, startedIn))
  const cwd = recordedCwd(interrupted) ?? startedIn
  const told = await withSkillInputs(interrupted ? await resumedOptions(flags, interrupted) : flags, cwd, inline)
  const before = told.input === undefined ? cwd : startDir(detectInputs(told.input, { cwd }), cwd)
  const appRoot = told.app === undefined ? findAppRoot(before, cwd) : requireDir(resolve(cwd, told.app))
  const loaded = await loadConfig(appRoot, { live })
  // A resumed run has the options it began with.
  const defaults = interrupted ? {} : await readDefaults(loaded)
  const merged = mergeOptions(told, defaults)
  // An interrupted run has recorded 1 whether it was said or not.
  const atMost = flags.parallel ?? defaults.parallel ?? (merged.parallel > 1 ? merged.parallel : undefined)
  const { variants: written, texts } = readVariants({
    options: merged,
    configured: inline.agent ? [] : (loaded.config.variants ?? []),
    pickAll: !interrupted && flags.name === undefined && flags.connector === undefined,
  })
  const variants = describeVariants(written, cwd)
  const isSkill = variants.some(({ skill }) => skill !== undefined)
  const gate = isSkill && flags.gate === undefined && defaults.gate === undefined ? ('others' as const) : merged.gate
  // The variants say it from now on.
  const { descriptions: _descriptions, ...others } = merged
  const options = {
    ...others,
    gate,
    variant: texts,
    ...(merged.order !== undefined && { order: seeded(merged.order) }),
  }
  requireOneVariant(options, variants)
  requireNoContradiction(flags, options)
  requireDecidable(options)
  const input = inline.cases
    ? INLINE_CASES
    : (contractInput(options, variants, loaded.config, cwd) ?? detectInputs(requireInput(options), { cwd }))
  requireContract(options, input.kind)
  requireServerItself(options, input.kind)
  requireMessageFlags(flags, options, input)
  return {
    options,
    selection: await selectionOf(options, cwd, interrupted),
    input,
    cwd,
    dir: startDir(input, cwd),
    appRoot,
    config: loaded.config,
    variants,
    inline,
    ...(interrupted && { interrupted }),
    ...(atMost !== undefined && { atMost }),
  }
}

/** A skill brings what it is tested with. */
async function withSkillInputs(told: Partial<RunOptions>, cwd: string, inline: Inline): Promise<Partial<RunOptions>> {
  const dir = skillDir(told.name)
  if (dir === undefined || told.input !== undefined || inline.cases) return told
  const { skillInputs } = await import('../config/skill-inputs.js')
  return { ...told, input: skillInputs(dir, cwd) }
}

async function resumedFile(given: string, cwd: string): Promise<string> {
  const { findEventFile } = await import('../pipeline/record/find-events.js')
  return resolve(cwd, await findEventFile(given, cwd))
}

/** The drawn seed is recorded, so that the run can be resumed and repeated. */
function seeded(given: string): string {
  const order = parseOrder(given)
  return order.by === 'random' && order.seed === undefined ? `random:${randomInt(1, 1_000_000)}` : given
}

const INLINE_CASES: DetectedInput = { kind: 'cases', value: 'cases', files: [], params: {} }

function startDir(input: DetectedInput, cwd: string): string {
  return input.kind === 'file' ? commonFolder(input.files.map((file) => resolve(cwd, file))) : cwd
}

function requireDir(path: string): string {
  if (existsSync(path)) return path
  throw new UserError({
    code: 'NO_APP',
    subject: { flag: '--app' },
    message: `no such folder: ${path}`,
    hint: 'give the folder that holds assistants/ or app.yao',
  })
}

function requireNoContradiction(flags: Partial<RunOptions>, options: RunOptions): void {
  if (options.interactive && options.skip_interactive)
    throw exclude('--interactive and --skip-interactive cannot be used together')
  requireRecordingFlags(options)
  requireWholeAnswers(options)
  const { threshold, min_pass_rate } = flags
  const both = threshold !== undefined && min_pass_rate !== undefined && threshold !== min_pass_rate
  if (options.runs === 'auto' && both)
    throw exclude(`--threshold ${threshold} and --min-pass-rate ${min_pass_rate} both name the rate that decides`)
}

/** A case has one accepted answer and one written conversation: with several variants there is no telling which is meant. */
export function requireOneVariant(options: RunOptions, variants: readonly VariantSpec[]): void {
  if (variants.length < 2) return
  const alone =
    (options.update_snapshots && '--update-snapshots accepts one answer for each snapshot') ||
    (options.save_turns !== undefined && '--save-turns writes one conversation for each case')
  if (alone === false) return
  throw new UserError({
    code: 'ONE_VARIANT',
    message: `${alone}, but there are ${variants.length} variants: ${variants.map(({ name }) => name).join(', ')}`,
    hint: 'run it for one of them: --variant NAME, or one -n and one -c',
  })
}

function requireRecordingFlags(options: RunOptions): void {
  const { record, replay, cache, record_new, allow_passthrough, record_http, realtime, no_strict, live, dry_run } =
    options
  if (record !== undefined && replay !== undefined)
    throw new UserError({
      code: 'BAD_FLAG',
      message: '--record and --replay cannot be used together',
      hint: 'to add to a recording: --replay FILE --record-new',
    })
  if (cache !== undefined && cache !== false && (record !== undefined || replay !== undefined))
    throw exclude(`--cache and ${record === undefined ? '--replay' : '--record'} cannot be used together`)
  if (record_new && allow_passthrough) throw exclude('--record-new and --allow-passthrough cannot be used together')
  const alone =
    (record_new && '--record-new') ||
    (allow_passthrough && '--allow-passthrough') ||
    (no_strict && '--no-strict') ||
    (realtime && '--realtime') ||
    (live.length > 0 && '--live')
  if (alone !== false && replay === undefined)
    throw new UserError({
      code: 'BAD_FLAG',
      message: `${alone} needs --replay`,
      hint: `give --replay FILE, or leave ${alone} out`,
    })
  if (record_http && record === undefined && replay === undefined)
    throw new UserError({
      code: 'BAD_FLAG',
      message: '--record-http needs --record',
      hint: 'name the file: --record FILE --record-http',
    })
  if (dry_run && (record !== undefined || record_new))
    throw new UserError({
      code: 'BAD_FLAG',
      message: 'a dry run records nothing',
      hint: 'leave --dry-run or the recording out',
    })
}

/** What is kept must not come from a run whose calls failed on purpose. */
function requireWholeAnswers({ chaos, record, record_new, update_snapshots, save_turns }: RunOptions): void {
  if (chaos === undefined || chaos === false) return
  const kept =
    (record !== undefined && '--record') ||
    (record_new && '--record-new') ||
    (update_snapshots && '--update-snapshots') ||
    (save_turns !== undefined && '--save-turns')
  if (kept !== false) throw exclude(`--chaos and ${kept} cannot be used together`)
}

function exclude(message: string): UserError {
  return new UserError({ code: 'BAD_FLAG', message, hint: 'give one of them' })
}

/** A case that always passes must be able to pass: otherwise every run would be red, at the highest price. */
function requireDecidable({ runs, threshold, confidence, max_runs }: RunOptions): void {
  if (runs !== 'auto') return
  const needed = runsToDecide(threshold / 100, confidence / 100)
  if (needed !== undefined && needed <= max_runs) return
  throw new UserError({
    code: 'UNDECIDABLE',
    subject: { flag: '--max-runs' },
    message:
      needed === undefined
        ? `no number of runs shows a pass rate above ${threshold}%`
        : `${max_runs} runs cannot show a pass rate above ${threshold}%: a case that passes every time needs ${needed}`,
    hint:
      needed === undefined
        ? `lower --threshold, or run a fixed number: --runs ${max_runs} --min-pass-rate ${threshold}`
        : `give --max-runs ${needed} or more, or lower --threshold`,
  })
}

/** They say what is checked in the answer to a message; cases say it themselves. */
function requireMessageFlags(flags: Partial<RunOptions>, options: RunOptions, { kind }: DetectedInput): void {
  const { expected, criterion } = options
  const alone = (expected !== undefined && '--expected') || (criterion.length > 0 && '--criterion')
  if (alone !== false && kind !== 'message')
    throw new UserError({
      code: 'FLAG_IGNORED',
      subject: { flag: alone },
      message: 'is for the answer to a message, -i TEXT: what is run here has its own assertions',
      hint: 'write it into the case, as "expected" or as an assertion of the type "agent"',
    })
  if (flags.judge !== undefined && kind === 'message' && criterion.length === 0)
    throw new UserError({
      code: 'FLAG_IGNORED',
      subject: { flag: '--judge' },
      message: 'there is nothing to judge',
      hint: 'say what the answer must fulfil: --criterion "is polite"',
    })
}

function requireInput({ input }: RunOptions): string | string[] {
  if (input !== undefined) return input
  throw new UserError({
    code: 'NO_INPUT',
    message: 'nothing to run: -i is missing',
    hint: 'give a case file (-i tests/inputs.jsonl), a message (-i "hello"), or script tests (-i scripts.expense.setup)',
  })
}

async function selectionOf(options: RunOptions, cwd: string, interrupted?: Interrupted): Promise<Selection> {
  const { tag, run, last_failed } = options
  const shard = await shardOf(options, cwd, interrupted)
  const selection: Selection = {
    ...parseTags(tag),
    ...(shard && { shard }),
    ...(last_failed && { only: {} }),
  }
  if (run === undefined) return selection
  const { compilePattern } = await import('../base/regex.js')
  const pattern = compilePattern(run)
  return { ...selection, match: (text) => pattern.test(text) }
}

async function shardOf(
  { shard, shard_plan, run_group }: RunOptions,
  cwd: string,
  interrupted: Interrupted | undefined,
): Promise<Shard | undefined> {
  const alone = (shard_plan !== undefined && '--shard-plan') || (run_group !== undefined && '--run-group')
  if (shard === undefined && alone !== false)
    throw new UserError({ code: 'BAD_FLAG', message: `${alone} needs --shard`, hint: 'for example: --shard 1/4' })
  if (run_group?.trim() === '') throw namelessGroup()
  if (shard === undefined || shard_plan === undefined) return shard === undefined ? undefined : parseShard(shard)
  const { readShardPlan } = await import('../config/read-shard-plan.js')
  const planned = readShardPlan(shard_plan, parseShard(shard), cwd)
  const before = interrupted?.start.shard_plan_hash
  if (before === undefined || before === planned.plan_hash) return planned
  throw new UserError({
    code: 'INPUT_CHANGED',
    subject: { flag: '--shard-plan' },
    message: `${shard_plan} has changed since the run in ${interrupted?.path ?? ''} began`,
    hint: 'start a new run: other cases belong to this shard now',
  })
}

/** An unset variable: the shards of all runs would belong to one. */
function namelessGroup(): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--run-group' },
    message: 'the name is empty',
    hint: 'give what all shards of this run have in common, and those of no other run',
  })
}

/** What would change nothing is a mistake. */
function requireContract({ allow_destructive }: RunOptions, kind: Settings['input']['kind']): void {
  if (!allow_destructive || kind === 'contract') return
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--allow-destructive' },
    message: 'has an effect only where the contract of an MCP server is tested',
    hint: 'leave it out, or leave out -i: viva test -n "mcp:COMMAND" --allow-destructive',
  })
}

/** What it lists and what its calls leave behind are in no recording. */
function requireServerItself({ record, replay }: RunOptions, kind: Settings['input']['kind']): void {
  if (kind !== 'contract' || (record ?? replay) === undefined) return
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: record === undefined ? '--replay' : '--record' },
    message: 'cannot be used where the contract of an MCP server is tested: only the server itself shows it',
    hint: 'leave it out; cases that call tools can be recorded: viva test -n "mcp:COMMAND" -i cases.jsonl --record FILE',
  })
}
