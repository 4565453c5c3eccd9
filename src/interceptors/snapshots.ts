// Snapshots as an interceptor: opened when the first assertion asks for one, counted when the run ends.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defined } from '../base/defined.js'
import { isCi } from '../base/is-ci.js'
import { once } from '../base/once.js'
import { runKey, type RunKey } from '../model/run-key.js'
import type { SnapshotRequest } from '../model/snapshot.js'
import type { AskedIndex } from '../snapshots/asked.js'
import type { SnapshotNote } from '../snapshots/note.js'
import type { SnapshotCounts, SnapshotStamps, SnapshotStore } from '../snapshots/store.js'
import type { Interceptor, InterceptorInit } from './interceptor.js'

/** What a case did to a snapshot, and from which case file, counted from 0. */
interface PlacedNote extends SnapshotNote {
  at: number
}

/** What a worker is lent of them: the files stay with the coordinator. */
interface LentSnapshots {
  /** Whether a differing answer is kept there, for review. */
  pending: boolean
}

export function openSnapshots(init: InterceptorInit): Interceptor {
  const { config, options, cwd, env, isFiltered, isDone, secrets } = init
  const lent = init.lent?.['snapshots'] as LentSnapshots | undefined
  const keepPending = lent?.pending ?? !isCi(env)
  // A case has the same snapshots whether its file is run alone or with others.
  const folders = new Map((init.files.length > 0 ? init.files : [undefined]).map((file) => folderFor(file, init)))
  const all = [...folders.values()]
  let storeOf: ((folder: SuiteFolder) => SnapshotStore) | undefined
  const load = once(async () => {
    const { SnapshotStore: Store, stampsOf } = await import('../snapshots/store.js')
    const { readAsked } = await import('../snapshots/asked.js')
    const { snapshotFolder } = await import('../snapshots/file-name.js')
    storeOf = (folder) =>
      (folder.store ??= new Store({
        folder: snapshotFolder(folder.dir, folder.file),
        root: folder.dir,
        update: options.update_snapshots,
        before: folder.before,
        accepted: folder.accepted,
        keepPending,
        secrets: secrets(),
        redactions: config.redactions ?? {},
        key: env['VIVA_SNAPSHOT_KEY'],
      }))
    return { storeOf, stampsOf, readAsked }
  })
  const notes = new Map<RunKey, PlacedNote[]>()
  /** Of the cases that are running. */
  const asked = new Map<RunKey, string>()
  let allPassed = true
  return {
    name: 'snapshots',
    // From now on only the run itself changes them.
    ready: async () => {
      for (const folder of all) {
        const path = await snapshotFolderOf(folder)
        if (!existsSync(path)) continue
        const { stampsOf, readAsked } = await load()
        folder.before = stampsOf(path)
        folder.accepted = readAsked(path)
      }
    },
    openSnapshots: async (file, origin) => {
      const folder = folders.get(file === undefined ? '' : resolve(cwd, file)) ?? all[0]
      if (!folder) throw new Error('no place for snapshots')
      const store = (await load()).storeOf(folder)
      const own = runKey({ id: origin?.case_id ?? '', run: origin?.run ?? 1, variant: origin?.variant })
      // A snapshot that cases share belongs to none of their questions.
      const withAsked = (request: SnapshotRequest): SnapshotRequest =>
        request.case_id === undefined ? request : { ...request, asked: asked.get(own) }
      if (!lent) return { compare: (request) => store.compare(withAsked(request)) }
      return {
        compare: (request) =>
          store.compare(withAsked(request), (note) => {
            notes.set(own, [...(notes.get(own) ?? []), { at: all.indexOf(folder), ...note }])
          }),
      }
    },
    begin: ({ testCase: { id }, variant, run, print }) => {
      if (print) asked.set(runKey({ id, variant, run }), print.asked)
    },
    settle: (result) => {
      asked.delete(runKey(result))
      return result
    },
    // A case that did not pass may not have reached its snapshots.
    add: (event) => {
      if (event.type === 'result' && event.status !== 'passed') allPassed = false
    },
    finish: async () => {
      const whole = allPassed && !isFiltered && isDone === undefined
      const found: SnapshotCounts[] = []
      for (const folder of all) {
        if (folder.store === undefined && !existsSync(await snapshotFolderOf(folder))) continue
        const store = (await load()).storeOf(folder)
        store.flush()
        const counts = store.counts(whole)
        if (counts) found.push(counts)
      }
      return { summary: defined({ snapshots: joined(found) }) }
    },
    lend: async () => {
      await load()
      return { pending: keepPending } satisfies LentSnapshots
    },
    collect: (own) => {
      if (!own) return undefined
      const found = notes.get(runKey(own))
      notes.delete(runKey(own))
      return found
    },
    take: (share, own) => {
      const id = own?.id ?? ''
      if (!Array.isArray(share)) return [`snapshots of ${id}, as reported by a worker, have an unexpected shape`]
      return (share as PlacedNote[]).flatMap(({ at, ...note }) => {
        const folder = all[at]
        if (!folder || !storeOf) return `a snapshot of ${id} is of no case file`
        return storeOf(folder).take(note, id) ?? []
      })
    },
  }
}

interface SuiteFolder {
  dir: string
  file: string | undefined
  before: SnapshotStamps
  accepted: AskedIndex
  store?: SnapshotStore
}

async function snapshotFolderOf({ dir, file }: SuiteFolder): Promise<string> {
  const { snapshotFolder } = await import('../snapshots/file-name.js')
  return snapshotFolder(dir, file)
}

function folderFor(file: string | undefined, { cwd, dir }: InterceptorInit): [string, SuiteFolder] {
  const path = file === undefined ? undefined : resolve(cwd, file)
  return [
    path ?? '',
    { dir: path === undefined ? dir : dirname(path), file: path, before: new Map(), accepted: new Map() },
  ]
}

function joined(all: SnapshotCounts[]): SnapshotCounts | undefined {
  if (all.length < 2) return all[0]
  const sum = (key: 'written' | 'pending'): number => all.reduce((total, counts) => total + (counts[key] ?? 0), 0)
  const obsolete = all.flatMap((counts) => counts.obsolete ?? [])
  return {
    ...(sum('written') > 0 && { written: sum('written') }),
    ...(sum('pending') > 0 && { pending: sum('pending') }),
    ...(obsolete.length > 0 && { obsolete }),
  }
}
