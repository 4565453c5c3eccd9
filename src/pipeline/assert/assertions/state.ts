// `state_equals` and `state_changed`: what the case left behind in the store of its tools, or wherever its state is read from.
import * as v from 'valibot'
import {
  ANY,
  isAtOrBelow,
  jsonChanges,
  parseMemberPath,
  pathText,
  type JsonChange,
  type MemberPath,
} from '../../../base/json/json-changes.js'
import { isRecord } from '../../../base/record.js'
import { suggest } from '../../../base/suggest.js'
import { abridged, show } from '../../../base/text.js'
import { isSecretField } from '../../../redact/secret-names.js'
import type { Evidence } from '../../../model/evidence.js'
import { defineAssertion, notAvailable, SpecError, type CompileContext, type Verdict } from '../define-assertion.js'
import { matcherField } from '../matchers/schema.js'
import { requirePath } from '../on-answer.js'
import { compileValue, type ValueMatcher } from '../value-match.js'

const text = v.pipe(v.string(), v.nonEmpty())

export const stateEquals = defineAssertion({
  type: 'state_equals',
  summary:
    'The state after the case equals `value` (matchers anywhere inside), or has it at `path`; `exists` asks for presence. State that the agent reports itself is marked as claimed',
  example: { type: 'state_equals', path: '$.orders.o1.status', value: 'refunded' },
  on: 'state',
  schema: v.object({ path: v.optional(text), value: v.optional(matcherField), exists: v.optional(v.boolean()) }),

  compile(spec, context) {
    const check = compileEquals(spec, context)
    return ({ state }) => {
      if (!state) return noState()
      const verdict = check(state.after)
      return state.claimed ? claimed(verdict) : verdict
    }
  },
})

export const stateChanged = defineAssertion({
  type: 'state_changed',
  summary:
    'Exactly these paths of the state changed, and nothing else: a list, or an object of the values that they have now. State that the agent reports itself does not count',
  example: { type: 'state_changed', paths: ['$.orders.o1.status', '$.refunds[0]'] },
  on: 'state',
  schema: v.object({ paths: v.union([v.array(text), v.record(text, matcherField)]) }),

  compile({ paths }, context) {
    const wanted = Array.isArray(paths)
      ? paths.map((path, index) => compilePath(path, `${context.field}.paths[${index}]`))
      : Object.entries(paths).map(([path, value]) => compileTarget(path, value, context))
    refuseOverlaps(wanted, `${context.field}.paths`)
    return (evidence) => {
      const known = knownState(evidence)
      return 'verdict' in known ? known.verdict : compareChanges(wanted, known.before, known.after)
    }
  },
})

interface EqualsSpec {
  path?: string | undefined
  value?: unknown
  exists?: boolean | undefined
}

function compileEquals(spec: EqualsSpec, context: CompileContext): (state: unknown) => Verdict {
  const { path, exists } = spec
  const { field } = context
  const hasValue = Object.hasOwn(spec, 'value')
  if (path === undefined && exists !== undefined) throw new SpecError(`${field}.exists`, 'needs path')
  if (!hasValue && exists === undefined)
    throw new SpecError(`${field}.value`, 'is missing: the value to compare with, or exists: true or false with a path')
  if (hasValue && exists === false) throw new SpecError(`${field}.exists`, 'false cannot be combined with a value')
  const wanted = hasValue ? compileValue(spec.value, `${field}.value`, context) : undefined
  if (wanted?.holdsAlways && path === undefined)
    throw new SpecError(`${field}.value`, `${JSON.stringify(spec.value)} holds for every state: it cannot fail`)
  if (path === undefined) return (state) => compareValue(wanted, state, 'the state')
  const query = requirePath(path, `${field}.path`)
  const steps = parseMemberPath(path.startsWith('$') ? path : `$.${path}`)
  return (state) => {
    const found = query.select(state)
    const actual = query.singular ? found[0] : found
    if (exists === false) {
      if (found.length === 0) return { passed: true }
      const message = `the state has something at ${path}: ${show(actual)}`
      return withoutSecret(steps, { passed: false, message, actual: abridged(actual) })
    }
    if (found.length === 0) return absence(missingText(path, state))
    return withoutSecret(steps, compareValue(wanted, actual, path))
  }
}

function absence(message: string): Verdict {
  return { passed: false, message, absent: message }
}

function compareValue(wanted: ValueMatcher | undefined, actual: unknown, subject: string): Verdict {
  return !wanted || wanted.matches(actual, undefined) ? { passed: true } : wanted.explain(actual, undefined, subject)
}

interface WantedPath {
  text: string
  path: MemberPath
  value?: ValueMatcher
}

function compilePath(written: string, field: string): WantedPath {
  const path = parseMemberPath(written)
  if (path) return { text: written, path }
  throw new SpecError(
    field,
    `"${written}" is not a path of names and indexes, such as $.orders.o1.status, $.list[0], $["a b"] or $.orders.*.status`,
  )
}

function compileTarget(written: string, value: unknown, context: CompileContext): WantedPath {
  const field = `${context.field}.paths[${JSON.stringify(written)}]`
  const compiled = compilePath(written, field)
  if (compiled.path.includes(ANY)) throw new SpecError(field, 'with * there is no single value: give a list of paths')
  return { ...compiled, value: compileValue(value, field, context) }
}

/** One change would satisfy both. */
function refuseOverlaps(wanted: readonly WantedPath[], field: string): void {
  for (const [index, one] of wanted.entries())
    for (const other of wanted.slice(index + 1)) {
      const [short, long] = one.path.length <= other.path.length ? [one, other] : [other, one]
      const isPart = short.path.every((step, at) => step === long.path[at] || step === ANY || long.path[at] === ANY)
      if (isPart) throw new SpecError(field, `${short.text} includes ${long.text}: give one of them`)
    }
}

type KnownState = { before: unknown; after: unknown } | { verdict: Verdict }

function knownState({ state }: Evidence): KnownState {
  if (!state) return { verdict: noState() }
  if (state.claimed) return { verdict: notAvailable(CLAIMED) }
  if (state.before === undefined)
    return {
      verdict: notAvailable('the state at the beginning of the case is not known, so what changed is not either'),
    }
  return { before: state.before, after: state.after }
}

const CLAIMED =
  'the state is what the agent says about itself (claimed): what changed can be shown by the store of testing.tools or by testing.state'

function compareChanges(wanted: readonly WantedPath[], before: unknown, after: unknown): Verdict {
  const changes = jsonChanges(before, after)
  const expected = wanted.length === 0 ? 'nothing changed' : wanted.map(({ text: path }) => path)
  const actual =
    changes.length === 0 ? 'nothing changed' : changes.slice(0, 50).map(({ segments }) => pathText(segments))
  const missing = wanted.filter(({ path }) => !changes.some(({ segments }) => isAtOrBelow(segments, path)))
  const others = changes.filter(({ segments }) => !wanted.some(({ path }) => isAtOrBelow(segments, path)))
  const unknown = missing.find(({ path }) => !existsIn(before, path) && !existsIn(after, path))
  const wrong = wanted.flatMap((path) => (missing.includes(path) ? [] : wrongValue(path, after)))
  const parts = [
    ...missing.map((path) =>
      path === unknown ? missingText(path.text, after, before) : `${path.text} did not change`,
    ),
    ...(others.length > 0 ? [`also changed: ${listed(others)}`] : []),
    ...wrong.map(({ message = '' }) => message),
  ]
  if (parts.length === 0) return { passed: true }
  const message = parts.join('; ')
  // Nothing is shown by a path that is not there, nor by a value that cannot be compared.
  const open =
    unknown !== undefined ||
    (wrong.length > 0 && parts.length === wrong.length && wrong.every((each) => each.absent !== undefined))
  return { passed: false, message, expected, actual, ...(open && { absent: message }) }
}

function wrongValue({ text: path, path: steps, value }: WantedPath, after: unknown): Verdict[] {
  if (!value) return []
  const now = memberAt(after, steps)
  if (now === undefined) return [{ passed: false, message: `${path} was removed` }]
  return value.matches(now, undefined) ? [] : [withoutSecret(steps, value.explain(now, undefined, path))]
}

function memberAt(state: unknown, path: MemberPath): unknown {
  let value = state
  for (const step of path) {
    if (typeof value !== 'object' || value === null || step === ANY || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** `*` may stand for any member. */
function existsIn(state: unknown, path: MemberPath): boolean {
  const [step, ...rest] = path
  if (step === undefined) return true
  if (typeof state !== 'object' || state === null) return false
  if (step === ANY) return Object.values(state).some((member) => existsIn(member, rest))
  return Object.hasOwn(state, step) && existsIn((state as Record<string | number, unknown>)[step], rest)
}

const SHOWN = 8

function listed(changes: readonly JsonChange[]): string {
  const shown = changes.slice(0, SHOWN).map(describeChange).join(', ')
  return changes.length > SHOWN ? `${shown} and ${changes.length - SHOWN} more` : shown
}

function describeChange({ segments, change, before, after }: JsonChange): string {
  const path = pathText(segments)
  if (isSecret(segments)) return `${path} (${change})`
  if (change === 'added') return `${path} (added: ${show(after, 80)})`
  if (change === 'removed') return `${path} (removed: ${show(before, 80)})`
  return `${path} (${show(before, 80)} → ${show(after, 80)})`
}

/** Its value gives itself away only by its name, which a text does not carry. */
function isSecret(path: MemberPath): boolean {
  return path.some((step) => typeof step === 'string' && isSecretField(step))
}

function withoutSecret(path: MemberPath | undefined, verdict: Verdict): Verdict {
  if (verdict.passed || path === undefined || !isSecret(path)) return verdict
  const { expected: _expected, actual: _actual, diff: _diff, ...rest } = verdict
  const message = `${pathText(path.filter((step) => step !== ANY))} has another value`
  return { ...rest, message, ...(verdict.absent !== undefined && { absent: message }) }
}

/** With the nearest name at the place where the path leaves the state. */
function missingText(path: string, ...states: unknown[]): string {
  const message = `the state has nothing at ${path}`
  const steps = parseMemberPath(path.startsWith('$') ? path : `$.${path}`) ?? []
  for (const state of states) {
    let value = state
    for (const [at, step] of steps.entries()) {
      if (step === ANY || typeof value !== 'object' || value === null) break
      if (Object.hasOwn(value, step)) {
        value = (value as Record<string | number, unknown>)[step]
        continue
      }
      const near = isRecord(value) ? suggest(String(step), Object.keys(value)) : undefined
      if (near === undefined) break
      const right = steps.slice(0, at).filter((each) => each !== ANY)
      return `${message}; did you mean ${pathText([...right, near])}?`
    }
  }
  return message
}

function claimed(verdict: Verdict): Verdict {
  const note = 'on state that the agent reported itself (claimed)'
  const message = verdict.message === undefined ? note : `${verdict.message} (${note})`
  return { ...verdict, message, claimed: true }
}

function noState(): Verdict {
  return notAvailable(
    'the state is not known: give the case tools with a store (testing.tools: "./tools.ts"), a function that reads it (testing.state), or an agent whose reply has "state"',
  )
}
