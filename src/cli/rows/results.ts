// The commands that read what runs have left.
import type { CommandSpec } from '../command.js'
import { PRACTICAL_FLAG } from '../practical-flag.js'
import { LABELS_FLAG, OUTPUT_FLAG, FORMAT_FLAG, DIR_FLAG, PORT_FLAG, QUEUE_FLAG, switchFlag } from '../shared-flags.js'

export const RESULTS: CommandSpec[] = [
  {
    name: 'report',
    summary: 'write a report of a finished run, in any format',
    args: [
      {
        name: 'events',
        required: true,
        description: 'the .jsonl file that viva test wrote, its name in .viva/runs, or latest',
      },
    ],
    flags: [
      OUTPUT_FLAG,
      { ...FORMAT_FLAG, description: 'print this format instead: summary, json, markdown, html, junit, tap, ctrf' },
      LABELS_FLAG,
    ],
    examples: ['viva report results.jsonl -o report.html -o junit.xml', 'viva report results.jsonl --format markdown'],
    load: async () => (await import('../commands/report.js')).report,
  },
  {
    name: 'explain',
    summary: 'explain why cases failed and what to try, or what an error code means',
    args: [
      {
        name: 'case',
        required: false,
        description: 'a case id or an error code; default: every case that did not pass',
      },
      { name: 'events', required: false, description: 'event file of the run; default: latest' },
    ],
    flags: [{ ...switchFlag('json', 'the explanations as JSON'), group: 'Output' }],
    examples: ['viva explain', 'viva explain T001', 'viva explain T001 results.jsonl', 'viva explain BAD_CASES'],
    load: async () => (await import('../commands/explain.js')).explain,
  },
  {
    name: 'compare',
    summary: 'compare two runs, and tell regressions from chance',
    args: [
      {
        name: 'before',
        required: true,
        description: 'event file of the old run; latest~1 is the second newest in .viva/runs',
      },
      { name: 'after', required: true, description: 'event file of the new run, or latest' },
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
          'exit 1 on a regression (more than chance), on any newly failing case, or on changed behaviour (drift); in each case also if there is no verdict, if assertions were removed or changed, or if cases that passed are missing',
      },
      PRACTICAL_FLAG,
      LABELS_FLAG,
      {
        ...switchFlag(
          'allow_missing',
          'with --fail-on: allow cases that passed before to be missing, skipped or changed',
        ),
        group: 'Running',
      },
      {
        ...switchFlag('allow_changed_cases', 'with --fail-on: allow removed or changed assertions'),
        group: 'Running',
      },
      {
        ...switchFlag(
          'allow_different_plans',
          'show runs with different rules (--threshold, --confidence, --max-runs, --min-pass-rate, or --runs auto against a number) side by side, without a verdict; --fail-on then fails',
        ),
        group: 'Running',
      },
    ],
    examples: [
      'viva compare main.jsonl branch.jsonl --fail-on regression',
      'viva compare main.jsonl branch.jsonl -o comment.md',
    ],
    load: async () => (await import('../commands/compare.js')).compare,
  },
  {
    name: 'merge',
    summary: 'merge shard results into one run',
    args: [{ name: 'shards', required: true, many: true, description: 'event files of viva test --shard 1/n … n/n' }],
    flags: [
      { ...OUTPUT_FLAG, description: 'event file of the whole run (.jsonl), and reports by extension' },
      {
        ...switchFlag(
          'allow_missing',
          'merge what there is; missing shards are listed, and the exit code is still not 0',
        ),
        group: 'Running',
      },
      {
        key: 'run_group',
        long: '--run-group',
        value: '<name>',
        kind: 'text',
        group: 'Running',
        description: 'the run that the shards must belong to; files without a group are assumed to',
      },
    ],
    examples: ['viva merge shard-*.jsonl -o run.jsonl -o report.html'],
    load: async () => (await import('../commands/merge.js')).merge,
  },
  {
    name: 'shard-plan',
    summary: 'plan shards of equal duration from earlier runs, for --shard-plan',
    args: [{ name: 'runs', required: true, many: true, description: 'event files of earlier runs' }],
    flags: [
      {
        key: 'shards',
        long: '--shards',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 10_000,
        group: 'Running',
        description: 'how many shards',
      },
      {
        ...OUTPUT_FLAG,
        value: '<file>',
        kind: 'text',
        description: 'file to write the plan to; default: standard output',
      },
    ],
    examples: ['viva shard-plan run.jsonl --shards 4 -o plan.json'],
    load: async () => (await import('../commands/shard-plan.js')).shardPlan,
  },
  {
    name: 'extract',
    summary: 'write one file per result',
    args: [{ name: 'report', required: true, description: 'event file or JSON report' }],
    flags: [
      { ...OUTPUT_FLAG, value: '<dir>', kind: 'text', description: 'folder to write into' },
      {
        ...FORMAT_FLAG,
        kind: 'choice',
        choices: ['markdown', 'json'],
        description: 'markdown or json',
        default: 'markdown',
      },
    ],
    examples: ['viva extract results.jsonl -o results/', 'viva extract report.json -o results/ --format json'],
    load: async () => (await import('../commands/extract.js')).extract,
  },
  {
    name: 'view',
    summary: 'open the report in the browser, live during a run; or all runs of a folder',
    args: [{ name: 'events', required: false, description: 'event file or folder; default: the current folder' }],
    flags: [
      PORT_FLAG,
      switchFlag('open', 'open the browser'),
      switchFlag('allow_run', 'let the page rerun cases, from this machine only, with the options of their run'),
      { ...QUEUE_FLAG, description: 'also show the fleet at this queue: redis://host:port or rediss://' },
    ],
    examples: [
      'viva view tests/output-20241217100000.jsonl',
      'viva view',
      'viva view latest --allow-run',
      'viva view results.jsonl --queue redis://localhost:6379',
    ],
    load: async () => (await import('../commands/view.js')).view,
  },
  {
    name: 'history',
    summary: 'list past runs and trends, and the flaky, slowest or most expensive cases',
    args: [
      {
        name: 'what',
        required: false,
        description: 'runs, case, flaky, slowest, expensive or prune',
        choices: ['runs', 'case', 'flaky', 'slowest', 'expensive', 'prune'],
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
        description: 'how many rows; with prune, how many runs to keep',
        default: '20',
      },
    ],
    examples: ['viva history', 'viva history case T001', 'viva history flaky'],
    load: async () => (await import('../commands/history.js')).history,
  },
  {
    name: 'snapshot',
    summary: 'review missing and changed snapshots: accept or reject them',
    args: [
      { name: 'what', required: false, description: 'review', choices: ['review'] },
      { name: 'dir', required: false, description: 'where to look; default: the current folder' },
    ],
    flags: [switchFlag('accept', 'accept all without review'), switchFlag('reject', 'reject all')],
    examples: ['viva snapshot review', 'viva snapshot review tests --accept'],
    load: async () => (await import('../commands/snapshot.js')).snapshot,
  },
]
