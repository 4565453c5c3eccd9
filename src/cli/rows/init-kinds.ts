// The kinds of agents that `viva init` knows: what it writes for each, and the commands that pass immediately.

export interface InitKind {
  name: string
  about: string
  /** What is copied: files and folders below `templates/`. */
  templates: string[]
  /** What must run beside the tests, e.g. a server; the next command may follow immediately. */
  setup: string[]
  /** Arguments of `viva test`. */
  tests: string[]
  /** In CI: what to wait for before the first test. */
  ready?: string
}

/** In the order of the menu: the first is the default. */
export const INIT_KINDS: readonly InitKind[] = [
  {
    name: 'function',
    about: 'a function in TypeScript or JavaScript, with any SDK',
    templates: ['init/function', 'init/booking'],
    setup: [],
    tests: ['-i tests/cases.jsonl -n ./agent.ts#answer'],
  },
  {
    name: 'http',
    about: 'a server behind a URL',
    templates: ['init/http', 'init/booking'],
    setup: ['node server.mjs &'],
    tests: ['-i tests/cases.jsonl -n desk'],
    ready: 'http://127.0.0.1:8787/health',
  },
  {
    name: 'python',
    about: 'a program in any language, here Python',
    templates: ['init/python', 'init/booking'],
    setup: [],
    tests: ['-i tests/cases.jsonl -n "exec:python3 agent.py"'],
  },
  {
    name: 'package',
    about: 'an agent package: prompts, tools and hooks that Viva runs, with a script test',
    templates: ['viva.d.ts', 'init/package'],
    setup: [],
    tests: ['-i assistants/greeter/tests/inputs.jsonl', '-i scripts.greeter.greeting'],
  },
  {
    name: 'mcp',
    about: 'an MCP server: calls of its tools; with "COMMAND" or a URL as the argument, cases for the one you have',
    templates: ['init/mcp'],
    setup: [],
    tests: ['-i tests/calls.jsonl -n "mcp:node server.mjs"'],
  },
  {
    name: 'skill',
    about: 'a skill (SKILL.md): does it help, and is it used when it should be; with a stand-in for the coding agent',
    templates: ['init/skill'],
    setup: [],
    tests: [
      '-i tests/cases.jsonl -n skill:skills/word-count --with "exec:node stand-in.mjs" --skills-folder .claude/skills',
    ],
  },
  {
    name: 'orchestrator',
    about: 'an orchestrator: a loop of roles ("hats") that hand each other work through events',
    templates: ['init/orchestrator'],
    setup: [],
    tests: ['-i tests/cases.jsonl -n orchestrator:hats.yml'],
  },
]
