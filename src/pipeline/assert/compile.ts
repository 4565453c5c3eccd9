// An assertion as written → one that can be checked. Every mistake in it is found here, before anything runs.
import * as v from 'valibot'
import { UserError, type Problem } from '../../errors.js'
import type { AssertionSpec } from '../../model/assertion.js'
import { isFreeKey } from '../../model/free-key.js'
import { isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { show } from '../../base/text.js'
import { SpecError, type AssertionDefinition, type CompileContext, type CompiledAssertion } from './define-assertion.js'
import { problemOf } from './issue-problem.js'
import { isPlainlyFine } from './quick-check.js'
import { readsAnswerOf } from './refused.js'
import { assertionsByType } from './registry.js'

/** A bare string is a type, a missing type is `equals`. Says nothing about whether the rest is right. */
export function parseSpec(raw: unknown, field = 'assert'): AssertionSpec {
  if (typeof raw === 'string') return { type: raw }
  if (!isRecord(raw))
    throw new SpecError(field, `must be an assertion (an object, or a type as text), found ${show(raw)}`)
  const { type } = raw
  if (type !== undefined && typeof type !== 'string')
    throw new SpecError(`${field}.type`, `must be a string, found ${show(type)}`)
  return type === undefined ? { ...raw, type: 'equals' } : (raw as AssertionSpec)
}

/** The mistakes of one assertion, or what it compiles to. Possible mistakes go to `doubts`; `tools` are all the agent has. */
export function checkAssertion(
  raw: unknown,
  field: string,
  doubts?: Problem[],
  tools?: readonly string[],
): CompiledAssertion | Problem[] {
  try {
    return compileOne(raw, field, { doubts, tools })
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
}

/** Throws a UserError that lists the mistakes of all of them. `ready` is used as is for the specs it was compiled from. */
export function compileAssertions(
  specs: readonly unknown[],
  field = 'assert',
  ready?: readonly CompiledAssertion[],
): CompiledAssertion[] {
  return compileList(specs, field, NOTHING_MORE, ready)
}

function compileList(
  specs: readonly unknown[],
  field: string,
  about: About,
  ready?: readonly CompiledAssertion[],
): CompiledAssertion[] {
  const compiled: CompiledAssertion[] = []
  let problems: Problem[] | undefined
  for (let index = 0; index < specs.length; index++) {
    try {
      const known = ready && readyFor(specs[index], ready, index)
      compiled.push(known ?? compileOne(specs[index], `${field}[${index}]`, about))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems = [...(problems ?? []), ...error.problems]
    }
  }
  if (problems) throw badAssertions(problems)
  return compiled
}

/** Usually in the same place. */
function readyFor(wanted: unknown, ready: readonly CompiledAssertion[], index: number): CompiledAssertion | undefined {
  const likely = ready[index]
  return likely?.spec === wanted ? likely : ready.find(({ spec }) => spec === wanted)
}

interface About {
  doubts?: Problem[] | undefined
  tools?: readonly string[] | undefined
}

const NOTHING_MORE: About = {}

function compileOne(raw: unknown, field: string, about: About): CompiledAssertion {
  const spec = parseSpec(raw, field)
  const definition = assertionsByType.get(spec.type)
  if (!definition) throw unknownType(spec.type, field)
  const problems = problemsOf(spec, definition, field)
  if (problems) throw badAssertions(problems)
  const check = definition.compile(spec, new Compiling(field, about))
  const compiled: CompiledAssertion = { spec, check, readsAnswer: readsAnswerOf(definition.on) }
  const choice = definition.choiceOf?.(spec)
  if (choice) compiled.choice = choice
  return compiled
}

/** Created for every assertion of every case, and rarely used: methods, not closures. */
class Compiling implements CompileContext {
  readonly field: string
  readonly #about: About

  constructor(field: string, about: About) {
    this.field = field
    this.#about = about
  }

  get tools(): readonly string[] | undefined {
    return this.#about.tools
  }

  doubt(field: string, message: string): void {
    this.#about.doubts?.push({ field, message })
  }

  compile(members: unknown[], field: string): CompiledAssertion[] {
    return compileList(members, field, this.#about)
  }
}

function problemsOf(spec: AssertionSpec, definition: AssertionDefinition, field: string): Problem[] | undefined {
  const { entries } = definition.schema
  let problems: Problem[] | undefined
  for (const key in spec) {
    if (Object.hasOwn(entries, key)) continue
    const problem = commonProblem(key, spec[key], definition, field)
    if (problem) (problems ??= []).push(problem)
  }
  if (isPlainlyFine(definition.schema, spec)) return problems
  const parsed = v.safeParse(definition.schema, spec)
  if (!parsed.success) for (const issue of parsed.issues) (problems ??= []).push(problemOf(issue, field))
  return problems
}

const COMMON = ['type', 'path', 'message', 'negate', 'label', 'weight', 'metadata']

function commonProblem(
  key: string,
  value: unknown,
  definition: AssertionDefinition,
  field: string,
): Problem | undefined {
  switch (key) {
    case 'type':
    case 'metadata':
      return undefined
    case 'message':
    case 'label':
      return typeof value === 'string' ? undefined : wrong(`${field}.${key}`, 'a string', value)
    case 'negate':
      return typeof value === 'boolean' ? undefined : wrong(`${field}.negate`, 'true or false', value)
    case 'weight':
      return typeof value === 'number' && value >= 0 && Number.isFinite(value)
        ? undefined
        : wrong(`${field}.weight`, 'a number of at least 0', value)
    case 'path':
      if (definition.on !== 'answer') return notUsed(key, definition, field)
      return typeof value === 'string' ? undefined : wrong(`${field}.path`, 'a string', value)
    case 'value':
      return notUsed(key, definition, field)
    default:
      return isFreeKey(key) ? undefined : unknownField(key, definition, field)
  }
}

function unknownField(key: string, definition: AssertionDefinition, field: string): Problem {
  const own = Object.keys(definition.schema.entries)
  const suggestion = suggest(key, [...COMMON, ...own])
  const message = `unknown field "${key}" in ${definition.type}`
  return suggestion === undefined
    ? { field: `${field}.${key}`, message: `${message}; it takes ${own.join(', ')}` }
    : { field: `${field}.${key}`, message, suggestion }
}

function notUsed(key: string, definition: AssertionDefinition, field: string): Problem {
  const own = Object.keys(definition.schema.entries).join(', ')
  return { field: `${field}.${key}`, message: `${definition.type} does not use "${key}"; it takes ${own}` }
}

function wrong(field: string, expected: string, found: unknown): Problem {
  return { field, message: `must be ${expected}, found ${show(found)}` }
}

function unknownType(type: string, field: string): SpecError {
  const suggestion = suggest(type, assertionsByType.keys())
  return new SpecError(`${field}.type`, `unknown assertion type: ${type}`, suggestion)
}

function badAssertions(problems: Problem[]): UserError {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new UserError({
    code: 'BAD_ASSERTION',
    message: `${first?.field ?? 'assert'}: ${first?.message ?? ''}${more}`,
    problems,
  })
}
