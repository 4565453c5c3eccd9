// The commands that create and check a project.
import type { CommandSpec } from '../command.js'
import { INIT_KINDS } from './init-kinds.js'
import { testFlags } from '../flags.js'
import { FORMAT_FLAG, OUTPUT_FLAG, switchFlag } from '../shared-flags.js'

export const PROJECT: CommandSpec[] = [
  {
    name: 'init',
    summary: 'write cases for your agent, or a sample agent with cases, and a CI workflow',
    args: [
      {
        name: 'dir',
        required: false,
        description:
          'folder to write to; default: the current one. With --kind mcp: or the server, "COMMAND …" or a URL',
      },
    ],
    flags: [
      {
        key: 'kind',
        long: '--kind',
        value: '<kind>',
        kind: 'choice',
        choices: INIT_KINDS.map(({ name }) => name),
        group: 'Project',
        description: 'what to test, see below; without it, a menu on a terminal',
        default: 'what the folder contains, else function',
      },
      switchFlag('dry_run', 'only show what would be written'),
      switchFlag('types', 'only write viva.d.ts, which declares testing.T, agent.Context and the globals for editors'),
      switchFlag('force', 'replace existing files'),
    ],
    lists: [{ title: 'Kinds', rows: INIT_KINDS.map(({ name, about }) => [name, about]) }],
    examples: [
      'viva init my-agent',
      'viva init --kind python',
      'viva init --kind mcp "node server.mjs"',
      'viva init --dry-run',
      'viva init --types',
    ],
    load: async () => (await import('../commands/init.js')).init,
  },
  {
    name: 'import',
    summary: 'convert a suite, dataset or trace of another tool into cases',
    args: [
      {
        name: 'file',
        required: true,
        description:
          'a suite, dataset, session or trace of another tool (promptfoo, tau-bench, BFCL, ADK, LangSmith …); detected by its content',
      },
    ],
    flags: [
      {
        ...OUTPUT_FLAG,
        value: '<dir>',
        kind: 'text',
        description: 'folder to write into; must be empty or not exist',
      },
      {
        key: 'from',
        long: '--from',
        value: '<kind>',
        kind: 'text',
        group: 'Output',
        description:
          'insist on this kind of file, such as promptfoo or langfuse; another one is an error that lists them',
      },
      {
        key: 'expect',
        long: '--expect',
        value: '<how>',
        kind: 'choice',
        choices: ['judge', 'similar', 'exact'],
        group: 'Output',
        description: 'how an expected answer in free text is compared (goldens, chat, tables, traces)',
        default: 'judge',
      },
      { ...switchFlag('force', 'write into a folder that is not empty, and replace files'), group: 'Output' },
    ],
    examples: [
      'viva import promptfooconfig.yaml -o imported',
      'viva import goldens.json -o imported --expect similar',
      'viva import trace.json -o imported',
    ],
    load: async () => (await import('../commands/import.js')).importSuite,
  },
  {
    name: 'doctor',
    summary: 'check your setup: this machine and this project',
    args: [{ name: 'dir', required: false, description: 'the project; default: the current folder' }],
    flags: [
      {
        key: 'backend',
        short: '-b',
        long: '--backend',
        value: '<name>',
        kind: 'list',
        group: 'Agent',
        description:
          'also start this coding agent (claude, gemini, codex, opencode, …) and check its setup, without calling its model; repeatable',
      },
      {
        ...switchFlag('try', 'with --backend: send it one short prompt, which costs a few tokens'),
        group: 'Agent',
      },
      { ...switchFlag('json', 'print the findings as JSON'), group: 'Output' },
    ],
    examples: ['viva doctor', 'viva doctor --backend claude --backend codex'],
    load: async () => (await import('../commands/doctor.js')).doctor,
  },
  {
    name: 'lint',
    summary: 'check skills, MCP servers and agent packages without a model',
    args: [
      {
        name: 'target',
        required: false,
        many: true,
        description:
          'a folder with skills or packages, a command in quotes that starts an MCP server, or its URL; default: the current folder',
      },
    ],
    flags: [
      {
        ...FORMAT_FLAG,
        kind: 'choice',
        choices: ['text', 'json', 'sarif'],
        description: 'text, json or sarif',
        default: 'by the extension of -o, else text',
      },
      { ...OUTPUT_FLAG, kind: 'text', description: 'report file: .txt, .json or .sarif' },
      { ...switchFlag('notes', 'show notes, too'), group: 'Output' },
      {
        key: 'disable',
        long: '--disable',
        value: '<rule>',
        kind: 'list',
        group: 'Running',
        description: 'leave out a rule; repeatable; lint.disable in viva.config does the same',
      },
      {
        key: 'max_warnings',
        long: '--max-warnings',
        value: '<n>',
        kind: 'integer',
        min: 0,
        max: 1_000_000,
        group: 'Running',
        description: 'exit 1 if there are more warnings than this',
        default: 'any number',
      },
      ...testFlags('key_env', 'pass_env'),
    ],
    examples: [
      'viva lint skills',
      'viva lint "node server.mjs"',
      'viva lint mcp:https://example.com/mcp --format sarif -o lint.sarif',
    ],
    load: async () => (await import('../commands/lint.js')).lint,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a file format, for editors',
    args: [
      {
        name: 'what',
        required: true,
        description: 'case (a line of JSONL), cases (a JSON or YAML file), cassette, config or result',
        choices: ['case', 'cases', 'cassette', 'config', 'result'],
      },
    ],
    flags: [],
    examples: ['viva schema cases > cases.schema.json'],
    load: async () => (await import('../commands/schema.js')).schema,
  },
  {
    name: 'eject',
    summary: 'copy a built-in helper agent into the project, so that you can edit it',
    args: [
      {
        name: 'helper',
        required: true,
        description: 'viva.judge, viva.user or viva.cases',
        choices: ['viva.judge', 'viva.user', 'viva.cases'],
      },
    ],
    flags: [switchFlag('force', 'replace existing files')],
    examples: ['viva eject viva.judge'],
    load: async () => (await import('../commands/eject.js')).eject,
  },
]
