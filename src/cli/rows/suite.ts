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
  description: 'the cases; default: those that the run was made with',
}

const EVENTS_ARG = {
  name: 'events',
  required: true,
  many: true,
  description: 'event files of runs whose cases passed, or latest; several, or --runs, are several good runs',
}

export const SUITE: CommandSpec[] = [
  {
    name: 'mutate',
    summary: 'what an agent could do worse without a failing test, and which assertions would notice',
    args: [EVENTS_ARG],
    flags: [
      INPUT_FLAG,
      { ...OUTPUT_FLAG, description: 'report file: .json, .md, .html or .txt; may be given several times' },
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
        description: 'event files of runs that are known to be bad: how many of them the assertions find',
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
        description: 'the proposed assertions, for viva mine --review',
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
        description: 'where the proposals wait for review (.jsonl); default: standard output',
      },
      {
        key: 'review',
        long: '--review',
        value: '<file>',
        kind: 'text',
        group: 'Running',
        description: 'accept or drop what waits there, one by one; what is accepted goes into the case file',
      },
      { ...switchFlag('accept', 'with --review: accept all of them, unseen'), group: 'Running' },
    ],
    examples: ['viva mine run.jsonl -o pending.jsonl', 'viva mine --review pending.jsonl'],
    load: async () => (await import('../commands/mine.js')).mine,
  },
]
