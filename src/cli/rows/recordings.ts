// The commands about recorded requests and answers.
import type { CommandSpec } from '../command.js'
import { testFlags } from '../flags.js'
import { PORT_FLAG, switchFlag } from '../shared-flags.js'

export const RECORDINGS: CommandSpec[] = [
  {
    name: 'cassette',
    summary: 'inspect, verify, redact and prune recordings',
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
    flags: testFlags(
      'input',
      'expected',
      'criterion',
      'name',
      'connector',
      'model',
      'key_env',
      'variant',
      'app',
      'simulator',
      'judge',
    ),
    examples: [
      'viva cassette list cassette.yaml',
      'viva cassette show cassette.yaml T001',
      'viva cassette verify cassette.yaml -i tests/inputs.jsonl',
      'viva cassette redact cassette.yaml',
      'viva cassette prune cassette.yaml -i tests/inputs.jsonl',
    ],
    load: async () => (await import('../commands/cassette.js')).cassette,
  },
  {
    name: 'proxy',
    summary: 'record the model calls of any program, and replay them',
    args: [
      {
        name: 'command',
        required: false,
        many: true,
        description: 'after --: the program to run; without one, prints the addresses and serves them until Ctrl-C',
      },
    ],
    flags: [
      ...testFlags('record_new', 'allow_passthrough', 'no_strict'),
      {
        key: 'record',
        long: '--record',
        value: '<file|dir>',
        kind: 'text',
        group: 'Recordings',
        description: 'call the models and record the calls',
      },
      {
        key: 'replay',
        long: '--replay',
        value: '<file|dir>',
        kind: 'text',
        group: 'Recordings',
        description: 'answer from a recording: no key, no network, no cost; a call that was not recorded is an error',
      },
      {
        ...switchFlag('realtime', 'with --replay: answers take as long as they did originally'),
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
      PORT_FLAG,
      {
        key: 'openai_url',
        long: '--openai-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where to send OpenAI-format calls',
        default: 'OPENAI_BASE_URL, or https://api.openai.com/v1',
      },
      {
        key: 'anthropic_url',
        long: '--anthropic-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where to send Anthropic-format calls',
        default: 'ANTHROPIC_BASE_URL, or https://api.anthropic.com',
      },
      {
        key: 'google_url',
        long: '--google-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where to send Gemini-format calls',
        default: 'GOOGLE_GEMINI_BASE_URL, or https://generativelanguage.googleapis.com',
      },
    ],
    examples: [
      'viva proxy --record calls.yaml -- node agent.mjs',
      'viva proxy --replay calls.yaml -- node agent.mjs',
      'viva proxy --record calls.yaml --port 4010',
    ],
    load: async () => (await import('../commands/proxy.js')).proxy,
  },
  {
    name: 'cache',
    summary: 'delete the answers kept by viva test --cache',
    args: [{ name: 'what', required: true, description: 'clear', choices: ['clear'] }],
    flags: testFlags('app'),
    examples: ['viva cache clear'],
    load: async () => (await import('../commands/cache.js')).cache,
  },
]
