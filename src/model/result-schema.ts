// The schema of a `result` line: source of its types and of `viva schema result`. A result is one of three, by status.
import * as v from 'valibot'
import { FAULTS } from './fault.js'
import { labelCounts } from './licence.js'
import { LANES } from './model-call.js'
import { ERROR_KINDS, SKIPPED_BY, STATUSES } from './status.js'
import { about, absent, anyMap, optional } from './schema-parts.js'

export const status = v.picklist(STATUSES)
export const errorKind = v.picklist(ERROR_KINDS)
const text = () => optional(v.string())
const texts = () => optional(v.array(v.string()))
const number = () => optional(v.number())
const flag = () => optional(v.boolean())
const refused = () =>
  optional(about(v.boolean(), 'Whether the agent refused; absent where its protocol cannot report that.'))
/** How what was called is known. Absent: all of it. */
export const TOOL_EVIDENCE = ['partial', 'unknown'] as const
const toolEvidence = () =>
  optional(
    about(
      v.picklist(TOOL_EVIDENCE),
      'Calls may be missing: only some were seen, or the agent reports none. Absent: all are there.',
    ),
  )
const anything = () => optional(v.unknown())

const startMs = () => optional(about(v.number(), 'Milliseconds after the case began, as its case_start says.'))

export const usage = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  total_tokens: v.number(),
  cached_input_tokens: optional(about(v.number(), 'Of the input: read from a cache.')),
  cache_write_tokens: optional(about(v.number(), 'Of the input: written to a cache.')),
  reasoning_tokens: optional(about(v.number(), 'Of the output: thought, not said.')),
})

/** Of a cost. */
export const estimated = () =>
  optional(about(v.literal(true), 'Tokens at list prices; absent: at a price that was given.'))

export const helperCost = v.object({
  lane: v.picklist(LANES),
  role: about(v.string(), 'Its role and its name, e.g. judge:viva.judge.'),
  calls: v.number(),
  usage: optional(usage),
  cost_dollars: optional(about(v.number(), 'Absent: unknown, which is not 0.')),
  cost_estimated: estimated(),
})

export const toolCall = v.object({
  name: v.string(),
  unnamed: optional(about(v.literal(true), 'The agent did not name the tool: name is only a title.')),
  no_such_tool: optional(about(v.literal(true), 'The agent has no tool of this name.')),
  kind: optional(about(v.string(), 'What sort of tool it is, in the words of the protocol: read, edit, execute ….')),
  title: optional(about(v.string(), 'What the call does, in words for people.')),
  locations: optional(about(v.array(anyMap()), 'The files it is about: {path, line}.')),
  args: about(v.unknown(), 'Parsed; the raw text where that failed, and args_error says why.'),
  id: text(),
  server: text(),
  result: anything(),
  error: text(),
  args_error: text(),
  claimed: optional(
    about(v.literal(true), 'The agent reports it, but the tool that the test provides was not called.'),
  ),
})

/** As a model was sent it; long texts are cut. */
const sentMessage = v.object({
  role: v.string(),
  content: anything(),
  name: text(),
  prompt: optional(about(v.string(), 'Instead of the content: the id of the prompt event that has it.')),
})

export const traceStep = v.object({
  kind: v.picklist(['model', 'tool', 'hook', 'delegate', 'request']),
  name: v.string(),
  start_ms: startMs(),
  duration_ms: number(),
  detail: anything(),
  error: text(),
  sent: optional(
    about(v.array(sentMessage), 'Of a model: the messages that were new to it. Answers of tools are in tool_calls.'),
  ),
  sent_before: optional(about(v.number(), 'How many more were sent, which are known from earlier steps.')),
  tools: optional(about(v.array(v.string()), 'The tools it was offered, if others than in the step before.')),
  received: optional(
    about(
      v.object({ content: anything(), calls: texts(), finish_reason: text() }),
      'Its answer, and the names of the tools it called.',
    ),
  ),
  usage: optional(usage),
  returned: optional(about(v.unknown(), 'Of a hook; cut to size.')),
  cut: optional(about(v.literal(true), 'Some of these texts are not whole, or were left out.')),
})

/** Of a package's steps and of hats; `other`: of an agent that does not say. */
export const SPAN_KINDS = ['model', 'tool', 'hook', 'delegate', 'request', 'iteration', 'other'] as const

export const span = v.object({
  name: v.string(),
  kind: v.picklist(SPAN_KINDS),
  id: text(),
  parent: optional(about(v.string(), 'The id of the span that it is part of.')),
  start_ms: optional(about(v.number(), 'For spans that the agent reports: milliseconds after the first of them.')),
  duration_ms: number(),
  error: text(),
  attributes: optional(anyMap()),
})

const fileChange = v.object({
  path: v.string(),
  change: v.picklist(['added', 'changed', 'deleted']),
  additions: optional(about(v.number(), 'Lines; absent if the file is not text.')),
  deletions: number(),
  diff: optional(about(v.string(), 'Unified, cut to size.')),
})

export const stateResult = v.object({
  source: about(
    v.picklist(['store', 'hook', 'reply']),
    'Where the state comes from: the store of testing.tools, the function testing.state, or the reply of the agent.',
  ),
  claimed: optional(about(v.literal(true), 'The agent reported it itself: nobody has looked.')),
  before_sha256: optional(about(v.string(), 'Of all of it, when the case began, as JSON with sorted keys.')),
  after_sha256: v.string(),
  changes: optional(
    v.array(
      v.object({
        path: v.string(),
        change: v.picklist(['added', 'changed', 'removed']),
        before: optional(about(anyMap(), 'The value, under the name of its member.')),
        after: optional(anyMap()),
        cut: optional(about(v.literal(true), 'A value was too long to be kept.')),
      }),
    ),
  ),
  changes_left_out: optional(about(v.number(), 'How many more changes there were.')),
})

const sessionResult = v.object({
  iterations: v.array(
    v.object({
      n: about(v.number(), 'From 1. Where a number is missing, iterations were left out.'),
      hat: v.string(),
      elapsed_ms: optional(about(v.number(), 'When it began, after the start of the orchestrator run.')),
      duration_ms: number(),
      error: optional(about(v.string(), 'Why its call failed.')),
      session_id: optional(about(v.string(), 'Under which its backend keeps what it did.')),
      malformed: optional(about(v.number(), 'How many tags looked like events but were not.')),
    }),
  ),
  events: v.array(
    v.object({
      topic: v.string(),
      payload: about(v.string(), 'Cut to size.'),
      source: about(v.nullable(v.string()), 'The hat that published it; null for the orchestrator itself.'),
      target: v.nullable(v.string()),
      recipients: optional(about(v.array(v.string()), 'The hats that got it.')),
      iteration: about(v.number(), 'In which it was published; 0 before the first.'),
    }),
  ),
  iterations_left_out: number(),
  events_left_out: number(),
  texts_cut: optional(about(v.literal(true), 'Some text was cut.')),
  termination_reason: optional(about(v.string(), 'Absent: the run has not ended.')),
  message: optional(about(v.string(), 'More about the reason.')),
  exit_code: number(),
  duration_ms: number(),
  unreported_hats: optional(about(v.array(v.string()), 'Hats whose backends do not report their tool calls.')),
})

export interface SessionResult extends v.InferOutput<typeof sessionResult> {}

export const judgeEntry = v.object({
  id: v.string(),
  model: optional(about(v.string(), 'The model that answered for it.')),
  criterion: about(v.string(), 'A hash of what it judged by: criteria, rubric, threshold.'),
  hash: about(v.string(), 'A hash of judge, model, prompt and criterion: what a licence is bound to.'),
  threshold: optional(about(v.number(), 'The score from which it passes.')),
  licensed: optional(about(v.boolean(), 'Whether there is a licence for this hash.')),
  licence: optional(about(labelCounts, 'The labels behind that licence, when the run began.')),
})

export const CHOICE_KINDS = ['tool', 'skill'] as const

/** What an agent should have chosen, and what it chose. */
const choice = v.object({
  of: v.picklist(CHOICE_KINDS),
  expected: about(v.nullable(v.string()), 'Its name; null: none should be chosen.'),
  taken: optional(
    about(
      v.nullable(v.string()),
      'The first one that was chosen; null: none. Absent: not known, because there was no answer or the agent does not report it.',
    ),
  ),
  near: optional(about(v.string(), 'How it almost was right, e.g. the right tool with a wrong argument.')),
})

export interface Choice extends v.InferOutput<typeof choice> {}

/** Everything in an assertion's result except its parts, which are results themselves. */
const assertionEntries = {
  type: v.string(),
  passed: v.boolean(),
  // An echo of the parameters that identify it, so that a result line is self-contained.
  value: anything(),
  name: anything(),
  path: text(),
  label: text(),
  weight: number(),
  negate: flag(),
  tool: anything(),
  tools: anything(),
  use: anything(),
  script: anything(),
  criterion: anything(),
  rubric: optional(anyMap()),
  pattern: text(),
  topic: text(),
  topics: texts(),
  hat: text(),
  hats: texts(),
  from: text(),
  to: text(),
  snapshot_id: text(),
  params: optional(about(anyMap(), 'What else the assertion was given; long values are cut.')),
  expected: anything(),
  actual: anything(),
  message: text(),
  diff: optional(about(v.string(), 'A unified or character diff, if both sides are long.')),
  score: number(),
  start_ms: optional(about(v.number(), 'For one that asks a model or a script: milliseconds after the case began.')),
  duration_ms: number(),
  error: optional(about(v.string(), 'The check could not be carried out: never a pass, never an ordinary failure.')),
  error_kind: optional(about(v.picklist(['validator', 'script', 'input']), 'Whose fault that is.')),
  not_evaluated: optional(
    about(v.literal(true), 'The case was skipped before it reached this check, or there was nothing to check.'),
  ),
  asked: optional(about(v.number(), 'How often a judge was asked, when once was not enough.')),
  claimed: optional(about(v.literal(true), 'It rests on what the agent says about itself.')),
  paths: optional(about(v.unknown(), 'Of state_changed: what had to change.')),
  judge: optional(about(judgeEntry, 'Who judged, and by what.')),
  advice: optional(
    about(v.literal(true), 'With judges.require_licence: the judge has no licence, so this is shown and not counted.'),
  ),
  choice: optional(about(choice, 'Of expect_tool and skill_invoked: what should have been chosen, and what was.')),
}

type AssertionFields = v.InferOutput<v.ObjectSchema<typeof assertionEntries, undefined>>

export interface AssertionResult extends AssertionFields {
  parts?: AssertionResult[]
}

export const assertionResult: v.GenericSchema<AssertionResult> = v.object({
  ...assertionEntries,
  parts: optional(
    about(v.array(v.lazy(() => assertionResult)), 'The members of all, any and none; the votes of a judge.'),
  ),
})

const assertionResults = () => optional(v.array(assertionResult))

export const skills = v.object({
  tested: optional(about(v.string(), 'The skill under test.')),
  offered: optional(about(v.array(v.string()), 'What its model could choose from. Absent: the agent does not say.')),
  invoked: about(v.array(v.string()), 'What it used, by its own report.'),
  unclear: optional(
    about(v.array(v.string()), 'Named in a call that failed, or that does not show whether the skill was read.'),
  ),
})

const skillUse = () => optional(about(skills, 'The skills that the agent had and used, if it reports them.'))

export const turnResult = v.object({
  turn: about(v.number(), 'From 1.'),
  input: v.unknown(),
  input_source: about(v.picklist(['static', 'simulator', 'human']), 'Who said it.'),
  status: v.picklist([...STATUSES, 'not_run']),
  output: anything(),
  tool_calls: optional(v.array(toolCall)),
  tool_evidence: toolEvidence(),
  awaiting_input: flag(),
  awaiting_reason: text(),
  input_hint: text(),
  finish_reason: text(),
  refusal: refused(),
  usage: optional(usage),
  cost_dollars: number(),
  cost_estimated: estimated(),
  skills: skillUse(),
  exit_code: number(),
  stderr: text(),
  assertions: assertionResults(),
  assertion_errors: texts(),
  error: text(),
  error_kind: optional(errorKind),
  skip_reason: text(),
  question: optional(about(v.string(), 'What the agent asked when no input was left.')),
  hint: optional(about(v.string(), 'What the author can do about it.')),
  reasoning: optional(about(v.string(), 'Why the simulator said this.')),
  goal_achieved: flag(),
  goal_reasoning: optional(about(v.string(), 'Why the simulator says so.')),
  start_ms: startMs(),
  duration_ms: v.number(),
})

export const checkpointResult = v.object({
  id: v.string(),
  description: text(),
  reached: v.boolean(),
  reached_at_turn: number(),
  passed: v.boolean(),
  required: v.boolean(),
  message: text(),
  out_of_order: optional(about(v.boolean(), 'It matched only before the checkpoints in its "after" were reached.')),
  assertion: optional(assertionResult),
})

export const attempt = v.object({
  attempt: v.number(),
  status,
  error: text(),
  error_kind: optional(errorKind),
  start_ms: startMs(),
  duration_ms: v.number(),
  wait_ms: optional(about(v.number(), 'The wait before the next attempt.')),
  api_retries: number(),
  usage: optional(usage),
  cost_dollars: number(),
  cost_estimated: estimated(),
})

export const apiRetry = v.object({
  status: optional(about(v.number(), 'Of HTTP.')),
  reason: v.string(),
  wait_ms: about(v.number(), 'Before the next try.'),
})

export const rerun = v.object({
  reason: about(v.string(), 'How the process it shared with other cases ended.'),
  start_ms: startMs(),
  duration_ms: about(v.number(), 'Of the lost run; not included in the duration of the case.'),
  usage: optional(usage),
  cost_dollars: number(),
  cost_estimated: estimated(),
})

const identity = {
  type: v.literal('result'),
  run_id: v.string(),
  id: v.string(),
  name: text(),
  run: about(v.number(), 'Which of the runs of this case, from 1.'),
  variant: optional(about(v.string(), 'With several variants: which one.')),
  asked: optional(
    about(
      v.string(),
      'A hash of what the case asks: input, history, options, identity, attachments by content, replaced tools.',
    ),
  ),
  judged: optional(
    about(v.string(), 'What the answer is judged by: a hash of its limits, then one per assertion, sorted.'),
  ),
  attempts: number(),
  duration_ms: v.number(),
  trace_id: optional(about(v.string(), 'With --otel: the trace that holds its spans.')),
  metadata: optional(anyMap()),
  tags: texts(),
  file: optional(about(v.string(), 'The file that holds the case.')),
  line: number(),
  script: optional(about(v.string(), 'Script tests: the reference of the file.')),
  script_path: text(),
  uncompared: optional(
    about(v.literal(true), 'Only this variant has the case: it counts for it, but not where variants are compared.'),
  ),
  vacuous: optional(
    about(v.string(), 'An agent that does nothing useful would pass this case, too: which one, e.g. echoes.'),
  ),
  asserts_nothing: optional(
    about(v.literal(true), 'Script tests: the source holds nothing that could fail. With --strict such a test fails.'),
  ),
}

/** What was asked and what happened, however it ended. */
const happened = {
  input: anything(),
  expected: anything(),
  messages_count: optional(about(v.number(), 'Messages sent with the last call.')),
  min_score: number(),
  assertions: assertionResults(),
  assertion_errors: optional(about(v.array(v.string()), 'One message per assertion that did not pass.')),
  final_assertions: assertionResults(),
  choice: optional(
    about(choice, 'The tool or skill that should have been chosen, and what was: of the first check of it.'),
  ),
  turns: optional(v.array(turnResult)),
  total_turns: optional(about(v.number(), 'Turns the agent answered.')),
  checkpoints: optional(v.array(checkpointResult)),
  simulator: text(),
  simulator_brief: optional(
    about(
      anyMap(),
      'What the simulated user was given: persona, goal and what else its metadata says; long values are cut.',
    ),
  ),
  tool_calls: optional(v.array(toolCall)),
  tool_evidence: toolEvidence(),
  finish_reason: text(),
  refusal: refused(),
  awaiting_input: flag(),
  awaiting_reason: text(),
  usage: optional(usage),
  cost_dollars: optional(about(v.number(), 'Absent: unknown, which is not 0.')),
  cost_estimated: estimated(),
  helpers: optional(
    about(
      v.array(helperCost),
      "Calls of judges and simulators, over all attempts; not included in the agent's figures.",
    ),
  ),
  first_chunk_ms: number(),
  api_retries: optional(about(v.number(), 'Transport retries; they never make a case flaky.')),
  api_retry_log: optional(about(v.array(apiRetry), 'Why each of them was made; the first twenty.')),
  trace: optional(v.array(traceStep)),
  spans: optional(about(v.array(span), 'What the agent itself reported of its steps.')),
  spans_left_out: optional(about(v.number(), 'How many more of them there were.')),
  leaked: optional(about(v.array(v.string()), 'Processes the agent left behind and Viva killed.')),
  skills: skillUse(),
  exit_code: number(),
  stdout: optional(about(v.string(), 'What the program wrote, if the output was read from it and differs.')),
  stderr: text(),
  session: optional(about(sessionResult, 'What an orchestrator did; with several turns, in the last one.')),
  changes: optional(about(v.array(fileChange), 'What changed in the workspace.')),
  changes_left_out: optional(about(v.number(), 'How many more changes there were.')),
  state: optional(about(stateResult, 'What the case changed outside the conversation.')),
  workspace: optional(about(v.string(), 'Where the workspace was kept.')),
  logs: texts(),
  logs_dropped: number(),
  warnings: texts(),
  without: optional(
    about(v.array(v.string()), 'What the packages of the run need and were tested without: testing.without.'),
  ),
  faults: optional(
    about(
      v.array(
        v.object({
          call: about(v.number(), 'Position in the case, from 1.'),
          attempt: optional(about(v.number(), 'Absent: the first.')),
          role: about(v.string(), 'Whose call it was: an agent, a helper, a tool, a hat.'),
          fault: v.picklist(FAULTS),
        }),
      ),
      'With --chaos: the faults that were injected into its calls.',
    ),
  ),
  failure_history: optional(about(v.array(attempt), 'Attempts before the last one.')),
  reruns: optional(
    about(
      v.array(rerun),
      'Runs lost with a shared process and repeated alone; their cost counts, and they never make a case flaky.',
    ),
  ),
}

const answer = {
  output: optional(about(v.unknown(), 'What assertions on the answer saw.')),
  response: optional(about(v.string(), 'The last answer as text.')),
  output_encoding: optional(
    about(v.literal('base64'), 'The answer was not UTF-8: output is base64 of its first 64 kB.'),
  ),
  score: optional(about(v.number(), 'Graded cases: the weighted share of passed assertions, 0–1.')),
}

const noAnswer = { output: absent(), response: absent(), output_encoding: absent(), score: absent() }

export const passedResult = v.object({
  ...identity,
  status: v.literal('passed'),
  ...happened,
  ...answer,
  flaky: optional(about(v.boolean(), 'It passed after a failed attempt.')),
  skip_reason: absent(),
  skip: absent(),
  skipped_by: absent(),
  error: absent(),
  error_kind: absent(),
  assertion: absent(),
  stack: absent(),
})

export const failedResult = v.object({
  ...identity,
  status: v.literal('failed'),
  error: v.string(),
  error_kind: errorKind,
  ...happened,
  ...answer,
  assertion: optional(
    about(
      v.object({ type: v.string(), expected: anything(), actual: anything(), message: text() }),
      'Script tests: the first failed assertion.',
    ),
  ),
  stack: text(),
  flaky: absent(),
  skip_reason: absent(),
  skip: absent(),
  skipped_by: absent(),
})

export const skippedResult = v.object({
  ...identity,
  status: v.literal('skipped'),
  skip_reason: v.string(),
  skip: optional(about(v.boolean(), 'Skipped by its author: never started, and planned once whatever --runs says.')),
  skipped_by: optional(
    about(
      v.picklist(SKIPPED_BY),
      '`author`: skip is set. `not_shown`: nobody chose to skip it, and assertions were not reached, because the agent or the simulator left it without a next input or an import lost part of it; the run is not green. `variant`: the case is not for this variant, such as one about the use of a skill for the side without it.',
    ),
  ),
  error: optional(about(v.string(), 'What kept the conversation from continuing.')),
  error_kind: optional(errorKind),
  ...happened,
  ...noAnswer,
  flaky: absent(),
  assertion: absent(),
  stack: absent(),
})

export const resultSchema = v.variant('status', [passedResult, failedResult, skippedResult])
