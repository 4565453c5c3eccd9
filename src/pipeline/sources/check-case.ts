// Is this value a case? Every mistake with its field, found, expected and near miss. Loads the schema.
import { safeParse } from 'valibot'
import type { Problem } from '../../errors.js'
import type { AssertionSpec, CompiledAssertion } from '../../model/assertion.js'
import { checkCaseRules, doubtfulFields } from '../../model/case-rules.js'
import { caseSchema } from '../../model/case-schema.js'
import { fieldName } from '../../base/field-name.js'
import { describeFound } from '../../base/json/json-text.js'
import { isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { readIssues } from './schema-issues.js'
import { findUnknownKeys } from './unknown-keys.js'

/**
 * Asked of the assertion registry: what does this assertion compile to, or what is wrong with it? Unknown keys that
 * resemble no known one go to `doubts`.
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
  const schemaIssues = readIssues(safeParse(caseSchema, raw).issues ?? [])
  for (const { path, message } of [...schemaIssues, ...checkCaseRules(raw, options.otherInput)]) {
    problems.push({ field: fieldName(path), message })
  }
  for (const key of findUnknownKeys(caseSchema, raw)) {
    const field = fieldName([...key.path, key.name])
    const near = key.name === '__proto__' ? undefined : suggest(key.name, key.known)
    const message = `unknown field "${key.name}"`
    if (near !== undefined && !key.open) problems.push({ field, message, suggestion: near })
    else if (near !== undefined)
      warnings.push({ kind: field, field, message: `${message}, passed on as it is; "${near}" is known` })
    else if (!key.open && options.strict)
      problems.push({ field, message: `${message}; known are ${key.known.join(', ')}` })
    else if (!key.open)
      warnings.push({ kind: field.replaceAll(/\[\d+\]/g, '[]'), field, message: `${message} is ignored` })
  }
  for (const { path, message } of doubtfulFields(raw)) warnings.push({ kind: message, field: fieldName(path), message })
  return { problems, warnings }
}
