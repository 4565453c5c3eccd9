// One table of the options of `viva test`. Types, defaults, flags, help, completion, schema and reference follow from it, and
// so does what `--resume`, `viva merge`, `viva diff`, `viva estimate` and a fleet do with each option.
import { GATES } from '../model/variant.js'
import type { OptionRow, OptionRule } from './option-row.js'

export const OPTIONS = {
  /** A case source; several are case files, folders or globs. */
  input: {
    kind: 'texts',
    default: undefined,
    short: '-i',
    value: '<source>',
    several: true,
    group: 'Input',
    description:
      'case file (.jsonl, .json, .yaml, .csv), folder, glob, message, "-" for standard input, @file, scripts.a.b, agents:id?count=10 or scripts:mod.fn; files, folders and globs repeatable',
    example: '-i tests/inputs.jsonl',
    rules: { resume: 'may change', merge: 'same', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  run: {
    kind: 'text',
    default: undefined,
    value: '<regex>',
    group: 'Input',
    description: 'run only cases whose id matches, or tests whose function name does (also -run)',
    example: '--run "TestSystem.*"',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  /** `!x`: exclude those with it. */
  tag: {
    kind: 'list',
    default: [],
    value: '<tag>',
    group: 'Input',
    description: 'run only cases with this tag, or without it if written as !tag; repeatable',
    example: "--tag '!slow'",
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  /** Only the cases whose last verdict is not a pass. */
  last_failed: {
    kind: 'switch',
    default: false,
    group: 'Input',
    description:
      'run only the cases that did not pass last time, according to the event files of this input or the history',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: [] },
  },
  shard: {
    kind: 'text',
    default: undefined,
    value: '<i/n>',
    group: 'Input',
    description: 'run one of n stable shares of the cases',
    example: '--shard 1/4',
    rules: { resume: 'same', merge: 'may differ', fleet: 'coordinator', also: ['estimate'] },
  },
  shard_plan: {
    kind: 'text',
    default: undefined,
    value: '<file>',
    group: 'Input',
    description: 'a file from viva shard-plan, for shards of equal duration; all shards need the same one',
    rules: { resume: 'same', merge: 'may differ', fleet: 'workers', also: ['estimate'] },
  },
  /** What the shards of one run have in common. */
  run_group: {
    kind: 'text',
    default: undefined,
    value: '<name>',
    group: 'Input',
    description: 'a name that the shards of one run share, for viva merge; default: the id of the CI run',
    rules: { resume: 'same', merge: 'may differ', fleet: 'workers', also: [] },
  },
  strict: {
    kind: 'switch',
    default: false,
    group: 'Input',
    description: 'reject unknown keys in cases; fail skipped cases and script tests that assert nothing',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  allow_outside: {
    kind: 'switch',
    default: false,
    group: 'Input',
    description: 'allow file:// attachments outside the application root',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  allow_destructive: {
    kind: 'switch',
    default: false,
    group: 'Input',
    description:
      'MCP servers without -i: also call tools that are not annotated as read-only; each case works in a folder and a HOME of its own, but what a tool reaches elsewhere is real',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  dry_run: {
    kind: 'switch',
    default: false,
    group: 'Input',
    description: 'load or generate the cases, print and write them, but run nothing',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: [] },
  },
  /** For a message: what the answer must be. */
  expected: {
    kind: 'text',
    default: undefined,
    value: '<text>',
    group: 'Input',
    description: 'with -i MESSAGE: the answer must be this text',
    example: '-i "What is 2 + 2? Only the number." --expected 4',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff'] },
  },
  /** For a message: what a judge must find in the answer. */
  criterion: {
    kind: 'list',
    default: [],
    value: '<text>',
    group: 'Input',
    description: 'with -i MESSAGE: a criterion that a judge checks the answer against; repeatable',
    example: '--judge anthropic:MODEL --criterion "is polite"',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff'] },
  },
  name: {
    kind: 'text',
    default: undefined,
    shown: 'detected',
    short: '-n',
    value: '<agent>',
    several: true,
    group: 'Agent',
    description:
      'agent id, a name from the configuration, or a target: ./agent.ts#run, http(s)://…, exec:command, a2a:url, acp:command, cli:claude, mcp:command or mcp:url (an MCP server), orchestrator:config.yml, recorded:events.jsonl, builtin:echo, or a model by its vendor: openai:MODEL, anthropic:MODEL, google:MODEL, ollama:MODEL, openrouter:MODEL …; skill:DIR with --with; repeat it to compare variants side by side',
    rules: { resume: 'may change', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  with: {
    kind: 'text',
    default: undefined,
    value: '<agent>',
    group: 'Agent',
    description:
      'with -n skill:DIR: the agent that the skill is tested with, as -n takes it: cli:claude, cli:codex, acp:command, ./agent.ts#run …; it runs with the skill and without it, side by side',
    example: '-n skill:skills/word-count --with cli:claude',
    rules: {
      resume: 'same',
      merge: 'same',
      fleet: {
        refused: '--with',
        hint: 'skills are installed on this machine: leave --queue out',
        otherwise: 'workers',
      },
      also: ['estimate'],
    },
  },
  /** Other skills, to be confused with. */
  skills: {
    kind: 'list',
    default: [],
    value: '<dir>',
    group: 'Agent',
    description: 'with -n skill:DIR: another skill that is installed beside it, on both sides; repeatable',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['estimate'] },
  },
  skills_folder: {
    kind: 'text',
    default: undefined,
    value: '<path>',
    group: 'Agent',
    description:
      'with -n skill:DIR: where the agent looks for skills, below its working folder; needed for agents that Viva does not know',
    example: '--skills-folder .claude/skills',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['estimate'] },
  },
  connector: {
    kind: 'text',
    default: undefined,
    short: '-c',
    value: '<id>',
    several: true,
    group: 'Agent',
    description:
      'override the connector of cases and agent: an id from connectors/, or a model such as openai:MODEL; repeat it to compare variants side by side',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  /** Put into the options of every request, where a chat endpoint has its model. */
  model: {
    kind: 'text',
    default: undefined,
    value: '<name>',
    group: 'Agent',
    description: 'with -n http(s)://…: the model to ask for',
    example: '-n https://api.example.com/v1 --model small --key-env EXAMPLE_KEY',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['estimate'] },
  },
  key_env: {
    kind: 'text',
    items: 'variable',
    default: undefined,
    value: '<name>',
    group: 'Agent',
    description:
      'for http(s)://…, a2a:… or mcp:https://…: the environment variable with the API key, sent as a bearer token',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'workers', also: ['estimate'] },
  },
  /** As strings, one each; or the name of one in the configuration. */
  variant: {
    kind: 'list',
    default: [],
    value: '<name=target,…>',
    group: 'Agent',
    description:
      'a variant: a name, a target, then connector, preset, locale, descriptions, env.X, options.X; or the name of a configured one; the first is the baseline; repeatable',
    example: '--variant "fast=./agent.ts#run,connector=mini"',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  /** Becomes variants: with the tools' own descriptions, and with these. */
  descriptions: {
    kind: 'text',
    default: undefined,
    value: '<file>',
    group: 'Agent',
    description:
      'other descriptions of the tools that a model is offered, {"tool": "description"}: compared with their own, as variants',
    example: '-n "mcp:node server.mjs" -c openai:MODEL --descriptions better.json',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'coordinator', also: ['estimate'] },
  },
  gate: {
    kind: 'choice',
    choices: GATES,
    default: 'any',
    value: '<whose>',
    group: 'Agent',
    description:
      'with several variants: whose failures decide the exit code; others: of all but the baseline, which is the default for -n skill:DIR',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: [] },
  },
  app: {
    kind: 'text',
    default: undefined,
    shown: 'found upward',
    short: '-a',
    value: '<dir>',
    group: 'Agent',
    description: 'application root',
    rules: { resume: 'may be added', merge: 'may differ', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  pass_env: {
    kind: 'list',
    items: 'variable',
    default: [],
    value: '<name>',
    group: 'Agent',
    description: 'an environment variable that programs under test may see; repeatable',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  user: {
    kind: 'text',
    default: undefined,
    shown: 'test-user',
    short: '-u',
    value: '<id>',
    group: 'Identity',
    description: 'test user for all cases',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  team: {
    kind: 'text',
    default: undefined,
    shown: 'test-team',
    short: '-t',
    value: '<id>',
    group: 'Identity',
    description: 'test team for all cases',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  ctx: {
    kind: 'text',
    default: undefined,
    value: '<file>',
    group: 'Identity',
    description: 'context JSON file; overrides -u and -t',
    example: '--ctx tests/context.json',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  locale: {
    kind: 'text',
    default: undefined,
    shown: 'en-us',
    value: '<locale>',
    group: 'Identity',
    description: 'locale of the conversation',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  parallel: {
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 1,
    value: '<n>',
    group: 'Running',
    description: 'how many cases run at a time',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  agent_processes: {
    kind: 'integer',
    min: 1,
    max: 64,
    default: 1,
    value: '<n>',
    group: 'Running',
    description: 'how many processes an agent that is a module runs in; all turns of a case use the same one',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  timeout: {
    kind: 'text',
    default: undefined,
    shown: '5m; script tests 30s',
    value: '<duration>',
    group: 'Running',
    description: 'time limit per case, unless the case sets its own: 30s, 2m, 1h30m, 500ms',
    rules: { bears: 'on verdicts', resume: 'may change', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  fail_fast: {
    kind: 'switch',
    default: false,
    group: 'Running',
    description: 'at the first failure, start no more cases and cancel those that are running',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** Stop starting cases after this many have failed. */
  stop_after: {
    kind: 'integer',
    min: 1,
    max: 1_000_000_000,
    default: undefined,
    value: '<n>',
    group: 'Running',
    description: 'start no more cases after this many failures; let running ones finish',
    example: '--stop-after 3',
    rules: { resume: 'may change', merge: 'same', fleet: 'coordinator', also: [] },
  },
  /** `failed-first`, `slow-first`, `random:seed` or `file`. */
  order: {
    kind: 'text',
    default: undefined,
    shown: 'file',
    value: '<how>',
    group: 'Running',
    description: 'which cases run first: failed-first, slow-first, random, random:seed or file',
    rules: { resume: 'same', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  retries: {
    kind: 'integer',
    min: 0,
    max: 100,
    default: 0,
    value: '<n>',
    group: 'Running',
    description: 'how often to retry a case after transient errors',
    rules: { bears: 'on verdicts', resume: 'may change', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  /** Inject faults into calls; a string says which, how often, with which seed. */
  chaos: {
    kind: 'optional',
    default: undefined,
    value: '[faults]',
    group: 'Running',
    description:
      'inject faults into calls to models and agents: timeout, error, malformed, slow, dropped (default: all), with rate=0.5, seed=1, delay=100ms, lane=agent (tools, simulator, judge); the same seed gives the same faults',
    example: '--chaos=error,slow,rate=0.3,seed=7',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  resume: {
    kind: 'text',
    default: undefined,
    value: '<events.jsonl>',
    group: 'Running',
    description: 'continue an interrupted run: its event file, or latest for the newest in .viva/runs',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  max_cost: {
    kind: 'number',
    min: 0,
    default: undefined,
    value: '<dollars>',
    group: 'Running',
    description: 'start no more cases once the run has cost this much; a run cut short exits 1',
    rules: { resume: 'may change', merge: 'same', fleet: 'coordinator', also: ['diff', 'estimate'] },
  },
  /** Keep calling endpoints that refuse the key or have no quota left. */
  keep_going: {
    kind: 'switch',
    default: false,
    group: 'Running',
    description: 'run every case, even after an endpoint has rejected the key or the quota five times in a row',
    rules: { resume: 'may change', merge: 'same', fleet: 'workers', also: ['diff'] },
  },
  fail_on_flaky: {
    kind: 'optional',
    choices: ['transport'],
    default: false,
    value: '[transport]',
    group: 'Running',
    description:
      'exit 1 if a case passed only after a retry or in only some of its runs; with transport, also if an HTTP call of its agent was retried',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  fail_on_vacuous: {
    kind: 'switch',
    default: false,
    group: 'Running',
    description:
      'exit 1 if an agent that does nothing useful (stays silent, refuses, echoes, apologises, recites) would also pass a case',
    rules: { resume: 'same', merge: 'same', fleet: 'coordinator', also: [] },
  },
  pass_with_no_tests: {
    kind: 'switch',
    default: false,
    group: 'Running',
    description: 'exit 0 even if every case was skipped',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  before: {
    kind: 'text',
    default: undefined,
    value: '<function>',
    group: 'Running',
    description: 'script function to call once before the cases',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'coordinator', also: ['diff'] },
  },
  after: {
    kind: 'text',
    default: undefined,
    value: '<function>',
    group: 'Running',
    description: 'script function to call once after the cases',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'coordinator', also: ['diff'] },
  },
  coverage: {
    kind: 'optional',
    default: undefined,
    shown: 'coverage',
    value: '[dir]',
    group: 'Running',
    description: 'code coverage of your scripts: text summary and lcov',
    rules: { resume: 'may be added', merge: 'may differ', fleet: 'workers', also: [] },
  },
  simulator: {
    kind: 'text',
    default: undefined,
    value: '<agent>',
    group: 'Conversations',
    description: 'default simulator agent',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  judge: {
    kind: 'text',
    default: undefined,
    shown: 'helpers.connector of the configuration, else -c',
    value: '<connector>',
    group: 'Conversations',
    description:
      'the model of the built-in judge, unless an assertion names one: a connector, or a model such as openai:MODEL',
    example: '--judge anthropic:MODEL',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  interactive: {
    kind: 'switch',
    default: false,
    group: 'Conversations',
    description: 'ask you for the next input when the agent awaits one',
    rules: {
      bears: 'on verdicts',
      resume: 'same',
      merge: 'same',
      fleet: { refused: '--interactive', hint: 'workers have no terminal', otherwise: 'coordinator' },
      also: [],
    },
  },
  skip_interactive: {
    kind: 'switch',
    default: false,
    group: 'Conversations',
    description: 'never ask; cases without a next input may be skipped',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  on_missing_input: {
    kind: 'choice',
    choices: ['skip', 'fail', 'end'],
    default: undefined,
    shown: 'skip, and exit 1 if assertions were left',
    value: '<what>',
    group: 'Conversations',
    description: 'what to do when there is no next input; overrides the setting of the case',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff'] },
  },
  save_turns: {
    kind: 'text',
    default: undefined,
    value: '<file>',
    group: 'Conversations',
    description: 'save what you typed as a case file with static turns',
    rules: { resume: 'may be added', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  update_snapshots: {
    kind: 'switch',
    default: false,
    short: '-U',
    group: 'Running',
    description: 'write missing and changed snapshots; review the answers first',
    rules: {
      bears: 'on verdicts',
      resume: 'same',
      merge: 'same',
      fleet: {
        refused: '--update-snapshots with --runs',
        when: ({ runs }) => runs !== 1,
        hint: 'run each case once to accept its answer: leave --runs out',
        otherwise: 'workers',
      },
      also: [],
    },
  },
  /** MB that a workspace may hold. */
  workspace_quota: {
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    default: 1024,
    value: '<MB>',
    group: 'Running',
    description: 'size limit of a workspace; an agent that writes more is killed',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff'] },
  },
  /** Those of cases that fail. */
  keep_workspaces: {
    kind: 'switch',
    default: false,
    group: 'Running',
    description: 'keep the workspaces of failed cases, and print where they are',
    rules: {
      resume: 'same',
      merge: 'same',
      fleet: {
        refused: '--keep-workspaces',
        hint: 'workspaces are on the workers; run what failed here: --last-failed --keep-workspaces',
        otherwise: 'workers',
      },
      also: [],
    },
  },
  record: {
    kind: 'text',
    default: undefined,
    value: '<file|dir>',
    group: 'Recordings',
    description:
      'record all calls to agents, tools, simulators, judges and generators; given a folder, one file per case',
    example: '--record tests/cassette.yaml',
    rules: { resume: 'same', merge: 'may differ', fleet: 'workers', also: [] },
  },
  replay: {
    kind: 'text',
    default: undefined,
    value: '<file|dir>',
    group: 'Recordings',
    description: 'answer from a recording: no key, no network, no cost; a call that was not recorded is an error',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** Keep what models answer; a string says how old an answer may be. */
  cache: {
    kind: 'optional',
    default: undefined,
    shown: '14d',
    value: '[age]',
    group: 'Recordings',
    description: 'keep model answers in .viva/cache and ask only for what is new, or older than age (12h, 30d)',
    rules: {
      bears: 'on verdicts',
      resume: 'same',
      merge: 'same',
      fleet: {
        refused: '--cache',
        hint: 'each worker would have its own cache; record once and continue from there: --record FILE, then --replay FILE --record-new',
        otherwise: 'workers',
      },
      also: [],
    },
  },
  record_new: {
    kind: 'switch',
    default: false,
    group: 'Recordings',
    description:
      'with --replay: make and record calls that the recording lacks, and the rest of a conversation that diverges',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  allow_passthrough: {
    kind: 'switch',
    default: false,
    group: 'Recordings',
    description: 'with --replay: make calls that the recording lacks, without recording them',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** The calls that agents make to their models directly, instead of the agents as a whole. */
  record_http: {
    kind: 'switch',
    default: false,
    group: 'Recordings',
    description:
      'with --record: record the model calls of agents that Viva starts, through OPENAI_BASE_URL and ANTHROPIC_BASE_URL, instead of the agents as a whole',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** With `replay`: those calls take the time they took. */
  realtime: {
    kind: 'switch',
    default: false,
    group: 'Recordings',
    description: 'with --replay: answers recorded with --record-http take as long as they did originally',
    rules: { resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** With `replay`: match calls by position alone, whatever they ask. */
  no_strict: {
    kind: 'switch',
    default: false,
    group: 'Recordings',
    description: 'with --replay: match calls by position alone, whatever they ask',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  /** Lanes that `replay` does not answer for. */
  live: {
    kind: 'list',
    default: [],
    value: '<lane>',
    group: 'Recordings',
    description: 'with --replay: call this lane for real (agent, tools, simulator, judge, generator); repeatable',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  output: {
    kind: 'list',
    default: [],
    shown: '.viva/runs/output-{time}.jsonl if there is a .viva folder, else {input dir}/output-{time}.jsonl',
    short: '-o',
    value: '<file>',
    group: 'Output',
    description: 'output file, format by extension (.jsonl .json .md .html .xml .tap .ctrf.json .txt); repeatable',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: ['diff'] },
  },
  reporter: {
    kind: 'text',
    default: undefined,
    short: '-r',
    value: '<name>',
    group: 'Output',
    description:
      'report.json, report.markdown, report.html, report.summary, report.junit, report.tap, report.ctrf, or an agent id',
    rules: { resume: 'may be added', merge: 'may differ', fleet: 'coordinator', also: ['diff'] },
  },
  json: {
    kind: 'switch',
    default: false,
    group: 'Output',
    description: 'print the event stream, and nothing else, on standard output',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  verbose: {
    kind: 'switch',
    default: false,
    short: '-v',
    group: 'Output',
    description: 'show turns, assertions, tool calls and logs',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: ['diff'] },
  },
  classic: {
    kind: 'switch',
    default: false,
    group: 'Output',
    description: 'the console of viva agent test: a block for each case, then the failures once more',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  force: {
    kind: 'switch',
    default: false,
    group: 'Output',
    description: 'replace an existing event file; without it, the older run is kept under another name',
    rules: { resume: 'may change', merge: 'may differ', fleet: 'coordinator', also: ['diff'] },
  },
  history: {
    kind: 'switch',
    default: false,
    group: 'Output',
    description: 'keep the run in .viva/history',
    rules: { resume: 'same', merge: 'may differ', fleet: 'coordinator', also: ['diff'] },
  },
  /** Where spans go: a collector, a file; true: as the environment says. */
  otel: {
    kind: 'optional',
    default: undefined,
    shown: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    value: '[url|file]',
    group: 'Output',
    description: 'send the run as OpenTelemetry spans to a collector, or write them to a file',
    example: '--otel http://localhost:4318',
    rules: { resume: 'may be added', merge: 'may differ', fleet: 'coordinator', also: [] },
  },
  runs: {
    kind: 'runs',
    min: 1,
    max: 100_000,
    default: 1,
    value: '<n|auto>',
    group: 'Repetition',
    description: 'runs per case; auto: until each case is decided',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['estimate'] },
  },
  /** Percent, as are `threshold` and `confidence`. With `auto` the same as `threshold`. */
  min_pass_rate: {
    kind: 'percent',
    min: 0.01,
    max: 100,
    default: 100,
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs: the pass rate a case needs, as 80 or 0.8; with --runs auto the same as --threshold',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  threshold: {
    kind: 'percent',
    min: 0.01,
    max: 100,
    default: 80,
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs auto: the pass rate to decide on, as 80 or 0.8',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  confidence: {
    kind: 'percent',
    min: 50,
    max: 99.99,
    default: 95,
    value: '<percent>',
    group: 'Repetition',
    description: 'with --runs auto: confidence needed to decide',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: [] },
  },
  max_runs: {
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 30,
    value: '<n>',
    group: 'Repetition',
    description: 'with --runs auto: most runs per case',
    rules: { bears: 'on verdicts', resume: 'same', merge: 'same', fleet: 'workers', also: ['diff', 'estimate'] },
  },
  /** Where the fleet meets: `redis://…`. */
  queue: {
    kind: 'text',
    default: undefined,
    value: '<url>',
    group: 'Fleet',
    description:
      'hand the cases to the workers of this queue (viva worker): redis://host:port or rediss://; both sides need VIVA_QUEUE_KEY',
    example: '--queue redis://localhost:6379',
    rules: { resume: 'given again', merge: 'same', fleet: 'coordinator', also: [] },
  },
  /** With `queue`: the files of the application go along. */
  bundle: {
    kind: 'switch',
    default: false,
    group: 'Fleet',
    description: "with --queue: send the application's files to workers that do not have them",
    rules: { resume: 'given again', merge: 'same', fleet: 'coordinator', also: [] },
  },
} as const satisfies Record<string, OptionRow>

type Table = typeof OPTIONS
export type OptionName = keyof Table

type ValueOf<Row extends OptionRule> = Row extends { choices: readonly (infer Choice)[] }
  ? Row extends { kind: 'optional' }
    ? Choice | boolean
    : Choice
  : {
      text: string
      switch: boolean
      integer: number
      number: number
      list: string[]
      choice: string
      runs: number | 'auto'
      percent: number
      optional: string | boolean
      texts: string | string[]
    }[Row['kind']]

type Settled = { [Name in OptionName]: Table[Name]['default'] extends undefined ? never : Name }[OptionName]

type Derived = { [Name in Settled]: ValueOf<Table[Name]> } & {
  [Name in Exclude<OptionName, Settled>]?: ValueOf<Table[Name]>
}

/** Every option of `viva test`, after flags and configuration are merged. */
export interface RunOptions extends Derived {}

/** As the command line and programs give them: `-n` and `-c` may come several times. */
export interface GivenOptions extends Omit<Partial<RunOptions>, 'name' | 'connector'> {
  name?: string | string[]
  connector?: string | string[]
}

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

export const DEFAULT_OPTIONS = Object.fromEntries(
  OPTION_NAMES.flatMap((name) => {
    const value: unknown = OPTIONS[name].default
    return value === undefined ? [] : [[name, Array.isArray(value) ? [...(value as string[])] : value]]
  }),
) as unknown as RunOptions

/** Used if neither the case nor `--timeout` sets one. */
export const DEFAULT_TIMEOUT = '5m'
export const DEFAULT_SCRIPT_TIMEOUT = '30s'

/** Names of the options whose row fulfils `is`. */
export function optionsWhere(is: (row: OptionRow) => boolean): ReadonlySet<string> {
  return new Set(OPTION_NAMES.filter((name) => is(OPTIONS[name])))
}

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}

/** As it is spelled on the command line. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}
