// The command that runs some cases of a run again, ready to be pasted into a shell.
import { hasHidden } from '../base/hidden.js'
import { readNonEmpty } from '../base/record.js'
import { shellWord } from '../base/shell-word.js'
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
  const variants = variantsOf(options['variant']).filter(
    (text) => variant === undefined || text.startsWith(`${variant}=`),
  )
  // What its variables held is not kept.
  if (variants.some((text) => text.includes('=[SECRET]'))) return undefined
  const targets = variants.map(targetOf)
  for (const [at, text] of variants.entries())
    if (targets.includes(undefined)) add('--variant', text)
    else add('-n', targets[at])
  for (const [key, flag] of FLAGS) add(flag, options[key])
  for (const [key, flag, usual] of planOf(options['runs'])) {
    const value = options[key]
    if (value !== usual) add(flag, typeof value === 'number' ? String(value) : value)
  }
  for (const [key, flag] of LISTS) {
    const values = options[key]
    if (Array.isArray(values)) for (const value of values) add(flag, value)
  }
  if (options['allow_outside'] === true) words.push('--allow-outside')
  if (options['allow_destructive'] === true) words.push('--allow-destructive')
  // The same seed gives the same faults.
  const { chaos } = options
  if (chaos === true) words.push('--chaos')
  else if (readNonEmpty(chaos) !== undefined) words.push(`--chaos=${readNonEmpty(chaos)}`)
  words.push(...choice)
  return words.some((word) => hasHidden(word) || /[\n\t]/.test(word)) ? undefined : words.map(shellWord).join(' ')
}

function variantsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.flatMap((text) => readNonEmpty(text) ?? []) : []
}

/** Of a variant that is only that, as several `-n` make them. */
function targetOf(text: string): string | undefined {
  const target = text.slice(0, (text.length - 1) / 2)
  return text === `${target}=${target}` ? target : undefined
}

type PlanFlag = [option: string, flag: string, usual: number]

/** A single run would say nothing about a rate. */
function planOf(runs: unknown): PlanFlag[] {
  if (runs === 'auto') return [...RUN_PLAN, ['max_runs', '--max-runs', 30]]
  return typeof runs === 'number' && runs > 1 ? [...RUN_PLAN, ['min_pass_rate', '--min-pass-rate', 100]] : []
}

const RUN_PLAN: PlanFlag[] = [
  ['runs', '--runs', 1],
  ['threshold', '--threshold', 80],
  ['confidence', '--confidence', 95],
]

const FLAGS: [option: string, flag: string][] = [
  ['app', '-a'],
  ['with', '--with'],
  ['skills_folder', '--skills-folder'],
  ['connector', '-c'],
  ['model', '--model'],
  ['key_env', '--key-env'],
  ['user', '-u'],
  ['team', '-t'],
  ['ctx', '--ctx'],
  ['locale', '--locale'],
  ['simulator', '--simulator'],
  ['judge', '--judge'],
  ['expected', '--expected'],
  ['on_missing_input', '--on-missing-input'],
  ['before', '--before'],
  ['after', '--after'],
  ['timeout', '--timeout'],
  ['replay', '--replay'],
]

const LISTS: [option: string, flag: string][] = [
  ['criterion', '--criterion'],
  ['pass_env', '--pass-env'],
  ['skills', '--skills'],
]

/** As a regular expression; any character stands for one that does not show. */
function escaped(id: string): string {
  return Array.from(id, (character) =>
    hasHidden(character) || (/\s/.test(character) && character !== ' ')
      ? '.'
      : character.replace(/[\\^$.|?*+()[\]{}]/, '\\$&'),
  ).join('')
}
