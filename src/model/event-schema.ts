// `viva schema result`: the lines of an event file in JSON Schema. Readers must skip what they do not know.
import * as v from 'valibot'

const optional = v.exactOptional
const about = <T extends v.GenericSchema>(schema: T, description: string) => v.pipe(schema, v.description(description))
const status = v.picklist(['passed', 'failed', 'skipped'])
const errorKind = v.picklist([
  'assertion',
  'timeout',
  'agent',
  'script',
  'hook',
  'simulator',
  'validator',
  'input',
  'crashed',
])
const assertionResult = v.looseObject({ type: v.string(), passed: v.boolean(), message: optional(v.string()) })
const toolCall = v.looseObject({ name: v.string(), args: v.unknown() })
const usage = v.object({ input_tokens: v.number(), output_tokens: v.number(), total_tokens: v.number() })

const start = v.looseObject({
  type: v.literal('start'),
  format: v.number(),
  timestamp: v.string(),
  run_id: v.string(),
  mode: v.picklist(['agent', 'script_test']),
  agent_id: v.string(),
  input: v.string(),
  total_cases: optional(v.number()),
  runs_per_case: v.union([v.number(), v.literal('auto')]),
  environment: v.looseObject({ user_id: v.string(), team_id: v.string(), locale: v.string() }),
  options: v.looseObject({}),
  version: v.string(),
})

const caseStart = v.looseObject({
  type: v.literal('case_start'),
  id: v.string(),
  run: v.number(),
  timestamp: v.string(),
})

const result = v.looseObject({
  type: v.literal('result'),
  run_id: v.string(),
  id: v.string(),
  name: optional(v.string()),
  run: about(v.number(), 'Which of the runs of this case, from 1.'),
  attempts: optional(v.number()),
  status,
  skip_reason: optional(v.string()),
  duration_ms: v.number(),
  input: optional(v.unknown()),
  output: optional(about(v.unknown(), 'What assertions on the answer saw.')),
  response: optional(v.string()),
  expected: optional(v.unknown()),
  error: optional(v.string()),
  error_kind: optional(errorKind),
  assertions: optional(v.array(assertionResult)),
  assertion_errors: optional(v.array(v.string())),
  turns: optional(v.array(v.looseObject({ turn: v.number(), status: v.string(), duration_ms: v.number() }))),
  checkpoints: optional(
    v.array(v.looseObject({ id: v.string(), reached: v.boolean(), passed: v.boolean(), required: v.boolean() })),
  ),
  final_assertions: optional(v.array(assertionResult)),
  total_turns: optional(v.number()),
  tool_calls: optional(v.array(toolCall)),
  usage: optional(usage),
  cost_dollars: optional(v.number()),
  flaky: optional(v.boolean()),
  failure_history: optional(v.array(v.looseObject({ attempt: v.number(), status }))),
})

const error = v.looseObject({ type: v.literal('error'), message: v.string(), where: v.string() })

const stability = v.looseObject({
  type: v.literal('stability'),
  id: v.string(),
  runs: v.number(),
  passed: v.number(),
  failed: v.number(),
  pass_rate: v.number(),
  consistency: v.number(),
  stable: v.boolean(),
  classification: v.picklist(['stable', 'mostly_stable', 'unstable', 'highly_unstable']),
  run_details: v.array(v.looseObject({ run: v.number(), status, duration_ms: v.number() })),
})

const summary = v.looseObject({
  type: v.literal('summary'),
  total: v.number(),
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  not_run: v.number(),
  duration_ms: v.number(),
  pass_rate: v.number(),
  failed_ids: v.array(v.string()),
  by_error_kind: v.looseObject({}),
  exit_code: v.number(),
})

export const eventSchema = v.variant('type', [start, caseStart, result, error, stability, summary])

export async function eventJsonSchema(): Promise<Record<string, unknown>> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  return { ...toJsonSchema(eventSchema, { target: 'draft-2020-12' }), title: 'A line of a Viva event file' }
}
