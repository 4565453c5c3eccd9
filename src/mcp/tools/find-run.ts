// Which run is meant: the newest, one by its id, or an event file of the project.
import { relative, resolve } from 'node:path'
import { resolveInside } from '../../files/inside.js'
import { isFile } from '../../files/stat.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { RunEntry } from '../../model/run-entry.js'
import { openRuns } from '../../viewer/runs.js'

export interface FoundRun {
  entry: RunEntry
  /** Path of the event file. */
  path: string
}

/** Newest first. */
export async function findRuns(project: string, folder = '.'): Promise<FoundRun[]> {
  const source = await openRuns(insideProject(project, folder, 'folder'))
  const entries = await source.list()
  return entries.flatMap((entry) => {
    const path = source.pathOf(entry.id)
    return path === undefined ? [] : [{ entry, path }]
  })
}

/** The path of an event file. */
export async function findRun(project: string, run: string): Promise<string> {
  const path = insideProject(project, run, 'run')
  if (isFile(path)) return path
  const runs = await findRuns(project)
  const found = run === 'latest' ? runs[0] : runs.find(({ entry }) => entry.run_id === run)
  if (found) return found.path
  throw new UserError({
    code: 'NO_RUN',
    message: run === 'latest' ? 'the project has no runs yet' : `no run called ${show(run, 120)} in the project`,
    hint: runs.length === 0 ? 'run viva test, or run_cases' : 'list_runs names them: give a file, a run_id or "latest"',
  })
}

export function insideProject(project: string, path: string, field: string): string {
  const real = resolveInside(project, resolve(project, path))
  if (real !== undefined) return real
  throw new UserError({
    code: 'OUTSIDE_PROJECT',
    message: `${field}: ${show(path, 120)} is outside the project`,
    hint: `give a path inside ${project}`,
  })
}

/** As a path that starts with `./`. */
export function projectFile(project: string, given: string, field: string): string {
  const path = insideProject(project, given, field)
  if (isFile(path)) return `./${relative(project, path)}`
  throw new UserError({
    code: 'NO_CASE_FILE',
    message: `${field}: no file ${show(given, 120)} in the project`,
    hint: 'give a path relative to the project, e.g. tests/cases.jsonl',
  })
}
