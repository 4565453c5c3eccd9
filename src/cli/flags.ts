// The flags of `viva test`, from the table of options: the parser, `--help`, completion and the reference follow.
import type { OptionGroup, OptionRow, OptionRule } from '../config/option-row.js'
import { flagOf, OPTION_NAMES, OPTIONS, type OptionName } from '../config/options.js'

export interface Flag extends OptionRule {
  /** Key in RunOptions (and in `defaults` of the configuration). */
  key: string
  short?: string
  long: string
  /** Placeholder of the value; absent for switches. */
  value?: string
  description: string
  /** Shown in help. */
  default?: string
  group: OptionGroup
  example?: string
  /** Given several times, it means all of them. */
  several?: true
}

export const TEST_FLAGS: Flag[] = OPTION_NAMES.map((name) => flagFor(name, OPTIONS[name]))

/** The flags of `viva test` that another command takes too. */
export function testFlags(...names: OptionName[]): Flag[] {
  const wanted = new Set<string>(names)
  return TEST_FLAGS.filter(({ key }) => wanted.has(key))
}

/** The same by the column `also` of the table. */
export function flagsAlsoOf(command: OptionRow['rules']['also'][number]): Flag[] {
  return TEST_FLAGS.filter(({ key }) => (OPTIONS[key as OptionName] as OptionRow).rules.also.includes(command))
}

function flagFor(key: OptionName, row: OptionRow): Flag {
  const { default: value, shown = shownDefault(value), rules: _rules, ...flag } = row
  return { ...flag, key, long: flagOf(key), ...(shown !== undefined && { default: shown }) }
}

function shownDefault(value: OptionRow['default']): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
