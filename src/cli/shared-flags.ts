// Flags that several commands have.
import { flagOf } from '../model/option-rules.js'
import type { RunOptions } from '../model/options.js'
import { TEST_FLAGS, type Flag } from './flags.js'

export const OUTPUT_FLAG: Flag = {
  key: 'output',
  short: '-o',
  long: '--output',
  value: '<file>',
  kind: 'list',
  group: 'Output',
  description: 'report file, format by extension; may be given several times',
}
export const FORMAT_FLAG: Flag = {
  key: 'format',
  long: '--format',
  value: '<format>',
  kind: 'text',
  group: 'Output',
  description: 'output format',
}
export const DIR_FLAG: Flag = {
  key: 'dir',
  long: '--dir',
  value: '<dir>',
  kind: 'text',
  group: 'Project',
  description: 'where the history is',
  default: '.viva/history of the application root',
}
export const switchFlag = (key: string, description: string): Flag => ({
  key,
  long: flagOf(key),
  kind: 'switch',
  group: 'Project',
  description,
})
export const PORT_FLAG: Flag = {
  key: 'port',
  long: '--port',
  value: '<n>',
  kind: 'integer',
  min: 0,
  max: 65_535,
  group: 'Project',
  description: 'port on 127.0.0.1',
  default: 'any free one',
}
export const QUEUE_FLAG: Flag = {
  key: 'queue',
  long: '--queue',
  value: '<url>',
  kind: 'text',
  group: 'Fleet',
  description: 'where the fleet meets: redis://host:port or rediss://',
}

/** The flags of `viva test` that every command that runs cases has, and `more` of them. */
export function runFlags(more: readonly (keyof RunOptions)[]): Flag[] {
  const keys = new Set<string>([...OF_EVERY_RUN, ...more])
  return TEST_FLAGS.filter(({ key }) => keys.has(key))
}

const OF_EVERY_RUN: readonly (keyof RunOptions)[] = [
  'input',
  'run',
  'tag',
  'strict',
  'allow_outside',
  'name',
  'connector',
  'variant',
  'app',
  'pass_env',
  'user',
  'team',
  'ctx',
  'locale',
  'parallel',
  'agent_processes',
  'timeout',
  'retries',
  'max_cost',
  'simulator',
  'max_runs',
]
