// The event file that a person means: a path, a file or run in `.viva/runs`, `latest`, or `latest~1` for the one before.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { newestFirst } from './newest-first.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
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
  const runs = await newestRuns(folder)
  const found = back ? runs[Number(back[1] ?? 0)] : runs.find(({ run_id }) => run_id === given)
  if (found) return found.path
  throw new UserError({
    code: 'NO_EVENT_FILE',
    message: `no run called ${given} in ${folder}`,
    hint:
      runs.length === 0
        ? 'event files are kept there when the project has a .viva folder; else give the .jsonl file that viva test wrote'
        : `the newest is ${runs[0]?.path}`,
  })
}

/** From here upward: a command can be given in any folder of the project. */
function nearestRuns(cwd: string): string {
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (isFolder(runsFolder(dir))) return runsFolder(dir)
    if (dirname(dir) === dir) return runsFolder(findAppRoot(cwd, cwd))
  }
}

async function newestRuns(folder: string): Promise<Array<{ path: string; run_id: string; timestamp: string }>> {
  const names = await readdir(folder).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
  const files = paths.map((path) => ({ path, time: statOf(path)?.mtimeMs ?? 0 }))
  const runs: Array<{ path: string; run_id: string; timestamp: string }> = []
  for (const { path } of files.toSorted((a, b) => b.time - a.time).slice(0, NEWEST)) {
    const edges = await readEdges(path)
    if (edges) runs.push({ path, run_id: edges.start.run_id, timestamp: edges.start.timestamp })
  }
  return runs.toSorted(newestFirst)
}
