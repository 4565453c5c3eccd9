// Snapshots are approved by people, never by what is tested: what changed while something ran does not count.
import { stampsOf } from '../snapshots/store.js'
import type { Workspace } from '../workspaces/workspace.js'
import type { ToolContext } from './context.js'
import { snapshotFolder } from './project-folders.js'
import { keepRun, keptRuns, lastRun } from './runs.js'

/** Call before a run; the returned function then says which snapshots were touched, by it or by those before it. */
export function watchSnapshots(
  workspace: Pick<Workspace, 'state'>,
  context: Pick<ToolContext, 'project' | 'config'>,
): () => string[] {
  const stamps = () => (context.project === undefined ? [] : [...stampsOf(snapshotFolder(context))])
  const before = new Map(stamps())
  const earlier = keptRuns(workspace).at(-1)?.touched_snapshots ?? []
  return () => {
    const touched = stamps()
      .filter(([name, stamp]) => before.get(name) !== stamp)
      .map(([name]) => name)
    return [...new Set([...earlier, ...touched])]
  }
}

/** It was approved after the run. */
export function approveTouched(workspace: Workspace, name: string): void {
  const run = lastRun(workspace)
  if (!run?.touched_snapshots?.includes(name)) return
  keepRun(workspace, { ...run, touched_snapshots: run.touched_snapshots.filter((each) => each !== name) })
}
