// `test_evaluate`: what no pattern can express, scored from 1 to 5 by a judge.
import * as v from 'valibot'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { badArguments } from './bad-arguments.js'
import { messageOf } from '../base/message-of.js'
import { AgentError, UserError } from '../errors.js'
import type { AssertionResult } from '../model/assertion.js'
import { optional } from '../model/schema-parts.js'
import { monotonicNow } from '../time/clock.js'
import { DeadlineError } from '../time/deadline.js'
import { openWorkspace, type Workspace } from '../workspaces/workspace.js'
import { findCassette, keepCassette } from './cassettes.js'
import type { ToolContext } from './context.js'
import { CRITERIA, CUSTOM_THRESHOLD } from './criteria.js'
import { defineTool } from './define-tool.js'
import { openJudge, type Judge } from './judge.js'
import { hundredths, rate, type Evaluation, type Rated } from './judge-rating.js'
import { readTarget } from './judge-target.js'
import { evaluateInput, type EvaluateInput } from './evaluate-input.js'
import { keepResults, type Checked } from './results.js'
import { retriedEntries, withRetry, type Failure } from './retry.js'
import { endedRun, type RunEntry } from './runs.js'

export const testEvaluate = defineTool({
  name: 'test_evaluate',
  title: 'Ask a judge',
  description:
    'A judge model scores the scratchpad, a file, the session or the output from 1 to 5, with reasons; scores pass at the threshold and are kept for test_report. Judges can be scripted (mock_responses) or recorded (cassette_name).',
  input: evaluateInput,
  output: v.object({
    evaluations: v.array(
      v.object({
        criterion: v.string(),
        target: v.string(),
        score: v.number(),
        max_score: v.number(),
        threshold: v.number(),
        reasoning: optional(v.string()),
        feedback: v.string(),
        passed: v.boolean(),
        votes: optional(v.array(v.number())),
        agreement: optional(v.number()),
        sub_evaluations: optional(
          v.array(v.object({ criterion: v.string(), score: v.number(), reasoning: optional(v.string()) })),
        ),
      }),
    ),
    overall_score: v.number(),
    all_passed: v.boolean(),
    run_id: v.string(),
    cost_dollars: optional(v.number()),
    warnings: optional(v.array(v.string())),
    ...retriedEntries,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  isLive: ({ judge_backend }) => judge_backend !== undefined && judge_backend !== 'mock',
  holds: ({ all_passed }) => all_passed,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const evaluations = input.evaluations.map((each, index) => complete(each, index))
    const run = endedRun(workspace)
    const targets = new Map<string, string>()
    // Before anything is sent anywhere.
    for (const { target } of evaluations) targets.set(target, await readTarget(workspace, target))
    const run_id = run?.run_id ?? 'unknown'
    // Of the last attempt alone: what another attempt has made good is no failure.
    let checked: Checked[] = []
    const judging = withRetry(
      input.retry,
      context,
      () => judgeAll(workspace, run, evaluations, targets, input, (checked = []), context),
      () => undefined,
      failureOf,
    )
    const { attempts, flaky, failure_history, judged, ...told } = await judging.finally(() =>
      keepResults(workspace, run_id, checked, context.redactor, run),
    )
    const scores = judged.map(({ score }) => score)
    return {
      evaluations: judged,
      overall_score: hundredths(scores.reduce((sum, score) => sum + score, 0) / scores.length),
      all_passed: judged.every(({ passed }) => passed),
      run_id,
      ...told,
      ...(attempts !== undefined && { attempts }),
      ...(flaky && { flaky }),
      ...(failure_history && { failure_history }),
    }
  },
})

type GivenEvaluation = EvaluateInput['evaluations'][number]

function complete(given: GivenEvaluation, index: number): Evaluation {
  const { criterion, custom_prompt, decompose, sub_criteria, target, reference, label } = given
  const known = CRITERIA[criterion]
  const field = `evaluations[${index}]`
  if (!known && custom_prompt === undefined) throw bad(`${field}.custom_prompt is missing: what the judge is asked`)
  if (known && custom_prompt !== undefined) throw bad(`${field}.custom_prompt goes with the criterion custom`)
  if (decompose && !known) throw bad(`${field}.decompose: custom has no parts; name them in sub_criteria`)
  if (decompose && sub_criteria) throw bad(`${field}: give decompose or sub_criteria`)
  const parts = sub_criteria ?? (decompose ? known?.parts : undefined)
  return {
    criterion,
    target,
    question: custom_prompt ?? known?.question ?? '',
    rubric: given.rubric ?? known?.rubric,
    threshold: given.threshold ?? known?.threshold ?? CUSTOM_THRESHOLD,
    label: label ?? criterion,
    ...(parts && parts.length > 0 && { parts }),
    ...(!parts && known && decompose !== false && { aspects: known.parts }),
    ...(reference !== undefined && { reference }),
  }
}

async function judgeAll(
  workspace: Workspace,
  run: RunEntry | undefined,
  evaluations: Evaluation[],
  targets: ReadonlyMap<string, string>,
  input: EvaluateInput,
  checked: Checked[],
  context: ToolContext,
) {
  const { cassette_name, record = false } = input
  const cassette = join(workspace.state, 'recording', `${cassette_name ?? ''}.yaml`)
  if (record && cassette_name === undefined) throw bad('record needs a cassette_name')
  if (record) rmSync(cassette, { force: true })
  const recording =
    cassette_name === undefined
      ? undefined
      : record
        ? { mode: 'record' as const, path: cassette }
        : { mode: 'replay' as const, path: (await findCassette(workspace, cassette_name, context)).path }
  const judge = await openJudge(
    workspace,
    {
      backend: input.judge_backend,
      model: input.judge_model,
      preset: input.judge_preset ?? 'judge',
      mock_responses: input.mock_responses,
      recording,
    },
    context,
  )
  const about = { task: run?.task ?? null, votes: input.votes ?? 1, needsReasons: input.chain_of_thought !== false }
  const { judged, error } = await judgeEach(evaluations, targets, judge, about, checked, context)
  judge.close(error)
  if (error) throw error
  if (record && cassette_name !== undefined) await keepCassette(workspace, cassette, cassette_name, false, context)
  const cost_dollars = judge.cost()
  return {
    judged,
    ...(cost_dollars !== undefined && { cost_dollars }),
    ...(judge.warnings.length > 0 && { warnings: judge.warnings }),
  }
}

/** What was judged is kept even if the next one cannot be; that one is kept as an error. */
async function judgeEach(
  evaluations: Evaluation[],
  targets: ReadonlyMap<string, string>,
  { ask }: Judge,
  about: { task: string | null; votes: number; needsReasons: boolean },
  checked: Checked[],
  context: ToolContext,
): Promise<{ judged: Rated[]; error?: UserError }> {
  const judged: Rated[] = []
  for (const [index, each] of evaluations.entries()) {
    context.progress({ progress: index, total: evaluations.length, message: `judging ${each.label}` })
    const started = monotonicNow()
    try {
      const rated = await rate(each, targets.get(each.target) ?? '', ask, about, context.signal)
      judged.push(rated)
      checked.push({
        label: each.label,
        result: resultOf(each, rated),
        duration_ms: Math.round(monotonicNow() - started),
      })
    } catch (cause) {
      const error = cannotJudge(each.label, cause)
      const failed: AssertionResult = {
        type: 'evaluate',
        passed: false,
        criterion: each.criterion,
        error: error.message,
        error_kind: 'validator',
      }
      checked.push({ label: each.label, result: failed, duration_ms: Math.round(monotonicNow() - started) })
      return { judged, error }
    }
  }
  return { judged }
}

function resultOf({ criterion }: Evaluation, rated: Rated): AssertionResult {
  const { score, threshold, passed, reasoning, feedback } = rated
  const message = passed ? reasoning : `score ${score}, at least ${threshold} needed: ${reasoning ?? feedback}`
  return {
    type: 'evaluate',
    passed,
    criterion,
    score,
    expected: threshold,
    actual: score,
    ...(message !== undefined && { message }),
  }
}

function failureOf(error: unknown): Failure {
  const cause = error instanceof UserError ? error.cause : error
  if (cause instanceof DeadlineError) return 'timeout'
  if (cause instanceof AgentError && cause.code === 'timeout') return 'timeout'
  return /rate.?limit|\b429\b|overloaded|too many requests/i.test(messageOf(error)) ? 'rate_limit' : 'error'
}

function cannotJudge(label: string, cause: unknown): UserError {
  if (cause instanceof UserError) return cause
  return new UserError({
    code: 'CANNOT_JUDGE',
    message: `${label} could not be judged: ${messageOf(cause)}`,
    hint: 'an evaluation without a usable score is neither passed nor failed: check the judge, and ask again',
    exitCode: 3,
    cause,
  })
}

function bad(message: string): UserError {
  return badArguments('test_evaluate', message)
}
