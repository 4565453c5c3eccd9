// The commands of a fleet.
import type { CommandSpec } from '../command.js'
import { FORMAT_FLAG, QUEUE_FLAG } from '../shared-flags.js'

export const FLEET: CommandSpec[] = [
  {
    name: 'worker',
    summary: 'run cases for viva test --queue, as one of any number of workers on any number of machines',
    flags: [
      {
        ...QUEUE_FLAG,
        description:
          'the queue of the fleet: redis://host:port or rediss://; VIVA_QUEUE_KEY must be the same everywhere',
      },
      {
        key: 'parallel',
        long: '--parallel',
        value: '<n>',
        kind: 'integer',
        min: 1,
        max: 10_000,
        group: 'Fleet',
        description: 'how many cases this worker runs at a time',
        default: '8',
      },
      {
        key: 'dir',
        long: '--dir',
        value: '<dir>',
        kind: 'text',
        group: 'Fleet',
        description: 'the folder that matches the one viva test is started in',
        default: 'the current folder',
      },
      {
        key: 'name',
        long: '--name',
        value: '<name>',
        kind: 'text',
        group: 'Fleet',
        description: 'the name shown by viva fleet status',
        default: 'the host name',
      },
    ],
    examples: [
      'viva worker --queue redis://localhost:6379',
      'viva worker --queue rediss://fleet.example.com:6380 --parallel 32',
    ],
    load: async () => (await import('../commands/worker.js')).worker,
  },
  {
    name: 'fleet',
    summary: 'show what a fleet is doing: workers, runs, what is stuck, time left',
    args: [{ name: 'what', required: true, description: 'status', choices: ['status'] }],
    flags: [
      QUEUE_FLAG,
      { ...FORMAT_FLAG, kind: 'choice', choices: ['console', 'json'], description: 'console or json' },
    ],
    examples: ['viva fleet status --queue redis://localhost:6379'],
    load: async () => (await import('../commands/fleet.js')).fleet,
  },
]
