// Snapshots are approved by people, never by what is tested: what changed while something ran does not count.
import { join } from 'node:path'
import { stampsOf } from '../snapshots/store.js'
import type { Workspace } from '../workspaces/workspace.js'
import { keepRun, lastRun } from './runs.js'

export function snapshotsOf(project: string): string {
  return join(project, 'snapshots')
}

/** To be called before a run; the returned function tells afterwards which snapshots were touched. */
export function watchSnapshots(project: string): () => string[] {
  const before = stampsOf(snapshotsOf(project))
  return () =>
    [...stampsOf(snapshotsOf(project))].filter(([name, stamp]) => before.get(name) !== stamp).map(([name]) => name)
}

/** It was approved after the run. */
export function approveTouched(workspace: Workspace, name: string): void {
  const run = lastRun(workspace)
  if (!run?.touched_snapshots?.includes(name)) return
  keepRun(workspace, { ...run, touched_snapshots: run.touched_snapshots.filter((each) => each !== name) })
}
