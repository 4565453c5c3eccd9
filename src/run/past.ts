// What earlier runs of this input say: for `--last-failed`, and for the orders that depend on it.
import { dirname, join, resolve } from 'node:path'
import { plural } from '../base/format.js'
import { UserError } from '../errors.js'
import type { StartEvent } from '../model/event.js'
import { readPastVerdicts, type PastVerdicts, type Relation } from '../pipeline/record/past-verdicts.js'
import { followLinks, pathSeenFrom } from '../files/inside.js'
import { runsFolder } from '../files/runs-folder.js'
import { isFile } from '../files/stat.js'
import { isEvents } from './outputs/is-events.js'
import type { Settings } from './settings.js'

/** `agents`: what is tested, by id; none for script tests. */
export async function readPast(settings: Settings, agents: readonly string[]): Promise<PastVerdicts> {
  const { appRoot, cwd, dir, input, options, interrupted } = settings
  const isSame = sameInput(settings)
  const overlap = overlapOf(settings)
  const isTested = (ids: readonly string[]): boolean => agents.every((id) => ids.includes(id))
  const folders = [
    runsFolder(appRoot),
    cwd,
    ...input.files.map((file) => dirname(resolve(cwd, file))),
    dir,
    ...options.output.filter(isEvents).map((path) => dirname(resolve(cwd, path))),
  ]
  return readPastVerdicts({
    folders,
    historyDir: join(appRoot, '.viva', 'history'),
    relationOf: (start) => {
      if (!isTested([start.agent_id, ...(start.variants ?? []).map(({ agent_id }) => agent_id)])) return undefined
      return isSame(start.mode, start.input, start.options['cwd']) ? 'same' : overlap(start)
    },
    isOursInHistory: (run) => isSame(run.mode, run.input, run.cwd) && isTested([run.agent_id]),
    before: interrupted && { timestamp: interrupted.start.timestamp, run_id: interrupted.start.run_id },
  })
}

type IsSame = (mode: StartEvent['mode'], input: string, cwd: unknown) => boolean

/** A file is the same wherever the run was started; a script is identified by its name. */
function sameInput({ input, cwd }: Settings): IsSame {
  if (input.kind === 'script_test') return (mode, label) => mode === 'script_test' && label === input.value
  if (input.kind === 'contract') return (mode, label) => mode === 'agent' && label === input.value
  if (input.kind !== 'file') return () => false
  const file = followLinks(resolve(cwd, input.value))
  return (mode, label, from) =>
    mode === 'agent' && typeof from === 'string' && followLinks(resolve(from, label)) === file
}

/** A run of a folder, a glob or several files may have covered our files as well, and a run of one file one of ours. */
function overlapOf({ input, cwd }: Settings): (start: StartEvent) => Relation | undefined {
  if (input.kind !== 'file') return () => undefined
  const ours = new Set(input.files.map((file) => followLinks(resolve(cwd, file))))
  return ({ mode, input: label, options }) => {
    const from = options['cwd']
    if (mode !== 'agent' || typeof from !== 'string') return undefined
    const path = followLinks(resolve(from, label))
    if (isFile(path)) return ours.has(path) ? { has: () => true, isOnly: false } : undefined
    const known = new Map<string, boolean>()
    const has = (file: string | undefined): boolean => {
      if (file === undefined) return false
      const found = known.get(file) ?? ours.has(followLinks(resolve(from, file)))
      known.set(file, found)
      return found
    }
    // One file of ours, and all of theirs was run: ours with it, if it is there at all.
    return { has, isOnly: ours.size === 1 }
  }
}

/** Refused where it could only mean all cases or none. */
export function requireRepeatable({ input }: Settings): void {
  if (input.kind === 'file' || input.kind === 'script_test' || input.kind === 'contract') return
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--last-failed' },
    message: 'it needs cases that can be found again: a file, or script tests',
    hint: 'write the cases to a file first (--dry-run -o cases.jsonl), or leave --last-failed out',
  })
}

export function requireKnown(past: PastVerdicts, label: string, { cwd, appRoot }: Settings): void {
  if (!past.last)
    throw new UserError({
      code: 'NO_PAST_RUN',
      subject: { flag: '--last-failed' },
      message: `no earlier run of ${label} with this agent is known`,
      hint: `run it once without --last-failed; event files are looked for in ${pathSeenFrom(cwd, runsFolder(appRoot))} and beside the cases, and the history in ${pathSeenFrom(cwd, join(appRoot, '.viva', 'history'))} (--history)`,
    })
}

/** A run of nothing is never green. */
export function requireFailed(
  past: PastVerdicts,
  { changed }: Counts,
  label: string,
  { cwd, options }: Settings,
): void {
  if (past.failed > 0 || changed > 0) return
  throw new UserError({
    code: 'NO_FAILED_CASES',
    subject: { flag: '--last-failed' },
    message: `no case of ${label} failed when it was last run (${pathSeenFrom(cwd, past.last?.where ?? '')}); nothing was run`,
    hint: `leave --last-failed out to run ${options.tag.length > 0 || options.run !== undefined ? 'them' : 'all cases'}`,
  })
}

/** `known`: of the cases in the input, those that reached a verdict before. */
export function lastFailedNote(past: PastVerdicts, counts: Counts, cwd: string): string {
  const { selected, total, unknown } = counts
  const gone = past.failed - counts.failed
  const parts = [
    `--last-failed: ${selected} of ${plural(total, 'case')}, from ${pathSeenFrom(cwd, past.last?.where ?? '')}`,
  ]
  if (counts.changed > 0) parts.push(`${plural(counts.changed, 'case')} changed since`)
  if (gone > 0) parts.push(`${plural(gone, 'case')} that failed ${gone === 1 ? 'is' : 'are'} no longer there`)
  if (unknown > 0)
    parts.push(`${plural(unknown, 'case')} without a verdict so far ${unknown === 1 ? 'is' : 'are'} left out`)
  return parts.join('; ')
}

export interface Counts {
  /** What runs. */
  selected: number
  /** Of those, the ones that ask or check something else than they did. */
  changed: number
  /** Of the cases in the input: all, those that failed, those that never reached a verdict. */
  total: number
  failed: number
  unknown: number
}
