// `test_assert`: whether what a run did and left behind is what was wanted. Every assertion is evaluated.
import * as v from 'valibot'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import type { AssertionResult, AssertionSpec, AssertServices, CompiledAssertion } from '../model/assertion.js'
import type { Evidence } from '../model/evidence.js'
import { object } from '../model/case-schema-base.js'
import { about, anyMap, optional } from '../model/schema-parts.js'
import { compileAssertions, parseSpec } from '../pipeline/assert/compile.js'
import { evaluate } from '../pipeline/assert/evaluate.js'
import { assertionsByType } from '../pipeline/assert/registry.js'
import { SearchThread } from '../pipeline/assert/search-thread.js'
import { monotonicNow } from '../time/clock.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { workspaceId } from './parameters.js'
import { keepResults, type Checked } from './results.js'
import { retriedEntries, retryFacts } from './retry.js'
import { shaped } from './shaped.js'
import { assertServices, runEvidence } from './run-evidence.js'
import { endedRun } from './runs.js'

const MAX_ASSERTIONS = 1000

export const testAssert = defineTool({
  name: 'test_assert',
  title: 'Assert on a run',
  description:
    'Checks what the last run in a workspace did, and the files as they are now. All assertions are evaluated and kept for test_report; a failed one is a result, not an error. contains, equals, regex and other answer types check what the hats said.',
  input: object({
    workspace_id: workspaceId(),
    assertions: about(
      v.pipe(
        v.array(
          v.union([v.string(), shaped(anyMap(), 'assertion')]),
          '{field} must be a list of assertions, found {found}',
        ),
        v.minLength(1, '{field}: no assertions, so nothing would be checked'),
        v.maxLength(MAX_ASSERTIONS, `{field}: at most ${MAX_ASSERTIONS} per call`),
      ),
      'For example {"type": "event_occurred", "topic": "build.*"}. Patterns are regular expressions; * in a topic is one word. All types also take negate, label and message.',
    ),
  }),
  output: v.object({
    passed: v.boolean(),
    results: v.array(
      v.looseObject({
        assertion: v.string(),
        passed: v.boolean(),
        message: optional(v.string()),
        error: optional(v.string()),
      }),
    ),
    failed_count: v.number(),
    run_id: v.string(),
    ...retriedEntries,
    warnings: optional(v.array(v.string())),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  isLive: () => false,
  holds: ({ passed }) => passed,
  handler: async ({ workspace_id, assertions }, context) => {
    const workspace = openWorkspace(context.place, workspace_id)
    for (const [index, spec] of assertions.entries()) requireUsable(parseSpec(spec, `assertions[${index}]`), index)
    const compiled = compileAssertions(assertions, 'assertions')
    const { run_id, evidence, warnings } = await runEvidence(workspace)
    const checked: Checked[] = []
    const thread = new SearchThread()
    try {
      const services = assertServices(workspace, context, { thread, warn: (warning) => warnings.push(warning) })
      for (const one of compiled) checked.push(await check(one, evidence, services))
    } finally {
      await thread.close()
    }
    // Another run may have begun meanwhile, and changed the files.
    const run = endedRun(workspace)
    if (run?.run_id !== run_id) throw changedMeanwhile(workspace_id)
    keepResults(workspace, run_id, checked, context.redactor, run)
    const results = checked.map(({ result }) => shownResult(result))
    const failed_count = results.filter(({ passed }) => !passed).length
    return {
      passed: failed_count === 0,
      results,
      failed_count,
      run_id,
      ...retryFacts(run),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

async function check(one: CompiledAssertion, evidence: Evidence, services: AssertServices): Promise<Checked> {
  const started = monotonicNow()
  const [result] = await evaluate([one], evidence, services)
  if (!result) throw new Error(`${one.spec.type} gave no result`)
  return { label: one.spec.label ?? one.spec.type, result, duration_ms: round(monotonicNow() - started) }
}

/** The tools' spelling: the type is `assertion`. */
function shownResult({ type, ...result }: AssertionResult) {
  return { assertion: type, ...result }
}

/** With no evidence available here, it would pass for lack of evidence against it. */
function requireUsable(spec: AssertionSpec, index: number): void {
  const { type } = spec
  const on = assertionsByType.get(type)?.on
  if (on === 'helper')
    throw notHere(type, index, type === 'script' ? 'use it in a case file' : 'use test_evaluate, which asks a judge')
  if (on === 'state')
    throw notHere(type, index, 'a workspace has no store: use it in a case file, or file_json on what the run wrote')
  if (type === 'snapshot') throw notHere(type, index, 'use snapshot_matches, which compares the files of the workspace')
  if (type === 'awaiting_input') throw notHere(type, index, 'an orchestrator asks nobody; assert on events or output')
  if (on !== 'group' || !Array.isArray(spec['assertions'])) return
  for (const member of spec['assertions'])
    if (typeof member === 'string' || isRecord(member)) requireUsable(parseSpec(member), index)
}

function changedMeanwhile(id: string): UserError {
  return new UserError({
    code: 'WORKSPACE_BUSY',
    message: `another run took place in workspace "${id}" while the assertions were evaluated`,
    hint: 'assert again, with nothing running there',
  })
}

function notHere(type: string, index: number, hint: string): UserError {
  return new UserError({
    code: 'BAD_ASSERTION',
    message: `assertions[${index}]: ${type} cannot be checked in a workspace`,
    hint,
  })
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
