// The snapshots of a run: opened when the first assertion asks for one, counted when the run ends.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isCi } from '../../base/is-ci.js'
import { once } from '../../base/once.js'
import type { ResultEvent } from '../../model/event.js'
import type { ModelCall } from '../../model/model-call.js'
import { runKey, type RunKey, type RunName } from '../../model/run-key.js'
import type { Snapshots } from '../../model/snapshot.js'
import { isFiltering } from '../../pipeline/plan/filter.js'
import { createRedactor } from '../../redact/redactor.js'
import type { SnapshotNote } from '../../snapshots/note.js'
import type { SnapshotCounts, SnapshotStamps, SnapshotStore } from '../../snapshots/store.js'
import { secretsOf } from '../config/known-secrets.js'
import type { RunIo } from '../io.js'
import type { Settings } from '../settings.js'

/** What a case did to a snapshot, and from which case file, counted from 0. */
export interface PlacedNote extends SnapshotNote {
  at: number
}

export interface RunSnapshots {
  /** Called before the first case: from now on only the run itself changes them. */
  ready(): Promise<void>
  /** `file`: the case file, if there is one. `origin`: whose comparison it is. */
  open(file?: string, origin?: ModelCall): Promise<Snapshots>
  /** For files that are elsewhere: what this case has done to them. */
  collect(own: RunName): PlacedNote[] | undefined
  /** Takes what was collected elsewhere, before its result is taken, and returns what is wrong with it. */
  taker(): Promise<(own: RunName, notes: readonly PlacedNote[]) => string[]>
  /** Every result passes through here: a case that did not pass may not have reached its snapshots. */
  add(result: ResultEvent): void
  counts(): Promise<SnapshotCounts | undefined>
}

/** The snapshots are elsewhere, and are kept there. */
export interface SnapshotsElsewhere {
  /** Whether a differing answer is kept there, for review. */
  pending: boolean
}

export function keepsPending(env: NodeJS.ProcessEnv): boolean {
  return !isCi(env)
}

export function createSnapshots(settings: Settings, { env }: RunIo, elsewhere?: SnapshotsElsewhere): RunSnapshots {
  const { config, options, input, cwd, selection, interrupted } = settings
  // A case has the same snapshots whether its file is run alone or with others.
  const places = new Map((input.files.length > 0 ? input.files : [undefined]).map((file) => placeFor(file, settings)))
  const all = [...places.values()]
  const load = once(async () => {
    const { SnapshotStore, stampsOf } = await import('../../snapshots/store.js')
    const { snapshotFolder } = await import('../../snapshots/file-name.js')
    const storeOf = (place: Place): SnapshotStore =>
      (place.store ??= new SnapshotStore({
        folder: snapshotFolder(place.dir, place.file),
        root: place.dir,
        update: options.update_snapshots,
        before: place.before,
        keepPending: elsewhere?.pending ?? keepsPending(env),
        secrets: createRedactor(secretsOf(settings, env)),
        redactions: config.redactions ?? {},
      }))
    return { storeOf, stampsOf }
  })
  const notes = new Map<RunKey, PlacedNote[]>()
  let allPassed = true
  return {
    ready: async () => {
      for (const place of all) {
        const path = await folderOfPlace(place)
        if (existsSync(path)) place.before = (await load()).stampsOf(path)
      }
    },
    open: async (file, origin) => {
      const place = places.get(file === undefined ? '' : resolve(cwd, file)) ?? all[0]
      if (!place) throw new Error('no place for snapshots')
      const store = (await load()).storeOf(place)
      if (!elsewhere) return store
      const own = runKey({ id: origin?.case_id ?? '', run: origin?.run ?? 1, variant: origin?.variant })
      return {
        compare: (request) =>
          store.compare(request, (note) => {
            notes.set(own, [...(notes.get(own) ?? []), { at: all.indexOf(place), ...note }])
          }),
      }
    },
    collect: (own) => {
      const found = notes.get(runKey(own))
      notes.delete(runKey(own))
      return found
    },
    taker: async () => {
      const { storeOf } = await load()
      return ({ id }, told) =>
        told.flatMap(({ at, ...note }) => {
          const place = all[at]
          return (place ? storeOf(place).take(note, id) : `a snapshot of ${id} is of no case file`) ?? []
        })
    },
    add: ({ status }) => {
      if (status !== 'passed') allPassed = false
    },
    counts: async () => {
      const whole = allPassed && !isFiltering(selection) && interrupted === undefined
      const found: SnapshotCounts[] = []
      for (const place of all) {
        if (place.store === undefined && !existsSync(await folderOfPlace(place))) continue
        const counts = (await load()).storeOf(place).counts(whole)
        if (counts) found.push(counts)
      }
      return joined(found)
    },
  }
}

interface Place {
  dir: string
  file: string | undefined
  before: SnapshotStamps
  store?: SnapshotStore
}

async function folderOfPlace({ dir, file }: Place): Promise<string> {
  const { snapshotFolder } = await import('../../snapshots/file-name.js')
  return snapshotFolder(dir, file)
}

function placeFor(file: string | undefined, { cwd, dir }: Settings): [string, Place] {
  const path = file === undefined ? undefined : resolve(cwd, file)
  return [path ?? '', { dir: path === undefined ? dir : dirname(path), file: path, before: new Map() }]
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
