// `-n`, `-c`, `--variant` and `variants` of the configuration → the variants of a run, the baseline first.
import { basename } from 'node:path'
import { UserError, type Subject } from '../errors.js'
import { isEqual } from '../base/equal.js'
import { listed } from '../base/text.js'
import { suggest } from '../base/suggest.js'
import { defined } from '../base/defined.js'
import type { GivenOptions, RunOptions } from './options.js'
import type { VariantSpec } from '../model/variant.js'
import { isSkillTarget, oneSkill, skillVariants } from './skill-variants.js'

/** Several `-n` or `-c` are variants: their product, written as for `--variant`. */
export function takeSeveral(given: GivenOptions): Partial<RunOptions> {
  const { name, connector, ...rest } = given
  const [names, connectors] = [listOf(name), listOf(connector)]
  if (names.length > 1 && names.some(isSkillTarget)) throw oneSkill()
  if (names.length < 2 && connectors.length < 2)
    return { ...rest, ...defined({ name: names[0], connector: connectors[0] }) }
  if (rest.variant !== undefined && rest.variant.length > 0) throw both(names.length > 1 ? '-n' : '-c')
  requireOnce(names, '-n')
  requireOnce(connectors, '-c')
  const several = product(names, connectors)
  requireNames(several, { flag: names.length > 1 ? '-n' : '-c' })
  return {
    ...rest,
    ...(names.length === 1 && { name: names[0] }),
    ...(connectors.length === 1 && { connector: connectors[0] }),
    variant: several.map(writeVariant),
  }
}

export interface VariantSources {
  options: RunOptions
  /** `variants` of the configuration; unless flags or a resumed run say what to run, all of them run. */
  configured: readonly VariantSpec[]
  pickAll: boolean
}

export interface ReadVariants {
  /** At least one: without any, the agent that `-n` and `-c` name, or that is found. */
  variants: VariantSpec[]
  /** As they are recorded. */
  texts: string[]
}

export function readVariants({ options, configured, pickAll }: VariantSources): ReadVariants {
  requireNames(configured, { field: 'variants' })
  const { name: target, connector, model, descriptions } = options
  const sides = skillVariants(options)
  if (sides && descriptions !== undefined) throw noDescriptions()
  if (sides) return { variants: sides, texts: [] }
  const named =
    options.variant.length > 0 ? options.variant.map((text) => pick(text, configured)) : pickAll ? [...configured] : []
  const given = descriptions === undefined ? named : withDescriptions(named, descriptions)
  requireNames(given, { flag: '--variant' })
  const own = model === undefined ? {} : { options: { model } }
  if (given.length === 0) return { variants: [{ ...defined({ name: '', target, connector }), ...own }], texts: [] }
  const variants = given.map((spec): VariantSpec => ({
    ...defined({ target, connector }),
    ...spec,
    ...(model !== undefined && { options: { model, ...spec.options } }),
  }))
  requireDifferent(variants)
  return { variants, texts: given.map(writeVariant) }
}

function noDescriptions(): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    message: '--descriptions is about tools that a model is offered, not about a skill',
    hint: 'leave it out',
  })
}

const OWN = 'own'

/** Each of them twice: with the descriptions that the tools have, and with those of the file. */
function withDescriptions(variants: readonly VariantSpec[], file: string): VariantSpec[] {
  const described = variants.find((spec) => spec.descriptions !== undefined)
  if (described)
    throw bad(
      `variant ${described.name} has descriptions of its own`,
      'leave out --descriptions, or those of the variant',
    )
  const stem = plainName(basename(file).replace(/\.[^.]*$/, ''))
  const other = stem === '' || stem === OWN ? 'other' : stem
  const [named, all] = variants.length === 0 ? [false, [{ name: '' }]] : [true, variants]
  return all.flatMap((spec) => {
    const nameOf = (part: string): string => (named ? `${spec.name}+${part}` : part)
    return [
      { ...spec, name: nameOf(OWN) },
      { ...spec, name: nameOf(other), descriptions: file },
    ]
  })
}

/** As text, so that a run can be resumed with it. A variable's value may be a secret: only its name is written. */
export function writeVariant({
  name,
  target = '',
  connector,
  preset,
  locale,
  env = {},
  options = {},
  descriptions,
}: VariantSpec): string {
  const settings = {
    ...defined({ connector, preset, locale, descriptions }),
    ...prefixed('env', Object.fromEntries(Object.keys(env).map((key) => [key, HIDDEN]))),
    ...prefixed('options', options),
  }
  const parts = Object.entries(settings).map(([key, value]) => `,${key}=${written(value)}`)
  return `${name}=${target}${parts.join('')}`
}

const HIDDEN = '[SECRET]'

function pick(text: string, configured: readonly VariantSpec[]): VariantSpec {
  const spec = text.includes('=') ? parseVariant(text) : undefined
  const known = configured.find(({ name }) => name === (spec?.name ?? text))
  if (!spec) {
    if (known) return known
    throw unknown(text, configured)
  }
  if (!Object.values(spec.env ?? {}).includes(HIDDEN)) return spec
  // A resumed run: the values of its variables are in the configuration, or have to be given again.
  if (known && writeVariant(known) === text) return known
  throw bad(
    `the values of the variables of ${spec.name} are not kept`,
    'give the original --variant again, or start a new run',
  )
}

const KEYS = ['connector', 'preset', 'locale', 'descriptions', 'env.NAME', 'options.NAME']
const EXAMPLE = 'for example: --variant "fast=./agent.ts#run,connector=mini,env.MODE=quick"'

export function parseVariant(text: string): VariantSpec {
  const at = text.indexOf('=')
  const name = text.slice(0, at).trim()
  const rest = text.slice(at + 1)
  // A comma begins a setting only before `key=`: a command may contain commas too.
  const [first = '', ...more] = rest.split(/,(?=\s*[A-Za-z_][\w.-]*=)/)
  const parts = isSetting(first) ? [first, ...more] : more
  const target = isSetting(first) ? '' : first.trim()
  const spec: VariantSpec = { name, ...(target !== '' && { target }) }
  for (const part of parts) addSetting(spec, part.trim(), name)
  return spec
}

function isSetting(text: string): boolean {
  return /^\s*(?:connector|preset|locale|descriptions|env\.\w+|options\.[\w.-]+)=/.test(text)
}

function addSetting(spec: VariantSpec, part: string, name: string): void {
  const at = part.indexOf('=')
  const [key, value] = [part.slice(0, at), part.slice(at + 1)]
  const [group = '', ...below] = key.split('.')
  const inner = below.join('.')
  if (key === 'connector' || key === 'preset' || key === 'locale' || key === 'descriptions') {
    if (spec[key] !== undefined) throw bad(`variant ${name} has ${key} twice`, 'give it once')
    if (value === '') throw bad(`variant ${name}: ${key} is empty`, EXAMPLE)
    spec[key] = value
  } else if (group === 'env' && /^[A-Za-z_]\w*$/.test(inner)) spec.env = { ...spec.env, [inner]: value }
  else if (group === 'options' && inner !== '') spec.options = { ...spec.options, [inner]: valueOf(value) }
  else throw bad(`variant ${name} has an unknown setting "${key}"`, unknownSetting(key))
}

function unknownSetting(key: string): string {
  const near = suggest(key, KEYS)
  return near === undefined
    ? `known: ${KEYS.join(', ')}; a target that has a comma before a word with = goes into "agents" of the configuration`
    : `did you mean ${near}?`
}

/** `0.2`, `true` and `{"a": 1}` are what they look like; anything else is a string. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function written(value: unknown): string {
  return typeof value === 'string'
    ? isEqual(valueOf(value), value)
      ? value
      : JSON.stringify(value)
    : JSON.stringify(value)
}

function prefixed(prefix: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]))
}

function product(names: string[], connectors: string[]): VariantSpec[] {
  const targets = names.length < 2 ? [undefined] : names
  const models = connectors.length < 2 ? [undefined] : connectors
  return targets.flatMap((target) =>
    models.map((connector) => ({
      name: [target, connector].flatMap((part) => (part === undefined ? [] : [plainName(part)])).join('+'),
      ...defined({ target, connector }),
    })),
  )
}

const LONGEST_NAME = 60

/** A target as a name: without a user and a password, and without what would end a name. */
function plainName(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, '//')
    .replaceAll(/[=,·\p{Cc}]/gu, '_')
    .slice(0, LONGEST_NAME)
}

function requireNames(variants: readonly VariantSpec[], subject: Subject): void {
  for (const [index, { name }] of variants.entries()) {
    if (name === '' || name.length > 2 * LONGEST_NAME || /[=,·\p{Cc}]/u.test(name))
      throw bad(`"${name}" cannot name a variant`, `a name has no = , · or control characters; ${EXAMPLE}`, subject)
    const same = variants.find((other) => lookOf(other.name) === lookOf(name))
    if (same && variants.indexOf(same) !== index)
      throw bad(
        same.name === name
          ? `two variants are called "${name}"`
          : `the variants "${same.name}" and "${name}" cannot be told apart by their names`,
        subject.field === undefined ? 'give each its own name: --variant "name=target"' : 'give each its own name',
        subject,
      )
  }
}

/** Case, width, differently composed accents and invisible characters do not make a different name. */
function lookOf(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

function requireOnce(given: readonly string[], flag: string): void {
  const twice = given.find((text, index) => given.indexOf(text) !== index)
  if (twice === undefined) return
  throw new UserError({
    code: 'IDENTICAL_VARIANTS',
    subject: { flag },
    message: `"${twice}" is given twice`,
    hint: 'to see how much results vary by chance, use --runs',
  })
}

/** Two variants that differ only in name would be compared, and paid for, to no purpose. */
function requireDifferent(variants: readonly VariantSpec[]): void {
  for (const [index, { name, ...spec }] of variants.entries()) {
    const same = variants.slice(0, index).find(({ name: _name, ...other }) => isEqual(other, spec))
    if (same) throw identical(same.name, name)
  }
}

export function identical(one: string, other: string): UserError {
  return new UserError({
    code: 'IDENTICAL_VARIANTS',
    message: `the variants "${one}" and "${other}" are the same`,
    hint: 'to see how much results vary by chance, use --runs; otherwise leave one of them out',
  })
}

function unknown(name: string, configured: readonly VariantSpec[]): UserError {
  const names = configured.map((variant) => variant.name)
  const near = suggest(name, names)
  return bad(
    `no variant called "${name}" in the configuration${near === undefined ? '' : `; did you mean "${near}"?`}`,
    names.length > 0 ? `there are ${listed(names, 20)}; a new one is --variant "name=target"` : EXAMPLE,
  )
}

function both(flag: string): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    message: `--variant and several ${flag} cannot be used together`,
    hint: 'write each variant out: --variant "name=target,connector=id"',
  })
}

function bad(message: string, hint: string, subject: Subject = { flag: '--variant' }): UserError {
  return new UserError({ code: 'BAD_VARIANT', subject, message, hint })
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
