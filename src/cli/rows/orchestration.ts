// The commands of orchestrators, and the test tools.
import type { CommandSpec } from '../command.js'
import type { Flag } from '../flags.js'
import { RUN_FLAGS } from '../run-flags.js'
import { PORT_FLAG, switchFlag } from '../shared-flags.js'

export const ORCHESTRATION: CommandSpec[] = [
  {
    name: 'run',
    summary: 'run an orchestrator: a loop of roles ("hats") that publish events, played by a backend',
    args: [
      {
        name: 'task',
        required: false,
        description: 'the task; default: prompt or prompt_file of the configuration',
      },
    ],
    flags: RUN_FLAGS,
    examples: [
      'viva run "Implement the spec" --mock responses.yml',
      'viva run "Implement the spec" -b claude --max-iterations 20 --max-runtime 30m --record cassettes/spec.yaml',
      'viva run "Implement the spec" --replay cassettes/spec.yaml',
    ],
    load: async () => (await import('../commands/run.js')).run,
  },
  {
    name: 'emit',
    summary: 'publish an event from inside an orchestrated agent',
    args: [
      { name: 'topic', required: true, description: 'words joined by dots, such as build.done' },
      { name: 'payload', required: false, description: 'what happened; "-" reads standard input' },
    ],
    flags: [
      {
        key: 'target',
        long: '--target',
        value: '<hat>',
        kind: 'text',
        group: 'Project',
        description: 'the hat to address',
      },
    ],
    examples: ['viva emit build.done "tests pass"', 'viva emit review.wanted --target reviewer'],
    load: async () => (await import('../commands/emit.js')).emit,
  },
  {
    name: 'tool',
    summary: 'call a test tool: set up a workspace, run an orchestrator in it, assert, inspect, report, clean up',
    args: [
      { name: 'name', required: false, description: 'the tool; omit it to list them' },
      {
        name: 'arguments',
        required: false,
        many: true,
        description: 'its parameters as a JSON object, "-" to read one from standard input, or flags',
      },
    ],
    flags: [projectFlag('where cassettes, snapshots and reports are saved', 'the application root')],
    openFlags: true,
    examples: [
      `viva tool test_setup '{"workspace_id": "w1", "fixtures": {"src/main.js": ""}}'`,
      'viva tool test_inspect --workspace-id w1 --format timeline',
      'viva tool test_assert - < assertions.json',
    ],
    load: async () => (await import('../commands/tool.js')).tool,
  },
  {
    name: 'mcp',
    summary: 'serve the test tools to agents and assistants, over MCP',
    flags: [
      projectFlag('the project to work on', 'the first root of the client, else the current folder if it is a project'),
      switchFlag(
        'allow_live',
        'allow calls to real backends, judges and agents, which can cost money; without it, only scripted and recorded ones answer',
      ),
      switchFlag('http', 'serve on 127.0.0.1 over HTTP instead of standard input and output; needs a token'),
      { ...PORT_FLAG, description: 'with --http: port on 127.0.0.1' },
      {
        key: 'answer_within',
        long: '--answer-within',
        value: '<duration>',
        kind: 'text',
        group: 'Project',
        description: 'longer calls are answered with an id to poll; at most 45s',
        default: '40s',
      },
    ],
    examples: ['viva mcp --project .', 'viva mcp --project . --allow-live', 'viva mcp --project . --http --port 4020'],
    load: async () => (await import('../commands/mcp.js')).mcp,
  },
  {
    name: 'mock-mcp',
    summary: 'serve the tools of a test over MCP, for agents that connect to tools themselves',
    args: [
      {
        name: 'file',
        required: false,
        description:
          'a module with tools and a store (.ts, .js), or fixed answers (.yml, .json); during a run it serves the tools of the case instead',
      },
    ],
    flags: [
      switchFlag('http', 'serve on 127.0.0.1 over HTTP instead of standard input and output'),
      { ...PORT_FLAG, description: 'with --http: port on 127.0.0.1' },
    ],
    examples: ['viva mock-mcp tools.ts', 'viva mock-mcp tools.yml --http --port 4030'],
    load: async () => (await import('../commands/mock-mcp.js')).mockMcp,
  },
]

function projectFlag(description: string, fallback: string): Flag {
  return {
    key: 'project',
    long: '--project',
    value: '<dir>',
    kind: 'text',
    group: 'Project',
    description,
    default: fallback,
  }
}
