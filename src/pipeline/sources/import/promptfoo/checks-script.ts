// The script that comes with an imported suite: what Viva has no assertion of its own for. The reader may change it.

import { JSON_PATH, JSON_SCRIPT } from './json-script.js'
import { OVERLAP_PATH, OVERLAP_SCRIPT } from './overlap-script.js'
import { PYTHON_PATH, PYTHON_SCRIPT } from './python-script.js'
import { SCHEMA_PATH, SCHEMA_SCRIPT } from './schema-script.js'
import { XML_PATH, XML_SCRIPT } from './xml-script.js'

export const CHECK_REF = 'scripts:checks.Check'

const CHECKS_SCRIPT = `// Checks of the imported suite that Viva has no assertion of its own for. They are yours: change them as you like.
// A case calls Check with, in options.metadata: type, value, schema, threshold, not, transforms, json, lenient.
import { isJson, objectsIn, strictObjectsIn } from './json'
import { bleu, gleu } from './overlap'
import { runPython } from './python'
import { fits } from './schema'
import { missingInXml } from './xml'

type Settings = {
  type: string
  value?: any
  schema?: any
  threshold?: number
  not?: boolean
  /** Passes what shows nothing where it did before: viva import --same-verdicts. */
  lenient?: boolean
  transforms?: string[]
  json?: boolean
  config?: Record<string, unknown>
  weight?: number
  of?: Settings[]
}

export async function Check(given: any, _input: any, _expected: any, about: { metadata: Settings; evidence: any }) {
  return answer(await verdict(about.metadata, given, about.evidence))
}

export function answer({ pass, score, reason }: Verdict) {
  return { pass, ...(reason && !pass && { message: reason }), ...(Number.isFinite(score) && { score }) }
}

type Verdict = { pass: boolean; score?: number; reason?: string }

async function verdict(settings: Settings, given: any, evidence: any): Promise<Verdict> {
  if (settings.type === 'share') return share(settings, given, evidence)
  const context = contextOf(settings, evidence, given)
  let output = settings.json ? jsonOrText(given) : given
  for (const code of settings.transforms ?? []) output = await runCode(transformBody(code), output, context)
  if (output === undefined || output === null) throw new Error('the transform gave nothing')
  return concluded(settings, await check(settings, output, context, evidence))
}

/** What was found, turned round where it must not hold. A score of a script stays as it is. */
export function concluded(settings: Settings, found: Found): Verdict {
  const { pass, score, reason }: Verdict = typeof found === 'boolean' ? { pass: found } : found
  // A failure without a word was none.
  const isSilent = settings.lenient && !settings.not && !pass && reason === ''
  const passed = isSilent || pass !== (settings.not === true)
  const message = passed ? undefined : reason || settings.type + (settings.not ? ' holds' : ' does not hold')
  const turned = settings.not && (settings.type === 'bleu' || settings.type === 'gleu')
  return { pass: passed, ...(message && { reason: message }), ...(score !== undefined && { score: turned ? 1 - score : score }) }
}

/** The weighted mean of the scores reaches the threshold; without one, all must pass. */
async function share(settings: Settings, given: any, evidence: any): Promise<Verdict> {
  const { of = [], threshold } = settings
  let [sum, weights] = [0, 0]
  const failed: string[] = []
  for (const member of of) {
    const { pass, score = pass ? 1 : 0, reason } = await memberVerdict(member, given, evidence, settings.lenient)
    if (!settings.lenient && !(score >= 0 && score <= 1)) throw new Error('the score of ' + member.type + ' is ' + score + ', expected 0 to 1')
    sum += score * (member.weight ?? 1)
    weights += member.weight ?? 1
    if (!pass) failed.push(reason ?? member.type)
  }
  if (weights <= 0) throw new Error('no check has any weight')
  const score = sum / weights
  const pass = threshold === undefined ? failed.length === 0 : score >= threshold
  return { pass, score, reason: 'score ' + score.toFixed(2) + (threshold === undefined ? '' : ' of ' + threshold) + ': ' + failed.join('; ') }
}

/** Where it did so before, a script that fails to run counts as 0. */
async function memberVerdict(member: Settings, given: any, evidence: any, lenient = false): Promise<Verdict> {
  const isCode = member.type === 'javascript' || member.type === 'python'
  if (!lenient || !isCode || member.transforms) return verdict(member, given, evidence)
  try {
    return await verdict(member, given, evidence)
  } catch (error) {
    return { pass: false, score: 0, reason: String(error) }
  }
}

export type Found = boolean | { pass: boolean; score?: number; reason?: string }

async function check(settings: Settings, output: any, context: any, evidence: any): Promise<Found> {
  const { type, value, threshold } = settings
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  const lower = text.toLowerCase()
  const list = Array.isArray(value) ? value.map(String) : []
  switch (type) {
    case 'contains':
      return text.includes(String(value))
    case 'icontains':
      return lower.includes(String(value).toLowerCase())
    case 'contains-all':
      return list.every((item) => text.includes(item))
    case 'contains-any':
      return list.some((item) => text.includes(item))
    case 'icontains-all':
      return list.every((item) => lower.includes(item.toLowerCase()))
    case 'icontains-any':
      return list.some((item) => lower.includes(item.toLowerCase()))
    case 'starts-with':
      return text.startsWith(String(value))
    case 'regex':
      return new RegExp(value).test(text)
    case 'equals':
      if (typeof value !== 'object') return text === String(value)
      return isJson(text) && same(value, JSON.parse(text))
    case 'is-json':
      return isJson(text) && (settings.schema === undefined || fits(JSON.parse(text), settings.schema))
    case 'contains-json':
      return containsJson(text, settings)
    case 'is-xml': {
      const { problem, missing } = missingInXml(text, list)
      return { pass: problem === undefined && missing.length === 0, reason: problem ?? 'missing elements: ' + missing.join(', ') }
    }
    case 'bleu':
      return reached(bleu(text, list), threshold)
    case 'gleu':
      if (text === '') throw new Error('the answer is empty')
      return reached(gleu(text, list), threshold)
    case 'python':
      return graded(await runPython(settings, output, context), settings)
    case 'word-count':
      return within(text.trim().split(/\\s+/).filter(Boolean).length, value)
    case 'levenshtein': {
      const steps = distance(text, String(value))
      return { pass: steps <= (threshold ?? 5), reason: 'edit distance ' + steps + ', at most ' + (threshold ?? 5) }
    }
    case 'finish-reason': {
      const reason = evidence.finish_reason
      if (settings.lenient && !reason) return false
      if (typeof reason !== 'string') throw new Error('the agent gave no finish reason')
      return reason.toLowerCase() === String(value).toLowerCase()
    }
    case 'javascript':
      return graded(await runCode(assertionBody(value), output, context), settings)
    default:
      throw new Error('no such check: ' + type)
  }
}

/** What only a reader that forgives takes for an object shows no JSON; where there must be none, it counts. */
function containsJson(text: string, { schema, not, lenient }: Settings): boolean {
  const isMeant = (value: unknown): boolean => schema === undefined || fits(value, schema)
  const found = objectsIn(text).filter(({ value }) => isMeant(value))
  if (lenient) return found.length > 0
  if (not) return found.length > 0 || strictObjectsIn(text).some(isMeant)
  return found.length > 0 && (found.some(({ strict }) => strict) || (schema === undefined && strictObjectsIn(text).length > 0))
}

function reached(score: number, threshold = 0.5): Found {
  return { pass: score >= threshold, score, reason: 'score ' + score.toFixed(4) + ', threshold ' + threshold }
}

export function graded(result: any, { threshold, lenient }: Settings): Found {
  if (typeof result === 'boolean') return result
  if (typeof result === 'number' && (lenient || !Number.isNaN(result)))
    return { pass: threshold === undefined ? result > 0 : result >= threshold, score: result }
  if (isGrading(result)) return { pass: result.pass, score: result.score, reason: result.reason }
  throw new Error('expected true, false, a number or {pass, score, reason}, got ' + JSON.stringify(result))
}

/** As strict as it was: a pass without a score and a reason is none. */
function isGrading(result: any): boolean {
  const isOptional = (name: string, type: string): boolean => result[name] === undefined || typeof result[name] === type
  return (
    typeof result === 'object' &&
    result !== null &&
    typeof result.pass === 'boolean' &&
    typeof result.score === 'number' &&
    typeof result.reason === 'string' &&
    ['namedScores', 'namedScoreWeights', 'tokensUsed', 'assertion'].every((name) => isOptional(name, 'object')) &&
    isOptional('comment', 'string') &&
    (result.componentResults === undefined || Array.isArray(result.componentResults))
  )
}

export function contextOf(settings: Settings, evidence: any, output: any) {
  const { import: _notes, rendered: _rendered, ...vars } = evidence.metadata ?? {}
  const context = { vars, config: settings.config ?? {}, test: { vars }, providerResponse: { output } }
  for (const name of ['prompt', 'provider', 'logProbs', 'trace', 'metadata'])
    Object.defineProperty(context, name, {
      get() {
        throw new Error('context.' + name + ' is not carried over')
      },
    })
  return context
}

async function runCode(body: string, output: any, context: any) {
  return new Function('output', 'context', 'process', body)(output, context, undefined)
}

function transformBody(code: string): string {
  return code.includes('\\n') ? code : 'return ' + code
}

/** One line is an expression, or declarations and then an expression; several lines are a function's body. */
function assertionBody(code: string): string {
  const text = code.trimEnd()
  if (text.includes('\\n')) return text
  const line = text.trim().replace(/;+\\s*$/, '')
  if (!/^(?:const|let|var)\\s/.test(line)) return 'return ' + line
  const at = lastSemicolon(line)
  const end = line.slice(at + 1).trim()
  return at < 0 || end === '' ? line : line.slice(0, at + 1) + ' return ' + end
}

function lastSemicolon(code: string): number {
  let quote = ''
  let found = -1
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at]
    if (char === '\\\\') at += 1
    else if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || char === '\`') quote = char
    else if (char === ';') found = at
  }
  return found
}

function jsonOrText(text: any): any {
  return typeof text === 'string' && isJson(text) ? JSON.parse(text) : text
}

function within(count: number, bounds: any): Found {
  const { min = -Infinity, max = Infinity } = typeof bounds === 'object' ? bounds : { min: Number(bounds), max: Number(bounds) }
  return { pass: count >= min && count <= max, reason: count + ' words, expected ' + JSON.stringify(bounds) }
}

function same(left: any, right: any): boolean {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return Object.is(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  )
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1)
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)))
    row = next
  }
  return row[right.length] ?? 0
}
`

/** The script and its parts, by path in the suite. */
export const CHECKS_FILES: ReadonlyArray<readonly [string, string]> = [
  ['scripts/checks.ts', CHECKS_SCRIPT],
  [JSON_PATH, JSON_SCRIPT],
  [OVERLAP_PATH, OVERLAP_SCRIPT],
  [PYTHON_PATH, PYTHON_SCRIPT],
  [SCHEMA_PATH, SCHEMA_SCRIPT],
  [XML_PATH, XML_SCRIPT],
]

/** A function of the user's own, in a file that was copied beside. */
export function fileCheckScript(file: string, name: string | undefined): string {
  const pick = name === undefined ? 'own' : `own?.[${JSON.stringify(name)}]`
  return `// Calls the check in ${file} as it was called before.
import * as exported from ${JSON.stringify(`./${file}`)}
import { answer, concluded, contextOf, graded } from './checks'

const given: any = (exported as any)['module.exports'] ?? exported
// What a file exports as default hides its other names.
const own: any = given.default?.default ?? given.default ?? given

export async function Check(output: any, _input: any, _expected: any, about: { metadata: any; evidence: any }) {
  const { metadata: settings, evidence } = about
  const check: any = ${pick}
  const found = typeof check === 'function' ? check : check?.default
  if (typeof found !== 'function') throw new Error(${JSON.stringify(`${file} exports no function${name === undefined ? '' : ` ${name}`}`)})
  return answer(concluded(settings, graded(await found(output, contextOf(settings, evidence, output)), settings)))
}
`
}
