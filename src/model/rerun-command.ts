// The command that runs some cases of a run again, ready to be pasted into a shell.
import { hasHidden } from '../base/hidden.js'
import { readNonEmpty } from '../base/record.js'
import type { StartEvent } from './event.js'

export interface RerunCase {
  id: string
  variant?: string | undefined
  /** For a test in a script. */
  script?: string | undefined
  name?: string | undefined
}

/** Undefined if they cannot be rerun: they came from standard input, or a name contains something that cannot be pasted. */
export function rerunCommand(start: StartEvent, cases: readonly RerunCase[]): string | undefined {
  // Tests in scripts are selected by function name.
  const ids = [...new Set(cases.map(({ script, name, id }) => escaped(script === undefined ? id : (name ?? id))))]
  const [only = ''] = ids
  return commandWith(start, variantOf(cases), ['--run', ids.length === 1 ? `^${only}$` : `^(?:${ids.join('|')})$`])
}

/** Used if there are too many to name. */
export function lastFailedCommand(start: StartEvent): string | undefined {
  return commandWith(start, undefined, ['--last-failed'])
}

/** The only variant among them. */
function variantOf(cases: readonly RerunCase[]): string | undefined {
  const variants = new Set(cases.map(({ variant }) => variant))
  return variants.size === 1 ? [...variants][0] : undefined
}

function commandWith(start: StartEvent, variant: string | undefined, choice: string[]): string | undefined {
  // Not every event file was written by this version.
  const options: Record<string, unknown> = start.options ?? {}
  const given: unknown[] = Array.isArray(options['input']) ? options['input'] : [options['input']]
  const named = given.flatMap((input) => readNonEmpty(input) ?? [])
  const inputs = named.length > 0 ? named : [start.script ?? start.input]
  if (inputs.some((input) => !input || input === '-')) return undefined
  const words = ['viva', 'test', ...inputs.flatMap((input) => ['-i', input])]
  const add = (flag: string, value: unknown) => {
    const text = readNonEmpty(value)
    if (text !== undefined) words.push(flag, text)
  }
  add('-n', options['name'])
  const variants: unknown[] = Array.isArray(options['variant']) ? options['variant'] : []
  for (const text of variants) {
    if (variant !== undefined && !readNonEmpty(text)?.startsWith(`${variant}=`)) continue
    // What its variables held is not kept.
    if (readNonEmpty(text)?.includes('=[SECRET]')) return undefined
    add('--variant', text)
  }
  for (const [key, flag] of FLAGS) add(flag, options[key])
  if (Array.isArray(options['pass_env'])) for (const name of options['pass_env']) add('--pass-env', name)
  if (options['allow_outside'] === true) words.push('--allow-outside')
  // The same seed gives the same faults.
  const { chaos } = options
  if (chaos === true) words.push('--chaos')
  else if (readNonEmpty(chaos) !== undefined) words.push(`--chaos=${readNonEmpty(chaos)}`)
  words.push(...choice)
  return words.some((word) => hasHidden(word) || /[\n\t]/.test(word)) ? undefined : words.map(quoted).join(' ')
}

const FLAGS: [option: string, flag: string][] = [
  ['app', '-a'],
  ['connector', '-c'],
  ['model', '--model'],
  ['key_env', '--key-env'],
  ['user', '-u'],
  ['team', '-t'],
  ['ctx', '--ctx'],
  ['locale', '--locale'],
  ['simulator', '--simulator'],
  ['on_missing_input', '--on-missing-input'],
  ['before', '--before'],
  ['after', '--after'],
  ['timeout', '--timeout'],
  ['replay', '--replay'],
]

/** As a regular expression; any character stands for one that does not show. */
function escaped(id: string): string {
  return Array.from(id, (character) =>
    hasHidden(character) || (/\s/.test(character) && character !== ' ')
      ? '.'
      : character.replace(/[\\^$.|?*+()[\]{}]/, '\\$&'),
  ).join('')
}

function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
