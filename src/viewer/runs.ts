// Which runs can be viewed: one event file, or those of a folder. Another source (a history store) can stand in.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.js'
import type { HistoryPoint, RunEntry } from '../model/run-entry.js'
import { readEntry } from './read-entry.js'
import { readHistory } from './read-history.js'

export interface RunSource {
  /** Newest first. */
  list(): Promise<RunEntry[]>
  /** The event file of a listed run. */
  pathOf(id: string): string | undefined
  history(caseId: string): Promise<HistoryPoint[]>
  /** What to watch for new runs. */
  watched: string
  /** The one run that was asked for. */
  single: boolean
}

export async function openRuns(path: string): Promise<RunSource> {
  const info = await stat(path).catch(() => undefined)
  if (!info) throw noSuchRun(path)
  return info.isDirectory() ? folderRuns(path) : fileRuns(path)
}

function folderRuns(folder: string, only?: string): RunSource {
  const ids = new Map<string, string>()
  // Ids say nothing about paths, and those of another process mean nothing here.
  const salt = randomBytes(16)
  const idOf = (path: string) => createHash('sha256').update(salt).update(path).digest('hex').slice(0, 20)
  // A file that has not grown since it was read need not be read again.
  const known = new Map<string, { size: number; entry: RunEntry | undefined }>()
  const entryOf = async (path: string) => {
    const size = (await stat(path).catch(() => undefined))?.size ?? -1
    const before = known.get(path)
    if (before?.size === size) return before.entry
    const entry = await readEntry(path, idOf(path))
    known.set(path, { size, entry })
    return entry
  }
  const paths = () => (only === undefined ? eventFiles(folder) : Promise.resolve([only]))
  return {
    watched: folder,
    single: only !== undefined,
    pathOf: (id) => ids.get(id),
    async list() {
      const entries: RunEntry[] = []
      for (const path of await paths()) {
        const found = await entryOf(path)
        if (!found && only === undefined) continue
        ids.set(idOf(path), path)
        if (found) entries.push(found)
      }
      return entries.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
    },
    // The trend of a case uses the neighbours of a single file as well.
    history: async (caseId) => readHistory(await eventFiles(folder), caseId),
  }
}

function fileRuns(path: string): RunSource {
  return folderRuns(dirname(path), join(dirname(path), basename(path)))
}

const MOST_FILES = 500

async function eventFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
  // Names carry the time of the run, so the last ones are the newest.
  return names
    .toSorted()
    .slice(-MOST_FILES)
    .map((name) => join(folder, name))
}

function noSuchRun(path: string): UserError {
  return new UserError({
    code: 'NO_EVENT_FILE',
    message: `no such file or folder: ${path}`,
    hint: 'give the .jsonl file that viva test wrote, or the folder it is in',
  })
}
