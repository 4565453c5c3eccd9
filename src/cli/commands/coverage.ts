// `viva coverage`: what the agent has, against what the runs reached.
import { resolve } from 'node:path'
import { formatPercent } from '../../base/format.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { loadConfig } from '../../config/load-config.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { requireNotRead } from '../../files/same-file.js'
import type { StartEvent } from '../../model/event.js'
import { readEvents } from '../../pipeline/record/read-events.js'
import { htmlText } from '../../suite/coverage/html.js'
import { ReachFold } from '../../suite/coverage/reach.js'
import { coverageReport, type CoverageReport } from '../../suite/coverage/report.js'
import { findSurface, type SurfaceInit } from '../../suite/coverage/sources/find-surface.js'
import type { Surface } from '../../suite/coverage/surface.js'
import { consoleText, markdownText } from '../../suite/coverage/text.js'
import type { CommandCall } from '../command.js'
import { note } from '../say.js'
import { listenForSignals, type Signals } from '../signals.js'
import {
  eventFiles,
  giveReport,
  listFlag,
  percentFlag,
  reportFiles,
  requireTogether,
  type ReportFormat,
} from '../suite-report.js'

const TEXTS: Record<ReportFormat, (report: CoverageReport) => string> = {
  console: consoleText,
  json: (report) => `${prettyJson(report)}\n`,
  markdown: markdownText,
  html: htmlText,
}

export async function coverage({ args, flags }: CommandCall): Promise<number> {
  requireUsed(flags)
  const files = reportFiles(flags)
  const least = percentFlag('--min', flags['min'])
  const generate = flags['generate'] as string | undefined
  const events = await eventFiles(args)
  requireNotRead([...files.map(({ path }) => path), ...(generate === undefined ? [] : [generate])], events)
  const signals = listenForSignals()
  try {
    const { report, surface, start } = await examine(events, flags, signals)
    if (generate !== undefined) {
      const { generateForHoles } = await import('./coverage-generate.js')
      report.generated = await generateForHoles({ report, surface, start, file: generate, flags, signals })
    }
    await giveReport(report, TEXTS, files, flags)
    return gate(report, least)
  } finally {
    signals.release()
  }
}

interface Examined {
  report: CoverageReport
  surface: Surface
  start: StartEvent
}

async function examine(events: string[], flags: CommandCall['flags'], signals: Signals): Promise<Examined> {
  const name = flags['name'] as string | undefined
  const start = await requireOneAgent(events, name !== undefined)
  const surface = await surfaceOf(start, name, flags, signals)
  const fold = new ReachFold(surface)
  for (const path of events) await addRun(fold, path)
  if (fold.runs === 0) throw nothingRan(events)
  return { report: coverageReport({ agent_id: name ?? start.agent_id, events, surface, fold }), surface, start }
}

async function addRun(fold: ReachFold, path: string): Promise<void> {
  let start: StartEvent | undefined
  for await (const event of readEvents(path, isStartOrResult)) {
    if (event.type === 'start') start = event
    if (event.type === 'result' && start) fold.add(start, event)
  }
}

/** As our own log writes lines; what another tool wrote is parsed. */
function isStartOrResult(text: string): boolean {
  return !/^\{"type":"(?:case_start|log|prompt|orchestrator|stability)",/.test(text)
}

async function surfaceOf(
  start: StartEvent,
  name: string | undefined,
  flags: CommandCall['flags'],
  signals: Signals,
): Promise<Surface> {
  const cwd = process.cwd()
  const from = start.agent_path ?? cwd
  const app = flags['app'] as string | undefined
  const appRoot = app === undefined ? findAppRoot(from, cwd) : resolve(cwd, app)
  const { config } = await loadConfig(appRoot)
  const given = listFlag(flags, 'mcp')
  const starts = flags['start_servers'] === true
  const init: SurfaceInit = { start, name, cwd, appRoot, config, openapi: listFlag(flags, 'openapi'), listed: [] }
  if (given.length === 0 && !starts) return findSurface(init)
  const { openServerLists } = await import('./coverage-servers.js')
  const servers = openServerLists(signals, cwd, listFlag(flags, 'pass_env'))
  try {
    const listed: Array<SurfaceInit['listed'][number]> = []
    for (const each of given) listed.push(await servers.listGiven(each))
    return await findSurface({ ...init, listed, ...(starts && { listTools: servers.list }) })
  } finally {
    await servers.close()
  }
}

/** Of the first file. With `-n` it is said which agent they all are about. */
async function requireOneAgent(events: string[], isNamed: boolean): Promise<StartEvent> {
  let first: StartEvent | undefined
  for (const path of events) {
    const start = await startOf(path)
    if (start.mode !== 'agent') throw notOneAgent(`${path} is not a run of cases`)
    const ids = new Set([start.agent_id, ...(start.variants ?? []).map(({ agent_id }) => agent_id)])
    if (first) ids.add(first.agent_id)
    if (ids.size > 1 && !isNamed) throw notOneAgent(`${path} has the answers of ${[...ids].join(' and ')}`)
    first ??= start
  }
  if (!first) throw nothingRan(events)
  return first
}

async function startOf(path: string): Promise<StartEvent> {
  for await (const event of readEvents(path)) {
    if (event.type === 'start') return event
    break
  }
  throw nothingRan([path])
}

function notOneAgent(message: string): UserError {
  return new UserError({
    code: 'NOT_ONE_AGENT',
    message,
    hint: 'give the runs of one agent; if they are all of one, name it with -n',
  })
}

function nothingRan(events: string[]): UserError {
  return new UserError({
    code: 'NO_EVENTS',
    message: `no case was run in ${events.join(', ')}`,
    hint: 'run viva test first, and give the .jsonl file that it wrote',
  })
}

/** What is not known has not been reached. */
function gate(report: CoverageReport, least: number | undefined): number {
  if (least === undefined) return 0
  const { percent, unlisted, tools_unknown } = report
  const why =
    unlisted.length > 0
      ? `, since the tools of ${unlisted.join(', ')} are not (--start-servers)`
      : tools_unknown && percent !== undefined
        ? ', since nothing says which tools the agent has'
        : ''
  const known = why === '' ? percent : undefined
  if (known !== undefined && known >= least) return 0
  const found = known === undefined ? `not known${why}` : formatPercent(known)
  note(`--min ${formatPercent(least)}: the coverage is ${found}`)
  return 1
}

function requireUsed(flags: CommandCall['flags']): void {
  if (flags['generate'] === undefined) requireTogether(flags, ['generator', 'connector'], '--generate')
  const startsServers = flags['start_servers'] === true || listFlag(flags, 'mcp').length > 0
  if (!startsServers) requireTogether(flags, ['pass_env'], '--start-servers or --mcp')
}
