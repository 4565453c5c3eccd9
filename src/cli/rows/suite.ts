// The commands that say what a suite is worth.
import type { CommandSpec } from '../command.js'
import type { Flag } from '../flags.js'
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

export const SUITE: CommandSpec[] = [
  {
    name: 'mutate',
    summary:
      'mutation testing: what could the agent do worse without a failing test, and which assertions would notice?',
    args: [EVENTS_ARG],
    flags: [
      INPUT_FLAG,
      { ...OUTPUT_FLAG, description: 'report file: .json, .md, .html or .txt; repeatable' },
      {
        ...FORMAT_FLAG,
        kind: 'choice',
        choices: ['console', 'json', 'markdown', 'html'],
        description: 'console, json, markdown or html',
      },
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
]
