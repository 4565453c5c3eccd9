// `viva coverage --generate`: asks the generator for cases aimed at the holes, writes them, runs them, and looks where they got.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseDuration } from '../../base/duration.js'
import { plural } from '../../base/format.js'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { runTests } from '../../library/run-tests.js'
import type { RunEvent, StartEvent } from '../../model/event.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import { HelperLedger } from '../../model/helper-cost.js'
import { generateCases } from '../../pipeline/sources/generate.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { completeIo } from '../../run/io.js'
import { prepare, type Prepared } from '../../run/prepare.js'
import { readSettings } from '../../run/settings.js'
import {
  aimedCases,
  generatedCoverage,
  generatorParams,
  holesToAimAt,
  type AimedCase,
  type AimedOutcome,
} from '../../suite/coverage/generate.js'
import { ReachFold } from '../../suite/coverage/reach.js'
import type { CoverageReport, GeneratedCoverage, Hole } from '../../suite/coverage/report.js'
import type { Surface } from '../../suite/coverage/surface.js'
import { boundBy } from '../../time/deadline.js'
import type { CommandCall } from '../command.js'
import { plainIo } from '../plain-io.js'
import { note } from '../say.js'
import type { Signals } from '../signals.js'

/** Holes in one question: more make answers that are cut off. */
const AT_ONCE = 10
const GENERATOR = 'agents:viva.cases'

export interface GenerateInit {
  report: CoverageReport
  surface: Surface
  start: StartEvent
  file: string
  flags: CommandCall['flags']
  signals: Signals
}

export async function generateForHoles(init: GenerateInit): Promise<GeneratedCoverage> {
  const { report, file, signals } = init
  const holes = holesToAimAt(report)
  const left = report.holes.length - holes.length
  if (existsSync(file)) throw alreadyThere(file)
  if (holes.length === 0) return generatedCoverage(file, [], new Map(), left)
  const given = runOptions(init)
  const cases = await writeCases(given, holes, init)
  note(`Cases: ${file}`)
  const outcomes = new Map<RunKey, AimedOutcome>()
  const fold = new ReachFold(init.surface)
  let start = init.start
  const collect = (event: RunEvent): void => {
    if (event.type === 'start') start = event
    if (event.type === 'result') outcomes.set(runKey(event), { status: event.status, reached: fold.add(start, event) })
  }
  const { events_file } = await runTests(
    { ...given, input: [file] },
    { ...plainIo(signals), note: () => {}, sinks: [{ name: 'coverage', write: collect }] },
    signals.stop,
  )
  if (events_file !== undefined) note(`Their run: ${events_file}`)
  return generatedCoverage(file, cases, outcomes, report.holes.length)
}

/** The agent as the run had it, unless flags name another. */
function runOptions({ start, flags }: GenerateInit): Record<string, unknown> {
  const cwd = process.cwd()
  const { agent_path, agent_id, options } = start
  const isPackage = agent_path !== undefined && existsSync(join(agent_path, 'package.yao'))
  const name = flags['name'] ?? options['name'] ?? (isPackage ? agent_path : agent_id)
  const app = flags['app'] ?? (isPackage && flags['name'] === undefined ? findAppRoot(agent_path, cwd) : undefined)
  return defined({ name: [name].flat(), app, connector: flags['connector'], runs: 1, history: false })
}

async function writeCases(given: Record<string, unknown>, holes: Hole[], init: GenerateInit): Promise<AimedCase[]> {
  const { signals, file, flags } = init
  const use = (flags['generator'] as string | undefined) ?? GENERATOR
  // Nothing of it is run: it opens the agent and the helpers as the run will.
  const settings = await readSettings(given, process.cwd(), { cases: [{ id: 'coverage', input: 'coverage' }] })
  const prepared = await prepare(settings, completeIo(plainIo(signals), settings.options), signals.stop)
  try {
    const cases: AimedCase[] = []
    for (let from = 0; from < holes.length; from += AT_ONCE) {
      const some = holes.slice(from, from + AT_ONCE)
      note(`Asking ${use} for ${plural(some.length, 'case')}`)
      cases.push(...aimedCases(await ask(prepared, use, some, from, signals), some, from))
    }
    if (cases.length === 0) throw noCases(use)
    const lines = cases.map(({ written }) => JSON.stringify(prepared.redactor.value(written)))
    await writeText(file, `${lines.join('\n')}\n`)
    return cases
  } finally {
    await prepared.close()
  }
}

async function ask(prepared: Prepared, use: string, holes: Hole[], from: number, signals: Signals): Promise<unknown[]> {
  const { work, helpers, timeout } = prepared
  if (work.mode !== 'agent') throw new Error('cases have an agent')
  const bound = boundBy(signals.stop, parseDuration(timeout), timeout, signals.clock)
  try {
    return await generateCases({
      use,
      params: generatorParams(holes),
      target: work.agent,
      ask: helpers.askFor({ case_id: `coverage-${from}`, run: 1, attempt: 1, ledger: new HelperLedger() }),
      signal: bound.signal,
    })
  } finally {
    bound.clear()
  }
}

function alreadyThere(file: string): UserError {
  return new UserError({
    code: 'OUTPUT_EXISTS',
    message: `${file} exists and would be lost`,
    hint: 'give --generate the name of a new file',
  })
}

function noCases(use: string): UserError {
  return new UserError({
    code: 'GENERATOR_FAILED',
    message: `${use} wrote no case for any of the holes`,
    hint: 'it must answer with {"cases": [ … ]}, one for each hole, in the same order',
  })
}
