// The snapshots of a run: opened when the first assertion asks for one, counted when the run ends.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isCi } from '../../base/is-ci.js'
import type { ResultEvent } from '../../model/event.js'
import type { Snapshots } from '../../model/snapshot.js'
import { isFiltering } from '../../pipeline/plan/filter.js'
import { createRedactor } from '../../redact/redactor.js'
import type { SnapshotCounts, SnapshotStamps, SnapshotStore } from '../../snapshots/store.js'
import { secretsOf } from '../config/known-secrets.js'
import type { RunIo } from '../io.js'
import type { Settings } from '../settings.js'

export interface RunSnapshots {
  /** Called before the first case: from now on nothing but the run itself changes them. */
  ready(): Promise<void>
  /** `file`: the case file, where there is one. */
  open(file?: string): Promise<Snapshots>
  /** Every result passes here: a case that did not pass may not have come to its snapshots. */
  add(result: ResultEvent): void
  counts(): Promise<SnapshotCounts | undefined>
}

export function createSnapshots(settings: Settings, { env }: RunIo): RunSnapshots {
  const { config, options, input, cwd, selection, interrupted } = settings
  // A case has the same snapshots whether its file is run alone or with others.
  const places = new Map((input.files.length > 0 ? input.files : [undefined]).map((file) => placeFor(file, settings)))
  const folderOf = async ({ dir, file }: Place): Promise<string> => {
    const { snapshotFolder } = await import('../../snapshots/file-name.js')
    return snapshotFolder(dir, file)
  }
  const openStore = async (place: Place): Promise<SnapshotStore> => {
    const { SnapshotStore } = await import('../../snapshots/store.js')
    return new SnapshotStore({
      folder: await folderOf(place),
      root: place.dir,
      update: options.update_snapshots,
      before: place.before,
      keepPending: !isCi(env),
      secrets: createRedactor(secretsOf(settings, env)),
      redactions: config.redactions ?? {},
    })
  }
  let allPassed = true
  return {
    ready: async () => {
      for (const place of places.values()) {
        const path = await folderOf(place)
        if (existsSync(path)) place.before = (await import('../../snapshots/store.js')).stampsOf(path)
      }
    },
    open: (file) => {
      const place = places.get(file === undefined ? '' : resolve(cwd, file)) ?? [...places.values()][0]
      if (!place) throw new Error('no place for snapshots')
      return (place.store ??= openStore(place))
    },
    add: ({ status }) => {
      if (status !== 'passed') allPassed = false
    },
    counts: async () => {
      // Workers looked at them, each at some.
      if (options.queue !== undefined) return undefined
      const whole = allPassed && !isFiltering(selection) && interrupted === undefined
      const all: SnapshotCounts[] = []
      for (const place of places.values()) {
        if (place.store === undefined && !existsSync(await folderOf(place))) continue
        const counts = (await (place.store ??= openStore(place))).counts(whole)
        if (counts) all.push(counts)
      }
      return joined(all)
    },
  }
}

interface Place {
  dir: string
  file: string | undefined
  before: SnapshotStamps
  store?: Promise<SnapshotStore>
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
