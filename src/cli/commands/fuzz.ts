// `viva fuzz`: changes of the input that should not matter, and those that do.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { prettyJson } from '../../base/json/pretty-json.js'
import { plural } from '../../base/format.js'
import type { RunOptions } from '../../config/options.js'
import { UserError } from '../../errors.js'
import { pathSeenFrom } from '../../files/inside.js'
import { hasVivaFolder } from '../../files/runs-folder.js'
import { requireNotRead } from '../../files/same-file.js'
import { runSettings } from '../../library/run-tests.js'
import { writtenCase } from '../../model/case-written.js'
import type { TestCase } from '../../model/case.js'
import type { ResultEvent } from '../../model/event.js'
import { SIGNAL_CODES } from '../../pipeline/fold/exit-code.js'
import type { EventSink } from '../../pipeline/record/event-log.js'
import { fileTime } from '../../pipeline/record/file-time.js'
import { requireNew, requireWritable } from '../../pipeline/record/open-output.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { completeIo, type RunIo } from '../../run/io.js'
import { prepare, type Prepared } from '../../run/prepare.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { stoppedBy } from '../../run/stopper.js'
import { movedCase } from '../../suite/fuzz/found-case.js'
import { fuzz as fuzzSuite, mostRuns, type Fuzzed } from '../../suite/fuzz/fuzz.js'
import type { Operator } from '../../suite/fuzz/operator.js'
import type { AskParaphrases } from '../../suite/fuzz/paraphrase.js'
import { OPERATORS } from '../../suite/fuzz/registry.js'
import type { FuzzReport } from '../../suite/fuzz/report.js'
import type { RunRound } from '../../suite/fuzz/rounds.js'
import { fuzzText } from '../../suite/fuzz/text.js'
import { dateNow } from '../../time/iso-now.js'
import type { CommandCall } from '../command.js'
import { plainIo } from '../plain-io.js'
import { note, warn } from '../say.js'
import { listenForSignals, type Signals } from '../signals.js'
import { stdout } from '../terminal.js'

interface FuzzFlags {
  seed?: unknown
  tries?: unknown
  most?: unknown
  operators?: string[]
  paraphrase?: string
  output?: string
  json?: boolean
  force?: boolean
}

const DEFAULT_TRIES = 100
const DEFAULT_MOST = 10

export async function fuzz({ flags }: CommandCall): Promise<number> {
  const { seed, tries, most, operators, paraphrase, output, json, force, ...given } = flags as FuzzFlags
  const chosen: Chosen = {
    seed: Number(seed ?? randomInt(1, 1_000_000)),
    tries: Number(tries ?? DEFAULT_TRIES),
    most: Number(most ?? DEFAULT_MOST),
    operators: operatorsOf(operators),
    paraphraser: paraphrase,
  }
  const signals = listenForSignals()
  try {
    const settings = await readSettings({ ...given, history: false }, process.cwd())
    requireOneFolder(settings)
    requireOneAgent(settings)
    if (output !== undefined) requireOutput(output, settings, force === true)
    const found = await fuzzCases(settings, signals, chosen)
    if (output !== undefined) await writeFound(output, found, settings.dir)
    if (json === true) stdout.json(prettyJson(found.report))
    else stdout.write(fuzzText(found.report))
    return exitCode(found.report)
  } catch (error) {
    const stopped = stoppedBy(signals.stop)
    if (stopped === undefined) throw error
    return SIGNAL_CODES[stopped]
  } finally {
    signals.release()
  }
}

interface Chosen {
  seed: number
  tries: number
  most: number
  operators: readonly Operator[]
  /** The agent that is asked for other wordings. */
  paraphraser: string | undefined
}

async function fuzzCases(settings: Settings, signals: Signals, chosen: Chosen): Promise<Fuzzed> {
  const io = quietIo(signals)
  const prepared = await prepare(settings, completeIo(io, settings.options), signals.stop)
  const scratch = mkdtempSync(join(tmpdir(), 'viva-fuzz-'))
  try {
    const { work } = prepared
    if (work.mode !== 'agent') throw notCases()
    const { seed, tries, most, paraphraser } = chosen
    const cases = Math.min(work.total, tries)
    note(
      `Seed ${seed}. Budget: ${plural(cases, 'case')} unchanged, ${plural(tries, 'try', 'tries')}, then up to ${plural(most, 'failure')} confirmed and reduced: at most ${plural(mostRuns(cases, tries, most), 'agent run')}`,
    )
    const { report, found } = await fuzzSuite(
      {
        ...chosen,
        input: work.label,
        agent_id: work.agent.id,
        cases: casesOf(prepared),
        paraphrase: paraphraser === undefined ? undefined : paraphrasesBy(paraphraser, settings, io, signals, scratch),
        files: { dir: work.source.dir, appRoot: settings.appRoot, allowOutside: settings.options.allow_outside },
      },
      roundsOf(settings, work.source.dir, io, signals, scratch),
    )
    const { redactor } = prepared
    const shown = found.map((each) => redactor.value(each))
    if (shown.some((each, index) => each !== found[index]))
      warn('a secret in a case that was found is written as a placeholder: fill it in before running it')
    return { report: redactor.value(report), found: shown }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await prepared.close()
  }
}

/** What was warned of once is not said again in each round. */
function quietIo(signals: Signals): Partial<RunIo> {
  const { note: _note, ...io } = plainIo(signals)
  const warned = new Set<string>()
  return {
    ...io,
    warn: (text) => {
      if (!warned.has(text)) warn(text)
      warned.add(text)
    },
  }
}

async function* casesOf({ work }: Prepared): AsyncGenerator<TestCase> {
  for await (const batch of work.planned())
    for (const { unit } of batch) if (unit.kind === 'case' && !unit.testCase.skip) yield withoutPlace(unit.testCase)
}

function withoutPlace({ file: _file, line: _line, ...testCase }: TestCase): TestCase {
  return testCase
}

/** The helper is an agent like any other, and is asked in a run of its own. */
function paraphrasesBy(
  name: string,
  { options, appRoot }: Settings,
  io: Partial<RunIo>,
  signals: Signals,
  scratch: string,
): AskParaphrases {
  return async (questions) => {
    const cases = questions.map((input, index) => ({ id: String(index), input }))
    const answers = questions.map(() => '')
    const given = {
      name,
      app: appRoot,
      parallel: options.parallel,
      history: false,
      output: [join(scratch, 'asked.jsonl')],
    }
    const helper = await readSettings(given, process.cwd(), { cases })
    const keep = ({ id, output }: ResultEvent): void => {
      if (typeof output === 'string') answers[Number(id)] = output
    }
    await runSettings(helper, { ...io, began: signals.began, sinks: [resultSink(keep)] }, signals.stop)
    if (signals.stop.aborted) throw new Error('stopped')
    if (answers.every((answer) => answer === '')) warn(`--paraphrase ${name}: it gave no answer`)
    return answers
  }
}

function resultSink(onResult: (result: ResultEvent) => void): EventSink {
  return { name: 'fuzz', write: (event) => void (event.type === 'result' && onResult(event)) }
}

/** Each round is a run like any other; what the search asks on its way is not kept. */
function roundsOf(settings: Settings, dir: string, io: Partial<RunIo>, signals: Signals, scratch: string): RunRound {
  const stamp = fileTime(dateNow())
  let asked = 0
  let kept = 0
  return async ({ cases, runs, kind, onResult }) => {
    const output =
      kind === 'search'
        ? [join(scratch, `search-${++asked}.jsonl`)]
        : hasVivaFolder(settings.appRoot)
          ? []
          : [join(dir, `output-${stamp}-fuzz-${++kept}.jsonl`)]
    const round: Settings = {
      ...settings,
      options: { ...wholeRound(settings.options), runs, output },
      selection: { tags: [] },
      input: { kind: 'cases', value: 'cases', files: [], params: {} },
      inline: { ...settings.inline, cases: cases.map(writtenCase), dir },
    }
    const sinks = [resultSink(onResult)]
    const outcome = await runSettings(round, { ...io, began: signals.began, sinks }, signals.stop)
    if (kind !== 'search' && outcome.events_file !== undefined)
      note(`Events (${WORDS[kind]}): ${pathSeenFrom(settings.cwd, outcome.events_file)}`)
    if (signals.stop.aborted) throw new Error('stopped')
  }
}

/** Whatever the configuration says about runs of the suite: a round has results of all its cases. */
function wholeRound(options: RunOptions): RunOptions {
  const { stop_after: _stop, max_cost: _cost, save_turns: _turns, reporter: _reporter, ...rest } = options
  return { ...rest, fail_fast: false, last_failed: false, update_snapshots: false }
}

const WORDS = { unchanged: 'cases as they are', changed: 'changed inputs', repeated: 'repeats' }

async function writeFound(path: string, { found }: Fuzzed, dir: string): Promise<void> {
  if (found.length === 0) return note(`Nothing to save: ${path} was not touched`)
  const folder = dirname(resolve(path))
  await writeText(path, found.map((each) => `${JSON.stringify(movedCase(each, dir, folder))}\n`).join(''))
  note(`Cases: ${path}`)
}

/** Green only if something was tried, and all of it could be judged. */
function exitCode(report: FuzzReport): number {
  if (report.weaknesses.length > 0) return 1
  const problem = notShown(report)
  if (problem === undefined) return 0
  note(problem)
  return 2
}

function notShown({ tried, unreached, unknown, not_examined }: FuzzReport): string | undefined {
  const made = Object.values(tried).reduce((sum, count) => sum + count, 0)
  if (made === 0) return 'nothing was tried'
  if (unknown.length > 0) return `${plural(unknown.length, 'try', 'tries')} could not be judged`
  if (unreached.length === made) return 'no try reached the agent'
  return not_examined > 0 ? 'not every failure was looked into: raise --most' : undefined
}

function operatorsOf(names: readonly string[] | undefined): readonly Operator[] {
  if (names === undefined) return OPERATORS
  const wanted = new Set(names.flatMap((name) => name.split(',')))
  const unknown = [...wanted].find((name) => !OPERATORS.some((operator) => operator.name === name))
  if (unknown === undefined) return OPERATORS.filter(({ name }) => wanted.has(name))
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--operators' },
    message: `there is no way to change an input called "${unknown}"`,
    hint: `there are ${OPERATORS.map(({ name }) => name).join(', ')}`,
  })
}

function requireOneFolder({ input, cwd }: Settings): void {
  if (input.kind !== 'file') throw notCases()
  const folders = new Set(input.files.map((file) => dirname(resolve(cwd, file))))
  if (folders.size < 2) return
  throw new UserError({
    code: 'NO_CASE_FILE',
    subject: { flag: '-i' },
    message: `the case files are in ${folders.size} folders`,
    hint: 'fuzz the files of one folder at a time',
  })
}

function notCases(): UserError {
  return new UserError({
    code: 'NO_CASE_FILE',
    subject: { flag: '-i' },
    message: 'cases are fuzzed from a case file',
    hint: 'give one: viva fuzz -i tests/inputs.jsonl',
  })
}

function requireOneAgent({ variants }: Settings): void {
  if (variants.length < 2) return
  throw new UserError({
    code: 'ONE_VARIANT',
    message: `one agent is fuzzed at a time, but there are ${variants.length} variants`,
    hint: 'name one of them: -n agent, or --variant NAME',
  })
}

function requireOutput(path: string, { input }: Settings, force: boolean): void {
  if (!path.endsWith('.jsonl'))
    throw new UserError({
      code: 'UNKNOWN_FORMAT',
      subject: { flag: '-o' },
      message: `the cases that are found are written as JSONL, found ${path}`,
      hint: 'for example: -o found.jsonl',
    })
  requireNotRead([path], input.files)
  requireNew(path, force, 'replace it (--force), or name another file with -o')
  requireWritable(path)
}
