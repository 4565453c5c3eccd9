// `test_benchmark`: the same run again and again, each from the beginning, in numbers.
import * as v from 'valibot'
import { defined } from '../base/defined.js'
import { quantileOfSorted } from '../base/quantile.js'
import { integerBetween, object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { nonEmpty, workspaceId } from './parameters.js'
import { runInWorkspace, type RanInWorkspace } from './run-in-workspace.js'
import { backendEnv, isLiveBackend, limitEntries, limitsOf, mockResponses, onExhausted } from './test-run.js'

const spread = () => v.object({ min: v.number(), mean: v.number(), p50: v.number(), p95: v.number(), max: v.number() })

export const testBenchmark = defineTool({
  name: 'test_benchmark',
  title: 'Run repeatedly and measure',
  description:
    'Runs the same task several times from the state after test_setup, and summarises endings, durations, iterations, tokens and cost.',
  input: object({
    workspace_id: workspaceId(),
    task: about(nonEmpty(), 'The task.'),
    runs: optional(about(integerBetween(1, 100), 'Number of runs; default: 5.')),
    backend: optional(about(text(), 'As in test_run.')),
    ...limitEntries,
    env: optional(backendEnv()),
    mock_responses: optional(mockResponses()),
    on_exhausted: optional(onExhausted()),
  }),
  output: v.object({
    runs: v.number(),
    succeeded: about(v.number(), 'Runs that ended with exit code 0.'),
    success_rate: v.number(),
    termination_reasons: v.record(v.string(), v.number()),
    elapsed_secs: spread(),
    iterations: spread(),
    tokens: spread(),
    total_cost_dollars: optional(about(v.number(), 'Absent: unknown, which is not 0.')),
    run_ids: v.array(v.string()),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  isLive: isLiveBackend,
  handler: async (input, context) => {
    const workspace = openWorkspace(context.place, input.workspace_id)
    const { runs = 5 } = input
    const done: RanInWorkspace[] = []
    for (let number = 1; number <= runs; number += 1) {
      context.signal.throwIfAborted()
      context.progress({ progress: number - 1, total: runs, message: `run ${number} of ${runs}` })
      const ran = await runInWorkspace(
        workspace,
        {
          tool: 'test_benchmark',
          task: input.task,
          backend: input.backend,
          limits: limitsOf(input),
          restore: true,
          ...defined({ env: input.env, mock_responses: input.mock_responses, on_exhausted: input.on_exhausted }),
        },
        { ...context, progress: () => {} },
      )
      done.push(ran)
    }
    const succeeded = done.filter(({ exit_code }) => exit_code === 0).length
    const reasons = new Map<string, number>()
    for (const { termination_reason: reason } of done) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    const costs = done.map(({ cost_dollars }) => cost_dollars)
    const total = costs.includes(undefined) ? undefined : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
    return {
      runs: done.length,
      succeeded,
      success_rate: succeeded / done.length,
      termination_reasons: Object.fromEntries(reasons),
      elapsed_secs: spreadOf(done.map(({ elapsed_secs }) => elapsed_secs)),
      iterations: spreadOf(done.map(({ iterations }) => iterations)),
      tokens: spreadOf(done.map(({ tokens }) => tokens)),
      ...(total !== undefined && { total_cost_dollars: total }),
      run_ids: done.map(({ run_id }) => run_id),
    }
  },
})

function spreadOf(values: number[]): v.InferOutput<ReturnType<typeof spread>> {
  const sorted = values.toSorted((a, b) => a - b)
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return {
    min: sorted[0] ?? 0,
    mean: Math.round(mean * 1000) / 1000,
    p50: quantileOfSorted(sorted, 0.5),
    p95: quantileOfSorted(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  }
}
