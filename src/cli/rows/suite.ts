// The commands that say what a suite is worth.
import type { CommandSpec } from '../command.js'
import { flagsAlsoOf, testFlags, type Flag } from '../flags.js'
import { FORMAT_FLAG, OUTPUT_FLAG, switchFlag } from '../shared-flags.js'

const INPUT_FLAG: Flag = {
  key: 'input',
  short: '-i',
  long: '--input',
  value: '<file>',
  kind: 'list',
  group: 'Input',
  description: 'case files; default: those of the run',
}

const EVENTS_ARG = {
  name: 'events',
  required: true,
  many: true,
  description: 'event files of passing runs, or latest',
}

const REPORT_FLAGS: Flag[] = [
  { ...OUTPUT_FLAG, description: 'report file: .json, .md, .html or .txt; repeatable' },
  {
    ...FORMAT_FLAG,
    kind: 'choice',
    choices: ['console', 'json', 'markdown', 'html'],
    description: 'console, json, markdown or html',
  },
]

/** How often and which share of the cases run is for fuzzing to say. */
const NOT_FUZZED = new Set(['runs', 'max_runs', 'shard', 'shard_plan', 'variant', 'simulator', 'max_cost'])

const VARIANT_FLAG: Flag = {
  key: 'variant',
  long: '--variant',
  value: '<name>',
  kind: 'text',
  group: 'Input',
  description: 'of runs with several variants, the one to look at',
}

export const SUITE: CommandSpec[] = [
  {
    name: 'mutate',
    summary:
      'mutation testing: what could the agent do worse without a failing test, and which assertions would notice?',
    args: [EVENTS_ARG],
    flags: [
      INPUT_FLAG,
      VARIANT_FLAG,
      ...REPORT_FLAGS,
      {
        key: 'against',
        long: '--against',
        value: '<events>',
        kind: 'list',
        group: 'Input',
        description: 'event files of known-bad runs: how many do the assertions catch?',
      },
      {
        key: 'min_score',
        long: '--min-score',
        value: '<percent>',
        kind: 'text',
        group: 'Running',
        description: 'exit 1 below this mutation score, as 80 or 0.8',
      },
      {
        key: 'write',
        long: '--write',
        value: '<file>',
        kind: 'text',
        group: 'Output',
        description: 'file for the proposed assertions, for viva mine --review',
      },
      {
        ...switchFlag('judges', 'ask the judges of the cases about changes that only they could notice'),
        group: 'Running',
      },
      {
        key: 'max_asked',
        long: '--max-asked',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 100_000,
        group: 'Running',
        description: 'with --judges: ask about at most this many changed answers',
        default: '200',
      },
      ...testFlags('judge', 'max_cost', 'parallel', 'record', 'replay', 'force', 'app'),
    ],
    examples: [
      'viva mutate run.jsonl',
      'viva mutate run.jsonl -i tests/inputs.jsonl --min-score 80',
      'viva mutate run.jsonl --against bad.jsonl -o suite.html',
    ],
    load: async () => (await import('../commands/mutate.js')).mutate,
  },
  {
    name: 'mine',
    summary: 'propose assertions that held in all good runs',
    args: [{ ...EVENTS_ARG, required: false }],
    flags: [
      INPUT_FLAG,
      VARIANT_FLAG,
      {
        ...OUTPUT_FLAG,
        kind: 'text',
        description: 'file for the proposals, to review later (.jsonl); default: standard output',
      },
      {
        key: 'review',
        long: '--review',
        value: '<file>',
        kind: 'text',
        group: 'Running',
        description: 'accept or reject these proposals one by one; accepted ones are written to the case file',
      },
      { ...switchFlag('accept', 'with --review: accept all without review'), group: 'Running' },
    ],
    examples: ['viva mine run.jsonl -o pending.jsonl', 'viva mine --review pending.jsonl'],
    load: async () => (await import('../commands/mine.js')).mine,
  },
  {
    name: 'coverage',
    summary: 'what the agent has (tools, arguments, hooks, hats …) and no run has reached',
    args: [{ ...EVENTS_ARG, description: 'event files of runs of one agent, or latest' }],
    flags: [
      {
        key: 'name',
        short: '-n',
        long: '--name',
        value: '<agent>',
        kind: 'text',
        group: 'Input',
        description: 'the agent, if not as the run names it: a package or orchestrator:hats.yml',
      },
      {
        key: 'mcp',
        long: '--mcp',
        value: '<command>',
        kind: 'list',
        group: 'Input',
        description: "an MCP server whose tools are the agent's: a command, which is started, or a URL",
      },
      {
        key: 'openapi',
        long: '--openapi',
        value: '<file>',
        kind: 'list',
        group: 'Input',
        description: "an OpenAPI file whose operations are the agent's tools",
      },
      {
        ...switchFlag('start_servers', 'start the MCP servers of the package to list their tools'),
        group: 'Input',
      },
      {
        key: 'pass_env',
        long: '--pass-env',
        value: '<name>',
        kind: 'list',
        group: 'Input',
        description: 'a variable that servers may see',
      },
      { key: 'app', long: '--app', value: '<dir>', kind: 'text', group: 'Project', description: 'application root' },
      ...REPORT_FLAGS,
      {
        key: 'min',
        long: '--min',
        value: '<percent>',
        kind: 'text',
        group: 'Running',
        description: 'exit 1 if less was reached, as 80 or 0.8',
      },
      {
        key: 'generate',
        long: '--generate',
        value: '<file>',
        kind: 'text',
        group: 'Running',
        description: 'have cases written for what was never reached, run them, and say which of them reached it',
      },
      {
        key: 'generator',
        long: '--generator',
        value: '<agent>',
        kind: 'text',
        group: 'Running',
        description: 'with --generate: who writes the cases',
        default: 'agents:viva.cases',
      },
      {
        key: 'connector',
        short: '-c',
        long: '--connector',
        value: '<id>',
        kind: 'text',
        group: 'Running',
        description: "with --generate: overrides the agent's connector",
      },
    ],
    examples: [
      'viva coverage latest',
      'viva coverage run.jsonl --start-servers -o coverage.html',
      'viva coverage latest --min 80',
      'viva coverage latest --generate cases.jsonl',
    ],
    load: async () => (await import('../commands/coverage.js')).coverage,
  },
  {
    name: 'fuzz',
    summary: 'change inputs in ways that should not matter, and keep what breaks',
    flags: [
      ...flagsAlsoOf('estimate').filter(({ key }) => !NOT_FUZZED.has(key)),
      {
        key: 'tries',
        long: '--tries',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        group: 'Running',
        description: 'how many changed inputs to try',
        default: '100',
      },
      {
        key: 'most',
        long: '--most',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        group: 'Running',
        description: 'how many of the failures to confirm by repeats and reduce to the smallest change',
        default: '10',
      },
      {
        key: 'seed',
        long: '--seed',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        group: 'Running',
        description: 'draws the same changes again; it is printed',
        default: 'random',
      },
      {
        key: 'operators',
        long: '--operators',
        value: '<names>',
        kind: 'list',
        group: 'Running',
        description:
          'only these ways to change an input: typos, case, spacing, unicode, politeness, additions, order, injection',
        example: '--operators injection',
      },
      {
        key: 'paraphrase',
        long: '--paraphrase',
        value: '<agent>',
        kind: 'text',
        group: 'Running',
        description: 'also try other wordings, which this agent or model is asked for; costs one call for each input',
        example: '--paraphrase openai:MODEL',
      },
      { ...OUTPUT_FLAG, kind: 'text', description: 'write each weakness as a case that fails alone (.jsonl)' },
      { ...switchFlag('force', 'replace the file of -o'), group: 'Output' },
      { ...switchFlag('json', 'print the report as JSON, and nothing else'), group: 'Output' },
    ],
    examples: [
      'viva fuzz -i tests/inputs.jsonl -n ./agent.ts#run',
      'viva fuzz -i tests/inputs.jsonl --tries 300 --seed 7 -o tests/found.jsonl',
      'viva fuzz -i tests/inputs.jsonl --operators injection',
    ],
    load: async () => (await import('../commands/fuzz.js')).fuzz,
  },
]
