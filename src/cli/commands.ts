// The commands, one row each. A command's file is loaded only when it runs.
import type { CommandSpec } from './command.js'
import { TEST_FLAGS, type Flag } from './flags.js'
import { PRACTICAL_FLAG } from './practical-flag.js'
import { RUN_FLAGS } from './run-flags.js'

const OUTPUT_FLAG: Flag = {
  key: 'output',
  short: '-o',
  long: '--output',
  value: '<file>',
  kind: 'list',
  group: 'Output',
  description: 'report file, format by extension; may be given several times',
}
const FORMAT_FLAG: Flag = {
  key: 'format',
  long: '--format',
  value: '<format>',
  kind: 'text',
  group: 'Output',
  description: 'output format',
}
const DIR_FLAG: Flag = {
  key: 'dir',
  long: '--dir',
  value: '<dir>',
  kind: 'text',
  group: 'Project',
  description: 'where the history is',
  default: '.viva/history of the application root',
}
const switchFlag = (key: string, description: string): Flag => ({
  key,
  long: `--${key.replaceAll('_', '-')}`,
  kind: 'switch',
  group: 'Project',
  description,
})

export const COMMANDS: CommandSpec[] = [
  {
    name: 'test',
    summary: 'run cases or script tests',
    flags: TEST_FLAGS,
    examples: [
      'viva test -i tests/inputs.jsonl',
      'viva test -i "Hello, how are you?" -n assistants.chat',
      'viva test -i tests/inputs.jsonl -n ./agent.ts#run --parallel 8 -o report.html',
      'viva test -i tests/inputs.jsonl --runs 5 --min-pass-rate 80',
      'viva test -i scripts.expense.setup -v',
    ],
    load: async () => (await import('./commands/test.js')).test,
  },
  {
    name: 'init',
    summary: 'scaffold an agent with cases, a script test and a CI workflow that pass at once, offline',
    args: [{ name: 'dir', required: false, description: 'where; default: the current folder' }],
    flags: [
      switchFlag('types', 'only write viva.d.ts, so that editors know testing.T, agent.Context and the globals'),
      switchFlag('force', 'replace files that exist'),
    ],
    examples: ['viva init my-agent', 'viva init --types'],
    load: async () => (await import('./commands/init.js')).init,
  },
  {
    name: 'report',
    summary: 'turn a finished run into any report format',
    args: [{ name: 'events', required: true, description: 'the .jsonl file that viva test wrote' }],
    flags: [
      OUTPUT_FLAG,
      { ...FORMAT_FLAG, description: 'print this format instead: summary, json, markdown, html, junit, tap, ctrf' },
    ],
    examples: ['viva report results.jsonl -o report.html -o junit.xml', 'viva report results.jsonl --format markdown'],
    load: async () => (await import('./commands/report.js')).report,
  },
  {
    name: 'compare',
    summary: 'what changed between two runs, and whether it is more than chance',
    args: [
      { name: 'before', required: true, description: 'event file of the old run' },
      { name: 'after', required: true, description: 'event file of the new run' },
    ],
    flags: [
      OUTPUT_FLAG,
      {
        ...FORMAT_FLAG,
        description: 'console, json, markdown or html',
        kind: 'choice',
        choices: ['console', 'json', 'markdown', 'html'],
      },
      {
        key: 'fail_on',
        long: '--fail-on',
        value: '<what>',
        kind: 'choice',
        choices: ['regression', 'newly-failing', 'drift'],
        group: 'Running',
        description:
          'exit 1 on a regression (more than chance), or also on any newly failing case, or on changed behaviour (drift); and when the runs cannot be compared or cases that passed are missing',
      },
      PRACTICAL_FLAG,
      {
        ...switchFlag('allow_missing', 'with --fail-on: cases that passed before may be missing, skipped or changed'),
        group: 'Running',
      },
    ],
    examples: [
      'viva compare main.jsonl branch.jsonl --fail-on regression',
      'viva compare main.jsonl branch.jsonl -o comment.md',
    ],
    load: async () => (await import('./commands/compare.js')).compare,
  },
  {
    name: 'extract',
    summary: 'one file per result',
    args: [{ name: 'report', required: true, description: 'event file or JSON report' }],
    flags: [
      {
        key: 'output',
        short: '-o',
        long: '--output',
        value: '<dir>',
        kind: 'text',
        group: 'Output',
        description: 'folder to write into',
      },
      {
        ...FORMAT_FLAG,
        kind: 'choice',
        choices: ['markdown', 'json'],
        description: 'markdown or json',
        default: 'markdown',
      },
    ],
    examples: ['viva extract results.jsonl -o results/', 'viva extract report.json -o results/ --format json'],
    load: async () => (await import('./commands/extract.js')).extract,
  },
  {
    name: 'view',
    summary: 'show the report in the browser, of a run as it goes on or of all runs in a folder',
    args: [{ name: 'events', required: false, description: 'event file or folder; default: the current folder' }],
    flags: [
      {
        key: 'port',
        long: '--port',
        value: '<n>',
        kind: 'integer',
        min: 0,
        max: 65_535,
        group: 'Project',
        description: 'port on 127.0.0.1',
        default: 'any free one',
      },
      switchFlag('open', 'open the browser'),
    ],
    examples: ['viva view tests/output-20241217100000.jsonl', 'viva view'],
    load: async () => (await import('./commands/view.js')).view,
  },
  {
    name: 'history',
    summary: 'runs, trends, flaky, slowest, dearest cases',
    args: [
      {
        name: 'what',
        required: false,
        description: 'runs, case, flaky, slowest, dearest or prune',
        choices: ['runs', 'case', 'flaky', 'slowest', 'dearest', 'prune'],
      },
      { name: 'id', required: false, description: 'the case, for "case"' },
    ],
    flags: [
      DIR_FLAG,
      { ...FORMAT_FLAG, kind: 'choice', choices: ['console', 'json'], description: 'console or json' },
      {
        key: 'limit',
        long: '--limit',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 100_000,
        group: 'Output',
        description: 'rows, or runs to keep with prune',
        default: '20',
      },
    ],
    examples: ['viva history', 'viva history case T001', 'viva history flaky'],
    load: async () => (await import('./commands/history.js')).history,
  },
  {
    name: 'snapshot',
    summary: 'accept or reject the snapshots that a run found missing or changed',
    args: [
      { name: 'what', required: false, description: 'review', choices: ['review'] },
      { name: 'dir', required: false, description: 'where to look; default: the current folder' },
    ],
    flags: [switchFlag('accept', 'accept all of them, unseen'), switchFlag('reject', 'drop all of them')],
    examples: ['viva snapshot review', 'viva snapshot review tests --accept'],
    load: async () => (await import('./commands/snapshot.js')).snapshot,
  },
  {
    name: 'cassette',
    summary: 'what a recording holds, and which cases it still serves; hide or drop parts of it',
    args: [
      {
        name: 'what',
        required: true,
        description: 'list, show, verify, redact or prune',
        choices: ['list', 'show', 'verify', 'redact', 'prune'],
      },
      { name: 'file', required: true, description: 'the file or folder that --record wrote' },
      { name: 'case', required: false, description: 'with show: only this case' },
    ],
    flags: TEST_FLAGS.filter(({ key }) => ['input', 'name', 'connector', 'app', 'simulator'].includes(key)),
    examples: [
      'viva cassette list cassette.yaml',
      'viva cassette show cassette.yaml T001',
      'viva cassette verify cassette.yaml -i tests/inputs.jsonl',
      'viva cassette redact cassette.yaml',
      'viva cassette prune cassette.yaml -i tests/inputs.jsonl',
    ],
    load: async () => (await import('./commands/cassette.js')).cassette,
  },
  {
    name: 'run',
    summary: 'run an orchestrator: a loop of hats that publish events, played by a backend',
    args: [
      {
        name: 'task',
        required: false,
        description: 'what is to be done; default: prompt or prompt_file of the configuration',
      },
    ],
    flags: RUN_FLAGS,
    examples: [
      'viva run "Implement the spec" --mock responses.yml',
      'viva run "Implement the spec" -b claude --max-iterations 20 --max-runtime 30m --record cassettes/spec.yaml',
      'viva run "Implement the spec" --replay cassettes/spec.yaml',
    ],
    load: async () => (await import('./commands/run.js')).run,
  },
  {
    name: 'emit',
    summary: 'publish an event from inside an orchestrated agent',
    args: [
      { name: 'topic', required: true, description: 'words joined by dots, e.g. build.done' },
      { name: 'payload', required: false, description: 'what happened; "-" reads standard input' },
    ],
    flags: [
      {
        key: 'target',
        long: '--target',
        value: '<hat>',
        kind: 'text',
        group: 'Project',
        description: 'the hat it is addressed to',
      },
    ],
    examples: ['viva emit build.done "tests pass"', 'viva emit review.wanted --target reviewer'],
    load: async () => (await import('./commands/emit.js')).emit,
  },
  {
    name: 'tool',
    summary: 'call a test tool: set up a workspace, run an orchestrator in it, assert, inspect, report, clean up',
    args: [
      { name: 'name', required: false, description: 'the tool; without one they are listed' },
      {
        name: 'arguments',
        required: false,
        many: true,
        description: 'its parameters as a JSON object, "-" to read that from standard input, or as flags',
      },
    ],
    flags: [
      {
        key: 'project',
        long: '--project',
        value: '<dir>',
        kind: 'text',
        group: 'Project',
        description: 'where cassettes, snapshots and reports are saved',
        default: 'the application root',
      },
    ],
    openFlags: true,
    examples: [
      `viva tool test_setup '{"workspace_id": "w1", "fixtures": {"src/main.js": ""}}'`,
      'viva tool test_inspect --workspace-id w1 --format timeline',
      'viva tool test_assert - < assertions.json',
    ],
    load: async () => (await import('./commands/tool.js')).tool,
  },
  {
    name: 'proxy',
    summary: 'record the model calls of any program, and replay them',
    args: [
      {
        name: 'command',
        required: false,
        many: true,
        description: 'behind --: what to run; without one the addresses are printed and served until Ctrl-C',
      },
    ],
    flags: [
      ...TEST_FLAGS.filter(({ key }) => ['record_new', 'allow_passthrough', 'no_strict'].includes(key)),
      {
        key: 'record',
        long: '--record',
        value: '<file|dir>',
        kind: 'text',
        group: 'Recordings',
        description: 'call the models, and keep what they are asked and answer',
      },
      {
        key: 'replay',
        long: '--replay',
        value: '<file|dir>',
        kind: 'text',
        group: 'Recordings',
        description: 'answer from a recording: no key, no network, no cost; a request that is not recorded is an error',
      },
      {
        ...switchFlag('realtime', 'with --replay: answers take the time they took'),
        group: 'Recordings',
      },
      {
        key: 'case',
        long: '--case',
        value: '<id>',
        kind: 'text',
        group: 'Recordings',
        description: 'the conversation that the calls belong to',
        default: 'command',
      },
      {
        key: 'port',
        long: '--port',
        value: '<n>',
        kind: 'integer',
        min: 0,
        max: 65_535,
        group: 'Project',
        description: 'port on 127.0.0.1',
        default: 'any free one',
      },
      {
        key: 'openai_url',
        long: '--openai-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where calls in the format of OpenAI go',
        default: 'OPENAI_BASE_URL, or https://api.openai.com/v1',
      },
      {
        key: 'anthropic_url',
        long: '--anthropic-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where calls in the format of Anthropic go',
        default: 'ANTHROPIC_BASE_URL, or https://api.anthropic.com',
      },
    ],
    examples: [
      'viva proxy --record calls.yaml -- node agent.mjs',
      'viva proxy --replay calls.yaml -- node agent.mjs',
      'viva proxy --record calls.yaml --port 4010',
    ],
    load: async () => (await import('./commands/proxy.js')).proxy,
  },
  {
    name: 'cache',
    summary: 'forget what models have answered to viva test --cache',
    args: [{ name: 'what', required: true, description: 'clear', choices: ['clear'] }],
    flags: TEST_FLAGS.filter(({ key }) => key === 'app'),
    examples: ['viva cache clear'],
    load: async () => (await import('./commands/cache.js')).cache,
  },
  {
    name: 'schema',
    summary: 'JSON Schema of a file format, for editors',
    args: [
      {
        name: 'what',
        required: true,
        description: 'case, cassette, config or result',
        choices: ['case', 'cassette', 'config', 'result'],
      },
    ],
    flags: [],
    examples: ['viva schema case > case.schema.json'],
    load: async () => (await import('./commands/schema.js')).schema,
  },
  {
    name: 'eject',
    summary: 'copy a built-in helper agent into the project, to edit it',
    args: [
      {
        name: 'helper',
        required: true,
        description: 'viva.judge, viva.user or viva.cases',
        choices: ['viva.judge', 'viva.user', 'viva.cases'],
      },
    ],
    flags: [switchFlag('force', 'replace files that exist')],
    examples: ['viva eject viva.judge'],
    load: async () => (await import('./commands/eject.js')).eject,
  },
  {
    name: 'completion',
    summary: 'a completion script for your shell',
    args: [{ name: 'shell', required: true, description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
    flags: [],
    examples: ['viva completion bash > ~/.local/share/bash-completion/completions/viva'],
    load: async () => (await import('./commands/completion.js')).completion,
  },
]
