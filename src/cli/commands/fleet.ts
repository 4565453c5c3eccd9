// `viva fleet status`: one look at the workers and runs that meet at a queue.
import { plural } from '../../base/format.js'
import { escapeControls } from '../../base/hidden.js'
import { prettyJson } from '../../base/json/pretty-json.js'
import { estimateText, type FleetRun, type FleetStatus } from '../../model/fleet-status.js'
import type { CommandCall } from '../command.js'
import { requireQueue } from './worker.js'
import { stdout } from '../terminal.js'

export async function fleet({ flags }: CommandCall): Promise<number> {
  const { readFleetStatus } = await import('../../fleet/status.js')
  const status = await readFleetStatus({ url: requireQueue(flags['queue']), env: process.env })
  if (flags['format'] === 'json') stdout.json(prettyJson(status))
  else stdout.write(textOf(status))
  return 0
}

function textOf({ workers, runs, redis_bytes }: FleetStatus): string {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  const busy = workers.reduce((sum, worker) => sum + worker.busy, 0)
  const lines = [
    `${plural(workers.length, 'worker')}, ${busy} of ${slots} slots busy; Redis uses ${(redis_bytes / 1024 / 1024).toFixed(1)} MB`,
    ...workers.map(
      ({ id, busy: own, slots: all, done, version }) => `  ${id}  ${own}/${all} busy, ${done} done, Viva ${version}`,
    ),
    runs.length === 0 ? 'no run' : plural(runs.length, 'run'),
    ...runs.flatMap(linesOf),
  ]
  // Anyone who can reach Redis may have written it.
  return `${lines.map(escapeControls).join('\n')}\n`
}

function linesOf(run: FleetRun): string[] {
  const { run_id, done = 0, units, failed = 0, per_second = 0, left, waiting, active, unread, stuck } = run
  const share = units === undefined ? `${done} done` : `${done} of ${units} done`
  const estimate = left === undefined ? '' : `, about ${estimateText(left)} left`
  return [
    `  ${run_id}  ${share}, ${failed} failed, ${per_second}/s${estimate}; ${waiting} jobs waiting, ${active} with workers, ${unread} reports unread`,
    ...stuck.map((what) => `    stuck: ${what}`),
  ]
}
