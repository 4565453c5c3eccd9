// Which runs can be viewed: one event file, or those of a folder. Another source (a history store) can stand in.
import { newestFirst } from '../pipeline/record/newest-first.js'
import type { CaseName } from '../model/run-key.js'
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { UserError } from '../errors.js'
import type { HistoryPoint, PastRun, RunEntry } from '../model/run-entry.js'
import { eventFiles } from '../pipeline/record/event-files.js'
import { readEntry } from './read-entry.js'
import { readHistory } from './read-history.js'
import { mergeHistory, pastRuns, storedHistory } from './stored-history.js'

export interface RunSource {
  /** Newest first. */
  list(): Promise<RunEntry[]>
  /** The event file of a listed run. */
  pathOf(id: string): string | undefined
  /** Runs that only the history knows, oldest first. */
  past(listed: readonly RunEntry[]): Promise<PastRun[]>
  /** How a case of a listed run fared in that and other runs of its case file, oldest first. */
  history(name: CaseName, runId?: string): Promise<HistoryPoint[]>
  /** What to watch for new runs. */
  watched: string
  /** The id of the one run that was asked for. */
  single: string | undefined
  /** Lists one more event file, and returns its id. */
  add(path: string): string
}

/** `historyDir`: where `--history` keeps runs, for the trend of a case. */
export async function openRuns(path: string, historyDir?: string): Promise<RunSource> {
  const info = await stat(path).catch(() => undefined)
  if (!info) throw noSuchRun(path)
  return info.isDirectory() ? folderRuns(path, { historyDir }) : fileRuns(path, historyDir)
}

interface FolderOptions {
  /** Only this file of it. */
  only?: string | undefined
  historyDir?: string | undefined
}

function folderRuns(folder: string, { only, historyDir }: FolderOptions): RunSource {
  const ids = new Map<string, string>()
  // Links outlive the server, and say no path.
  const idOf = (path: string) => createHash('sha256').update(relative(folder, path)).digest('hex').slice(0, 20)
  const added = new Set<string>()
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
  const paths = async () => new Set([...(only === undefined ? await eventFiles(folder) : [only]), ...added])
  return {
    watched: folder,
    single: only && idOf(only),
    add(path) {
      added.add(path)
      ids.set(idOf(path), path)
      return idOf(path)
    },
    pathOf: (id) => ids.get(id),
    async list() {
      const entries: RunEntry[] = []
      for (const path of await paths()) {
        const found = await entryOf(path)
        if (!found && only === undefined) continue
        ids.set(idOf(path), path)
        if (found) entries.push(found)
      }
      return entries.toSorted(newestFirst)
    },
    past: async (listed) => (historyDir === undefined ? [] : pastRuns(historyDir, listed)),
    // The trend of a case uses the neighbours of a single file as well.
    history: async (name, runId) => {
      const path = ids.get(runId ?? '')
      const entry = path === undefined ? undefined : await entryOf(path)
      const stored = historyDir === undefined ? [] : await storedHistory(historyDir, name)
      return mergeHistory([...stored, ...(await readHistory(await eventFiles(folder), name))], entry?.run_id)
    },
  }
}

function fileRuns(path: string, historyDir: string | undefined): RunSource {
  return folderRuns(dirname(path), { only: join(dirname(path), basename(path)), historyDir })
}

function noSuchRun(path: string): UserError {
  return new UserError({
    code: 'NO_EVENT_FILE',
    message: `no such file or folder: ${path}`,
    hint: 'give the .jsonl file that viva test wrote, or the folder it is in',
  })
}
