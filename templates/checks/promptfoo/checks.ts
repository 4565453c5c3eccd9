// The checks by name: what must hold of an answer, as promptfoo reads it.
import { graded, runAssertion, type Context } from './code'
import { isJson, objectsIn, strictObjectsIn } from './json-objects'
import { bleu, gleu } from './overlap'
import { runPython } from './python'
import { schemaProblem } from './schema'
import type { Found, Known, Settings } from './settings'
import { missingInXml } from './xml'

interface Given {
  settings: Settings
  /** After the transforms. */
  output: unknown
  /** The same as text; data as JSON. */
  text: string
  context: Context
  known: Known
}

type CheckFunction = (given: Given) => boolean | Found | Promise<Found>

const CHECKS: Record<string, CheckFunction> = {
  contains: ({ text, settings }) => text.includes(textOf(settings)),
  icontains: ({ text, settings }) => lower(text).includes(lower(textOf(settings))),
  'contains-all': ({ text, settings }) => textsOf(settings).every((part) => text.includes(part)),
  'contains-any': ({ text, settings }) => textsOf(settings).some((part) => text.includes(part)),
  'icontains-all': ({ text, settings }) => textsOf(settings).every((part) => lower(text).includes(lower(part))),
  'icontains-any': ({ text, settings }) => textsOf(settings).some((part) => lower(text).includes(lower(part))),
  'starts-with': ({ text, settings }) => text.startsWith(textOf(settings)),
  regex: ({ text, settings }) => new RegExp(textOf(settings)).test(text),
  equals: ({ text, settings }) =>
    typeof settings.value === 'object'
      ? isJson(text) && isSame(settings.value, JSON.parse(text))
      : text === textOf(settings),
  'is-json': ({ text, settings }) => (isJson(text) ? fits(JSON.parse(text), settings) : lacking('it is not JSON')),
  'contains-json': ({ text, settings }) => containsJson(text, settings),
  'is-xml': ({ text, settings }) => {
    const { problem, missing } = missingInXml(text, settings.value === undefined ? [] : textsOf(settings))
    if (problem !== undefined) return lacking(problem)
    return missing.length === 0 ? true : lacking(`missing elements: ${missing.join(', ')}`)
  },
  bleu: ({ text, settings }) => reached(bleu(text, textsOf(settings)), settings.threshold),
  gleu: ({ text, settings }) => {
    if (text === '') throw new Error('the answer is empty')
    return reached(gleu(text, textsOf(settings)), settings.threshold)
  },
  'word-count': ({ text, settings }) => {
    const { min, max } = boundsOf(settings)
    const count = text.trim().split(/\s+/).filter(Boolean).length
    return { pass: count >= min && count <= max, reason: `${count} words` }
  },
  levenshtein: ({ text, settings }) => {
    const { threshold = 5 } = settings
    const steps = distance(text, textOf(settings))
    return { pass: steps <= threshold, reason: `edit distance ${steps}, at most ${threshold}` }
  },
  'finish-reason': ({ settings, known: { evidence } }) => {
    const { finish_reason: reason } = evidence
    if (typeof reason !== 'string') throw new Error('the agent gave no finish reason')
    return { pass: lower(reason) === lower(textOf(settings)), reason: `it is ${JSON.stringify(reason)}` }
  },
  javascript: async ({ settings, output, context }) =>
    graded(await runAssertion(textOf(settings), output, context), settings),
  python: async ({ settings, output, context, known: { sources = {} } }) =>
    graded(await runPython(settings, output, context, sources), settings),
}

export async function check(given: Given): Promise<Found> {
  const { type } = given.settings
  const own = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined
  if (!own) throw new Error(`no such check: ${type}`)
  const found = await own(given)
  return typeof found === 'boolean' ? { pass: found } : found
}

function lacking(reason: string): Found {
  return { pass: false, reason }
}

function lower(text: string): string {
  return text.toLowerCase()
}

function textOf({ type, value }: Settings): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`${type}: expected a text as value, found ${JSON.stringify(value)}`)
}

/** An empty list would hold of any answer, or of none. */
function textsOf({ type, value }: Settings): string[] {
  if (Array.isArray(value) && value.length > 0) return value.map((item: unknown) => textOf({ type, value: item }))
  throw new Error(`${type}: expected a list of texts as value, found ${JSON.stringify(value)}`)
}

function boundsOf({ type, value }: Settings): { min: number; max: number } {
  if (typeof value === 'number') return { min: value, max: value }
  const { min, max } = (value ?? {}) as { min?: unknown; max?: unknown }
  const isBound = (bound: unknown): bound is number | undefined => bound === undefined || typeof bound === 'number'
  if (!isBound(min) || !isBound(max) || (min ?? max) === undefined)
    throw new Error(`${type}: expected a number, or min and max, found ${JSON.stringify(value)}`)
  return { min: min ?? -Infinity, max: max ?? Infinity }
}

function fits(value: unknown, { schema }: Settings): Found {
  const problem = schema === undefined ? undefined : schemaProblem(value, schema)
  return problem === undefined ? { pass: true } : lacking(problem)
}

/** What only a lenient reader takes for an object does not show JSON; where there must be none, it counts. */
function containsJson(text: string, settings: Settings): boolean {
  const isMeant = (value: unknown): boolean => fits(value, settings).pass
  const found = objectsIn(text).filter(({ value }) => isMeant(value))
  if (settings.not) return found.length > 0 || strictObjectsIn(text).some(isMeant)
  if (found.length === 0) return false
  return found.some(({ strict }) => strict) || (settings.schema === undefined && strictObjectsIn(text).length > 0)
}

function reached(score: number, threshold = 0.5): Found {
  return { pass: score >= threshold, score, reason: `score ${score.toFixed(4)}, threshold ${threshold}` }
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
    return Object.is(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [mine, theirs] = [left as Record<string, unknown>, right as Record<string, unknown>]
  const keys = Object.keys(mine)
  return (
    keys.length === Object.keys(theirs).length &&
    keys.every((key) => Object.hasOwn(theirs, key) && isSame(mine[key], theirs[key]))
  )
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1)
      next.push(
        Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return row[right.length] ?? 0
}
