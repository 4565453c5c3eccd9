// Some cases of an earlier run again, as they are written now: with the options its event file records, and no others.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isFolder } from '../files/stat.js'
import { followLinks, isInside } from '../files/inside.js'
import { DEFAULT_OPTIONS, type OptionName, type RunOptions } from '../config/options.js'
import { readRecorded } from '../config/read-options.js'
import { UserError } from '../errors.js'
import type { StartEvent } from '../model/event.js'
import { caseKey } from '../model/run-key.js'
import { fileTime } from '../pipeline/record/file-time.js'
import { readEvents } from '../pipeline/record/read-events.js'
import { hasPlaceholder } from './resume.js'
import { readSettings, type Settings } from './settings.js'

export interface RerunRequest {
  /** The event file of the earlier run. */
  events: string
  /** Ids of its cases. */
  cases: readonly string[]
  /** A file from elsewhere may name any program: only runs that were started in here are repeated. */
  within: string
  now: Date
}

/** Throws a UserError for a run that cannot be repeated. Its events go beside those of the earlier run. */
export async function readRerun({ events, cases, within, now }: RerunRequest): Promise<Settings> {
  const wanted = new Set(cases)
  const start = await requireCases(events, wanted)
  const recorded = await readRecorded(start.options ?? {}, events)
  const cwd = requireOwn(start, within)
  requireRepeatable(start, recorded)
  const output = [newFile(dirname(events), now)]
  const settings = await readSettings({ ...repeated(recorded), output }, cwd)
  if (!['file', 'script_test', 'message'].includes(settings.input.kind))
    throw cannot('its cases cannot be found again', 'run cases from a file')
  return { ...settings, selection: { tags: [], only: { has: (id) => wanted.has(id) } } }
}

/** Only cases that the run had: what is asked for comes from a page. */
async function requireCases(events: string, wanted: ReadonlySet<string>): Promise<StartEvent> {
  let start: StartEvent | undefined
  const missing = new Map([...wanted].map((id) => [caseKey({ id }), id]))
  for await (const event of readEvents(events)) {
    if (event.type === 'start') start = event
    else if (event.type === 'result') missing.delete(caseKey({ id: event.id }))
  }
  const [first] = missing.values()
  if (!start || wanted.size === 0) throw cannot('no case was named', 'name a case of the run')
  if (first !== undefined) throw cannot(`the run has no case ${JSON.stringify(first)}`, 'reload the page')
  return start
}

function requireOwn({ options, diff, mode }: StartEvent, within: string): string {
  const cwd = options?.['cwd']
  if (diff) throw cannot('its revisions are no longer checked out', 'run viva diff again')
  if (mode === 'test_tools') throw cannot('it was driven by test tools, not by cases', 'run the tools again')
  if (typeof cwd !== 'string') throw cannot('its file does not say where it was started', 'run viva test again')
  if (!isFolder(cwd) || !isInside(followLinks(resolve(within)), followLinks(cwd)))
    throw cannot(`it was started in another folder (${cwd})`, 'start viva view --allow-run in that folder')
  return cwd
}

function requireRepeatable(start: StartEvent, recorded: Partial<RunOptions>): void {
  if (recorded.input === undefined || recorded.input === '-')
    throw cannot('its cases came from a program or from standard input', 'run it again where it came from')
  const hidden = Object.entries(recorded).find(([, value]) => hasPlaceholder(value))
  if (hidden)
    throw cannot(`its --${hidden[0]} held a secret, which ${start.run_id} does not keep`, 'run viva test again')
}

/** What was chosen for the first run; defaults may be given by the configuration, then as now. */
function repeated(recorded: Partial<RunOptions>): Partial<RunOptions> {
  const defaults: Record<string, unknown> = { ...DEFAULT_OPTIONS }
  return Object.fromEntries(
    Object.entries(recorded).filter(
      ([name, value]) => !LEFT_OUT.has(name as OptionName) && !isDeepStrictEqual(value, defaults[name]),
    ),
  )
}

/** Which cases run is known, nothing that was written is replaced, no answer is accepted, and there is no terminal. */
const LEFT_OUT: ReadonlySet<OptionName> = new Set([
  'run',
  'tag',
  'last_failed',
  'shard',
  'shard_plan',
  'run_group',
  'dry_run',
  'resume',
  'output',
  'reporter',
  'json',
  'force',
  'coverage',
  'record',
  'record_http',
  'save_turns',
  'update_snapshots',
  'interactive',
])

function newFile(folder: string, now: Date): string {
  const stem = join(folder, `output-${fileTime(now)}`)
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? `${stem}.jsonl` : `${stem}-${n}.jsonl`
    if (!existsSync(path)) return path
  }
}

function cannot(why: string, hint: string): UserError {
  return new UserError({ code: 'CANNOT_RERUN', message: `cannot run this again: ${why}`, hint })
}
