// Flags that several commands have.
import { flagOf } from '../config/options.js'
import type { Flag } from './flags.js'

export const OUTPUT_FLAG: Flag = {
  key: 'output',
  short: '-o',
  long: '--output',
  value: '<file>',
  kind: 'list',
  group: 'Output',
  description: 'report file, format by extension; repeatable',
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
  description: 'folder of the history',
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
export const LABELS_FLAG: Flag = {
  key: 'labels',
  long: '--labels',
  value: '<file>',
  kind: 'list',
  group: 'Project',
  description: 'what people said about judged answers, may be given several times',
  default: 'labels.jsonl beside the cases or the run',
}
export const QUEUE_FLAG: Flag = {
  key: 'queue',
  long: '--queue',
  value: '<url>',
  kind: 'text',
  group: 'Fleet',
  description: 'the queue of the fleet: redis://host:port or rediss://',
}
