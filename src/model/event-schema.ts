// The schema of an event file's lines: source of their types and of `viva schema result`. Readers skip what they do not know.
import * as v from 'valibot'
import {
  assertionResult,
  attempt,
  checkpointResult,
  CHOICE_KINDS,
  errorKind,
  estimated,
  helperCost,
  resultSchema,
} from './result-schema.js'
import { status, toolCall, traceStep, turnResult, usage } from './result-schema.js'
import { CASE_STATUSES, SKIPPED_BY } from './status.js'
import { about, anyMap, optional } from './schema-parts.js'

const text = () => optional(v.string())
const number = () => optional(v.number())
const runs = () => v.union([v.number(), v.literal('auto')])

const variant = () => optional(about(v.string(), 'With several variants: which one it belongs to.'))

export const environment = v.object({ user_id: v.string(), team_id: v.string(), locale: v.string() })

const revision = () =>
  v.object({
    ref: v.string(),
    commit: v.string(),
    working_tree: optional(about(v.boolean(), 'Including uncommitted changes.')),
  })

export const startSchema = v.object({
  type: v.literal('start'),
  format: v.number(),
  timestamp: v.string(),
  run_id: v.string(),
  mode: about(
    v.picklist(['agent', 'script_test', 'test_tools']),
    'Cases, the tests of scripts.*, or what test tools have checked',
  ),
  agent_id: v.string(),
  agent_path: text(),
  connector: text(),
  input: about(v.string(), 'As given with -i.'),
  input_hash: optional(about(v.string(), 'SHA-256 of the input, so that --resume notices a changed one.')),
  run_group: optional(about(v.string(), 'With --shard: what the shards of one run have in common.')),
  run_attempt: optional(
    about(v.number(), 'With --shard, in CI: which try of the CI run it is. The last one of a shard counts.'),
  ),
  shard_plan_hash: optional(about(v.string(), 'SHA-256 of the file of --shard-plan.')),
  merged_from: optional(
    about(
      v.array(
        v.object({
          shard: v.string(),
          run_id: v.string(),
          attempt: number(),
          replaces: optional(about(v.array(v.string()), 'The runs of earlier tries of this shard.')),
        }),
      ),
      'If viva merge put the run together: its shards.',
    ),
  ),
  plan: optional(
    about(
      v.object({
        count: about(v.number(), 'Cases that the selection leaves; with --shard, of all shards.'),
        digest: about(v.string(), 'Over what each of them asks and is judged by, in any order.'),
        options: about(anyMap(), 'The options that bear on verdicts, other than their defaults.'),
      }),
      'What was to be run: shards of one run, and the parts of a resumed one, have the same.',
    ),
  ),
  total_cases: number(),
  multi_turn: optional(about(v.boolean(), 'At least one case has turns or a simulator.')),
  runs_per_case: runs(),
  environment,
  options: about(anyMap(), 'The options of viva test.'),
  version: v.string(),
  script: optional(about(v.string(), 'Script tests: the reference as given.')),
  script_path: optional(about(v.string(), 'Its files, relative to the application root.')),
  session_file: optional(about(v.string(), 'Test tools: the session that was examined.')),
  helpers: optional(about(v.array(helperCost), 'What making the cases cost.')),
  variants: optional(
    about(
      v.array(
        v.object({
          name: v.string(),
          agent_id: v.string(),
          agent_path: text(),
          connector: text(),
          preset: text(),
          locale: text(),
          env: optional(about(v.array(v.string()), 'Names of the variables it sets.')),
          options: optional(anyMap()),
          descriptions: optional(about(v.string(), 'The file with other descriptions of tools.')),
          descriptions_hash: optional(about(v.string(), 'SHA-256 of what it says.')),
          skills: optional(
            about(v.record(v.string(), v.string()), 'The skills that are installed: a hash of the files of each.'),
          ),
        }),
      ),
      'If there are several, the baseline first; every result then names one, and the format is 2.',
    ),
  ),
  diff: optional(
    about(
      v.object({
        left: revision(),
        right: revision(),
        changed_cases: optional(
          about(v.string(), 'Cases of the left side that are gone, ask something else or check less on the right.'),
        ),
      }),
      'viva diff: the revisions behind the two variants, as given and as resolved.',
    ),
  ),
})

export const caseStartSchema = v.object({
  type: v.literal('case_start'),
  id: v.string(),
  name: text(),
  run: v.number(),
  variant: variant(),
  position: optional(
    about(v.number(), 'With --shard: position of the case among all cases, so that viva merge knows the order.'),
  ),
  timestamp: v.string(),
})

export const errorSchema = v.object({
  type: v.literal('error'),
  message: v.string(),
  where: v.string(),
  timestamp: text(),
})

export const logSchema = v.object({
  type: v.literal('log'),
  where: about(v.string(), 'The agent that printed it, outside any case, or in one that could not be determined.'),
  lines: v.array(v.string()),
  lines_dropped: optional(about(v.number(), 'Lines beyond the limit that were dropped.')),
  timestamp: text(),
})

export const promptSchema = v.object({
  type: v.literal('prompt'),
  id: about(v.string(), 'As the messages of traces name it.'),
  text: about(v.string(), 'A long system prompt, written once however many cases it is sent in.'),
})

export const runDetail = v.object({
  run: v.number(),
  status,
  duration_ms: v.number(),
  output: optional(v.unknown()),
  error: text(),
  error_kind: optional(errorKind),
  cost_dollars: number(),
})

const rates = () => optional(v.record(v.string(), v.nullable(v.number())))

export const stabilitySchema = v.object({
  type: v.literal('stability'),
  id: v.string(),
  variant: variant(),
  name: text(),
  runs: v.number(),
  passed: v.number(),
  failed: v.number(),
  pass_rate: v.number(),
  consistency: v.number(),
  stable: v.boolean(),
  classification: v.picklist(['stable', 'mostly_stable', 'unstable', 'highly_unstable']),
  avg_duration_ms: v.number(),
  min_duration_ms: v.number(),
  max_duration_ms: v.number(),
  std_deviation_ms: v.number(),
  run_details: v.array(runDetail),
  verdict_runs: optional(
    about(
      v.number(),
      'Runs that passed, failed an assertion, or that the agent kept from being shown; the others say nothing.',
    ),
  ),
  error_rate: number(),
  interval: optional(
    about(
      v.object({ low: v.number(), high: v.number(), confidence: v.number() }),
      'Confidence interval of the true pass rate.',
    ),
  ),
  label: optional(
    about(
      v.string(),
      'What the runs show: passes always, passes mostly, passes sometimes, fails mostly, fails always, too few runs to tell.',
    ),
  ),
  output_agreement: optional(v.nullable(v.number())),
  pass_hat_k: rates(),
  pass_at_k: rates(),
  p50_duration_ms: number(),
  p95_duration_ms: number(),
  cost_per_run: number(),
  decision: optional(v.picklist(['above', 'below', 'undetermined'])),
  runs_saved: number(),
  threshold: number(),
  runs_needed: optional(about(v.number(), 'Runs still needed before the label can change, if the trend continues.')),
  status: optional(about(v.picklist(CASE_STATUSES), 'Passed when the pass rate reaches --min-pass-rate.')),
  skip_reason: text(),
  skipped_by: optional(about(v.picklist(SKIPPED_BY), 'Skipped in every run; `not_shown`: and nobody chose that.')),
  error: optional(about(v.string(), 'Of the first run that did not pass.')),
  error_kind: optional(errorKind),
  input: optional(v.unknown()),
  expected: optional(v.unknown()),
  asked: optional(about(v.string(), 'As in its results.')),
  judged: text(),
  file: text(),
  line: number(),
  tags: optional(v.array(v.string())),
})

const bounds = () => v.object({ low: v.number(), high: v.number(), confidence: v.number() })

const shift = () =>
  v.object({
    test: v.string(),
    pairs: v.number(),
    confidence: v.number(),
    p_value: v.number(),
    before: about(v.number(), 'Of the typical case, in milliseconds or dollars.'),
    after: v.number(),
    ratio: v.number(),
    interval: optional(v.object({ low: v.number(), high: v.number() })),
    verdict: about(
      v.picklist(['worse', 'better', 'slight', 'unchanged']),
      'slight: beyond chance, and too little to matter.',
    ),
  })

const behaviourChange = () =>
  v.object({
    test: v.string(),
    pairs: v.number(),
    confidence: v.number(),
    p_value: v.number(),
    distance: v.number(),
    verdict: v.picklist(['drift', 'slight', 'unchanged']),
    moved: about(
      v.array(v.object({ trait: v.string(), before: v.number(), after: v.number(), p_value: v.number() })),
      'What the agent does differently: percent of conversations before and after.',
    ),
  })

const caseChanges = () =>
  v.array(v.object({ id: v.string(), before: v.number(), after: v.number(), p_value: v.number() }))

const AS_JUDGED = 'In points, as the judge said: the rest is corrected for its error.'

export const corrected = v.object({
  pass_rate: about(v.number(), 'Percent of the runs with a verdict, corrected for the errors of judges.'),
  low: v.number(),
  high: v.number(),
  confidence: v.number(),
  runs: v.number(),
  as_judged: optional(
    about(
      v.number(),
      'Runs counted as they were judged: the error of the judge is unknown, or several judges decide together.',
    ),
  ),
  judges: v.array(
    v.object({
      judge: v.string(),
      model: text(),
      hash: about(v.string(), 'Of judge, model, prompt and criterion.'),
      criterion: optional(v.unknown()),
      runs: about(v.number(), 'Runs whose verdict this judge decided.'),
      as_judged: about(v.number(), 'Percent that the judge passed.'),
      pass_rate: about(v.number(), 'Percent, corrected.'),
      low: v.number(),
      high: v.number(),
      method: about(
        v.picklist(['labels', 'labels_by_verdict', 'licence']),
        'By labels of this run (PPI++, or weighted by verdict), or by a licence from other labels (Rogan–Gladen).',
      ),
      labels: about(v.number(), 'How many answers people labelled.'),
      false_passes: optional(about(v.number(), 'Percent of the answers that people failed.')),
      false_failures: optional(about(v.number(), 'Percent of the answers that people passed.')),
    }),
  ),
})

const share = v.object({ percent: v.number(), low: v.number(), high: v.number() })

export const choices = v.object({
  of: v.picklist(CHOICE_KINDS),
  runs: about(v.number(), 'Runs with a known choice: each repeat of a case counts once.'),
  cases: about(v.number(), 'Cases of which they are runs; with several variants, counted for each.'),
  lost: optional(about(v.number(), 'Runs whose choice is not known, most without an answer: counted nowhere else.')),
  right: about(v.number(), 'Runs that took what was expected, whatever the arguments.'),
  rate: optional(about(share, 'Right choices, with their interval.')),
  confidence: about(v.number(), 'Of all intervals here (Wilson); they take the cases as given.'),
  matrix: about(
    v.array(v.object({ expected: v.nullable(v.string()), taken: v.nullable(v.string()), runs: v.number() })),
    'How often what was taken, by what was expected; null: none. Cells of 0 are left out.',
  ),
  matrix_left_out: optional(about(v.number(), 'Runs in cells beyond the limit; in all other figures they count.')),
  names: v.array(
    v.object({
      name: about(v.nullable(v.string()), 'null: none was, or should have been, chosen.'),
      expected: about(v.number(), 'Runs that should have taken it.'),
      taken: about(v.number(), 'Runs that took it.'),
      right: about(v.number(), 'Both.'),
      precision: optional(about(share, 'Of the runs that took it, those that should have. Absent: none took it.')),
      recall: optional(about(share, 'Of the runs that should have taken it, those that did. Absent: none should.')),
    }),
  ),
  names_left_out: optional(about(v.literal(true), 'There were more names than are counted one by one.')),
  near_misses: number(),
  near: optional(
    about(
      v.array(
        v.object({
          id: v.string(),
          run: number(),
          variant: variant(),
          expected: v.nullable(v.string()),
          taken: v.nullable(v.string()),
          near: v.string(),
        }),
      ),
      'The first near misses, by id.',
    ),
  ),
})

const choicesField = () =>
  optional(
    about(
      v.array(choices),
      'If cases expect a tool or a skill: how often the right one was chosen, and which was taken instead.',
    ),
  )

export const contractSummary = v.object({
  listed: about(
    v.array(
      v.object({
        kind: v.picklist(['tool', 'prompt', 'resource', 'template']),
        listed: v.number(),
        exercised: about(v.number(), 'Those of which a valid call was answered with a result.'),
      }),
    ),
    'What the server lists, as far as it was selected.',
  ),
  findings: about(v.number(), 'Rules that were broken, counted for each case.'),
  hints: v.number(),
})

export const variantSummary = v.object({
  name: v.string(),
  total: v.number(),
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  not_shown: number(),
  not_run: v.number(),
  undetermined: number(),
  flaky: number(),
  retried: number(),
  failed_ids: v.array(v.string()),
  failed_ids_omitted: number(),
  pass_rate: optional(
    about(v.number(), 'Percent: the mean over its cases of the share of runs with a verdict that passed.'),
  ),
  interval: optional(about(bounds(), 'Of the pass rate, in percent; the set of cases is taken as fixed.')),
  skills_offered: optional(
    about(v.array(v.string()), 'Of a skill under test: every skill that the agent could choose in some run, sorted.'),
  ),
  corrected: optional(about(corrected, 'If labels or a licence tell how often its judge is wrong.')),
  choices: choicesField(),
  lost: optional(about(v.number(), 'Runs that ended without a verdict, or were skipped for this variant only.')),
  p50_duration_ms: optional(about(v.number(), 'Of runs with a verdict.')),
  p95_duration_ms: number(),
  usage: optional(usage),
  cost_dollars: number(),
  cost_estimated: estimated(),
  difference: optional(
    about(
      v.object({
        points: about(v.number(), 'Percentage points, paired over cases.'),
        low: v.number(),
        high: v.number(),
        confidence: v.number(),
        p_value: about(
          v.number(),
          'The larger of two, of the verdicts, and with runs without one counted as failed; adjusted for everything that is claimed about the variants: below 0.05 exactly where they differ.',
        ),
        cases: about(v.number(), 'Cases with a verdict on both sides.'),
        as_judged: optional(about(v.number(), AS_JUDGED)),
        fell: optional(about(caseChanges(), 'Cases that passed less often by more than chance, in percent.')),
        rose: optional(about(caseChanges(), 'Cases that passed more often.')),
        first_runs: optional(
          about(
            v.number(),
            'With --runs auto: the test of a single case counts its first runs, as many as every case has.',
          ),
        ),
      }),
      'Relative to the baseline.',
    ),
  ),
  duration_change: optional(about(shift(), 'Relative to the baseline.')),
  cost_change: optional(shift()),
  behaviour_change: optional(behaviourChange()),
  best: optional(about(v.boolean(), 'With three or more: indistinguishable from the best.')),
})

const decision = v.object({
  verdict: v.picklist(['worse', 'slightly_worse', 'not_worse', 'undecided']),
  rule: about(
    v.object({
      margin: v.number(),
      practical_points: v.number(),
      looks: about(v.array(v.number()), 'Run counts at which a decision was attempted.'),
      most_runs: number(),
    }),
    'What was asked for, in percentage points.',
  ),
  runs: v.number(),
  cases: about(v.number(), 'With a verdict on both sides.'),
  before: about(v.number(), 'Percent.'),
  after: v.number(),
  difference: about(v.number(), 'Percentage points, paired over cases.'),
  as_judged: optional(about(v.number(), AS_JUDGED)),
  interval: v.object({ low: v.number(), high: v.number() }),
  p_worse: v.number(),
  p_not_worse: v.number(),
  needed: optional(
    about(
      v.object({
        what: v.picklist(['runs', 'cases', 'verdicts', 'rule']),
        count: number(),
        lost_before: number(),
        lost_after: number(),
      }),
      'If undecided: what it would take to decide.',
    ),
  ),
  fell: optional(about(caseChanges(), 'Cases that passed less often by more than chance, in percent.')),
  breaks: optional(about(v.boolean(), 'The right side loses more runs than chance explains.')),
})

export const summarySchema = v.object({
  type: v.literal('summary'),
  run_id: v.string(),
  timestamp: v.string(),
  total: v.number(),
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  not_shown: optional(about(v.number(), 'Of the skipped cases, those that nobody chose to skip: not green.')),
  not_shown_ids: optional(v.array(v.string())),
  not_run: v.number(),
  not_run_ids: optional(about(v.array(v.string()), 'The first of those, if --stop-after ended the run.')),
  undetermined: optional(about(v.number(), 'With --runs auto: cases with too few runs to decide.')),
  undetermined_ids: optional(v.array(v.string())),
  flaky: number(),
  flaky_ids: optional(v.array(v.string())),
  retried: optional(about(v.number(), 'Cases that passed although an HTTP call of their agent had to be repeated.')),
  retried_ids: optional(v.array(v.string())),
  vacuous: optional(about(v.number(), 'Cases that an agent which does nothing useful would pass, too.')),
  vacuous_ids: optional(v.array(v.string())),
  advice_only: optional(
    about(v.number(), 'Cases that passed although all their checks are the advice of judges without a licence.'),
  ),
  advice_only_ids: optional(v.array(v.string())),
  duration_ms: v.number(),
  pass_rate: about(v.number(), 'Percent of the cases that nobody chose to skip.'),
  corrected: optional(about(corrected, 'If labels or a licence tell how often a judge is wrong.')),
  choices: choicesField(),
  contract: optional(about(contractSummary, 'If the contract of an MCP server was tried.')),
  usage: optional(usage),
  cost_dollars: number(),
  cost_estimated: estimated(),
  helpers: optional(about(v.array(helperCost), 'Judges, simulators and generators; not in the cost of the agent.')),
  failed_ids: v.array(v.string()),
  failed_ids_omitted: optional(about(v.number(), 'Failed ids that are counted, not listed.')),
  suggestion: text(),
  by_error_kind: v.record(v.string(), v.number()),
  interrupted: optional(v.boolean()),
  errors: number(),
  report_errors: optional(v.array(v.string())),
  total_cases: optional(about(v.number(), 'This and the next ones: with --runs.')),
  total_runs: number(),
  runs_per_case: optional(runs()),
  overall_pass_rate: optional(about(v.number(), 'Percent of runs: the mean over the cases of their own pass rates.')),
  stable_cases: number(),
  unstable_cases: number(),
  runs_saved: number(),
  total_turns: number(),
  variants: optional(about(v.array(variantSummary), 'If there are several, the baseline first.')),
  decision: optional(about(decision, 'viva diff: whether the right side is worse than the left.')),
  exit_code: v.number(),
  reasons: optional(about(v.array(v.string()), 'Why the exit code is not 0.')),
  snapshots: optional(
    v.object({
      written: number(),
      pending: optional(about(v.number(), 'Kept beside the snapshots, for viva snapshot review.')),
      obsolete: optional(about(v.array(v.string()), 'Files that no assertion reads any longer.')),
    }),
  ),
  without: optional(about(v.array(v.string()), 'What agents need and were tested without: testing.without.')),
  faults: optional(about(v.number(), 'With --chaos: how many faults were injected into calls.')),
  recording: optional(
    v.object({
      replayed: about(v.number(), 'With --record and --replay: calls answered from the recording.'),
      recorded: about(v.number(), 'Calls that were made and kept.'),
      passed_through: about(v.number(), 'Calls that were made and not kept.'),
      unused: about(v.number(), 'Recorded interactions of the cases that ran which nothing asked for.'),
      unused_at: optional(about(v.array(v.string()), 'Where the first of those are, as file:line.')),
      stale: optional(about(v.number(), 'Replayed although older than the max_age of their case.')),
    }),
  ),
})

export const orchestratorSchema = v.object({
  type: v.literal('orchestrator'),
  id: optional(about(v.string(), 'The case, if the run is part of one.')),
  run: number(),
  variant: variant(),
  attempt: number(),
  run_id: text(),
  ts: about(v.number(), 'Unix milliseconds.'),
  event: about(v.string(), 'What happened: _meta.iteration, bus.publish, backend.call …, as in session.jsonl.'),
  data: v.unknown(),
})

export const eventSchema = v.variant('type', [
  startSchema,
  caseStartSchema,
  resultSchema,
  errorSchema,
  logSchema,
  promptSchema,
  orchestratorSchema,
  stabilitySchema,
  summarySchema,
])

export async function eventJsonSchema(): Promise<Record<string, unknown>> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const schema = toJsonSchema(eventSchema, {
    target: 'draft-2020-12',
    definitions: { usage, toolCall, traceStep, assertionResult, turnResult, checkpointResult, attempt, runDetail },
  })
  return { ...schema, title: 'A line of a Viva event file' }
}
