// Assertions on the answer look at all of it or, with `path`, at the JSON value there.
import type { Evidence } from '../../model/evidence.js'
import { defined } from '../../base/defined.js'
import { findJson } from '../../base/json/find-json.js'
import { compilePath, PathError, type PathQuery } from '../../base/json/json-path.js'
import { preview } from '../../base/text.js'
import { SpecError, type AssertServices, type Check, type CompileContext, type Verdict } from './define-assertion.js'
import { mapInOrder } from './map-in-order.js'

export type AnswerCheck = (answer: unknown, evidence: Evidence, services: AssertServices) => Verdict | Promise<Verdict>

interface AnswerOptions {
  /** Whether a missing value counts as null or fails the check outright. */
  missing?: 'null' | 'fails'
  /** What a query that may find several is checked as, also where it finds one: each value on its own, or the list of them. */
  several: 'each' | 'list'
}

export function onAnswer(
  spec: { path?: string },
  { field }: CompileContext,
  check: AnswerCheck,
  { missing = 'fails', several }: AnswerOptions,
): Check {
  if (spec.path === undefined) return (evidence, services) => check(evidence.output, evidence, services)
  const query = requirePath(spec.path, `${field}.path`)
  return (evidence, services) => {
    const json = findJson(evidence.output)
    if (!json) return notJson(evidence.output)
    const found = query.select(json.value)
    if (found.length > 0 && query.singular) return check(found[0], evidence, services)
    if (found.length > 0 && several === 'list') return check(found, evidence, services)
    if (found.length > 0) return checkEach(found, (value) => check(value, evidence, services))
    const absent = nothingAt(query.source, json.value)
    if (missing === 'fails') return absent
    const verdict = check(null, evidence, services)
    return verdict instanceof Promise ? verdict.then((done) => orAbsent(done, absent)) : orAbsent(verdict, absent)
  }
}

function orAbsent(verdict: Verdict, { absent }: Verdict): Verdict {
  return verdict.passed || absent === undefined ? verdict : { ...verdict, absent }
}

/** Whether the path is a query that may find several values: `[*]`, `..`, a filter, a slice. */
export function findsSeveral({ path }: { path?: string }, { field }: CompileContext): boolean {
  return path !== undefined && !requirePath(path, `${field}.path`).singular
}

function checkEach(
  found: unknown[],
  check: (value: unknown) => Verdict | Promise<Verdict>,
): Verdict | Promise<Verdict> {
  const verdicts = mapInOrder(found, check)
  return verdicts instanceof Promise ? verdicts.then(joined) : joined(verdicts)
}

/** Of values of which some hold and some do not, neither the check nor its opposite holds. */
function joined(verdicts: Verdict[]): Verdict {
  const failed = verdicts.find(({ error }) => error !== undefined) ?? verdicts.find(({ passed }) => !passed)
  const [first] = verdicts as [Verdict]
  if (!failed)
    return verdicts.reduce((least, verdict) => ((verdict.score ?? 1) < (least.score ?? 1) ? verdict : least), first)
  if (failed.error !== undefined || verdicts.length === 1) return failed
  const { message = '', ...rest } = failed
  const text = `${message} (value ${verdicts.indexOf(failed) + 1} of ${verdicts.length} at the path)`
  const unsure = verdicts.find(({ absent, incomplete }) => absent !== undefined || incomplete !== undefined)
  const absent = verdicts.some(({ passed }) => passed) ? `it holds for some of the values: ${text}` : unsure?.absent
  const incomplete = unsure?.incomplete
  return { ...rest, message: text, ...defined({ absent, incomplete }) }
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
