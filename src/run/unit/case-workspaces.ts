// Workspaces of cases: a fresh one for every attempt, gone when the attempt is over.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../base/once.js'
import { changedFiles, markFiles, NEVER_RECORDED } from '../../files/changed-files.js'
import { scratchpadPath } from '../../model/fixtures.js'
import type { CaseWorkspace, OpenCaseWorkspace, WorkspaceCopy, WorkspaceSpec } from '../../model/workspace.js'
import { copyInto } from '../../workspaces/copy-into.js'
import { createWorkspace } from '../../workspaces/create.js'
import { describeChanges } from '../../workspaces/diff.js'
import { writeWorkspaceFiles } from '../../workspaces/files.js'
import { identityOf } from '../../workspaces/folder.js'
import { isOwnFile } from '../../workspaces/layout.js'
import { openPlace, type Place } from '../../workspaces/place.js'
import { sizeProblem, watchSize } from '../../workspaces/quota.js'
import { removeWorkspace } from '../../workspaces/remove.js'
import { PlayedFiles } from '../../workspaces/played-files.js'
import { currentFiles, readSnapshotFiles } from '../../workspaces/snapshots.js'
import { sweepWorkspaces } from '../../workspaces/sweep.js'
import { EVERYTHING, workspaceFiles } from '../../workspaces/workspace-files.js'
import { requireSame, type Workspace } from '../../workspaces/workspace.js'

/** What a result line has room for. */
const SHOWN = { files: 100, characters: 8000 }
/** Viva keeps nothing of its own in the workspace of a case, but for an orchestrator's session. */
/** What an agent installs or commits is not what it wrote. */
const NOT_ITS_WORK = ['**/node_modules/**', '**/.git/**']

/** For one run. What an earlier one left behind is swept before the first is created. */
export function createCaseWorkspaces(quotaBytes: number): OpenCaseWorkspace {
  const ready = once(async () => {
    const place = openPlace()
    await sweepWorkspaces(place)
    return place
  })
  return async (spec, kind) => {
    const place = await ready()
    const { workspace } = await createWorkspace(place, `case-${randomBytes(8).toString('hex')}`, spec)
    if (spec.home) await makeHome(workspace, spec.home)
    return caseWorkspace(place, workspace, spec, quotaBytes, kind === 'orchestrator')
  }
}

/** Beside the workspace, not in it: what programs keep there is not their work. */
function homeOf({ state }: Workspace): string {
  return join(state, 'home')
}

async function makeHome(workspace: Workspace, files: readonly WorkspaceCopy[]): Promise<void> {
  const path = homeOf(workspace)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const folder = identityOf(path)
  if (!folder) throw new Error(`${path} vanished while it was made`)
  for (const file of files) await copyInto({ id: workspace.id, path, folder }, file)
}

function caseWorkspace(
  place: Place,
  workspace: Workspace,
  spec: WorkspaceSpec,
  quotaBytes: number,
  isLoop: boolean,
): CaseWorkspace {
  const isOwn = isLoop ? isOwnFile : undefined

  const before = readSnapshotFiles(workspace, 'initial')
  const played = new PlayedFiles(NEVER_RECORDED)
  let recorded = markFiles(workspace.path, isOwn)
  return {
    path: workspace.path,
    ...(spec.home && { home: homeOf(workspace) }),
    config: spec.config ?? {},
    ...workspaceFiles(workspace, scratchpadPath(spec.config), isLoop ? {} : EVERYTHING, played),
    changes: async () => {
      const now = await currentFiles(workspace, { ...EVERYTHING, exclude_patterns: NOT_ITS_WORK })
      return describeChanges(before, now, SHOWN)
    },
    // oxlint-disable-next-line typescript/require-await
    written: async () => {
      requireSame(workspace)
      const now = markFiles(workspace.path, isOwn)
      const written = changedFiles(workspace.path, recorded, now)
      recorded = now
      return written
    },
    write: async (files, leftOut) => {
      played.add(files, leftOut)
      await writeWorkspaceFiles(workspace, files)
    },
    watch: (onTooLarge) => {
      const end = new AbortController()
      const watching = watchSize(workspace, quotaBytes, end.signal).then((problem) => {
        if (problem) onTooLarge(problem)
        return problem
      })
      return async () => {
        end.abort()
        return (await watching) ?? sizeProblem(workspace, quotaBytes)
      }
    },
    close: async (keep) => {
      if (!keep) await removeWorkspace(place, workspace.id)
    },
  }
}
