// `viva history`: what the runs of the past say.
import { caseTitle } from '../../model/run-key.js'
import { join, resolve } from 'node:path'
import { UserError } from '../../errors.js'
import {
  caseTrend,
  mostExpensive,
  flakyOverTime,
  slowest,
  NEWEST_RUNS,
  type CaseCost,
} from '../../pipeline/record/history.js'
import { listRuns, pruneRuns, requireReadable } from '../../pipeline/record/run-store.js'
import { findAppRoot } from '../../files/app-root.js'
import { requireNotLinkedOut } from '../../files/linked-out.js'
import { formatDuration } from '../../base/duration.js'
import { preview } from '../../base/text.js'
import { formatCost, formatPercent, plural } from '../../base/format.js'
import type { CommandCall } from '../command.js'
import { textTable } from '../../base/text-table.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { stdout } from '../terminal.js'

export async function history({ args, flags }: CommandCall): Promise<number> {
  const [what = 'runs', id] = args
  const view = VIEWS[what]
  if (!view) throw unknownView(what)
  const here = resolve('.')
  const dir = typeof flags['dir'] === 'string' ? resolve(flags['dir']) : defaultFolder(here)
  const limit = flags['limit'] === undefined ? 20 : Number(flags['limit'])
  await requireReadable(dir)
  const { rows, text } = await view({ dir, id, limit })
  if (flags['format'] === 'json') stdout.json(prettyJson(rows))
  else stdout.write(rows.length > 0 || what === 'prune' ? text() : await nothing(what, { dir, id, limit }))
  return 0
}

function defaultFolder(here: string): string {
  const root = findAppRoot(here, here)
  const dir = join(root, '.viva', 'history')
  requireNotLinkedOut(dir, 'the history', [root])
  return dir
}

async function nothing(what: string, { dir, id, limit }: Query): Promise<string> {
  const { length } = await listRuns(dir)
  if (length === 0) return `nothing yet in ${dir}; runs are kept with viva test --history\n`
  const looked = runsFor(limit)
  const none = length > looked ? `none of the newest ${looked} runs has` : 'no run has'
  const reason = what === 'case' ? `${none} a case called ${preview(id ?? '', 100)}` : NOTHING[what]
  return `${reason ?? 'nothing to show'} (${plural(length, 'run')} in ${dir})\n`
}

const NOTHING: Record<string, string> = {
  flaky: 'no case changed its verdict while agent, cases and options stayed the same',
  slowest: 'no case was run',
  expensive: 'no run reported what it cost',
}

interface Query {
  dir: string
  id: string | undefined
  limit: number
}

/** A case need not be in every run. */
function runsFor(limit: number): number {
  return Math.max(limit, NEWEST_RUNS)
}

interface View {
  rows: unknown[]
  text(): string
}

const VIEWS: Record<string, (query: Query) => Promise<View>> = {
  runs: async ({ dir, limit }) => {
    const rows = (await listRuns(dir)).slice(-limit)
    return view(
      rows,
      ['run', 'when', 'agent', 'passed', 'failed', 'skipped', 'open', 'rate', 'time', 'cost'],
      (run) => [
        run.run_id,
        run.timestamp.slice(0, 16).replace('T', ' '),
        preview(run.agent_id, 30),
        run.passed,
        run.failed,
        run.skipped,
        (run.undetermined ?? 0) + run.not_run,
        formatPercent(run.pass_rate),
        formatDuration(run.duration_ms),
        dollars(run.cost_dollars),
      ],
    )
  },
  case: async ({ dir, id, limit }) => {
    if (id === undefined)
      throw new UserError({ code: 'NO_CASE', message: 'which case?', hint: 'viva history case <id>' })
    const rows = (await caseTrend(dir, id, { runs: runsFor(limit) })).slice(-limit)
    return view(rows, ['run', 'when', 'status', 'rate', 'time', 'cost'], (point) => [
      point.run_id,
      point.timestamp.slice(0, 16).replace('T', ' '),
      point.flaky ? `${point.status} (flaky)` : point.status,
      point.pass_rate === undefined ? '' : formatPercent(point.pass_rate),
      formatDuration(point.duration_ms),
      dollars(point.cost_dollars),
    ])
  },
  flaky: async ({ dir, limit }) => {
    const rows = await flakyOverTime(dir, { limit })
    return view(rows, ['case', 'runs', 'passed', 'failed', 'flips', 'rate', 'last'], (item) => [
      preview(caseTitle(item), 60),
      item.runs,
      item.passed,
      item.failed,
      item.flips,
      formatPercent(item.pass_rate),
      item.last_status,
    ])
  },
  slowest: async ({ dir, limit }) => ranked(await slowest(dir, { limit }), 'median', formatDuration),
  expensive: async ({ dir, limit }) => ranked(await mostExpensive(dir, { limit }), 'mean', dollars),
  prune: async ({ dir, limit }) => {
    const rows = await pruneRuns(dir, limit)
    return { rows, text: () => `${plural(rows.length, 'run')} removed, the newest ${limit} kept\n` }
  },
}

function ranked(rows: CaseCost[], typical: string, format: (value: number) => string): View {
  return view(rows, ['case', 'runs', typical, 'highest'], (item) => [
    preview(caseTitle(item), 60),
    item.runs,
    format(item.value),
    format(item.highest),
  ])
}

function view<T>(rows: T[], header: string[], cells: (row: T) => Array<string | number>): View {
  return {
    rows,
    text: () =>
      textTable(
        header,
        rows.map((row) => cells(row).map(String)),
      ),
  }
}

function dollars(value: number | undefined): string {
  return value === undefined ? '' : formatCost(value)
}

function unknownView(what: string): UserError {
  return new UserError({
    code: 'UNKNOWN_VIEW',
    message: `no view called "${what}"`,
    hint: `known: ${Object.keys(VIEWS).join(', ')}`,
  })
}
