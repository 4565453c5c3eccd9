// `--last-failed` and `--order`: which of the selected cases run, and which of them first.
import { UserError } from '../errors.js'
import type { Fingerprint } from '../model/fingerprint.js'
import type { Selection } from '../pipeline/plan/filter.js'
import { parseOrder, rankBy } from '../pipeline/plan/order.js'
import type { PastVerdicts } from '../pipeline/record/past-verdicts.js'
import type { RunIo } from './io.js'
import type { Settings } from './settings.js'

export interface Chosen {
  selection: Selection
  /** The case with the lowest one first; undefined for the order of the file. */
  rank?: (id: string) => number
}

export interface ChoiceInit {
  settings: Settings
  io: RunIo
  /** As the console names the input. */
  label: string
  /** What is tested, by id; none for script tests. */
  agents: readonly string[]
  /** The cases that a selection leaves. */
  cases(selection: Selection): AsyncIterable<ChosenCase>
}

export interface ChosenCase {
  id: string
  /** Absent for script tests. */
  print?: Fingerprint | undefined
}

export async function choose(init: ChoiceInit): Promise<Chosen> {
  const { settings, io } = init
  const { options, selection } = settings
  const order = parseOrder(options.order ?? 'file')
  const needsPast = order.by === 'failed-first' || order.by === 'slow-first'
  if ((!needsPast || settings.past) && !options.last_failed) {
    const rank = rankBy(order, settings.past)
    return { selection, ...(rank && { rank }) }
  }
  const { readPast } = await import('./past.js')
  const past = await readPast(settings, init.agents)
  if (needsPast && !past.last)
    io.warn?.(`--order ${order.by}: no earlier run of ${init.label} is known, so the cases run in file order`)
  const rank = rankBy(order, past.last && past)
  return { selection: options.last_failed ? await lastFailed(init, past) : selection, ...(rank && { rank }) }
}

async function lastFailed(init: ChoiceInit, past: PastVerdicts): Promise<Selection> {
  const { settings, label } = init
  const { lastFailedNote, requireFailed, requireKnown, requireRepeatable } = await import('./past.js')
  requireRepeatable(settings)
  requireKnown(past, label, settings)
  const selection = { ...settings.selection, only: { has: past.hasFailed } }
  const { only: _all, ...whole } = settings.selection
  const counts = { selected: 0, total: 0, failed: 0, changed: 0, unknown: 0 }
  for await (const { id } of init.cases({ tags: [] })) {
    counts.total += 1
    if (past.hasFailed(id)) counts.failed += 1
  }
  for await (const { id, print } of init.cases(whole)) {
    if (past.hasFailed(id, print)) counts.selected += 1
    if (past.hasChanged(id, print)) counts.changed += 1
    if (!past.isKnown(id)) counts.unknown += 1
  }
  requireFailed(past, counts, label, settings)
  const note = lastFailedNote(past, counts, settings.cwd)
  const { interrupted } = settings
  if (interrupted && interrupted.start.total_cases !== counts.selected) throw otherCases(interrupted.path)
  // None of the failed ones is left: the error is reported elsewhere.
  if (counts.selected > 0) init.io.note?.(note)
  else if (counts.failed + counts.changed === 0) throw allGone(note)
  return selection
}

function allGone(note: string): UserError {
  return new UserError({
    code: 'NO_FAILED_CASES',
    message: `${note}; nothing was run`,
    hint: 'cases that were renamed count as new; leave --last-failed out to run all cases',
  })
}

function otherCases(path: string): UserError {
  return new UserError({
    code: 'INPUT_CHANGED',
    message: `the event files that say what had failed when the run in ${path} began are no longer the same`,
    hint: 'start a new run with --last-failed, or with all cases',
  })
}
