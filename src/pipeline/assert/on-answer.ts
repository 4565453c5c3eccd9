// Assertions on the answer look at all of it or, with `path`, at the JSON value there.
import type { Evidence } from '../../model/evidence.js'
import { findJson } from '../../base/json/find-json.js'
import { compilePath, PathError, type PathQuery } from '../../base/json/json-path.js'
import { preview } from '../../base/text.js'
import { SpecError, type AssertServices, type Check, type CompileContext, type Verdict } from './define-assertion.js'

export type AnswerCheck = (answer: unknown, evidence: Evidence, services: AssertServices) => Verdict | Promise<Verdict>

/** `missing`: whether a missing value counts as null or fails the check outright. */
export function onAnswer(
  spec: { path?: string },
  { field }: CompileContext,
  check: AnswerCheck,
  missing: 'null' | 'fails' = 'fails',
): Check {
  if (spec.path === undefined) return (evidence, services) => check(evidence.output, evidence, services)
  const query = requirePath(spec.path, `${field}.path`)
  return (evidence, services) => {
    const json = findJson(evidence.output)
    if (!json) return notJson(evidence.output)
    const found = query.select(json.value)
    if (found.length > 0) return check(query.singular || found.length < 2 ? found[0] : found, evidence, services)
    const absent = nothingAt(query.source, json.value)
    if (missing === 'fails') return absent
    const verdict = check(null, evidence, services)
    return verdict instanceof Promise ? verdict.then((done) => orAbsent(done, absent)) : orAbsent(verdict, absent)
  }
}

function orAbsent(verdict: Verdict, { absent }: Verdict): Verdict {
  return verdict.passed || absent === undefined ? verdict : { ...verdict, absent }
}

export function requirePath(path: string, field: string): PathQuery {
  try {
    return compilePath(path)
  } catch (error) {
    if (error instanceof PathError) throw new SpecError(field, `invalid path "${path}": ${error.message}`)
    throw error
  }
}

export function notJson(output: unknown): Verdict {
  return absence(`output is not valid JSON: ${preview(output ?? null)}`)
}

export function nothingAt(path: string, document: unknown): Verdict {
  return absence(`nothing at path ${path} in ${preview(document)}`)
}

function absence(message: string): Verdict {
  return { passed: false, message, absent: message }
}
