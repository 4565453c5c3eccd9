// `test_report`: what was asserted and judged, in a format that CI systems read, by the reporters that every run uses.
import * as v from 'valibot'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { fileSafe } from '../files/file-safe.js'
import { isInside } from '../files/inside.js'
import { flag, object, text } from '../model/case-schema-base.js'
import { EVENT_FORMAT, type RunEvent, type StartEvent } from '../model/event.js'
import { about, optional } from '../model/schema-parts.js'
import { SummaryFold } from '../pipeline/fold/summary.js'
import type { Recording } from '../pipeline/report/recording.js'
import { REPORTERS } from '../pipeline/report/registry.js'
import { writeTextHere } from '../pipeline/report/write-report.js'
import { isoNow } from '../time/iso-now.js'
import { version } from '../version.js'
import { writeWorkspaceFiles } from '../workspaces/files.js'
import { SESSION_FILE } from '../workspaces/layout.js'
import { requireRelative } from '../workspaces/paths.js'
import { openWorkspace, type Workspace } from '../workspaces/workspace.js'
import { requireProject, type ToolContext } from './context.js'
import { defineTool } from './define-tool.js'
import { nonEmpty, workspaceId } from './parameters.js'
import { readResults } from './results.js'
import { lastRun } from './runs.js'

const FORMATS = ['junit', 'tap', 'json', 'ctrf'] as const
const EXTENSIONS = { junit: '.xml', tap: '.tap', json: '.json', ctrf: '.json' }

export const testReport = defineTool({
  name: 'test_report',
  title: 'Report what was checked',
  description:
    'Writes what test_assert and test_evaluate checked in a workspace as one report for CI. With save: true it outlives test_cleanup.',
  input: object({
    workspace_id: workspaceId(),
    format: about(
      v.picklist(FORMATS, '{field} must be junit, tap, json or ctrf, found {found}'),
      'junit: XML; tap: TAP 14; json: one document; ctrf: Common Test Report Format.',
    ),
    test_name: about(nonEmpty(), 'Name of the suite.'),
    include_traces: optional(about(flag(), 'Name the session file in the report; default: false.')),
    output_path: optional(about(text(), 'Where in the workspace; default: reports/<format>.<extension>.')),
    save: optional(about(flag(), 'Also save it in the project as reports/<test_name>.<extension>; default: false.')),
  }),
  output: v.object({
    report_path: v.string(),
    saved_path: optional(v.string()),
    format: v.string(),
    tests: v.number(),
    passed: v.number(),
    failed: v.number(),
    skipped: v.number(),
    duration_secs: v.number(),
    run_id: v.string(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  isLive: () => false,
  handler: async (input, context) => {
    const { format, test_name } = input
    const workspace = openWorkspace(context.place, input.workspace_id)
    const entry = REPORTERS.find(({ name }) => name === format)
    if (!entry) throw new Error(`no reporter for ${format}`)
    const path = requireRelative(input.output_path ?? `reports/${format}${EXTENSIONS[format]}`).join('/')
    const { recording, summary, start } = recordingOf(workspace, test_name, input.include_traces === true)
    const reporter = await entry.load()
    let report = ''
    for await (const chunk of reporter(recording, { columns: 80, color: false, verbose: false })) report += chunk
    await writeWorkspaceFiles(workspace, { [path]: report })
    const saved =
      input.save === true ? await save(report, `${fileSafe(test_name)}${entry.extension}`, context) : undefined
    const { total, passed, failed, skipped, duration_ms } = summary
    return {
      report_path: join(workspace.path, path),
      ...(saved !== undefined && { saved_path: saved }),
      format,
      tests: total,
      passed,
      failed,
      skipped,
      duration_secs: duration_ms / 1000,
      run_id: start.run_id,
    }
  },
})

function recordingOf(workspace: Workspace, test_name: string, traces: boolean) {
  const results = readResults(workspace)
  if (results.length === 0) throw nothingChecked(workspace.id)
  const run = lastRun(workspace)
  const run_id = run?.run_id ?? results.at(-1)?.run_id ?? ''
  const start: StartEvent = {
    type: 'start',
    format: EVENT_FORMAT,
    timestamp: isoNow(),
    run_id,
    mode: 'test_tools',
    agent_id: test_name,
    input: workspace.id,
    total_cases: results.length,
    runs_per_case: 1,
    environment: { user_id: '', team_id: '', locale: '' },
    options: {},
    version: version(),
    ...(traces && { session_file: SESSION_FILE }),
  }
  const fold = new SummaryFold({ run_id, runs: 1 })
  for (const event of [start, ...results]) fold.add(event)
  const summary = fold.summary({
    duration_ms: (run?.elapsed_secs ?? 0) * 1000,
    timestamp: isoNow(),
    total_cases: results.length,
  })
  const events: RunEvent[] = [start, ...results, summary]
  const recording: Recording = {
    // oxlint-disable-next-line typescript/require-await
    events: async function* () {
      yield* events
    },
  }
  return { recording, summary, start }
}

async function save(report: string, name: string, context: ToolContext): Promise<string> {
  const project = requireProject(context)
  const path = join(project, 'reports', name)
  if (!isInside(project, path)) throw cannotWrite(path, 'it leads out of the project', 'remove the link')
  await writeTextHere(path, report)
  return path
}

function nothingChecked(id: string): UserError {
  return new UserError({
    code: 'NOTHING_CHECKED',
    message: `nothing was asserted or judged in workspace "${id}", so there is nothing to report`,
    hint: 'call test_assert or test_evaluate first: an empty report would look like a pass',
  })
}
