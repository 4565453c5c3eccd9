// The commands about recorded requests and answers.
import type { CommandSpec } from '../command.js'
import { testFlags } from '../flags.js'
import { PORT_FLAG, switchFlag } from '../shared-flags.js'

export const RECORDINGS: CommandSpec[] = [
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
        description: 'after --: what to run; without one the addresses are printed and served until Ctrl-C',
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
        description: 'call the models, and record what they are asked and answer',
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
        ...switchFlag('realtime', 'with --replay: answers take as long as they originally did'),
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
      {
        key: 'google_url',
        long: '--google-url',
        value: '<url>',
        kind: 'text',
        group: 'Project',
        description: 'where calls in the format of Gemini go',
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
    summary: 'delete the answers that viva test --cache has kept',
    args: [{ name: 'what', required: true, description: 'clear', choices: ['clear'] }],
    flags: testFlags('app'),
    examples: ['viva cache clear'],
    load: async () => (await import('../commands/cache.js')).cache,
  },
]
