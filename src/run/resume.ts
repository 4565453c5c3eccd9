// What an interrupted run's event file says: its options, what is done, and where its good part ends.
import type { Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { UserError } from '../errors.js'
import type { ResultEvent, StartEvent, SummaryEvent } from '../model/event.js'
import { IdTable } from '../base/id-table.js'
import { show } from '../base/text.js'
import { newHash } from '../files/file-guard.js'
import { ruleOf } from '../pipeline/fold/run-rule.js'
import { createSummaryFold, type SummaryFold } from '../pipeline/fold/summary.js'
import { chunksOf, isBlank, readLines, type Line } from '../pipeline/record/lines.js'
import { readEventLines, requireEventFile } from '../pipeline/record/read-events.js'
import { lockFile } from '../process/lock-file.js'
import { DEFAULT_OPTIONS, flagOf, optionsWhere } from '../config/options.js'
import type { RunOptions } from '../config/options.js'
import { readRecorded } from '../config/read-options.js'
import { parseVariant, writeVariant } from '../config/read-variants.js'
import { runKey, type RunKey } from '../model/run-key.js'

export interface Interrupted {
  path: string
  start: StartEvent
  isDone(key: RunKey): boolean
  /** How many are done. */
  results: number
  /** With several variants: what the simulated user of a run said first, if some variants have yet to hear it. */
  firstInputs: ReadonlyMap<RunKey, unknown>
  /** Bytes to keep: everything but a torn last line and an old summary. */
  length: number
  /** The hash of the whole file as it was read. */
  digest: string
  /** Milliseconds the earlier part took. */
  elapsed_ms: number
}

export async function readInterrupted(path: string): Promise<Interrupted> {
  let start: StartEvent | undefined
  let length = 0
  let elapsed = 0
  let results = 0
  const done = new IdTable()
  const first = new FirstInputs()
  let fold: SummaryFold | undefined
  let summary: SummaryEvent | undefined
  const hash = newHash()
  await requireEventFile(path)
  await requireBegun(path)
  for await (const { event, end } of readEventLines({ path, chunks: () => hashed(path, hash) })) {
    if (event?.type === 'start') start = event
    if (event?.type === 'result') first.add(event, start)
    if (event?.type === 'result' && done.add(runKey(event), 1) === 0) results += 1
    if (event?.type === 'result') summary = undefined
    if (event?.type === 'summary') summary = event
    if (event?.type === 'summary') elapsed = event.duration_ms
    else length = end
    fold ??= start && createSummaryFold({ run_id: start.run_id, ...ruleOf(start) })
    if (event) fold?.add(event)
  }
  requireUnchanged(path, fold, summary)
  if (!start) throw new Error(`${path}: no start record`)
  if (start.diff) throw ofDiff(path)
  const digest = hash.digest('hex')
  const isDone = (key: RunKey): boolean => done.has(key)
  return { path, start, firstInputs: first.inputs, length, digest, elapsed_ms: elapsed, isDone, results }
}

/** A run that was killed before its first line was whole has run nothing, and its lock is still there. */
async function requireBegun(path: string): Promise<void> {
  const first = await firstLine(path)
  if (first?.complete || !BEGINNING.startsWith(first?.text.slice(0, BEGINNING.length) ?? '')) return
  // Throws if a run has only just begun to write there.
  lockFile(path, { flag: '-o' })()
  throw new UserError({
    code: 'NOTHING_RUN',
    message: `${path} has nothing to resume: its run was cut off before the first case, so nothing was run`,
    hint: `start the run again: viva test -i … -o ${path} --force`,
  })
}

const BEGINNING = '{"type":"start"'

async function firstLine(path: string): Promise<Line | undefined> {
  for await (const lines of readLines(chunksOf(path))) for (const line of lines) if (!isBlank(line.text)) return line
  return undefined
}

/** What is done is not run again, so a verdict that was changed would stand. */
function requireUnchanged(path: string, fold: SummaryFold | undefined, summary: SummaryEvent | undefined): void {
  const disagreement = fold?.disagreement(summary, fold.counts(undefined))
  if (disagreement === undefined) return
  throw new UserError({
    code: 'CORRUPT_EVENT_FILE',
    message: `${path}: ${disagreement}`,
    hint: 'the file was changed after viva test wrote it: undo that, or start a new run',
  })
}

/** Kept only while a variant is missing. */
class FirstInputs {
  readonly inputs = new Map<RunKey, unknown>()
  readonly #missing = new Map<RunKey, number>()

  add({ id, run, turns }: ResultEvent, start: StartEvent | undefined): void {
    const [turn] = turns ?? []
    if (!start?.variants || turn?.input_source !== 'simulator') return
    const key = runKey({ id, run })
    const missing = (this.#missing.get(key) ?? start.variants.length) - 1
    this.#missing.set(key, missing)
    this.inputs.set(key, turn.input)
    if (missing > 0) return
    this.inputs.delete(key)
    this.#missing.delete(key)
  }
}

async function* hashed(path: string, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk)
    yield chunk
  }
}

/** Where the first part was started, if that is still there. */
export function recordedCwd(interrupted: Interrupted | undefined): string | undefined {
  const cwd = interrupted?.start.options['cwd']
  return typeof cwd === 'string' && existsSync(cwd) ? cwd : undefined
}

/** The options of the first part of the run, with this call's display and speed. */
export async function resumedOptions(
  given: Partial<RunOptions>,
  interrupted: Interrupted,
): Promise<Partial<RunOptions>> {
  const recorded = await readRecorded(interrupted.start.options, interrupted.path)
  if (given.name === undefined && hasPlaceholder(recorded.name)) throw hiddenOption('-n', interrupted)
  if (given.input === undefined && hasPlaceholder(recorded.input)) throw hiddenOption('-i', interrupted)
  if (given.variant === undefined && recorded.variant?.some(hidesTarget)) throw hiddenOption('--variant', interrupted)
  requireSameOptions(given, recorded, interrupted)
  // Given again, it states the values of its variables, which are not recorded.
  const variant = given.variant ?? recorded.variant ?? []
  const { verbose = false, json = false, force = false } = given
  const changed = Object.entries(given).filter(([key]) => MAY_CHANGE.has(key))
  return {
    ...given,
    ...recorded,
    ...Object.fromEntries(changed),
    variant,
    verbose,
    json,
    force,
    resume: interrupted.path,
  }
}

const MAY_CHANGE = optionsWhere(({ rules }) => rules.resume === 'may change' || rules.resume === 'given again')
const MAY_BE_ADDED = optionsWhere(({ rules }) => rules.resume === 'may be added')

/** Silence would be worse: anyone who adds `--strict` relies on it. */
function requireSameOptions(given: object, recorded: object, { path }: Interrupted): void {
  const before = new Map<string, unknown>(Object.entries(recorded))
  const defaults = new Map<string, unknown>(Object.entries(DEFAULT_OPTIONS))
  for (const [key, asGiven] of Object.entries(given)) {
    const value: unknown = key === 'variant' ? canonical(asGiven as string[], before.get(key)) : asGiven
    if (MAY_CHANGE.has(key) || (MAY_BE_ADDED.has(key) && !before.has(key))) continue
    const began = before.get(key) ?? defaults.get(key)
    if (isDeepStrictEqual(value, began)) continue
    throw new UserError({
      code: 'OPTION_CHANGED',
      subject: { flag: flagOf(key) },
      message: `the run in ${path} began ${began === undefined ? 'without it' : `with ${show(began)}`} and cannot continue with ${show(value)}`,
      hint: `leave ${flagOf(key)} out, or start a new run with it`,
    })
  }
}

/** Variants as they are recorded; a name alone refers to the one selected from the configuration. */
function canonical(given: readonly string[], recorded: unknown): string[] {
  const known = Array.isArray(recorded) ? recorded.map(String) : []
  return given.map((text) =>
    text.includes('=')
      ? writeVariant(parseVariant(text))
      : (known.find((other) => other.startsWith(`${text}=`)) ?? text),
  )
}

/** The values of its variables are looked up in the configuration; a target is not. */
function hidesTarget(variant: string): boolean {
  return hasPlaceholder(variant.replaceAll(/,env\.\w+=\[SECRET\]/g, ''))
}

/** What the redactor left of a secret. */
export function hasPlaceholder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPlaceholder)
  return typeof value === 'string' && /\[(?:SECRET|API_KEY|JWT|PRIVATE_KEY)\]/.test(value)
}

function ofDiff(path: string): UserError {
  return new UserError({
    code: 'CANNOT_RESUME',
    message: `${path} is from a diff, whose revisions are no longer checked out`,
    hint: 'run viva diff again; the file can still be reported: viva report',
  })
}

function hiddenOption(flag: string, { path }: Interrupted): UserError {
  return new UserError({
    code: 'HIDDEN_OPTION',
    message: `the value of ${flag} contained a secret, which ${path} does not keep`,
    hint: `give it again: viva test --resume ${path} ${flag} …`,
  })
}
