// The snapshots of a run: opened when the first assertion asks for one, counted when the run ends.
import { existsSync } from 'node:fs'
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
  open(): Promise<Snapshots>
  /** Every result passes here: a case that did not pass may not have come to its snapshots. */
  add(result: ResultEvent): void
  counts(): Promise<SnapshotCounts | undefined>
}

export function createSnapshots(settings: Settings, { env }: RunIo): RunSnapshots {
  const { dir, config, options, input, selection, interrupted } = settings
  const folder = async (): Promise<string> => {
    const { snapshotFolder } = await import('../../snapshots/file-name.js')
    return snapshotFolder(dir, input.kind === 'file' ? input.value : undefined)
  }
  let store: Promise<SnapshotStore> | undefined
  let before: SnapshotStamps = new Map()
  const open = async (): Promise<SnapshotStore> => {
    const { SnapshotStore } = await import('../../snapshots/store.js')
    return new SnapshotStore({
      folder: await folder(),
      root: dir,
      update: options.update_snapshots,
      before,
      keepPending: !isCi(env),
      secrets: createRedactor(secretsOf(settings, env)),
      redactions: config.redactions ?? {},
    })
  }
  let allPassed = true
  return {
    ready: async () => {
      const path = await folder()
      if (existsSync(path)) before = (await import('../../snapshots/store.js')).stampsOf(path)
    },
    open: () => (store ??= open()),
    add: ({ status }) => {
      if (status !== 'passed') allPassed = false
    },
    counts: async () => {
      if (store === undefined && !existsSync(await folder())) return undefined
      const whole = allPassed && !isFiltering(selection) && interrupted === undefined
      return (await (store ??= open())).counts(whole)
    },
  }
}
