// One table of the flags of `viva test`: the parser, `--help`, completion and the reference are generated from it.
import { flagOf, OPTION_RULES, type OptionRule } from '../model/option-rules.js'
import type { RunOptions } from '../model/options.js'

export interface Flag extends OptionRule {
  /** Key in RunOptions (and in `defaults` of the configuration). */
  key: string
  short?: string
  long: string
  /** Placeholder of the value; absent for switches. */
  value?: string
  description: string
  /** Shown in help; the real default is in model/options.ts. */
  default?: string
  group:
    | 'Input'
    | 'Agent'
    | 'Identity'
    | 'Running'
    | 'Conversations'
    | 'Recordings'
    | 'Output'
    | 'Repetition'
    | 'Fleet'
    | 'Project'
  example?: string
  /** Given several times, it means all of them. */
  several?: true
}

/** What values an option takes is defined with the option. */
type Row = Omit<Flag, 'key' | 'long' | keyof OptionRule> & { key: keyof RunOptions }

const ROWS: Row[] = [
  {
    key: 'input',
    short: '-i',
    value: '<source>',
    several: true,
    group: 'Input',
    description:
      'case file (.jsonl, .json, .yaml, .csv), folder, glob, message, "-" for standard input, @file, scripts.a.b, agents:id?count=10 or scripts:mod.fn; files, folders and globs may be given several times',
    example: '-i tests/inputs.jsonl',
  },
  {
    key: 'run',
    value: '<regex>',
    group: 'Input',
    description: 'only cases whose id, or tests whose function name, matches (also -run)',
    example: '--run "TestSystem.*"',
  },
  {
    key: 'tag',
    value: '<tag>',
    group: 'Input',
    description: 'only cases with this tag, or with !tag only those without it; may be given several times',
    example: "--tag '!slow'",
  },
  {
    key: 'last_failed',
    group: 'Input',
    description:
      'only the cases that did not pass in their last run, according to the event files of this input or the history',
  },
  {
    key: 'shard',
    value: '<i/n>',
    group: 'Input',
    description: 'a stable share of the cases',
    example: '--shard 1/4',
  },
  {
    key: 'shard_plan',
    value: '<file>',
    group: 'Input',
    description: 'shares of equal duration, from viva shard-plan; all shards need the same file',
  },
  {
    key: 'run_group',
    value: '<name>',
    group: 'Input',
    description: 'what the shards of one run have in common, for viva merge; default: the id of the CI run',
  },
  {
    key: 'strict',
    group: 'Input',
    description: 'unknown keys in cases are errors; skipped cases and script tests that assert nothing fail',
  },
  {
    key: 'allow_outside',
    group: 'Input',
    description: 'file:// attachments may be outside the application root',
  },
  {
    key: 'dry_run',
    group: 'Input',
    description: 'load or generate the cases, print and write them, run nothing',
  },

  {
    key: 'name',
    short: '-n',
    value: '<agent>',
    several: true,
    group: 'Agent',
    description:
      'agent id, a name from the configuration, or a target: ./agent.ts#run, http(s)://…, exec:command, a2a:url, acp:command, orchestrator:config.yml, recorded:events.jsonl, builtin:echo; several are variants, side by side',
    default: 'detected',
  },
  {
    key: 'connector',
    short: '-c',
    value: '<id>',
    several: true,
    group: 'Agent',
    description: "overrides the case's and the agent's connector; several are variants, side by side",
  },
  {
    key: 'variant',
    value: '<name=target,…>',
    group: 'Agent',
    description:
      'a variant: a name, a target, then connector, preset, locale, env.X, options.X; or the name of one in the configuration; the first is the baseline; may be given several times',
    example: '--variant "fast=./agent.ts#run,connector=mini"',
  },
  {
    key: 'gate',
    value: '<whose>',
    group: 'Agent',
    description: 'with several variants: whose failures decide the exit code',
    default: 'any',
  },
  {
    key: 'app',
    short: '-a',
    value: '<dir>',
    group: 'Agent',
    description: 'application root',
    default: 'found upward',
  },
  {
    key: 'pass_env',
    value: '<name>',
    group: 'Agent',
    description: 'environment variable that programs under test may see; may be given several times',
  },

  {
    key: 'user',
    short: '-u',
    value: '<id>',
    group: 'Identity',
    description: 'test user, for all cases',
    default: 'test-user',
  },
  {
    key: 'team',
    short: '-t',
    value: '<id>',
    group: 'Identity',
    description: 'test team, for all cases',
    default: 'test-team',
  },
  {
    key: 'ctx',
    value: '<file>',
    group: 'Identity',
    description: 'context JSON file; beats -u and -t',
    example: '--ctx tests/context.json',
  },
  {
    key: 'locale',
    value: '<locale>',
    group: 'Identity',
    description: 'locale of the conversation',
    default: 'en-us',
  },

  {
    key: 'parallel',
    value: '<n>',
    group: 'Running',
    description: 'cases at a time',
    default: '1',
  },
  {
    key: 'agent_processes',
    value: '<n>',
    group: 'Running',
    description: 'processes for an agent that is a module; the turns of a case stay in one',
    default: '1',
  },
  {
    key: 'timeout',
    value: '<duration>',
    group: 'Running',
    description: 'per case, unless the case has its own: 30s, 2m, 1h30m, 500ms',
    default: '5m; script tests 30s',
  },
  {
    key: 'fail_fast',
    group: 'Running',
    description: 'at the first failure nothing more starts and running cases are cancelled',
  },
  {
    key: 'stop_after',
    value: '<n>',
    group: 'Running',
    description: 'start no more cases once this many have failed; running ones may finish',
    example: '--stop-after 3',
  },
  {
    key: 'order',
    value: '<how>',
    group: 'Running',
    description: 'failed-first, slow-first, random, random:seed or file',
    default: 'file',
  },
  {
    key: 'retries',
    value: '<n>',
    group: 'Running',
    description: 'retries of a case on transient errors',
    default: '0',
  },
  {
    key: 'chaos',
    value: '[faults]',
    group: 'Running',
    description:
      'inject faults into calls of models and agents: timeout, error, malformed, slow, dropped (default: all), with rate=0.5, seed=1, delay=100ms, lane=agent (tools, simulator, judge); the same seed gives the same faults',
    example: '--chaos=error,slow,rate=0.3,seed=7',
  },
  {
    key: 'resume',
    value: '<events.jsonl>',
    group: 'Running',
    description: 'continue an interrupted run: its event file, or latest for the newest in .viva/runs',
  },
  {
    key: 'max_cost',
    value: '<dollars>',
    group: 'Running',
    description: 'start no more cases when the run has cost this much; a run that stopped short exits with 1',
  },
  {
    key: 'keep_going',
    group: 'Running',
    description: 'run every case, even when an endpoint has refused the key or the quota five times in a row',
  },
  {
    key: 'fail_on_flaky',
    group: 'Running',
    description: 'exit 1 when a case passed only after a retry, or in only some of its runs',
  },
  { key: 'pass_with_no_tests', group: 'Running', description: 'exit 0 even when every case was skipped' },
  {
    key: 'before',
    value: '<function>',
    group: 'Running',
    description: 'script function called once before the cases',
  },
  {
    key: 'after',
    value: '<function>',
    group: 'Running',
    description: 'script function called once after the cases',
  },
  {
    key: 'coverage',
    value: '[dir]',
    group: 'Running',
    description: "code coverage of the user's scripts: text summary and lcov",
    default: 'coverage',
  },

  {
    key: 'simulator',
    value: '<agent>',
    group: 'Conversations',
    description: 'default simulator agent',
  },
  {
    key: 'interactive',
    group: 'Conversations',
    description: 'ask a person when the agent awaits input',
  },
  {
    key: 'skip_interactive',
    group: 'Conversations',
    description: 'never ask a person',
  },
  {
    key: 'on_missing_input',
    value: '<what>',
    group: 'Conversations',
    description: "what to do when there is no next input; overrides the case's",
    default: 'skip',
  },
  {
    key: 'save_turns',
    value: '<file>',
    group: 'Conversations',
    description: 'write what a person typed back as a case file with static turns',
  },
  {
    key: 'update_snapshots',
    short: '-U',
    group: 'Running',
    description: 'write the snapshots that are missing or differ; review the answers first',
  },
  {
    key: 'workspace_quota',
    value: '<MB>',
    default: '1024',
    group: 'Running',
    description: 'how much a workspace may hold; an agent that writes more is killed',
  },
  { key: 'keep_workspaces', group: 'Running', description: 'keep the workspaces of cases that fail, and say where' },

  {
    key: 'record',
    value: '<file|dir>',
    group: 'Recordings',
    description:
      'record what agents, tools, simulators, judges and generators are asked and answer; in a folder, one file per case',
    example: '--record tests/cassette.yaml',
  },
  {
    key: 'replay',
    value: '<file|dir>',
    group: 'Recordings',
    description: 'answer from a recording: no key, no network, no cost; a request that is not recorded is an error',
  },
  {
    key: 'cache',
    value: '[age]',
    group: 'Recordings',
    description: 'cache what models answer in .viva/cache and ask only what is new, or older than age (12h, 30d)',
    default: '14d',
  },
  {
    key: 'record_new',
    group: 'Recordings',
    description: 'with --replay: call and record what the recording lacks, and the rest of a conversation that differs',
  },
  {
    key: 'allow_passthrough',
    group: 'Recordings',
    description: 'with --replay: call what the recording lacks, and do not record it',
  },
  {
    key: 'record_http',
    group: 'Recordings',
    description:
      'with --record: run agents that Viva starts, and keep the calls they make to their models (OPENAI_BASE_URL, ANTHROPIC_BASE_URL)',
  },
  {
    key: 'realtime',
    group: 'Recordings',
    description:
      'with --replay: model answers that were recorded with --record-http take as long as they originally did',
  },
  {
    key: 'no_strict',
    group: 'Recordings',
    description: 'with --replay: answer by position alone, whatever is asked',
  },
  {
    key: 'live',
    value: '<lane>',
    group: 'Recordings',
    description:
      'with --replay: call this lane (agent, tools, simulator, judge, generator) instead; may be given several times',
  },

  {
    key: 'output',
    short: '-o',
    value: '<file>',
    group: 'Output',
    description:
      'output file, format by extension (.jsonl .json .md .html .xml .tap .ctrf.json .txt); may be given several times',
    default: '.viva/runs/output-{time}.jsonl if there is a .viva folder, else {input dir}/output-{time}.jsonl',
  },
  {
    key: 'reporter',
    short: '-r',
    value: '<name>',
    group: 'Output',
    description:
      'report.json, report.markdown, report.html, report.summary, report.junit, report.tap, report.ctrf, or an agent id',
  },
  {
    key: 'json',
    group: 'Output',
    description: 'print the event stream, and nothing else, on standard output',
  },
  {
    key: 'verbose',
    short: '-v',
    group: 'Output',
    description: 'turns, assertions, tool calls, logs',
  },
  {
    key: 'force',
    group: 'Output',
    description: 'replace an existing event file; without it an older run is kept under another name',
  },
  { key: 'history', group: 'Output', description: 'keep the run in .viva/history' },
  {
    key: 'otel',
    value: '[url|file]',
    group: 'Output',
    description: 'send the run as OpenTelemetry spans to a collector, or write them to a file',
    default: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    example: '--otel http://localhost:4318',
  },

  {
    key: 'runs',
    value: '<n|auto>',
    group: 'Repetition',
    description: 'runs per case; auto: until each case is decided',
    default: '1',
  },
  {
    key: 'min_pass_rate',
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs: the pass rate a case needs, as 80 or 0.8; with --runs auto the same as --threshold',
    default: '100',
  },
  {
    key: 'threshold',
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs auto: the pass rate to decide on, as 80 or 0.8',
    default: '80',
  },
  {
    key: 'confidence',
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs auto: how sure the decision must be',
    default: '95',
  },
  {
    key: 'max_runs',
    value: '<n>',
    group: 'Repetition',
    description: 'with --runs auto: at most this many',
    default: '30',
  },

  {
    key: 'queue',
    value: '<url>',
    group: 'Fleet',
    description:
      'hand the cases to the workers waiting there (viva worker): redis://host:port or rediss://; both sides need VIVA_QUEUE_KEY',
    example: '--queue redis://localhost:6379',
  },
  {
    key: 'bundle',
    group: 'Fleet',
    description: 'with --queue: send the files of the application along, for workers that do not have them',
  },
]

export const TEST_FLAGS: Flag[] = ROWS.map((row) => ({ ...row, long: flagOf(row.key), ...OPTION_RULES[row.key] }))
