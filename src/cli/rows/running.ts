// The commands that run cases.
import type { CommandSpec } from '../command.js'
import { DIFF_FLAGS } from '../diff-flags.js'
import { flagsAlsoOf, TEST_FLAGS, type Flag } from '../flags.js'

const WATCH_FLAG: Flag = {
  key: 'watch',
  long: '--watch',
  kind: 'switch',
  group: 'Running',
  description: 'rerun what an edit affects; keys: a all, f failed, / filter, q quit',
}

export const RUNNING: CommandSpec[] = [
  {
    name: 'test',
    summary: 'run cases or script tests',
    flags: [...TEST_FLAGS, WATCH_FLAG],
    examples: [
      'viva test -i tests/inputs.jsonl',
      'viva test -i "Hello, how are you?" -n assistants.chat',
      'viva test -i tests/inputs.jsonl -n ./agent.ts#run --parallel 8 -o report.html',
      'viva test -i tests/inputs.jsonl --runs 5 --min-pass-rate 80',
      'viva test -n "mcp:node server.mjs"',
      'viva test -i cases.jsonl -n skill:my-skill --with cli:claude',
      'viva test -i scripts.expense.setup -v',
    ],
    load: async () => (await import('../commands/test.js')).test,
  },
  {
    name: 'estimate',
    summary: 'estimate the cost of a full run',
    flags: [
      ...flagsAlsoOf('estimate'),
      {
        key: 'cases',
        long: '--cases',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 100_000,
        group: 'Running',
        description: 'how many cases to try, spread over the file',
        default: '5',
      },
    ],
    examples: [
      'viva estimate -i tests/inputs.jsonl -n ./agent.ts#run --runs 5',
      'viva estimate -i tests/inputs.jsonl -c mini -c maxi --cases 10',
    ],
    load: async () => (await import('../commands/estimate.js')).estimate,
  },
  {
    name: 'diff',
    summary: 'test two git revisions and say whether the agent got worse',
    args: [
      {
        name: 'range',
        required: true,
        description: 'main..HEAD; main...HEAD takes the merge base; a single revision with --worktree',
      },
    ],
    flags: DIFF_FLAGS,
    examples: [
      'viva diff main..HEAD -i tests/inputs.jsonl -n ./agent.ts#run --runs auto',
      'viva diff main --worktree -i tests/inputs.jsonl --runs 5',
      'viva diff origin/main...HEAD -i tests/inputs.jsonl --setup "npm ci && npm run build" --comment comment.md',
    ],
    load: async () => (await import('../commands/diff.js')).diff,
  },
]
