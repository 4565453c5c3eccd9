// What assertions see of the last run in a workspace: its session as it was recorded, and the files as they are now.
import { isCi } from '../base/is-ci.js'
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import type { AssertServices } from '../model/assertion.js'
import type { Evidence } from '../model/evidence.js'
import { scratchpadPath } from '../model/fixtures.js'
import { sessionCalls } from '../model/session-calls.js'
import { sessionEvidence } from '../model/session-evidence.js'
import type { SearchThread } from '../pipeline/assert/search-thread.js'
import { SnapshotStore, stampsOf } from '../snapshots/store.js'
import { snapshotFolder } from './project-folders.js'
import { NEVER_RECORDED } from '../files/changed-files.js'
import { PlayedFiles } from '../workspaces/played-files.js'
import { readState } from '../workspaces/state.js'
import { workspaceFiles } from '../workspaces/workspace-files.js'
import type { Workspace } from '../workspaces/workspace.js'
import { requireProject, type ToolContext } from './context.js'
import { endedRun, lastRun, lastSession, nothingRan } from './runs.js'

export interface RunEvidence {
  run_id: string
  evidence: Evidence
  warnings: string[]
}

export async function runEvidence(workspace: Workspace): Promise<RunEvidence> {
  const run = endedRun(workspace)
  if (!run) throw nothingRan(workspace.id)
  const { records, warnings } = await lastSession(workspace)
  const { run_id, exit_code, stdout, stderr, cost_dollars } = run
  const session = sessionEvidence(records)
  // Of the session: absent if one call did not report them, where the run counts what is known.
  const { tokens, unreported_hats, calls_cut } = session
  const evidence: Evidence = {
    output: stdout,
    input: run.task,
    messages: [],
    tool_calls: sessionCalls(records),
    duration_ms: run.elapsed_secs * 1000,
    case_id: workspace.id,
    session,
    exit_code,
    stdout,
    stderr,
    ...defined({
      cost_dollars,
      unreported_hats,
      tool_evidence: calls_cut && ('partial' as const),
      usage: tokens === undefined ? undefined : { input_tokens: 0, output_tokens: tokens, total_tokens: tokens },
    }),
  }
  return { run_id, evidence, warnings }
}

export function assertServices(
  workspace: Workspace,
  context: ToolContext,
  { warn, thread }: { warn(text: string): void; thread: SearchThread },
): AssertServices {
  const scratchpad = scratchpadPath(readState(workspace.state, 'config.json'))
  return {
    judge: () => Promise.reject(new UserError({ code: 'NO_JUDGE', message: 'judges are asked by test_evaluate' })),
    script: () => Promise.reject(new UserError({ code: 'NO_SCRIPT', message: 'scripts run in case files' })),
    search: (expression, searched) => thread.search(expression, searched),
    snapshots: async () => openSnapshots(context, { touched: lastRun(workspace)?.touched_snapshots ?? [] }),
    workspace: workspaceFiles(workspace, scratchpad, {}, playedFiles(workspace)),
    warn,
    signal: context.signal,
  }
}

function playedFiles(workspace: Workspace): PlayedFiles {
  const played = new PlayedFiles(NEVER_RECORDED)
  const lacking = lastRun(workspace)?.not_recorded
  if (lacking) played.add({}, lacking)
  return played
}

/** Approved snapshots are in the project. `touched`: what changed while something ran is not approved. */
export function openSnapshots(
  context: ToolContext,
  { update = false, touched = [] }: { update?: boolean; touched?: readonly string[] } = {},
): SnapshotStore {
  const { config, env, redactor } = context
  const folder = snapshotFolder(context)
  return new SnapshotStore({
    folder,
    root: requireProject(context),
    update,
    before: new Map([...stampsOf(folder)].filter(([name]) => !touched.includes(name))),
    keepPending: !isCi(env),
    secrets: redactor.secrets(),
    redactions: config.redactions ?? {},
    key: env['VIVA_SNAPSHOT_KEY'],
  })
}
