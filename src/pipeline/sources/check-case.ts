// Is this value a case? Reports every mistake with its field, found, expected and near miss.
import { safeParse } from 'valibot'
import type { Problem } from '../../errors.js'
import type { AssertionSpec, CompiledAssertion } from '../../model/assertion.js'
import { checkCaseRules, doubtfulFields, hasChecks } from '../../model/case-rules.js'
import { caseSchema } from '../../model/case-schema.js'
import { fieldName } from '../../base/field-name.js'
import { describeFound } from '../../base/json/json-text.js'
import { isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { compileFit } from './schema-fit.js'
import { readIssues } from './schema-issues.js'
import { findUnknownKeys, type UnknownKey } from './unknown-keys.js'

/**
 * Asked of the assertion registry: what does this assertion compile to, or what is wrong with it? What may be a mistake
 * goes to `doubts`.
 */
export type CheckAssertion = (spec: AssertionSpec, field: string, doubts: Problem[]) => CompiledAssertion | Problem[]

export interface CaseWarning {
  /** Warnings of the same kind are shown once per file. */
  kind: string
  field: string
  message: string
}

export interface CheckedCase {
  problems: Problem[]
  warnings: CaseWarning[]
}

export interface CheckCaseOptions {
  strict?: boolean
  /** A first input may come from elsewhere: `--simulator`, `--interactive`. */
  otherInput?: boolean
}

export function checkCase(raw: unknown, options: CheckCaseOptions = {}): CheckedCase {
  if (!isRecord(raw))
    return { problems: [{ message: `expected an object, found ${describeFound(raw)}` }], warnings: [] }
  const problems: Problem[] = []
  const warnings: CaseWarning[] = []
  const fits = fitsCase(raw)
  const schemaIssues = fits ? [] : readIssues(safeParse(caseSchema, raw).issues ?? [])
  for (const { path, message } of [...schemaIssues, ...checkCaseRules(raw, options.otherInput)]) {
    problems.push({ field: fieldName(path), message })
  }
  const strict = options.strict ?? false
  for (const key of fits ? [] : findUnknownKeys(caseSchema, raw)) {
    reportUnknownKey(key, { raw, strict, problems, warnings })
  }
  for (const { path, message } of doubtfulFields(raw)) warnings.push({ kind: message, field: fieldName(path), message })
  return { problems, warnings }
}

/** Most cases have nothing wrong, which costs less to find out than what is wrong. */
const fitsCase = compileFit(caseSchema)

interface Report extends CheckedCase {
  raw: Record<string, unknown>
  strict: boolean
}

/** A key that was meant as a check but is not one makes a test that cannot fail. */
function reportUnknownKey({ path, name, known, unknownKeys }: UnknownKey, report: Report): void {
  const { problems, warnings, raw, strict } = report
  const field = fieldName([...path, name])
  const near = name === '__proto__' ? undefined : suggest(name, known)
  const message = `unknown field "${name}"`
  const isTaken = unknownKeys === 'passed_on' || unknownKeys === 'kept'
  if (near !== undefined && !isTaken) {
    problems.push({ field, message, suggestion: near })
    return
  }
  const checksNothing = path.length === 0 && !isTaken && !hasChecks(raw)
  if (unknownKeys === 'refused' || checksNothing || (strict && unknownKeys !== 'kept')) {
    const why = checksNothing && !strict ? ' in a case that checks nothing' : ''
    problems.push({ field, message: `${message}${why}; known: ${known.join(', ')}` })
    return
  }
  if (unknownKeys === 'kept' && near === undefined) return
  const meant = near === undefined ? '' : `; "${near}" is known`
  const fate = isTaken ? `is passed on as it is${meant}` : 'is ignored'
  warnings.push({ kind: field.replaceAll(/\[\d+\]/g, '[]'), field, message: `${message} ${fate}` })
}
