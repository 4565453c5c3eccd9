// The command that runs one case of a run again, ready to be pasted into a shell.
import type { ResultEvent, StartEvent } from '../../../model/event.js'
import { hasHidden } from '../../../base/hidden.js'

/** Undefined where the case cannot be had again: it came from standard input, or a name holds what cannot be pasted. */
export function rerunCommand(start: StartEvent, event: ResultEvent): string | undefined {
  // Not every event file was written by this version.
  const options: Record<string, unknown> = start.options ?? {}
  const given: unknown[] = Array.isArray(options['input']) ? options['input'] : [options['input']]
  const named = given.flatMap((input) => textOf(input) ?? [])
  const inputs = named.length > 0 ? named : [start.script ?? start.input]
  if (inputs.some((input) => !input || input === '-')) return undefined
  const words = ['viva', 'test', ...inputs.flatMap((input) => ['-i', input])]
  const add = (flag: string, value: unknown) => {
    const text = textOf(value)
    if (text !== undefined) words.push(flag, text)
  }
  add('-n', options['name'])
  const variants: unknown[] = Array.isArray(options['variant']) ? options['variant'] : []
  const own = variants.find((text) => event.variant === undefined || textOf(text)?.startsWith(`${event.variant}=`))
  // What its variables held is not kept.
  if (textOf(own)?.includes('=[SECRET]')) return undefined
  add('--variant', own)
  for (const [key, flag] of FLAGS) add(flag, options[key])
  if (Array.isArray(options['pass_env'])) for (const name of options['pass_env']) add('--pass-env', name)
  if (options['allow_outside'] === true) words.push('--allow-outside')
  // Tests in scripts are picked by the name of the function.
  words.push('--run', `^${escaped(event.script === undefined ? event.id : (event.name ?? event.id))}$`)
  return words.some((word) => hasHidden(word) || /[\n\t]/.test(word)) ? undefined : words.map(quoted).join(' ')
}

const FLAGS: [option: string, flag: string][] = [
  ['app', '-a'],
  ['connector', '-c'],
  ['user', '-u'],
  ['team', '-t'],
  ['ctx', '--ctx'],
  ['locale', '--locale'],
  ['simulator', '--simulator'],
  ['on_missing_input', '--on-missing-input'],
  ['before', '--before'],
  ['after', '--after'],
  ['timeout', '--timeout'],
]

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

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
