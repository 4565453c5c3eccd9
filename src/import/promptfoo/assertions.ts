// Assertions of promptfoo → Viva's. What has no exact counterpart becomes a check that ships; what has none at all is lost, and reported.
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { isShippedCheck, SHIPPED_PREFIX, type ShippedCheck } from '../../model/shipped-check.js'
import { judgeFor, type CheckSpec } from '../imported.js'
import { textOf } from '../expression.js'
import { renderTemplate, TemplateError } from '../template.js'
import { requireCarriedContext } from './context-use.js'
import { splitValues, type WrittenAssertion } from './expected.js'
import type { Schemas } from './schema.js'

export type Spec = Record<string, unknown>

/** `yesNo`: its score is 1 or 0, so that it can be weighed. `stricter`: how it is judged here where promptfoo passes what shows nothing. */
export type Mapped =
  | { spec: Spec; yesNo: boolean; note?: string; stricter?: string }
  | { lost: string }
  | { idle: string }

export interface AssertionContext {
  vars: Record<string, unknown>
  /** What is done to every answer of the test before it is checked. */
  transforms: string[]
  /** The provider gives data where the answer is JSON. */
  json: boolean
  /** The content of a file that a value names: text, or data. Throws an Error that says why not. */
  readValue(reference: string): unknown
  /** Copies a file with a check and gives the reference of the function that calls it. */
  takeScript(reference: string): string
  /** Copies a file with a check in Python and gives its name beside the script. */
  takePython(reference: string): { file: string; name?: string }
  /** Everything becomes a check that ships, so that a set of them can weigh it. */
  shipped: boolean
  schemas: Schemas
  /** Every model has a price. */
  priced: boolean
  /** The connector of a judge. Throws an Error that says why there is none. */
  judgeConnector(provider: unknown): string | undefined
  /** A prompt of the author's own for judges. */
  rubricPrompt: unknown
  /** The judge that asks by such a prompt, and what it wants to know of the test. Throws an Error that says why there is none. */
  judge(rubricPrompt: unknown): { id: string; names: string[] }
  checkSpec: CheckSpec
}

const JUDGED = new Set([
  'agent-rubric',
  'answer-relevance',
  'classifier',
  'context-faithfulness',
  'context-recall',
  'context-relevance',
  'conversation-relevance',
  'factuality',
  'g-eval',
  'guardrails',
  'human',
  'llm-rubric',
  'max-score',
  'model-graded-closedqa',
  'model-graded-factuality',
  'moderation',
  'pi',
  'search-rubric',
  'select-best',
  'similar',
  'similar:cosine',
  'similar:dot',
  'similar:euclidean',
  'trajectory:goal-success',
])

const CHECKED = new Set([
  'bleu',
  'contains',
  'contains-all',
  'contains-any',
  'contains-html',
  'contains-json',
  'contains-sql',
  'contains-xml',
  'cost',
  'equals',
  'finish-reason',
  'gleu',
  'icontains',
  'icontains-all',
  'icontains-any',
  'is-html',
  'is-json',
  'is-refusal',
  'is-sql',
  'is-valid-function-call',
  'is-valid-openai-function-call',
  'is-valid-openai-tools-call',
  'is-xml',
  'javascript',
  'latency',
  'levenshtein',
  'meteor',
  'perplexity',
  'perplexity-score',
  'python',
  'regex',
  'rouge-n',
  'ruby',
  'skill-used',
  'starts-with',
  'tool-call-f1',
  'trace-error-spans',
  'trace-span-count',
  'trace-span-duration',
  'trajectory:step-count',
  'trajectory:tool-args-match',
  'trajectory:tool-sequence',
  'trajectory:tool-used',
  'webhook',
  'word-count',
])

export function isAssertionType(name: string): boolean {
  return JUDGED.has(name) || CHECKED.has(name)
}

/** Whether a model or a person has to say what is right. */
export function isJudged(type: string): boolean {
  const base = type.replace(/^not-/, '')
  return JUDGED.has(base) || base.startsWith('promptfoo:')
}

/** Anything that goes wrong on the way is a reason, never a guess. */
export function mapAssertion(written: WrittenAssertion, context: AssertionContext): Mapped {
  const { type } = written
  // Promptfoo lets a failing assertion of no weight pass: it only measures.
  if (written['weight'] === 0) return { idle: `${type} has the weight 0: it measures and decides nothing` }
  try {
    const mapped = mapKnown(written, context)
    if (!('spec' in mapped)) return mapped
    const problems = context.checkSpec(mapped.spec)
    return problems.length > 0 ? { lost: `${type}: ${problems.join('; ')}` } : mapped
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const what = error instanceof TemplateError ? 'template: ' : ''
    return { lost: `${type}: ${what}${messageOf(error)}` }
  }
}

function mapKnown(written: WrittenAssertion, context: AssertionContext): Mapped {
  const { type } = written
  const base = type.replace(/^not-/, '')
  const not = base !== type
  if (JUDGED.has(base)) return judged(base, not, written, context)
  if (!CHECKED.has(base)) throw new Error('there is no such assertion')
  const transforms = [...context.transforms, ...transformsOf(written['transform'])]
  const { value, script } = valueOf(written, base, context)
  const taken = ['import', 'rendered'].find((name) => Object.hasOwn(context.vars, name))
  if (taken !== undefined && (transforms.length > 0 || base === 'javascript' || base === 'python'))
    throw new Error(`code cannot see the variable "${taken}": the name is taken in metadata`)
  if (script !== undefined) {
    if (context.shipped) throw new Error('a threshold over the score of a check in a file is not carried over')
    if (transforms.length > 0) throw new Error('a transform before a check in a file is not carried over')
    const spec = scriptSpec(script, settingsOf(written, not, context))
    return { ...graded(spec), ...doubtOf(base, not, undefined) }
  }
  const plain =
    transforms.length === 0 && !context.json && !context.shipped ? native(base, not, value, written) : undefined
  const mapped = plain ?? asCheck(base, not, value, written, context, transforms)
  return base === 'cost' && 'spec' in mapped && !context.priced ? { ...mapped, stricter: COST_UNKNOWN } : mapped
}

/** As an assertion of Viva's that means exactly the same. */
function native(base: string, not: boolean, value: unknown, written: WrittenAssertion): Mapped | undefined {
  const negate = not ? { negate: true } : {}
  switch (base) {
    case 'contains':
    case 'icontains': {
      const part = requirePart(value)
      return isAscii(part) ? yesNo({ ...containing(part, base.startsWith('i')), ...negate }) : undefined
    }
    case 'contains-all':
    case 'icontains-all':
    case 'contains-any':
    case 'icontains-any': {
      const parts = requireList(value).map(requireText)
      if (!parts.every(isAscii)) return undefined
      const assertions = parts.map((part) => containing(part, base.startsWith('i')))
      return yesNo({ type: base.endsWith('all') ? 'all' : 'any', assertions, ...negate })
    }
    case 'regex': {
      const pattern = requireString(value)
      // It fails whatever the answer, negated or not: so does the check that ships.
      if (!isPattern(pattern)) return undefined
      return yesNo({ type: 'regex', value: pattern, engine: 'js', ...negate })
    }
    case 'starts-with':
      return yesNo({
        type: 'regex',
        value: `^${requireString(value).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`,
        engine: 'js',
        ...negate,
      })
    case 'latency':
      return yesNo({ type: 'latency', max_ms: requireThreshold(written), ...negate })
    case 'cost':
      return yesNo({ type: 'cost', max_dollars: requireThreshold(written), ...negate })
    default:
      return undefined
  }
}

const COST_UNKNOWN = 'cost: an error here as long as the model has no price; promptfoo has a list of prices'

/** Beyond ASCII, `contains` finds a letter however it is composed; promptfoo compares character by character. */
function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text)
}

function containing(value: string, ignoreCase: boolean): Spec {
  return { type: 'contains', value, ...(ignoreCase && { ignore_case: true }) }
}

/** Where a check has a score of its own, which a threshold over several of them can weigh. */
const SCORED = new Set(['bleu', 'gleu', 'javascript', 'python'])

function asCheck(
  base: string,
  not: boolean,
  given: unknown,
  written: WrittenAssertion,
  context: AssertionContext,
  transforms: string[],
): Mapped {
  if (base === 'latency' || base === 'cost') {
    if (context.shipped) throw new Error(`a threshold over scores and ${base} is not carried over`)
    const plain = native(base, not, given, written)
    // Where answers are data, null is no answer.
    return plain && 'spec' in plain && context.json
      ? { ...plain, spec: notNull(plain.spec) }
      : (plain ?? lostType(base))
  }
  const name = `promptfoo/${base}`
  if (!isShippedCheck(name)) return lostType(base)
  const schema = base.endsWith('-json') ? context.schemas.require(given) : undefined
  const value = checkValue(base, given)
  const metadata = {
    ...settingsOf(written, not, context),
    ...(base === 'python' && isRecord(value) ? value : value !== undefined && { value }),
    ...(schema !== undefined && { schema }),
    ...(transforms.length > 0 && { transforms }),
  }
  const spec = shippedSpec(name, metadata)
  return { ...(SCORED.has(base) ? graded(spec) : yesNo(spec)), ...doubtOf(base, not, value) }
}

export function shippedSpec(check: ShippedCheck, metadata: Record<string, unknown>): Spec {
  return scriptSpec(`${SHIPPED_PREFIX}${check}`, metadata)
}

function scriptSpec(use: string, metadata: Record<string, unknown>): Spec {
  return { type: 'script', use, ...(Object.keys(metadata).length > 0 && { options: { metadata } }) }
}

function notNull(spec: Spec): Spec {
  return { type: 'all', assertions: [spec, { type: 'regex', value: '^\\s*null\\s*$', engine: 'js', negate: true }] }
}

/** Where promptfoo passes what no honest check can. */
function doubtOf(base: string, not: boolean, code: unknown): { stricter?: string } {
  const text = doubtText(base, not, code)
  return text === undefined ? {} : { stricter: `${not ? 'not-' : ''}${base}: ${text}` }
}

function doubtText(base: string, not: boolean, code: unknown): string | undefined {
  switch (base) {
    case 'contains-json':
      return not
        ? 'JSON with a brace in one of its texts fails here; promptfoo does not see it and passes'
        : 'JSON must be complete and strict here; promptfoo passes what YAML can read, and what was cut off'
    case 'finish-reason':
      return not ? 'an answer without a finish reason is an error here; promptfoo passes it' : undefined
    case 'javascript':
      if (not) return 'a script that gives NaN is an error here; promptfoo passes it'
      return typeof code === 'string' && /\breason['"]?\s*:\s*(?:''|""|``)/.test(code)
        ? 'a failure without a reason fails here; promptfoo passes it'
        : undefined
    default:
      return undefined
  }
}

function checkValue(base: string, value: unknown): unknown {
  switch (base) {
    case 'bleu':
    case 'gleu':
      return (Array.isArray(value) ? value : [value]).map(requireString)
    case 'is-xml':
      return elementsOf(value)
    case 'python':
      if (isRecord(value)) return value
      if (typeof value !== 'string' || value.trim() === '') throw new Error('expected code as text')
      requireCarriedContext(value)
      return value
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return requireList(value).map(requireText)
    case 'contains':
    case 'icontains':
      return requirePart(value)
    case 'starts-with':
    case 'levenshtein':
    case 'finish-reason':
    case 'regex':
      return requireString(value)
    case 'javascript':
      if (typeof value !== 'string' || value.trim() === '') throw new Error('expected code as text')
      requireCarriedContext(value)
      return value
    case 'equals':
      if (value === undefined) throw new Error('it has no value')
      return typeof value === 'object' ? value : textOf(value)
    case 'word-count':
      return wordBounds(value)
    default:
      return undefined
  }
}

/** Elements that must be there: a list, names with commas, or an object with the list. */
function elementsOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const given = isRecord(value) ? value['requiredElements'] : value
  const list: unknown[] = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : []
  if (list.length === 0) throw new Error('expected the names of elements')
  return list.map((item) => {
    const path = requireText(item).trim()
    if (/(?:^|\.)(?:@_[^.]*|#text)?(?:\.|$)/.test(path)) throw new Error(`the path ${path} is not carried over`)
    return path
  })
}

function wordBounds(value: unknown): unknown {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) return Number(value)
  const bounds = isRecord(value) ? [value['min'], value['max']].filter((bound) => bound !== undefined) : []
  if (bounds.length === 0 || !bounds.every((bound) => typeof bound === 'number'))
    throw new Error('expected a number of words, or min and max')
  const [least = 0, most = Infinity] = bounds.length === 2 ? bounds : []
  if (least > most) throw new Error('min is greater than max')
  return value
}

function settingsOf(written: WrittenAssertion, not: boolean, { json }: AssertionContext): Record<string, unknown> {
  const { threshold, config } = written
  return {
    ...(threshold !== undefined && { threshold }),
    ...(isRecord(config) && { config }),
    ...(not && { not: true }),
    ...(json && { json: true }),
  }
}

function transformsOf(transform: unknown): string[] {
  if (transform === undefined || transform === null) return []
  if (typeof transform !== 'string') throw new Error('a transform that is not text')
  requireTransform(transform)
  return [transform]
}

/** Throws an Error that says why a transform is left behind. */
export function requireTransform(code: string): void {
  if (code.startsWith('file://') || code.startsWith('package:'))
    throw new Error(`the transform ${code} is a program of its own`)
  if (/^\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/.test(code))
    throw new Error('a transform that is a function is not carried over')
  requireCarriedContext(code)
}

interface Value {
  value: unknown
  /** The value is what a file's function says. */
  script?: string
}

function valueOf({ value }: WrittenAssertion, base: string, context: AssertionContext): Value {
  const { vars } = context
  if (Array.isArray(value))
    return {
      value: value.map((item: unknown) =>
        typeof item !== 'string'
          ? item
          : item.startsWith('file://')
            ? context.readValue(item)
            : renderTemplate(item, vars),
      ),
    }
  if (typeof value !== 'string') return { value }
  if (base === 'ruby') throw new Error('ruby code is not carried over: write it as a script')
  if (value.startsWith('package:')) throw new Error('a check in a package is not carried over')
  if (value.startsWith('file://')) {
    if (/\.rb(?::|$)/.test(value)) throw new Error('a check in Ruby is not carried over')
    if (/\.py(?::|$)/.test(value)) {
      if (base !== 'python') throw new Error('a value that a program gives is not carried over')
      return { value: context.takePython(value) }
    }
    if (base === 'python') throw new Error(`${value} is not a file with Python`)
    if (/\.[cm]?[jt]s(?::|$)/.test(value)) {
      if (base !== 'javascript') throw new Error('a value that a program gives is not carried over')
      return { value, script: context.takeScript(value) }
    }
    return { value: context.readValue(value) }
  }
  const text = renderTemplate(value, vars)
  if (/^i?contains-a/.test(base)) {
    const values = splitValues(text)
    if (values === undefined) throw new Error('a quote in the list of values is never closed')
    return { value: values }
  }
  if (base === 'is-json' || base === 'contains-json')
    return { value: text.trim() === '' ? undefined : context.readValue(`text:${text}`) }
  return { value: text }
}

function judged(base: string, not: boolean, written: WrittenAssertion, context: AssertionContext): Mapped {
  if (context.transforms.length > 0 || written['transform'] !== undefined)
    throw new Error('a transform before a judge is not carried over')
  const criteria = criteriaOf(base, written.value, context)
  if (criteria === undefined) return lostType(base)
  const rubric = written['rubricPrompt'] ?? context.rubricPrompt
  const connector = context.judgeConnector(written['provider'])
  const threshold = written.threshold ?? (base === 'g-eval' ? 0.7 : undefined)
  const own = isGiven(rubric) ? context.judge(rubric) : undefined
  const known = (own?.names ?? []).filter((name) => context.vars[name] !== undefined)
  const metadata = Object.fromEntries(known.map((name) => [name, context.vars[name]]))
  const settings = { ...(connector !== undefined && { connector }), ...(known.length > 0 && { metadata }) }
  const spec: Spec = {
    ...judgeFor(criteria),
    ...(own && { use: `agents:${own.id}` }),
    ...(threshold !== undefined && { threshold }),
    ...(Object.keys(settings).length > 0 && { options: settings }),
    ...(not && { negate: true }),
  }
  const who = isGiven(rubric)
    ? 'a judge of the suite, who is told what the rubricPrompt says'
    : 'viva.judge, which asks in its own words'
  return { ...graded(spec), note: `${base} is decided by ${who}` }
}

function isGiven(rubric: unknown): boolean {
  return rubric !== undefined && rubric !== null && rubric !== ''
}

function criteriaOf(base: string, value: unknown, { vars, readValue }: AssertionContext): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map((item: unknown) =>
    typeof item === 'string'
      ? renderTemplate(/^file:\/\/.*\.(?:txt|md)$/.test(item) ? String(readValue(item)) : item, vars)
      : item === undefined
        ? ''
        : JSON.stringify(item),
  )
  const text = texts.join('\n').trim()
  switch (base) {
    case 'llm-rubric':
    case 'g-eval':
      return requireCriteria(text)
    case 'model-graded-closedqa':
      return `The answer meets this criterion: ${requireCriteria(text)}`
    case 'factuality':
    case 'model-graded-factuality':
      return `The answer agrees with these facts and contradicts none of them: ${requireCriteria(text)}`
    default:
      return undefined
  }
}

function requireCriteria(text: string): string {
  if (text.startsWith('file://')) throw new Error('criteria in a file are not carried over')
  if (text === '') throw new Error('it has no criteria')
  return text
}

function lostType(base: string): Mapped {
  return { lost: `${base} has no counterpart` }
}

function yesNo(spec: Spec): Mapped {
  return { spec, yesNo: true }
}

function graded(spec: Spec): { spec: Spec; yesNo: boolean } {
  return { spec, yesNo: false }
}

function requireText(value: unknown): string {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new Error('expected a text that is not empty')
}

/** What must be in the answer. Promptfoo takes texts and numbers alone. */
function requirePart(value: unknown): string {
  if (typeof value === 'boolean') throw new Error('expected a text or a number')
  return requireText(value)
}

function requireString(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new Error('expected a text that is not empty')
}

function requireList(value: unknown): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value as unknown[]
  throw new Error('expected a list of values')
}

/** As promptfoo reads it; `(?i)` is not JavaScript. */
function isPattern(text: string): boolean {
  try {
    void new RegExp(text)
    return true
  } catch {
    return false
  }
}

function requireThreshold({ threshold }: WrittenAssertion): number {
  if (typeof threshold === 'number' && threshold >= 0) return threshold
  throw new Error('expected a threshold')
}
