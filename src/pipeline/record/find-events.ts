// The event file that a person means: a path, the name or id of a run, `latest`, or `latest~1` for the one before.
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { eventFiles, isSearched } from './event-files.js'
import { newestFirst } from './newest-first.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { pathBelow } from '../../files/inside.js'
import { runsFolder } from '../../files/runs-folder.js'
import { isFolder, statOf } from '../../files/stat.js'
import { readEdges } from './read-parts.js'

// Older ones are not considered: those have to be named.
const NEWEST = 200

/** `given` itself if nothing is found: reading it will report that it is missing. */
export async function findEventFile(given: string, cwd: string): Promise<string> {
  if (given === '' || existsSync(resolve(cwd, given))) return given
  const folder = nearestRuns(cwd)
  if (given === basename(given) && existsSync(join(folder, given))) return join(folder, given)
  const back = /^latest(?:~(\d+))?$/.exec(given)
  if (!back && !/^run-[\w-]+$/.test(given)) return given
  const runs = await newestRuns([folder, ...belowFolders(cwd, folder)])
  const found = back ? runs[Number(back[1] ?? 0)] : runs.find(({ run_id }) => run_id === given)
  if (found) return found.path
  throw new UserError({
    code: 'NO_EVENT_FILE',
    message: `no run called ${given} in ${cwd}${isFolder(folder) ? ` or ${folder}` : ''}`,
    hint:
      runs.length === 0
        ? 'run viva test first, or give the .jsonl file that it wrote'
        : `the newest is ${runs[0]?.path}`,
  })
}

/** `latest` looks below a folder, and in the runs of its project. */
export function isFoundFrom(cwd: string, path: string): boolean {
  const way = pathBelow(cwd, path)
  return (way !== undefined && isSearched(way)) || dirname(path) === nearestRuns(cwd)
}

/** From here upward: a command can be given in any folder of the project. */
function nearestRuns(cwd: string): string {
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (isFolder(runsFolder(dir))) return runsFolder(dir)
    if (dirname(dir) === dir) return runsFolder(findAppRoot(cwd, cwd))
  }
}

/** Without a `.viva` folder, runs are beside the cases: somewhere below. */
function belowFolders(cwd: string, runs: string): string[] {
  const project = dirname(dirname(runs))
  return isFolder(runs) && project !== cwd ? [cwd, project] : [cwd]
}

async function newestRuns(folders: string[]): Promise<Array<{ path: string; run_id: string; timestamp: string }>> {
  const paths = new Set<string>()
  for (const folder of folders) for (const path of await eventFiles(folder)) paths.add(path)
  const files = [...paths].map((path) => ({ path, time: statOf(path)?.mtimeMs ?? 0 }))
  const runs: Array<{ path: string; run_id: string; timestamp: string }> = []
  for (const { path } of files.toSorted((a, b) => b.time - a.time).slice(0, NEWEST)) {
    const edges = await readEdges(path)
    if (edges) runs.push({ path, run_id: edges.start.run_id, timestamp: edges.start.timestamp })
  }
  return runs.toSorted(newestFirst)
}
