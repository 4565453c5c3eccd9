// `test_chaos`: a run whose backend fails now and then, to see whether the work still gets done.
import * as v from 'valibot'
import { badArguments } from './bad-arguments.js'
import { defined } from '../base/defined.js'
import { backendWithFaults } from '../interceptors/chaos/around-backend.js'
import { FaultLog } from '../interceptors/chaos/faults.js'
import type { ChaosSpec } from '../config/read-chaos.js'
import { CHAOS_DEFAULTS } from '../config/read-chaos.js'
import { UserError } from '../errors.js'
import { integerBetween, numberBetween, object, text } from '../model/case-schema-base.js'
import { FAULTS } from '../model/fault.js'
import { about, optional } from '../model/schema-parts.js'
import { openWorkspace } from '../workspaces/workspace.js'
import { defineTool } from './define-tool.js'
import { nonEmpty, workspaceId } from './parameters.js'
import { runInWorkspace } from './run-in-workspace.js'
import {
  backendEnv,
  isLiveBackend,
  limitEntries,
  limitsOf,
  mockResponses,
  onExhausted,
  ranEntries,
  shownRun,
} from './test-run.js'

export const testChaos = defineTool({
  name: 'test_chaos',
  title: 'Run with faults',
  description:
    'Like test_run, from the state after test_setup, but some backend calls fail: timeouts, errors, malformed output, slow answers, dropped streams. The same seed gives the same faults.',
  input: object({
    workspace_id: workspaceId(),
    task: about(nonEmpty(), 'The task.'),
    faults: optional(
      about(
        v.pipe(
          v.array(
            v.picklist(FAULTS, `{field} must be one of ${FAULTS.join(', ')}, found {found}`),
            '{field} must be a list of faults, found {found}',
          ),
          v.minLength(1, '{field}: no faults'),
        ),
        'error: exit code 1; malformed: unreadable events; dropped: half an answer. Default: all.',
      ),
    ),
    rate: optional(about(numberBetween(0, 1), 'The share of calls that fail; default: 0.5.')),
    seed: optional(about(integerBetween(0, 2 ** 31 - 1), 'Decides which calls fail, and how; default: 1.')),
    delay_ms: optional(
      about(integerBetween(0, 600_000), 'Delay of slow answers, and wait for lost ones; default: 100.'),
    ),
    backend: optional(about(text(), 'As in test_run, but not ralph.')),
    ...limitEntries,
    env: optional(backendEnv()),
    mock_responses: optional(mockResponses()),
    on_exhausted: optional(onExhausted()),
  }),
  output: v.object({
    ...ranEntries,
    backend: v.string(),
    seed: v.number(),
    calls: v.number(),
    injected: v.array(v.object({ call: v.number(), hat: v.string(), fault: v.string() })),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  isLive: isLiveBackend,
  handler: async (input, context) => {
    const spec = { ...CHAOS_DEFAULTS, ...defined(pick(input)) }
    if (input.backend === 'ralph') throw notRalph()
    const workspace = openWorkspace(context.place, input.workspace_id)
    const log = new FaultLog(spec, '')
    const ran = await runInWorkspace(
      workspace,
      {
        tool: 'test_chaos',
        task: input.task,
        backend: input.backend,
        limits: limitsOf(input),
        restore: true,
        wrap: (backend) => backendWithFaults(backend, spec.delay_ms, (hat) => log.next(hat)),
        ...defined({ env: input.env, mock_responses: input.mock_responses, on_exhausted: input.on_exhausted }),
      },
      context,
    )
    const { calls, injected } = log
    const { seed } = spec
    if (injected.length === 0) throw nothingInjected(calls, seed)
    const shown = injected.map(({ call, role: hat, fault }) => ({ call, hat, fault }))
    return { ...shownRun(ran), backend: ran.backend, seed, calls, injected: shown }
  },
})

function pick({ faults, rate, seed, delay_ms }: Partial<ChaosSpec>) {
  return { faults, rate, seed, delay_ms }
}

function notRalph(): UserError {
  return badArguments(
    'test_chaos',
    'ralph calls its backends itself, so no faults can be put around them',
    'name the backend that plays the hats',
  )
}

/** A run without a single fault shows nothing about faults. */
function nothingInjected(calls: number, seed: number): UserError {
  return new UserError({
    code: 'NO_FAULT',
    message: `none of ${calls} calls failed with seed ${seed}: the run says nothing about faults`,
    hint: 'raise rate, or use another seed',
  })
}
